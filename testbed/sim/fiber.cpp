// Switches stacks. What the C++ runtime and the sanitizers keep for each thread is switched with them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/fiber.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIGHTLOOP_FIBERS_ASAN
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define LIGHTLOOP_FIBERS_ASAN
#endif
#ifdef LIGHTLOOP_FIBERS_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace ocs::sim {
namespace {

constexpr std::size_t stack_bytes = std::size_t{4} << 20;  // what is not touched costs nothing

/// Exceptions that are being handled: the runtime keeps them for each thread, here they belong to a stack.
using Handled = std::array<std::byte, 2 * sizeof(void*)>;

void swap_handled(Handled& kept) {
  auto* globals = reinterpret_cast<std::byte*>(abi::__cxa_get_globals());
  Handled here;
  std::memcpy(here.data(), globals, here.size());
  std::memcpy(globals, kept.data(), kept.size());
  kept = here;
}

/// Stacks are used again: the pages that one has touched stay.
std::vector<void*>& free_stacks() {
  static std::vector<void*> stacks;
  return stacks;
}

void* take_stack() {
  if (!free_stacks().empty()) {
    void* stack = free_stacks().back();
    free_stacks().pop_back();
    return stack;
  }
  void* stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) throw std::bad_alloc();
  mprotect(stack, 4096, PROT_NONE);  // what runs over it is noticed
  return stack;
}

}  // namespace

struct Fiber::State {
  std::function<void()> body;
  ucontext_t inside{}, outside{};
  void* stack = nullptr;
  Handled handled{};
  bool begun = false, over = false;
#ifdef LIGHTLOOP_FIBERS_ASAN
  void* fake_inside = nullptr;
  void* fake_outside = nullptr;
  const void* outer_stack = nullptr;
  std::size_t outer_size = 0;
#endif
#if defined(__SANITIZE_THREAD__)
  void* tsan_inside = nullptr;
  void* tsan_outside = nullptr;
#endif

  void enter() {
    swap_handled(handled);
#if defined(__SANITIZE_THREAD__)
    tsan_outside = __tsan_get_current_fiber();
    if (tsan_inside == nullptr) tsan_inside = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(tsan_inside, 0);
#endif
#ifdef LIGHTLOOP_FIBERS_ASAN
    __sanitizer_start_switch_fiber(&fake_outside, stack, stack_bytes);
#endif
    swapcontext(&outside, &inside);
#ifdef LIGHTLOOP_FIBERS_ASAN
    __sanitizer_finish_switch_fiber(fake_outside, nullptr, nullptr);
#endif
    swap_handled(handled);
  }
  void leave(bool for_good) {
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(tsan_outside, 0);
#endif
#ifdef LIGHTLOOP_FIBERS_ASAN
    __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_inside, outer_stack, outer_size);
#endif
    static_cast<void>(for_good);
    swapcontext(&inside, &outside);
    entered();
  }
  void entered() {
#ifdef LIGHTLOOP_FIBERS_ASAN
    __sanitizer_finish_switch_fiber(fake_inside, &outer_stack, &outer_size);
#endif
  }
};

namespace {

Fiber::State* beginning = nullptr;  // makecontext() hands on nothing but ints

void begin() {
  Fiber::State& state = *beginning;
  state.entered();
  state.body();
  state.body = {};
  state.over = true;
  state.leave(true);
}

}  // namespace

Fiber::Fiber(std::function<void()> body) : state_(std::make_unique<State>()) { state_->body = std::move(body); }

Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
  if (state_->tsan_inside != nullptr) __tsan_destroy_fiber(state_->tsan_inside);
#endif
  if (state_->stack != nullptr) free_stacks().push_back(state_->stack);
}

void Fiber::resume() {
  State& state = *state_;
  if (!state.begun) {
    state.begun = true;
    state.stack = take_stack();
    getcontext(&state.inside);
    state.inside.uc_stack.ss_sp = state.stack;
    state.inside.uc_stack.ss_size = stack_bytes;
    state.inside.uc_link = nullptr;
    makecontext(&state.inside, begin, 0);
    beginning = &state;
  }
  state.enter();
}

void Fiber::pause() { state_->leave(false); }

bool Fiber::over() const { return state_->over; }

}  // namespace ocs::sim
