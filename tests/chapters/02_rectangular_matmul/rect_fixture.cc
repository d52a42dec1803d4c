// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/02_rectangular_matmul/rect_fixture.h"

#include <utility>

#include "tests/chapters/common/matmul_counts.h"

namespace warplings::rect_matmul {

std::vector<MatmulEvidence>& AllEvidence() {
  static std::vector<MatmulEvidence> all;
  return all;
}

std::vector<Explained> ExplainRectangles(MatrixOrder m_order) {
  std::vector<MatmulTest> tests;
  for (const MatmulEvidence& e : AllEvidence()) tests.push_back({e.test, e.shape, &e.result, e.m, e.n, e.p});
  MatmulProbe probe;
  probe.entry = [](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p,
                   const MatmulShape& shape) {
    return worker.Call(m, n, p, shape.rows, shape.inner, shape.columns);
  };
  probe.m_order = m_order;
  // One tile; then one side longer than a tile of 16, and longer than one of 32.
  probe.small_shapes = {{2, 3, 4},  {4, 3, 5},  {3, 18, 4}, {18, 4, 3}, {3, 4, 18},
                        {5, 21, 4}, {3, 40, 4}, {40, 4, 3}, {3, 4, 40}};
  return ExplainMatmul(tests, probe);
}

void RectTest::Check(const std::string& what, const MatmulShape& shape, FillFunction fill) {
  Record(Call(what, shape, RandomInputs(shape, fill)));
}

void RectTest::CheckSmallIntegers(const std::string& what, const MatmulShape& shape) {
  RandomValues random = TestRandom();
  MatmulInputs inputs;
  inputs.m = DistinctIntegers(random, shape.m_count(), 1);
  inputs.n = DistinctIntegers(random, shape.n_count(), static_cast<int>(shape.m_count()) + 1);
  Record(Call(what, shape, inputs));
}

void RectTest::CheckAnyShape() {
  RandomValues random(SeedOfTest(Session().seed(), "AnyShape.sides"));
  const auto long_side = [&random] { return static_cast<int>(130 + random.Below(46)); };
  MatmulShape shape{long_side(), static_cast<int>(2 + random.Below(59)), long_side()};
  while (shape.columns == shape.rows) shape.columns = long_side();
  Check("random sides", shape);
}

void RectTest::CheckTiles(const std::string& what, const MatmulShape& shape) {
  MatmulEvidence evidence = Call(what, shape, RandomInputs(shape));
  // The exercise about coalescing asks for it in a test of its own.
  if (m_order_ == MatrixOrder::kRowByRow) RequireCoalescedLoads(evidence.result);
  Record(std::move(evidence));
}

void RectTest::CheckCoalescing(const std::string& what, const MatmulShape& shape) {
  MatmulEvidence evidence = Call(what, shape, RandomInputs(shape));
  RequireCoalescedLoads(evidence.result);
  Record(std::move(evidence));
}

MatmulEvidence RectTest::Call(const std::string& what, const MatmulShape& shape,
                              const MatmulInputs& inputs) const {
  const auto entry = [&shape](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p) {
    return worker.Call(m, n, p, shape.rows, shape.inner, shape.columns);
  };
  return CallMatmul(Describe(shape) + ": " + what, shape, inputs, entry, m_order_);
}

void RectTest::Record(MatmulEvidence evidence) const {
  // For every shape, not only for the one whose test is about it.
  if (tiles_ == Tiles::kAsked) RequireTiles(evidence.result, evidence.shape);
  RecordResult(evidence.result);
  AllEvidence().push_back(std::move(evidence));
}

}  // namespace warplings::rect_matmul
