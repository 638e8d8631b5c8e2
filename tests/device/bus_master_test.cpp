// What a device does on its AXI4-Lite bus: a subordinate that breaks the protocol is an error, whatever its registers hold.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "host/core/error.hpp"
#include "host/device/verilated_device.hpp"

namespace ocs {
namespace {

enum class Flaw : std::uint8_t {
  none,
  writes_without_answer,
  reads_without_answer,
  address_not_taken,
  data_not_taken,
  read_not_taken,
  write_answer_not_held,
  read_answer_not_held,
  data_not_held,
  write_answer_stays,
  read_answer_stays,
  read_beside_a_write_lost
};

/// The pins of a switch that is a memory of words behind its ID, and as much of the protocol as the device's master needs.
class Memory {
 public:
  explicit Memory(Flaw flaw) : flaw_(flaw) {}

  void clear_valid() {}
  void clocks_fell() {}
  void eval() {
    if (rst_ni == 0 || bus_clk_i == 0) return;
    const bool writes = address_ && data_ && bvalid_o == 0, reads = read_ && rvalid_o == 0;
    if (bready_i != 0 && flaw_ != Flaw::write_answer_stays) bvalid_o = 0;
    if (rready_i != 0 && flaw_ != Flaw::read_answer_stays) rvalid_o = 0;
    if (flaw_ == Flaw::write_answer_not_held) bvalid_o = 0;
    if (flaw_ == Flaw::read_answer_not_held) rvalid_o = 0;
    if (flaw_ == Flaw::data_not_held) ++rdata_o;
    take();
    if (writes) write();
    if (writes && flaw_ == Flaw::read_beside_a_write_lost) read_.reset();
    if (reads && read_) {
      rdata_o = *read_ == 0 ? OCS_REGS__ID__MAGIC_reset : words_[*read_];
      rvalid_o = flaw_ != Flaw::reads_without_answer;
      read_.reset();
    }
    awready_o = !address_ && flaw_ != Flaw::address_not_taken;
    wready_o = !data_ && flaw_ != Flaw::data_not_taken;
    arready_o = !read_ && flaw_ != Flaw::read_not_taken;
  }

 private:
  void take() {
    if (awvalid_i != 0 && !address_) address_ = awaddr_i;
    if (wvalid_i != 0 && !data_) data_ = {wdata_i, wstrb_i};
    if (arvalid_i != 0 && !read_) read_ = araddr_i;
  }
  void write() {
    constexpr unsigned bytes = 4, bits = 8;
    for (unsigned k = 0; k < bytes; ++k) {
      const std::uint32_t byte = 0xFFU << bits * k;
      std::uint32_t& word = words_[*address_];
      if ((data_->second >> k & 1) != 0) word = (word & ~byte) | (data_->first & byte);
    }
    bvalid_o = flaw_ != Flaw::writes_without_answer;
    address_.reset();
    data_.reset();
  }

  Flaw flaw_;
  std::map<std::uint32_t, std::uint32_t> words_;
  std::optional<std::uint32_t> address_, read_;
  std::optional<std::pair<std::uint32_t, std::uint8_t>> data_;

 public:
  std::uint64_t time_o = 0;
  std::uint32_t step_i = 0, horizon_o = 1, cycle_ps_i = 0, awaddr_i = 0, wdata_i = 0, araddr_i = 0, rdata_o = 0;
  std::uint16_t word_bytes_i = 0;
  std::uint8_t clk_i = 0, bus_clk_i = 0, rst_ni = 0, irq_o = 0, awvalid_i = 0, awready_o = 1, wvalid_i = 0,
               wready_o = 1, wstrb_i = 0, bvalid_o = 0, bready_i = 0, bresp_o = 0, arvalid_i = 0, arready_o = 1,
               rvalid_o = 0, rready_i = 0, rresp_o = 0;
};

/// The sentence that some accesses end with; empty if all have their answers. What is read is checked.
std::string sentence(Flaw flaw, std::uint64_t stride_seed) {
  DeviceConfig config;
  config.stride_seed = stride_seed;
  VerilatedDevice<Memory> device(config, flaw);
  constexpr std::uint32_t accesses = 40, spread = 0x1'2345'67;
  try {
    for (std::uint32_t k = 1; k < accesses; ++k) device.bus().write(4 * k, k * spread);
    device.bus().write_bytes(4, 0xAABBCCDD, 0b0101);
    EXPECT_EQ(device.bus().read(4), 0x01BB45DDU);
    for (std::uint32_t k = 2; k < accesses; ++k) EXPECT_EQ(device.bus().read(4 * k), k * spread);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr std::uint64_t promptly = 0, patiently = 1;

TEST(BusMaster, HasWhatItWroteAtOnceOrLate) {
  EXPECT_EQ(sentence(Flaw::none, promptly), "");
  EXPECT_EQ(sentence(Flaw::none, patiently), "");
}

TEST(BusMaster, EndsWithAnAccessThatHasNoAnswer) {
  for (const std::uint64_t way : {promptly, patiently}) {
    EXPECT_EQ(sentence(Flaw::writes_without_answer, way),
              "the switch did not answer a write at address 0x00004 as AXI4-Lite demands");
  }
  EXPECT_EQ(sentence(Flaw::reads_without_answer, promptly),
            "the switch did not answer a read at address 0x00004 as AXI4-Lite demands");
  for (const Flaw flaw : {Flaw::reads_without_answer, Flaw::read_beside_a_write_lost})  // of ID, beside a write
    EXPECT_EQ(sentence(flaw, patiently), "the switch did not answer a read at address 0x00000 as AXI4-Lite demands");
}

TEST(BusMaster, NoticesReadyThatIsLowAndAnswersThatAreNotHeldWhenItTakesItsTime) {
  for (const Flaw flaw :
       {Flaw::address_not_taken, Flaw::data_not_taken, Flaw::write_answer_not_held, Flaw::write_answer_stays,
        Flaw::read_not_taken, Flaw::read_answer_not_held, Flaw::data_not_held, Flaw::read_answer_stays}) {
    const bool of_read = flaw == Flaw::read_not_taken || flaw == Flaw::read_answer_not_held ||
                         flaw == Flaw::data_not_held || flaw == Flaw::read_answer_stays;
    const std::string begin = std::string("the switch did not answer a ") + (of_read ? "read" : "write");
    EXPECT_EQ(sentence(flaw, patiently).substr(0, begin.size()), begin) << static_cast<int>(flaw);
  }
}

}  // namespace
}  // namespace ocs
