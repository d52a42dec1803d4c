// SPDX-License-Identifier: Apache-2.0
// The banks' oracle beside what an H200 did and beside the virtual GPU's counters, which are code of their
// own.
#include "reference/banks.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/support/virtual_gpu_testing.h"

namespace warplings::reference {
namespace {

TEST(BanksTest, SuccessiveWordsLieInSuccessiveBanks) {
  EXPECT_EQ(BankOf(0), 0);
  EXPECT_EQ(BankOf(3), 0);
  EXPECT_EQ(BankOf(4), 1);
  EXPECT_EQ(BankOf(127), 31);
  EXPECT_EQ(BankOf(128), 0);
  EXPECT_EQ(BankOf(259), 0);
  EXPECT_EQ(BankOf(380), 31);
}

TEST(BanksTest, WideElementsLieInSeveralBanks) {
  EXPECT_EQ(BanksCovered(1), 1);
  EXPECT_EQ(BanksCovered(4), 1);
  EXPECT_EQ(BanksCovered(8), 2);
  EXPECT_EQ(BanksCovered(16), 4);
  EXPECT_EQ(LanesAtOnce(2), 32);
  EXPECT_EQ(LanesAtOnce(8), 16);
  EXPECT_EQ(LanesAtOnce(16), 8);
}

/// The seeds' example: 32 lanes, 32 bytes apart.
TEST(BanksTest, StrideOf32BytesIsAnEightWayConflictOnFourBanks) {
  const BankUse use = UseOfBanks(Strided(0, 32), 4);
  EXPECT_EQ(use.degree, 8);
  EXPECT_EQ(use.busiest_banks, 1u | 1u << 8 | 1u << 16 | 1u << 24);
}

TEST(BanksTest, OneWordForAllIsNoConflict) {
  const BankUse use = UseOfBanks(Strided(64, 0), 4);
  EXPECT_EQ(use.degree, 1);
  EXPECT_EQ(use.wavefronts, 1);
  EXPECT_EQ(use.busiest_banks, 1u << 16);
  EXPECT_EQ(UseOfBanks(Strided(0, 1), 1).degree, 1) << "four chars share a word";
}

TEST(BanksTest, TheWorstGroupDecidesTheDegreeAndEachAddsItsWavefronts) {
  LaneAddresses addresses = Strided(0, 8);  // doubles, one after another
  for (std::size_t lane = 16; lane < 20; ++lane) addresses[lane] = static_cast<std::uint32_t>(256 * lane);
  const BankUse use = UseOfBanks(addresses, 8);
  EXPECT_EQ(use.degree, 4);
  EXPECT_EQ(use.wavefronts, 1 + 4);
  EXPECT_EQ(use.conflicts, 3);
  EXPECT_EQ(use.busiest_banks, 0b11u);
}

/// Shared loads of one warp, measured with ncu on an H200: wavefronts, and how many of them are conflicts.
struct Measured {
  int element_bytes, stride_elements, wavefronts, conflicts;
};

TEST(BanksTest, AsMeasuredOnAnH200) {
  const Measured table[] = {
      {4, 1, 1, 0},    {4, 2, 2, 1},  {4, 3, 1, 0},  {4, 4, 4, 3},  {4, 8, 8, 7},  {4, 16, 16, 15},
      {4, 32, 32, 31}, {4, 33, 1, 0}, {8, 1, 2, 0},  {8, 2, 4, 2},  {8, 3, 2, 0},  {8, 4, 8, 6},
      {8, 16, 32, 30}, {8, 17, 2, 0}, {16, 1, 4, 0}, {16, 2, 8, 4}, {16, 3, 4, 0}, {16, 5, 4, 0},
  };
  for (const Measured& m : table) {
    const BankUse use = UseOfBanks(
        Strided(0, static_cast<std::uint32_t>(m.stride_elements * m.element_bytes)), m.element_bytes);
    EXPECT_EQ(use.wavefronts, m.wavefronts) << m.element_bytes << " bytes, stride " << m.stride_elements;
    EXPECT_EQ(use.conflicts, m.conflicts) << m.element_bytes << " bytes, stride " << m.stride_elements;
  }
  LaneAddresses four_words;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) four_words[lane] = lane / 8 * 4;
  EXPECT_EQ(UseOfBanks(four_words, 4).wavefronts, 1);
}

/// One warp on a virtual GPU: lane i loads an element from the shared address that a[i] says.
class OneWarp {
 public:
  explicit OneWarp(int element_bytes) {
    device_ = MakeVirtualGpu(*FindDeviceProfile("a100"), {}).value();
    array_ = device_->Allocate(sizeof(LaneAddresses), AllocationKind::kDevice)->address;
    const auto module = device_->LoadModule(0, vgpu::WrapPtx(Text(element_bytes)));
    EXPECT_TRUE(module.ok()) << module.error().message;
    kernel_ = device_->FindKernel(*module, "k")->id;
  }

  Counts Load(const LaneAddresses& addresses) {
    EXPECT_TRUE(device_->CopyIn(array_, std::as_bytes(std::span(addresses)), 0).ok());
    LaunchRequest request;
    request.kernel = kernel_;
    request.grid = {1, 1, 1};
    request.block = {kWarpLanes, 1, 1};
    request.arguments = vgpu::Arguments().Add(array_).bytes();
    EXPECT_TRUE(device_->Launch(request).ok());
    return device_->TakeLaunches().at(0).totals;
  }

 private:
  static std::string Text(int element_bytes) {
    const std::string load = element_bytes == 1   ? "ld.shared.u8 %r4, [%r3];"
                             : element_bytes == 2 ? "ld.shared.u16 %r4, [%r3];"
                             : element_bytes == 4 ? "ld.shared.u32 %r4, [%r3];"
                             : element_bytes == 8 ? "ld.shared.u64 %rd4, [%r3];"
                                                  : "ld.shared.v4.u32 {%r4,%r5,%r6,%r7}, [%r3];";
    return R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .shared .align 128 .b8 all[32768];
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  mov.u32 %r3, all;
  add.u32 %r3, %r3, %r2;
  )" + load +
           "\n  ret;\n}\n";
  }

  std::unique_ptr<LocalDevice> device_;
  DevicePointer array_ = 0;
  KernelId kernel_ = 0;
};

class AgainstTheVirtualGpu : public testing::TestWithParam<int> {};

TEST_P(AgainstTheVirtualGpu, CountsAgree) {
  const int bytes = GetParam();
  const auto size = static_cast<std::uint32_t>(bytes);
  OneWarp warp(bytes);
  std::vector<LaneAddresses> requests;
  for (std::uint32_t stride = 0; stride <= 33; ++stride) requests.push_back(Strided(size, stride * size));
  // Anything at all: from a few words, so that lanes meet, to many, so that banks do.
  std::mt19937 engine(size);
  for (std::uint32_t elements = 2; elements <= 2048; elements *= 2) {
    for (int repeat = 0; repeat < 4; ++repeat) {
      LaneAddresses any;
      for (std::uint32_t& address : any) address = static_cast<std::uint32_t>(engine()) % elements * size;
      requests.push_back(any);
    }
  }
  for (const LaneAddresses& request : requests) {
    const BankUse use = UseOfBanks(request, bytes);
    const Counts counts = warp.Load(request);
    EXPECT_EQ(counts.shared_load_wavefronts, static_cast<std::uint64_t>(use.wavefronts));
    EXPECT_EQ(counts.shared_load_conflicts, static_cast<std::uint64_t>(use.conflicts));
  }
}

INSTANTIATE_TEST_SUITE_P(Bytes, AgainstTheVirtualGpu, testing::Values(1, 2, 4, 8, 16));

}  // namespace
}  // namespace warplings::reference
