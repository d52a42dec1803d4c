// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/01_boundary_checks/tiled_matmul_fixture.h"

#include <utility>

#include "tests/chapters/common/matmul_counts.h"

namespace warplings::tiled_matmul {

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

std::vector<Explained> ExplainWidths() {
  std::vector<MatmulTest> tests;
  for (const Evidence& e : AllEvidence()) {
    tests.push_back({e.test, {e.width, e.width, e.width}, &e.result, e.m, e.n, e.p});
  }
  MatmulProbe probe;
  probe.entry = [](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p,
                   const MatmulShape& shape) { return worker.Call(m, n, p, shape.rows); };
  probe.square = true;
  // Less than a tile of 16, one, and a little more.
  constexpr int kWidths[] = {3, 16, 18};
  probe.small_shapes = SquareShapes(kWidths);
  return ExplainMatmul(tests, probe);
}

void WidthTest::Check(const std::string& title, int width, FillFunction fill) {
  Record(Call(title, width, RandomInputs({width, width, width}, fill)));
}

void WidthTest::CheckSmallIntegers(const std::string& title, int width) {
  RandomValues random = TestRandom();
  const int count = width * width;
  MatmulInputs inputs;
  inputs.m = DistinctIntegers(random, static_cast<std::size_t>(count), 1);
  inputs.n = DistinctIntegers(random, static_cast<std::size_t>(count), count + 1);
  Record(Call(title, width, inputs));
}

void WidthTest::CheckAnyWidth() {
  RandomValues random(SeedOfTest(Session().seed(), "AnyWidth.width"));
  const int width = 16 * static_cast<int>(8 + random.Below(2)) + static_cast<int>(2 + random.Below(14));
  Check("a random width: " + std::to_string(width), width);
}

void WidthTest::CheckTiles(const std::string& title, int width) {
  const MatmulShape shape{width, width, width};
  MatmulEvidence evidence = Call(title, width, RandomInputs(shape));
  RequireCoalescedLoads(evidence.result);
  Record(std::move(evidence));
}

MatmulEvidence WidthTest::Call(const std::string& title, int width, const MatmulInputs& inputs) {
  const auto entry = [width](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p) {
    return worker.Call(m, n, p, width);
  };
  return CallMatmul(title, {width, width, width}, inputs, entry);
}

void WidthTest::Record(MatmulEvidence evidence) {
  // At every width, not only at the one whose test is about it: a kernel that has tiles at that one has them
  // at all.
  RequireTiles(evidence.result, evidence.shape);
  RecordResult(evidence.result);
  AllEvidence().push_back({std::move(evidence.test), evidence.shape.rows, std::move(evidence.result),
                           std::move(evidence.m), std::move(evidence.n), std::move(evidence.p)});
}

}  // namespace warplings::tiled_matmul
