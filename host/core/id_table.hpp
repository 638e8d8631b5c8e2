// What belongs to ids that are given one after the other: transfers under way, flows, bursts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "host/core/ids.hpp"

namespace ocs {

/// A map from ids, for hundreds of thousands that come and go: ids that are given together lie together, in pages of
/// 64, where a hash map finds each in a place of its own. A page whose entries are all gone is freed; what stays of it
/// is a pointer. References stay valid until their entry is erased.
template <class T>
class IdTable {
 public:
  bool contains(Id id) const { return find(id) != nullptr; }
  bool empty() const { return size_ == 0; }

  /// @returns null if there is none
  T* find(Id id) {
    Page* page = page_of(id);
    return page != nullptr && page->entries[place_of(id)] ? &*page->entries[place_of(id)] : nullptr;
  }
  const T* find(Id id) const { return const_cast<IdTable*>(this)->find(id); }

  /// @throws std::out_of_range if there is none
  T& at(Id id) {
    if (T* found = find(id)) return *found;
    throw std::out_of_range("IdTable: no entry has this id");
  }
  const T& at(Id id) const { return const_cast<IdTable*>(this)->at(id); }

  /// Its entry, which is new if there was none.
  T& operator[](Id id) { return emplace(id); }

  /// Adds one, made of `values`, unless there is one. @returns the entry
  template <class... Values>
  T& emplace(Id id, Values&&... values) {
    Page& page = made_page_of(id);
    std::optional<T>& entry = page.entries[place_of(id)];
    if (!entry) {
      entry.emplace(std::forward<Values>(values)...);
      ++page.used;
      ++size_;
    }
    return *entry;
  }

  /// @returns whether there was one
  bool erase(Id id) {
    Page* page = page_of(id);
    if (page == nullptr || !page->entries[place_of(id)]) return false;
    page->entries[place_of(id)].reset();
    --size_;
    if (--page->used == 0) free_page(id);
    return true;
  }

  std::optional<T> extract(Id id) {
    std::optional<T> out;
    if (T* found = find(id)) {
      out.emplace(std::move(*found));
      erase(id);
    }
    return out;
  }

  /// Calls `act(id, entry)` for each, ascending by id. It must neither add nor erase any.
  template <class Act>
  void for_each(Act&& act) const {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (blocks_[b] == nullptr) continue;
      for (std::size_t p = 0; p < pages_in_block; ++p)
        if (const Page* page = (*blocks_[b])[p].get()) act_on_page(*page, (b * pages_in_block + p) * page_size, act);
    }
  }

 private:
  static constexpr std::size_t page_size = 64, pages_in_block = 4096;
  struct Page {
    std::array<std::optional<T>, page_size> entries;
    std::size_t used = 0;
  };
  using Block = std::array<std::unique_ptr<Page>, pages_in_block>;

  static std::size_t place_of(Id id) { return index(id) % page_size; }
  static std::size_t page_number(Id id) { return index(id) / page_size; }

  Page* page_of(Id id) {
    const std::size_t number = page_number(id), block = number / pages_in_block;
    if (block >= blocks_.size() || blocks_[block] == nullptr) return nullptr;
    return (*blocks_[block])[number % pages_in_block].get();
  }

  Page& made_page_of(Id id) {
    const std::size_t number = page_number(id), block = number / pages_in_block;
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    if (blocks_[block] == nullptr) blocks_[block] = std::make_unique<Block>();
    std::unique_ptr<Page>& page = (*blocks_[block])[number % pages_in_block];
    if (page == nullptr) page = spare_ ? std::move(spare_) : std::make_unique<Page>();
    return *page;
  }

  /// One is kept: the last entry of a page often goes just before the first of the next one comes.
  void free_page(Id id) {
    const std::size_t number = page_number(id);
    spare_ = std::move((*blocks_[number / pages_in_block])[number % pages_in_block]);
  }

  template <class Act>
  static void act_on_page(const Page& page, std::size_t first, Act& act) {
    for (std::size_t k = 0; k < page_size; ++k)
      if (page.entries[k]) act(static_cast<Id>(first + k), *page.entries[k]);
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<Page> spare_;
  std::size_t size_ = 0;  ///< entries
};

}  // namespace ocs
