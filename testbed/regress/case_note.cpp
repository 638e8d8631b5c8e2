// One mapping for each case, which fork() passes on.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/case_note.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <new>

#include "host/conformance/registers.hpp"

namespace ocs::regress {
namespace {

/// The register whose entries begin last before this address.
std::string register_at(std::int64_t address) {
  const conformance::Register* best = nullptr;
  for (const conformance::Register& each : conformance::registers())
    if (each.address <= address && (best == nullptr || each.address > best->address)) best = &each;
  if (best == nullptr) return "the register at byte " + std::to_string(address);
  const std::int64_t further = address - best->address;
  const std::string_view whole = best->name.substr(0, best->name.find('.'));  // of a register that holds fields
  return std::string(whole) + (further == 0 ? "" : " + " + std::to_string(further) + " bytes");
}

std::string words_of(const CaseNote::Access& access) {
  switch (access.kind) {
    case CaseNote::Access::Kind::none:
      break;
    case CaseNote::Access::Kind::read:
      return ", in a read of " + register_at(access.value) + ",";
    case CaseNote::Access::Kind::write:
      return ", in a write of " + register_at(access.value) + ",";
    case CaseNote::Access::Kind::advance:
      return ", on the way to cycle " + std::to_string(access.value) + ",";
  }
  return "";
}

}  // namespace

struct CaseNote::Shared {
  std::array<char, 256> text{};
  Access last{};
};

CaseNote::CaseNote() : shared_(nullptr) {
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) shared_ = new (memory) Shared;
}

CaseNote::~CaseNote() {
  if (shared_ != nullptr) munmap(shared_, sizeof(Shared));
}

void CaseNote::say(std::string_view text) {
  if (shared_ == nullptr) return;
  shared_->last = {};
  char* const end = std::copy_n(text.data(), std::min(text.size(), shared_->text.size() - 1), shared_->text.data());
  *end = '\0';
}

void CaseNote::begins(Access access) {
  if (shared_ != nullptr) shared_->last = access;
}

std::string CaseNote::text() const {
  if (shared_ == nullptr) return "";
  const std::string_view all(shared_->text.data(), shared_->text.size());
  const std::string said(all.substr(0, all.find('\0')));
  return said.empty() ? "" : said + words_of(shared_->last);
}

}  // namespace ocs::regress
