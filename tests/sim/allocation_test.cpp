// Every allocation of a function fails once: it throws and does not end the program.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

#include "testbed/workloads/workload.hpp"
#include "tests/common/places.hpp"

namespace {

thread_local long left_to_fail = -1;  // allocations until one fails; below 0: none does

void* allocate(std::size_t size) {
  if (left_to_fail >= 0 && left_to_fail-- == 0) throw std::bad_alloc();
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size == 0 ? 1 : size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size == 0 ? 1 : size); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace ocs::sim {
namespace {

/// @returns how many allocations could fail
template <class Action>
long fail_each(Action action) {
  for (long k = 0;; ++k) {
    left_to_fail = k;
    try {
      action();
      const bool failed = left_to_fail < 0;
      left_to_fail = -1;
      if (!failed) return k;
    } catch (const std::bad_alloc&) {
      left_to_fail = -1;
    }
  }
}

TEST(EveryAllocation, OfReadingAFolderOfWorkloadsMayFail) {
  const std::string folder = test::source_dir() + "/testbed/workloads";
  EXPECT_GT(fail_each([&] { workload_names(folder); }), 20);
}

}  // namespace
}  // namespace ocs::sim
