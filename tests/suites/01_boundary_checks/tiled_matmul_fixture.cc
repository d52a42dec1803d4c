// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/01_boundary_checks/tiled_matmul_fixture.h"

#include <utility>

#include "tests/suites/01_boundary_checks/messages.h"
#include "tests/suites/common/contrast.h"
#include "tests/suites/common/matmul_counts.h"
#include "tests/suites/common/messages.h"

namespace warplings::tiled_matmul {

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

namespace {

/// What may tell the widths that fail from those that are right.
const CallTraits<Evidence>& TraitsOfWidths() {
  using E = Evidence;
  static const CallTraits<Evidence> traits = {
      .traits = {
          {say::side_is_no_multiple("width", 16), [](const E& e) { return e.width % 16 != 0; }},
          {say::side_is_multiple("width", 16), [](const E& e) { return e.width % 16 == 0; }},
          {say::side_is_multiple("width", 32), [](const E& e) { return e.width % 32 == 0; }},
          {say::side_is_no_multiple("width", 32), [](const E& e) { return e.width % 32 != 0; }},
          {say::side_is_above("width", 16), [](const E& e) { return e.width > 16; }},
          {say::side_is_above("width", 32), [](const E& e) { return e.width > 32; }},
          {say::side_is_below("width", 16), [](const E& e) { return e.width < 16; }},
          {say::side_is_at_most("width", 16), [](const E& e) { return e.width <= 16; }},
          {say::side_is_no_multiple("width", 4), [](const E& e) { return e.width % 4 != 0; }},
          {say::side_is_no_multiple("width", 8), [](const E& e) { return e.width % 8 != 0; }},
          {say::side_is_odd("width"), [](const E& e) { return e.width % 2 != 0; }},
          {say::side_takes_even_tiles("width", 16), [](const E& e) { return (e.width + 15) / 16 % 2 == 0; }},
          {say::side_takes_odd_tiles("width", 16), [](const E& e) { return (e.width + 15) / 16 % 2 != 0; }},
          {say::side_is_above("width", 4), [](const E& e) { return e.width > 4; }},
          {say::side_is_large("width", 100), [](const E& e) { return e.width > 100; }},
          {say::side_is("width", 1), [](const E& e) { return e.width == 1; }}}};
  return traits;
}

}  // namespace

std::vector<Explained> ExplainWidths() {
  std::vector<MatmulTest> tests;
  const std::vector<Evidence> of_numbers = OfNumbers(AllEvidence());
  for (const Evidence& e : of_numbers) {
    tests.push_back({e.test, {e.width, e.width, e.width}, &e.result, e.m, e.n, e.p});
  }
  MatmulProbe probe;
  probe.entry = [](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p,
                   const MatmulShape& shape) { return worker.Call(m, n, p, shape.rows); };
  probe.square = true;
  // Less than a tile of 16, one, and a little more.
  constexpr int kWidths[] = {3, 16, 18};
  probe.small_shapes = SquareShapes(kWidths);
  return WithContrast(ExplainMatmul(tests, probe), std::span<const Evidence>(AllEvidence()),
                      TraitsOfWidths());
}

void WidthTest::Check(const TitleOfWidth& title, int width, FillFunction fill) {
  Record(Call(title(width), width, RandomInputs({width, width, width}, fill)));
}

void WidthTest::CheckSmallIntegers(const Message& title, int width) {
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
  Check(say::tiled_any_width, width);
}

void WidthTest::CheckInfinity() {
  constexpr int kWidth = 35;
  MatmulEvidence evidence =
      Call(say::tiled_infinities(kWidth), kWidth, InputsWithInfinities({kWidth, kWidth, kWidth}));
  AskAboutInfinity(evidence.p, kWidth, evidence.result);
  Record(std::move(evidence));
}

void WidthTest::CheckTiles(const TitleOfWidth& title) {
  RandomValues random(SeedOfTest(Session().seed(), "CheckTiles.width"));
  const int width = 32 * static_cast<int>(2 + random.Below(2));
  const MatmulShape shape{width, width, width};
  MatmulEvidence evidence = Call(title(width), width, RandomInputs(shape));
  RequireCoalescedLoads(evidence);
  BrokenLimits().Tell(kSectorsLimit, evidence.result);
  Record(std::move(evidence));
}

MatmulEvidence WidthTest::Call(const Message& title, int width, const MatmulInputs& inputs) {
  const auto entry = [width](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p) {
    return worker.Call(m, n, p, width);
  };
  return CallMatmul(title, {width, width, width}, inputs, entry);
}

void WidthTest::Record(MatmulEvidence evidence) {
  // At every width, not only at the one whose test is about it: a kernel that has tiles at that one has them
  // at all.
  RequireTiles(evidence, TilesOf::kOneMatrix);
  NoteSectors(evidence);
  AdviseOfMirroredStores(evidence.result);
  RecordResult(evidence.result);
  AllEvidence().push_back({std::move(evidence.test), evidence.shape.rows, std::move(evidence.result),
                           std::move(evidence.m), std::move(evidence.n), std::move(evidence.p)});
}

Grading TiledGrading() {
  return {
      .shared = KernelGrading(),
      .header =
          {"P is right at every width.", InfinitySentence(),
           "The kernel computes P from tiles in shared memory: it loads at most 2 x width^3 bytes from "
           "global memory, with width rounded up to a multiple of 16. (Without tiles it would load 8 x "
           "width^3.)",
           "Loads are coalesced: neighbouring threads load neighbouring elements. If width is a multiple of "
           "32, the GPU fetches at most 1.45 times the bytes that threads load. (It fetches whole 32-byte "
           "sectors.)"},
      .page = Together({WorkSentences("M", "width x width x width", "width", kMostElementsOfAThread),
                        {"The kernels load at most 2 x w x w x w bytes from global memory, where w is width "
                         "rounded up to a multiple of 16.",
                         SharedLoadSentence(), SharedStoreSentence(TilesOf::kOneMatrix)},
                        SectorSentences("M", "width", "width")})};
}

}  // namespace warplings::tiled_matmul
