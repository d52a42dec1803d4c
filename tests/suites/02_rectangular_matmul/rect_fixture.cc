// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/02_rectangular_matmul/rect_fixture.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "grader/messages/refusals.h"
#include "grader/suite/evidence.h"
#include "tests/suites/02_rectangular_matmul/messages.h"
#include "tests/suites/common/contrast.h"
#include "tests/suites/common/matmul_counts.h"
#include "tests/suites/common/messages.h"

namespace warplings::rect_matmul {

std::vector<MatmulEvidence>& AllEvidence() {
  static std::vector<MatmulEvidence> all;
  return all;
}

namespace {

/// What may tell the shapes that fail from those that are right.
CallTraits<MatmulEvidence> TraitsOfShapes() {
  using E = MatmulEvidence;
  const auto tiles = [](int side, int tile) { return (side + tile - 1) / tile; };
  std::vector<CallTrait<MatmulEvidence>> traits = {
      {say::side_is("k", 0), [](const E& e) { return e.shape.inner == 0; }},
      {say::rect_no_element("P"), [](const E& e) { return e.shape.p_count() == 0; }},
      {say::side_is_above("j", 65'535), [](const E& e) { return e.shape.rows > 65'535; }},
      {say::rect_many_rows_and_columns("P", 100),
       [](const E& e) { return e.shape.rows > 100 && e.shape.columns > 100; }},
      {say::side_is_large("j", 100), [](const E& e) { return e.shape.rows > 100; }},
      {say::side_is_large("l", 100), [](const E& e) { return e.shape.columns > 100; }},
      {say::rect_many_rows_or_columns("P", 16),
       [](const E& e) { return e.shape.rows > 16 || e.shape.columns > 16; }},
      {say::rect_sides_differ(),
       [](const E& e) { return e.shape.rows != e.shape.inner || e.shape.inner != e.shape.columns; }},
      {say::rect_no_square("P"), [](const E& e) { return e.shape.rows != e.shape.columns; }},
      {say::rect_unlike_tiles("P", 16),
       [tiles](const E& e) { return tiles(e.shape.rows, 16) != tiles(e.shape.columns, 16); }}};
  const std::pair<const char*, int MatmulShape::*> sides[] = {
      {"j", &MatmulShape::rows}, {"k", &MatmulShape::inner}, {"l", &MatmulShape::columns}};
  for (const int tile : {16, 4, 32, 8}) {
    for (const auto& [name, side] : sides) {
      traits.push_back({say::side_is_no_multiple(name, tile),
                        [side = side, tile](const E& e) { return e.shape.*side % tile != 0; }});
      traits.push_back({say::side_is_multiple(name, tile),
                        [side = side, tile](const E& e) { return e.shape.*side % tile == 0; }});
      traits.push_back(
          {say::side_is_above(name, tile), [side = side, tile](const E& e) { return e.shape.*side > tile; }});
    }
  }
  return {std::move(traits), [](const E& e) { return e.shape.p_count() == 0 || e.shape.inner == 0; },
          say::rect_no_side_is_zero()};
}

/// 32, 64 and 96 in an order that nobody knows beforehand.
MatmulShape WholeShape() {
  RandomValues random(
      SeedOfTest(Session().seed(),
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".sides"));
  std::array<int, 3> sides = {32, 64, 96};
  for (std::size_t i = sides.size(); i > 1; --i) std::swap(sides[i - 1], sides[random.Below(i)]);
  return {sides[0], sides[1], sides[2]};
}

void GradeSectors(MatmulEvidence& evidence) {
  RequireCoalescedLoads(evidence);
  BrokenLimits().Tell(kSectorsLimit, evidence.result);
}

}  // namespace

namespace {

/// The one of this test; a new one if there is none.
Explained& ExplainedOf(const std::string& test, std::vector<Explained>& explained) {
  const std::string name = FullNameOf(test);
  const auto found = std::ranges::find(explained, name, &Explained::test);
  return found == explained.end() ? explained.emplace_back(name, Explanation{}, Message()) : *found;
}

/// Another shape of the grid would do, so that nothing has to be worked out by hand.
void AdviseOfTallGrids(std::vector<Explained>& explained) {
  for (const MatmulEvidence& e : AllEvidence()) {
    const bool is_refused = std::ranges::any_of(
        e.result.findings, [](const Finding& finding) { return Refused(finding, say::grid_too_large.id); });
    if (is_refused && e.shape.rows > 65'535)
      ExplainedOf(e.test, explained).advice = say::rect_grid_too_tall(e.shape.rows);
  }
}

/// With k = 0 P has its elements all the same, and M and N have none, so that no access to them is right,
/// whatever its index is.
void AdviseOfNoElements(std::vector<Explained>& explained) {
  for (const MatmulEvidence& e : AllEvidence()) {
    if (e.shape.inner != 0 || e.shape.p_count() == 0) continue;
    const bool is_untouched = !e.p.empty() && std::ranges::all_of(e.p, IsPoison);
    if (is_untouched && e.result.launches.empty() && !HasError(e.result)) {
      ExplainedOf(e.test, explained).advice = say::rect_returns_without_products(e.shape.p_count());
      continue;
    }
    const auto read = std::ranges::find_if(e.result.findings, [](const Finding& finding) {
      return finding.kind == FindingKind::kOutOfBounds && finding.access == Access::kRead &&
             finding.space == MemorySpace::kGlobal && finding.object != "P" && finding.where.line > 0;
    });
    if (read != e.result.findings.end())
      ExplainedOf(e.test, explained).advice = say::rect_reads_no_element(read->where.line);
  }
}

/// What probing takes for rows of M or N of another length are the tile's.
void AdviseOfUnstoredTile(std::vector<Explained>& explained) {
  const ProductFacts& facts = LatestProductFacts();
  const Finding* read = FindReadOfUnstoredTile(AllEvidence());
  if (read == nullptr || explained.empty() || !(facts.m_row_is_wrong || facts.n_row_is_wrong)) return;
  explained.front().advice = say::rect_tile_unstored(read->where.line, read->object);
}

}  // namespace

std::vector<Explained> ExplainRectangles(MatrixOrder m_order) {
  std::vector<MatmulTest> tests;
  const std::vector<MatmulEvidence> of_numbers = OfNumbers(AllEvidence());
  for (const MatmulEvidence& e : of_numbers) tests.push_back({e.test, e.shape, &e.result, e.m, e.n, e.p});
  MatmulProbe probe;
  probe.entry = [](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p,
                   const MatmulShape& shape) {
    return worker.Call(m, n, p, shape.rows, shape.inner, shape.columns);
  };
  probe.m_order = m_order;
  // One tile; then one side longer than a tile of 16, and longer than one of 32.
  // The sides of the first are far from each other: a sum that lacks one product has no other side's number.
  probe.small_shapes = {{5, 3, 7},  {4, 3, 5},  {3, 18, 4}, {18, 4, 3}, {3, 4, 18},
                        {5, 21, 4}, {3, 40, 4}, {40, 4, 3}, {3, 4, 40}};
  std::vector<Explained> explained = ExplainMatmul(tests, probe);
  AdviseOfUnstoredTile(explained);
  AdviseOfTallGrids(explained);
  AdviseOfNoElements(explained);
  return WithContrast(std::move(explained), std::span<const MatmulEvidence>(AllEvidence()), TraitsOfShapes());
}

void RectTest::Check(const Message& what, const MatmulShape& shape, FillFunction fill) {
  Record(Call(what, shape, RandomInputs(shape, fill)));
}

void RectTest::CheckSmallIntegers(const Message& what, const MatmulShape& shape) {
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
  Check(say::rect_random_sides(), shape);
}

void RectTest::CheckInfinity() {
  const MatmulShape shape = {19, 33, 21};
  MatmulEvidence evidence = Call(say::rect_infinities(), shape, InputsWithInfinities(shape));
  AskAboutInfinity(evidence.p, static_cast<std::size_t>(shape.columns), evidence.result);
  Record(std::move(evidence));
}

void RectTest::CheckTiles(const Message& what) {
  const MatmulShape shape = WholeShape();
  MatmulEvidence evidence = Call(what, shape, RandomInputs(shape));
  // The exercise about coalescing asks for it in a test of its own.
  if (m_order_ == MatrixOrder::kRowByRow) GradeSectors(evidence);
  Record(std::move(evidence));
}

void RectTest::CheckCoalescing(const Message& what) {
  const MatmulShape shape = WholeShape();
  MatmulEvidence evidence = Call(what, shape, RandomInputs(shape));
  GradeSectors(evidence);
  Record(std::move(evidence));
}

MatmulEvidence RectTest::Call(const Message& what, const MatmulShape& shape,
                              const MatmulInputs& inputs) const {
  const auto entry = [&shape](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p) {
    return worker.Call(m, n, p, shape.rows, shape.inner, shape.columns);
  };
  const Message title = say::rect_title(shape.rows, shape.inner, shape.inner, shape.columns, what);
  return CallMatmul(title, shape, inputs, entry, m_order_);
}

void RectTest::Record(MatmulEvidence evidence) const {
  // For every shape, not only for the one whose test is about it.
  if (tiles_ == Tiles::kAsked) {
    RequireTiles(evidence, TilesOf::kBoth);
    NoteSectors(evidence);
    AdviseOfMirroredStores(evidence.result);
  }
  RecordResult(evidence.result);
  AllEvidence().push_back(std::move(evidence));
}

Grading TiledGrading(MatrixOrder order) {
  const bool is_transposed = order == MatrixOrder::kColumnByColumn;
  const std::string m = is_transposed ? "Mt" : "M";
  return {.shared = KernelGrading(),
          .header = {"P is right for all j, k and l.",
                     InfinitySentence(is_transposed ? "M's last column (which is Mt's last row)"
                                                    : "M's last column"),
                     "The kernel computes P from tiles of both matrices in shared memory: it loads at "
                     "most 2 x j x k x l bytes from global memory, with j, k and l rounded up to "
                     "multiples of 16. (Without tiles it would load 8 x j x k x l.)",
                     "Loads are coalesced: neighbouring threads load neighbouring elements. If j, k and l "
                     "are multiples of 32, the GPU fetches at most 1.45 times the bytes that threads load. "
                     "(It fetches whole 32-byte sectors.)"},
          .page = Together({{"If k is 0, cudaMemset may store the zeros of P."},
                            WorkSentences(m, "j x k x l", "k", kMostElementsOfAThread, SizeOfP::kMayBeZero),
                            {"The kernels load at most 2 x j x k x l bytes from global memory, with j, k "
                             "and l rounded up to multiples of 16.",
                             SharedLoadSentence(), SharedStoreSentence(TilesOf::kBoth, m)},
                            SectorSentences(m, is_transposed ? "j" : "k", "l")})};
}

}  // namespace warplings::rect_matmul
