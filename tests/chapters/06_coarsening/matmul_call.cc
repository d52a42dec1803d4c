// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/06_coarsening/matmul_call.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "grader/judge/judge.h"

namespace warplings::coarsening {
namespace {

/// The watchdog's budget for a launch: 64 warp instructions for each of width^3 products is enough for a
/// single thread that computes the whole product alone.
std::uint64_t Budget(int width) {
  const auto w = static_cast<std::uint64_t>(width);
  return 1'000'000 + 64 * w * w * w;
}

}  // namespace

MatmulInputs MakeInputs(RandomValues& random, int width, Fill fill) {
  const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(width);
  MatmulInputs inputs;
  inputs.m = fill(random, count);
  inputs.n = fill(random, count);
  return inputs;
}

MatmulEvidence CallMatmul(const std::string& title, int width, const MatmulInputs& inputs) {
  const CallReport report = Session().Call(
      {InputArray("M", inputs.m), InputArray("N", inputs.n), OutputArray<float>("P", inputs.m.size())},
      Budget(width), [width](Worker& worker, std::span<const DevicePointer> p) {
        return worker.Call(p[0], p[1], p[2], width);
      });

  MatmulEvidence evidence;
  evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
  evidence.width = width;
  evidence.result = ResultOf(title, report);
  evidence.inputs = inputs;
  if (report.contents.size() != 3) return evidence;
  evidence.p = ValuesOf<float>(report.contents[2]);

  const auto w = static_cast<std::size_t>(width);
  evidence.expected = reference::Matmul(inputs.m, inputs.n, w, w, w);
  const auto where = [w](std::size_t i) {
    return "P[" + std::to_string(i / w) + "][" + std::to_string(i % w) + "]";
  };
  AddComparison(evidence.result,
                CompareFloats(evidence.p, evidence.expected.value, evidence.expected.bound, where), "P");
  return evidence;
}

double OperationsPerByte(const Counts& counts) {
  if (counts.global_load_bytes == 0) return 0;
  return static_cast<double>(counts.flops) / static_cast<double>(counts.global_load_bytes);
}

std::string OneDecimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

}  // namespace warplings::coarsening
