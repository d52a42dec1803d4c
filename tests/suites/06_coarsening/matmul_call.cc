// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/06_coarsening/matmul_call.h"

#include <utility>

#include "tests/suites/06_coarsening/messages.h"

namespace warplings::coarsening {

MatmulInputs SquareInputs(int width, FillFunction fill) {
  return RandomInputs({width, width, width}, fill);
}

MatmulEvidence CallSquareMatmul(const Message& title, int width, const MatmulInputs& inputs) {
  return CallMatmul(
      title, {width, width, width}, inputs,
      [width](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p) {
        return worker.Call(m, n, p, width);
      },
      MatrixOrder::kRowByRow, kMostElementsOfACoarseThread);
}

int WidthOf(const MatmulEvidence& evidence) {
  return evidence.shape.rows;
}

void SquareMatmulTest::Check(const Message& title, int width, FillFunction fill) {
  Record(CallSquareMatmul(title, width, SquareInputs(width, fill)));
}

void SquareMatmulTest::CheckInfinity() {
  constexpr int kWidth = 35;
  MatmulEvidence evidence =
      CallSquareMatmul(say::square_infinity(kWidth), kWidth, InputsWithInfinities({kWidth, kWidth, kWidth}));
  AskAboutInfinity(evidence.p, kWidth, evidence.result);
  Record(std::move(evidence));
}

void SquareMatmulTest::Record(MatmulEvidence evidence) {
  RecordResult(evidence.result);
  AllEvidence().push_back(std::move(evidence));
}

std::vector<MatmulEvidence>& AllEvidence() {
  static std::vector<MatmulEvidence> all;
  return all;
}

std::vector<Explained> ExplainSquares() {
  std::vector<MatmulTest> tests;
  const std::vector<MatmulEvidence> of_numbers = OfNumbers(AllEvidence());
  for (const MatmulEvidence& e : of_numbers) tests.push_back({e.test, e.shape, &e.result, e.m, e.n, e.p});
  MatmulProbe probe;
  probe.entry = [](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p,
                   const MatmulShape& shape) { return worker.Call(m, n, p, shape.rows); };
  probe.square = true;
  // Without whole vectors of four floats, with them, with one phase of 8 and half of another, more than a
  // tile of 16, the same in whole vectors, more than a tile of 32.
  constexpr int kWidths[] = {3, 4, 12, 18, 20, 34};
  // Width 34 takes up to 425 calls, more than anything else here.
  probe.calls = 440;
  probe.small_shapes = SquareShapes(kWidths);
  return ExplainMatmul(tests, probe);
}

double OperationsPerByte(const Counts& counts) {
  if (counts.global_load_bytes == 0) return 0;
  return static_cast<double>(counts.flops) / static_cast<double>(counts.global_load_bytes);
}

}  // namespace warplings::coarsening
