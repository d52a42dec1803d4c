// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/instruction_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "tests/golden/golden_file.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu {
namespace {

/// Runs cases on the virtual GPU.
class CaseRunner {
 public:
  CaseRunner() : device_(MakeVirtualGpu(*FindDeviceProfile("h200"), {}).value()) {
    operands_ = device_->Allocate(kCaseThreads * kCaseOperands * 8, AllocationKind::kDevice)->address;
    results_ = device_->Allocate(kCaseThreads * kCaseResults * 8, AllocationKind::kDevice)->address;
  }

  Result<std::vector<std::uint64_t>, std::string> Run(const InstructionCase& one) {
    auto module = device_->LoadModule(0, WrapPtx(one.kernel_text));
    if (!module) return English(module.error().message);
    auto kernel = device_->FindKernel(*module, "k");
    if (!kernel) return English(kernel.error().message);
    std::vector<std::uint64_t> out(kCaseThreads * kCaseResults, kUnwritten);
    LaunchRequest launch;
    launch.kernel = kernel->id;
    launch.block = {kCaseThreads, 1, 1};
    launch.arguments = Arguments().Add(operands_).Add(results_).bytes();
    const auto in = CaseOperands(one.opcode);
    const bool done = device_->CopyIn(operands_, AsBytes(in), 0).ok() &&
                      device_->CopyIn(results_, AsBytes(out), 0).ok() && device_->Launch(launch).ok() &&
                      device_->CopyOut(std::as_writable_bytes(std::span(out)), results_, 0).ok() &&
                      device_->UnloadModule(0, *module).ok();
    if (!done) return std::string("did not run");
    // What a division by zero gives is recorded, too.
    for (const Finding& finding : device_->TakeFindings()) {
      if (finding.kind != FindingKind::kDivisionByZero) return English(finding.message);
    }
    return out;
  }

 private:
  std::unique_ptr<LocalDevice> device_;
  DevicePointer operands_ = 0, results_ = 0;
};

double HalfValue(std::uint64_t bits, bool is_brain) {
  const int mantissa_bits = is_brain ? 7 : 10, bias = is_brain ? 127 : 15;
  const auto magnitude = static_cast<int>(bits & 0x7fff);
  const int exponent = magnitude >> mantissa_bits, mantissa = magnitude & ((1 << mantissa_bits) - 1);
  if (exponent == 2 * bias + 1) return mantissa ? NAN : bits & 0x8000 ? -INFINITY : INFINITY;
  const double value = exponent ? std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits)
                                : std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return bits & 0x8000 ? -value : value;
}

/// Of f16 and bf16, and pairs of them: the bounds of "tanh" and "ex2", and one unit for our own rounding.
bool HalvesCloseEnough(const std::string& opcode, std::uint64_t expected, std::uint64_t actual) {
  const bool is_brain = opcode.find(".bf16") != std::string::npos;
  const double relative = is_brain ? 0x1p-7 : 0x1p-9;
  for (int shift = 0; shift < 64; shift += 16) {
    const double e = HalfValue(expected >> shift & 0xffff, is_brain);
    const double a = HalfValue(actual >> shift & 0xffff, is_brain);
    if (std::isnan(e) != std::isnan(a)) return false;
    if (std::isnan(e) || e == a) continue;
    if (!(std::abs(e - a) <= relative * std::abs(e) + (is_brain ? 0 : 0x1p-23))) return false;
  }
  return true;
}

/// Two f32, sums of a few products of numbers of at most 2.
bool SumsCloseEnough(std::uint64_t expected, std::uint64_t actual) {
  for (int shift = 0; shift < 64; shift += 32) {
    const float e = std::bit_cast<float>(static_cast<std::uint32_t>(expected >> shift));
    const float a = std::bit_cast<float>(static_cast<std::uint32_t>(actual >> shift));
    if (!(std::abs(e - a) <= 0x1p-19f)) return false;
  }
  return true;
}

/// Whether an approximate result is as good as the manual's bound, generously rounded up to cover both
/// ours and the hardware's error: 2 + 2 ulp; sin, cos, lg2 and tanh have absolute or relative bounds.
bool CloseEnough(const std::string& opcode, std::uint64_t operand, std::uint64_t expected,
                 std::uint64_t actual) {
  if (expected == actual) return true;
  if (opcode.find("tf32") != std::string::npos) return SumsCloseEnough(expected, actual);
  if (opcode.find("f16") != std::string::npos) return HalvesCloseEnough(opcode, expected, actual);
  if (opcode.ends_with(".f64")) {
    const double e = std::bit_cast<double>(expected), a = std::bit_cast<double>(actual);
    if (std::isnan(e) && std::isnan(a)) return true;
    return std::abs(e - a) <= 1e-6 * std::abs(e);
  }
  const float e = std::bit_cast<float>(static_cast<std::uint32_t>(expected));
  const float a = std::bit_cast<float>(static_cast<std::uint32_t>(actual));
  if (std::isnan(e) && std::isnan(a)) return true;
  const float ulp = std::nextafter(std::abs(e), INFINITY) - std::abs(e);
  if (opcode.starts_with("sin") || opcode.starts_with("cos")) {
    // 2^-20.5 in [-pi, pi]; beyond, the manual grants an error that grows with the argument.
    const float x = std::abs(std::bit_cast<float>(static_cast<std::uint32_t>(operand)));
    return std::abs(e - a) <= 7e-7f * std::max(1.0f, x);
  }
  if (opcode.starts_with("lg2")) return std::abs(e - a) <= std::max(4 * ulp, 4.8e-7f);
  if (opcode.starts_with("tanh")) return std::abs(e - a) <= std::abs(e) * 9.8e-4f;  // 2^-10.987 and ours
  return std::abs(e - a) <= 4 * ulp;
}

/// A product's second result is folded from all registers: it has no "close".
bool IsFolded(const std::string& opcode, std::size_t index) {
  return opcode.find("tf32") != std::string::npos && index % kCaseResults == 1;
}

class Golden : public ::testing::Test {};

TEST_F(Golden, EveryFormGivesWhatAnH200Gives) {
  const auto golden = ReadGolden(WARPLINGS_GOLDEN_FILE);
  ASSERT_TRUE(golden.ok()) << golden.error().message;
  CaseRunner runner;
  int compared = 0;
  for (const InstructionCase& one : MakeInstructionCases(BestEngine().rows)) {
    const auto expected = golden->results.find(one.name);
    EXPECT_NE(expected, golden->results.end())
        << one.opcode << " was never recorded: run record_golden on a GPU";
    if (expected == golden->results.end()) continue;
    const auto actual = runner.Run(one);
    ASSERT_TRUE(actual.ok()) << one.opcode << ": " << actual.error();
    const auto operands = CaseOperands(one.opcode);
    int wrong = 0;
    for (std::size_t i = 0; i < actual->size(); ++i) {
      const bool same =
          one.exactness == Exactness::kBits
              ? (*actual)[i] == expected->second[i]
              : IsFolded(one.opcode, i) || CloseEnough(one.opcode, operands[i / kCaseResults * kCaseOperands],
                                                       expected->second[i], (*actual)[i]);
      if (same || ++wrong > 3) continue;
      const std::size_t first = i / kCaseResults * kCaseOperands;
      ADD_FAILURE() << one.opcode << std::hex << " of " << operands[first] << ", " << operands[first + 1]
                    << ", " << operands[first + 2] << ", " << operands[first + 3] << " gives " << (*actual)[i]
                    << ", hardware " << expected->second[i] << " (result " << i % kCaseResults << ")";
    }
    if (wrong > 3) ADD_FAILURE() << one.opcode << ": " << wrong << " of " << actual->size() << " differ";
    ++compared;
  }
  EXPECT_GT(compared, 1000);
}

TEST(Forms, ExpandToEachSpelling) {
  EXPECT_EQ(ExpandForm("add{.u16|.s16}"), (std::vector<std::string>{"add.u16", "add.s16"}));
  EXPECT_EQ(ExpandForm("add[.ftz].f32"), (std::vector<std::string>{"add.f32", "add.ftz.f32"}));
  EXPECT_EQ(ExpandForm("exit"), std::vector<std::string>{"exit"});
}

}  // namespace
}  // namespace warplings::vgpu
