// Payload that lies in memory of several processes: who holds it, when it is free again, what can't be a reference.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/shared_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbed/nodes/memory/buffer_pool.hpp"

namespace ocs {
namespace {

using testing::HasSubstr;

constexpr Node me{3}, peer{5};

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SharedMemory, HandsOutTheFirstFreeBuffer) {
  SharedMemory memory;
  memory.cut(me, 5000);
  auto first = memory.take();
  const auto second = memory.take();
  EXPECT_EQ(second.get() - first.get(), 8192) << "whole pages";
  const std::byte* place = first.get();
  first.reset();
  EXPECT_EQ(memory.take().get(), place);
  EXPECT_EQ(memory.most_in_use(), 2u);
}

TEST(SharedMemory, HasNoMoreBuffersThanFitInARegion) {
  SharedMemory memory;
  memory.cut(me, 20 << 20);
  std::vector<std::shared_ptr<std::byte[]>> taken;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(taken.emplace_back(memory.take()));
  EXPECT_FALSE(memory.take());
}

TEST(SharedMemory, LendsABufferUntilBothHaveLetGo) {
  SharedMemory mine, theirs(dup(mine.descriptor()));
  mine.cut(me, 4096);
  auto buffer = mine.take();
  buffer[7] = std::byte{42};
  const std::byte* place = buffer.get();
  auto reference = mine.lend({buffer, 100});
  ASSERT_TRUE(reference);
  Payload view = theirs.open(me, decode_reference(encode(*reference)), 100);
  EXPECT_EQ(view.data[7], std::byte{42});
  EXPECT_NE(view.data.get(), place) << "mapped twice";
  buffer.reset();
  EXPECT_NE(mine.take().get(), place) << "the view holds it";
  view = {};
  EXPECT_EQ(mine.take().get(), place);
}

TEST(SharedMemory, LendsNothingThatLiesElsewhere) {
  SharedMemory memory;
  memory.cut(me, 4096);
  std::shared_ptr<std::byte[]> buffer(new std::byte[10]);
  EXPECT_FALSE(memory.lend({buffer, 10}));
}

TEST(SharedMemory, ReachesOtherProcesses) {
  SharedMemory memory;
  memory.cut(me, 4096);
  const auto buffer = memory.take();
  buffer[0] = std::byte{1};
  const auto reference = memory.lend({buffer, 1});
  const pid_t child = fork();
  if (child == 0) {
    SharedMemory inherited(memory.descriptor());
    const Payload view = inherited.open(me, *reference, 1);
    const_cast<std::byte*>(view.data.get())[0] = std::byte{2};
    _exit(0);  // with the view: who dies gives nothing back
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(buffer[0], std::byte{2});
}

TEST(SharedMemory, RefusesReferencesThatPointOutOfIt) {
  SharedMemory memory;
  const auto open = [&](std::uint32_t buffer, std::uint64_t offset, std::size_t bytes) {
    return refusal([&] { memory.open(peer, {buffer, offset}, bytes); });
  };
  constexpr auto region = SharedMemory::region_bytes, control = SharedMemory::control_bytes;
  EXPECT_EQ(open(0, control, 10), "");
  EXPECT_EQ(open(SharedMemory::max_buffers - 1, region - 10, 10), "");
  EXPECT_THAT(open(SharedMemory::max_buffers, control, 10), HasSubstr("node 5 shares 10 bytes"));
  EXPECT_THAT(open(0, control - 1, 10), HasSubstr("from byte 4095"));
  EXPECT_THAT(open(0, region - 9, 10), HasSubstr("its memory has"));
  EXPECT_THAT(open(0, ~std::uint64_t{0}, 10), HasSubstr("its memory has"));
  EXPECT_THROW(decode_reference(std::vector<std::byte>(11)), Malformed);
  EXPECT_THROW(decode_reference(std::vector<std::byte>(13)), Malformed);
}

TEST(SharedMemory, RefusesWhatIsNoSuchMemory) {
  EXPECT_THAT(refusal([] { SharedMemory memory(987); }), HasSubstr("can't be opened"));
  std::FILE* file = std::tmpfile();
  EXPECT_THAT(refusal([&] { SharedMemory memory(dup(fileno(file))); }), HasSubstr("is a file of 0 bytes"));
  std::fclose(file);
}

TEST(BufferPool, TakesMemoryOfItsOwnWhenTheSharedOneIsFull) {
  SharedMemory memory;
  BufferPool pool(20 << 20, memory, me);
  std::vector<std::shared_ptr<std::byte[]>> taken;
  for (int i = 0; i < 5; ++i) taken.push_back(pool.take());
  EXPECT_EQ(pool.most_in_use(), 5u);
  int shared = 0;
  for (const auto& buffer : taken) shared += memory.lend({buffer, 1}).has_value();
  EXPECT_EQ(shared, 3);
}

}  // namespace
}  // namespace ocs
