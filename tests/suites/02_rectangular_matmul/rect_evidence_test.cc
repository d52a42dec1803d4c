// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/02_rectangular_matmul/rect_evidence.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>

#include "grader/suite/comparison.h"
#include "grader/suite/random_values.h"
#include "reference/matmul.h"
#include "tests/suites/02_rectangular_matmul/messages.h"

namespace warplings::rect_matmul {
namespace {

using Names = std::vector<std::string>;

/// As in the suites.
constexpr MatmulShape kShapes[] = {{1, 1, 1},    {2, 3, 4},   {32, 32, 32}, {20, 5, 40}, {40, 5, 20},
                                   {5, 20, 40},  {40, 20, 5}, {5, 40, 20},  {20, 40, 5}, {15, 16, 17},
                                   {17, 15, 16}, {0, 7, 9},   {9, 7, 0},    {7, 0, 9},   {64, 96, 32}};
constexpr std::uint32_t kTile = 16;

std::uint32_t Tiles(int side) {
  return (static_cast<std::uint32_t>(side) + kTile - 1) / kTile;
}

float PoisonValue() {
  return std::bit_cast<float>(Poison());
}

Finding Outside(const std::string& label, Access access) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBounds;
  finding.access = access;
  finding.object = label;
  return finding;
}

/// What one call of a kernel of this model shows, with this grid.
MatmulEvidence Show(const RectModel& model, const MatmulShape& shape, std::uint32_t grid_x,
                    std::uint32_t grid_y) {
  RandomValues random(7);
  MatmulEvidence e;
  e.test = Describe(shape);
  e.shape = shape;
  e.m = SignedValues(random, shape.m_count());
  e.n = SignedValues(random, shape.n_count());
  e.p.assign(shape.p_count(), PoisonValue());
  if (shape.p_count() == 0) return e;

  LaunchRecord launch;
  launch.completed = true;
  launch.grid = {grid_x, grid_y, 1};
  launch.block = {kTile, kTile, 1};
  launch.totals.shared_load_requests = model.tiled ? 1 : 0;
  e.result.launches = {launch};
  const Extent extent{static_cast<int>(grid_y * kTile), static_cast<int>(grid_x * kTile), kTile};
  const Prediction prediction = Predict(model, e, extent, [&](const PredictedStore& store) {
    e.p[store.element] = store.is_known ? static_cast<float>(store.value) : 1e30f;
  });
  const std::string m = model.m_order == MatrixOrder::kRowByRow ? "M" : "Mt";
  if (prediction.reads_outside_m) e.result.findings.push_back(Outside(m, Access::kRead));
  if (prediction.reads_outside_n) e.result.findings.push_back(Outside("N", Access::kRead));
  if (prediction.writes_outside_p) e.result.findings.push_back(Outside("P", Access::kWrite));

  const auto expected =
      reference::Matmul(e.m, e.n, static_cast<std::size_t>(shape.rows), static_cast<std::size_t>(shape.inner),
                        static_cast<std::size_t>(shape.columns));
  for (std::size_t i = 0; i < e.p.size(); ++i) {
    if (IsWrong(e.p[i], expected.value[i], expected.bound[i])) ++e.result.wrong_count;
  }
  return e;
}

std::vector<MatmulEvidence> ShowAll(const RectModel& model) {
  std::vector<MatmulEvidence> all;
  for (const MatmulShape& shape : kShapes)
    all.push_back(Show(model, shape, Tiles(shape.columns), Tiles(shape.rows)));
  return all;
}

Names Ids(const std::vector<MatmulEvidence>& all, const RectModel& right, const ProductFacts& facts = {}) {
  Names ids;
  for (const Fact& each : FactsOf(all, right, facts)) {
    EXPECT_FALSE(each.message.empty());
    ids.push_back(each.id);
  }
  return ids;
}

const RectModel kNaive = RightModel(false, MatrixOrder::kRowByRow);
const RectModel kTiled = RightModel(true, MatrixOrder::kRowByRow);
const RectModel kTransposed = RightModel(true, MatrixOrder::kColumnByColumn);

TEST(RectModelTest, TheRightModelPredictsTheReference) {
  for (const RectModel& right : {kNaive, kTiled, kTransposed}) {
    for (const MatmulEvidence& e : ShowAll(right)) {
      EXPECT_EQ(e.result.wrong_count, 0u) << e.test;
      EXPECT_TRUE(e.result.findings.empty()) << e.test;
    }
  }
}

/// 2 x 3 times 3 x 4, read with rows of 3 elements where N has 4: N[1][0] is taken from index 3, N[0][3].
TEST(RectModelTest, AWrongRowLengthReadsTheElementThatLiesThere) {
  RectModel model = kNaive;
  model.n_row_length = Side::kK;
  MatmulEvidence e;
  e.shape = {2, 3, 4};
  e.m = {1, 0, 0, 0, 1, 0};
  e.n = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::map<std::size_t, double> stored;
  const Prediction prediction = Predict(
      model, e, {16, 16, 16}, [&](const PredictedStore& store) { stored[store.element] = store.value; });
  EXPECT_EQ(stored.size(), 8u);
  EXPECT_EQ(stored[0], 1);  // row 0 takes N[0][0]
  EXPECT_EQ(stored[4], 4);  // row 1 takes "N[1][0]", index 1 * 3 + 0
  EXPECT_FALSE(prediction.reads_outside_n);
}

TEST(RectFactsTest, ARightAnswerShowsNothing) {
  for (const RectModel& right : {kNaive, kTiled, kTransposed}) EXPECT_EQ(Ids(ShowAll(right), right), Names{});
  EXPECT_EQ(Ids({}, kTiled), Names{});
}

/// A right kernel whose grid is too small: blocks do not reach over the edge, so that a check that is there
/// would not be missed.
TEST(RectFactsTest, AGridThatIsTooSmallIsNoMissingCheck) {
  using Grid = std::function<std::uint32_t(int side)>;
  const auto down = [](int side) { return static_cast<std::uint32_t>(side) / kTile; };
  const auto one_more = [](int side) { return static_cast<std::uint32_t>(side) / kTile + 1; };
  const auto one_less = [](int side) { return static_cast<std::uint32_t>(side - 1) / kTile; };
  const auto ids = [](const Grid& x, const Grid& y) {
    std::vector<MatmulEvidence> all;
    for (const MatmulShape& shape : kShapes) {
      if (shape.p_count() == 0) continue;
      const std::uint32_t grid_x = x(shape.columns), grid_y = y(shape.rows);
      // An empty grid is refused.
      if (grid_x > 0 && grid_y > 0) all.push_back(Show(kNaive, shape, grid_x, grid_y));
    }
    return Ids(all, kNaive);
  };
  EXPECT_EQ(ids(one_more, down), Names{"rect_last_blocks_unwritten"});
  EXPECT_EQ(ids(down, one_more), Names{"rect_last_blocks_unwritten"});
  EXPECT_EQ(ids(Tiles, down), Names{"rect_last_blocks_unwritten"});
  EXPECT_EQ(ids(Tiles, one_less), Names{});
  EXPECT_EQ(ids(one_less, one_less), Names{});
}

/// Each candidate is named as what it is, or as nothing where another misconception explains the same.
TEST(RectFactsTest, EachOtherSideIsNamed) {
  for (const RectModel& right : {kNaive, kTiled, kTransposed}) {
    int named = 0;
    const std::vector<Candidate> candidates = CandidatesFor(right);
    for (const Candidate& candidate : candidates) {
      const Names ids = Ids(ShowAll(candidate.model), right);
      if (ids.empty()) continue;
      EXPECT_EQ(ids, Names{candidate.id}) << candidate.evidence;
      ++named;
    }
    EXPECT_EQ(named, static_cast<int>(candidates.size()));
  }
}

bool Holds(const Message& message, const Message& part) {
  return message == part || std::ranges::any_of(message.arguments(), [&](const Argument& argument) {
           return std::ranges::any_of(argument.inner, [&](const Message& each) { return Holds(each, part); });
         });
}

/// What the tests do not tell apart is not told as if they did.
TEST(RectFactsTest, SeveralPlacesThatFitAreAllNamed) {
  RectModel model = kTiled;
  model.m_i_limit = Side::kJ;
  std::vector<MatmulEvidence> all;
  for (const MatmulEvidence& e : ShowAll(model)) {
    if (e.shape.rows < e.shape.inner) all.push_back(e);
  }
  const std::vector<Fact> found = FactsOf(all, kTiled);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(say::rect_all_agree_with_each.Made(found[0].message)) << found[0].message;
  EXPECT_TRUE(Holds(found[0].message, say::rect_index_compared("M", "k", "j"))) << found[0].message;
  EXPECT_TRUE(Holds(found[0].message, say::rect_index_compared("N", "k", "j"))) << found[0].message;
}

TEST(RectFactsTest, ExchangedLimitsAreToldWithTheSidesOfTheirIndices) {
  RectModel model = kTransposed;
  model.m_row_limit = Side::kK;
  model.m_i_limit = Side::kJ;
  const std::vector<Fact> found = FactsOf(ShowAll(model), kTransposed);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(Holds(found[0].message, say::rect_indices_compared("Mt", "j", "k", "k", "j")))
      << found[0].message;
}

TEST(RectFactsTest, Grids) {
  std::vector<MatmulEvidence> turned, down;
  for (const MatmulShape& s : kShapes) {
    turned.push_back(Show(kNaive, s, Tiles(s.rows), Tiles(s.columns)));
    if (s.rows < 16 || s.columns < 16) continue;  // Refused.
    down.push_back(Show(kNaive, s, static_cast<std::uint32_t>(s.columns) / kTile,
                        static_cast<std::uint32_t>(s.rows) / kTile));
  }
  std::vector<MatmulEvidence> wider;
  for (const MatmulShape& s : kShapes) {
    const auto tiles = [](int side) { return (static_cast<std::uint32_t>(side) + 31) / 32; };
    wider.push_back(Show(kNaive, s, tiles(s.columns), tiles(s.rows)));
  }
  EXPECT_EQ(Ids(wider, kNaive), Names{"rect_grid_for_other_blocks"});
  EXPECT_EQ(Ids(turned, kNaive), Names{"rect_blocks_turned"});
  EXPECT_EQ(Ids(down, kNaive), Names{"rect_last_blocks_unwritten"});
}

TEST(RectFactsTest, AGridMayBeRoundedDownAlongOneSideAndBesideARace) {
  std::vector<MatmulEvidence> all;
  for (const MatmulShape& s : kShapes) {
    if (s.rows < 16) continue;  // Refused.
    all.push_back(Show(kTiled, s, Tiles(s.columns), static_cast<std::uint32_t>(s.rows) / kTile));
  }
  EXPECT_EQ(Ids(all, kTiled), Names{"rect_last_blocks_unwritten"});
  Finding race;
  race.kind = FindingKind::kRace;
  race.space = MemorySpace::kShared;
  for (MatmulEvidence& e : all) {
    if (e.shape.inner > 16) e.result.findings = {race};
  }
  EXPECT_EQ(Ids(all, kTiled), (Names{"rect_store_and_read_race", "rect_last_blocks_unwritten"}));
}

Finding InTile(FindingKind kind) {
  Finding finding;
  finding.kind = kind;
  finding.space = MemorySpace::kShared;
  return finding;
}

/// No model has two mistakes; what probing found of each names it.
TEST(RectFactsTest, WhereNoModelFitsEachFactHasItsName) {
  RectModel two = kNaive;
  two.m_row_length = Side::kL;
  two.products = Side::kL;
  const std::vector<MatmulEvidence> all = ShowAll(two);
  EXPECT_EQ(Ids(all, kNaive), Names{});
  ProductFacts facts;
  facts.wrong = 1;
  facts.m_row_is_wrong = facts.products_of_another_side = true;
  facts.sentences = {"M is read as if its rows had 4 elements."};
  EXPECT_EQ(Ids(all, kNaive, facts), (Names{"wrong_row_length", "wrong_number_of_products"}));
  facts.wrong = 0;
  EXPECT_EQ(Ids(all, kNaive, facts), Names{});
}

/// Its rows, not those of M, are then of another length.
TEST(RectFactsTest, AReadOfAnUnstoredTileElementIsNoRowOfM) {
  RectModel two = kTiled;
  two.m_row_length = Side::kL;
  two.products = Side::kL;
  std::vector<MatmulEvidence> all = ShowAll(two);
  ProductFacts facts;
  facts.wrong = 1;
  facts.m_row_is_wrong = true;
  facts.sentences = {"M is read as if its rows had 4 elements."};
  EXPECT_EQ(FindReadOfUnstoredTile(all), nullptr);
  EXPECT_EQ(Ids(all, kTiled, facts), Names{"wrong_row_length"});
  for (MatmulEvidence& e : all) {
    if (e.result.wrong_count > 0 || !e.result.findings.empty())
      e.result.findings.push_back(InTile(FindingKind::kUninitialised));
  }
  EXPECT_NE(FindReadOfUnstoredTile(all), nullptr);
  EXPECT_EQ(Ids(all, kTiled, facts), Names{});
}

/// Two threads store into one place, or a thread at the edge into another's.
TEST(RectFactsTest, RacesOfAWrongIndexAreNoMissingBarrier) {
  Finding race;
  race.kind = FindingKind::kRace;
  race.space = MemorySpace::kShared;
  std::vector<MatmulEvidence> all = ShowAll(kTiled);
  for (MatmulEvidence& e : all) {
    if (e.shape.inner % 16 != 0) e.result.findings = {race};
  }
  EXPECT_EQ(Ids(all, kTiled), Names{});
  race.access = Access::kWrite;
  race.other_access = Access::kWrite;
  for (MatmulEvidence& e : all) e.result.findings = {race};
  EXPECT_EQ(Ids(all, kTiled), Names{});
}

TEST(RectFactsTest, BlocksMayBeLowerThanTheGridTakesThemFor) {
  std::vector<MatmulEvidence> all;
  Names short_of_blocks;
  for (const MatmulShape& s : kShapes) {
    if (s.p_count() == 0) continue;
    MatmulEvidence e = Show(kNaive, s, Tiles(s.columns), Tiles(s.rows));
    LaunchRecord& launch = e.result.launches.front();
    launch.block.y = 8;
    const int covered = static_cast<int>(launch.grid.y * launch.block.y);
    for (int row = covered; row < s.rows; ++row) {
      for (int column = 0; column < s.columns; ++column)
        e.p[static_cast<std::size_t>(row) * static_cast<std::size_t>(s.columns) +
            static_cast<std::size_t>(column)] = PoisonValue();
    }
    e.result.wrong_count = covered < s.rows ? 1 : 0;
    if (covered < s.rows) short_of_blocks.push_back(e.test);
    all.push_back(e);
  }
  EXPECT_EQ(Ids(all, kNaive), Names{"rect_grid_for_other_blocks"});
  const auto covered =
      std::ranges::find(all, 0u, [](const MatmulEvidence& e) { return e.result.wrong_count; });
  covered->result.wrong_count = 1;
  EXPECT_EQ(FactsOf(all, kNaive, {}).front().tests, short_of_blocks) << "one fails for another reason";
}

TEST(RectFactsTest, HalfOfACheckMayBeThatOfTheOldLoad) {
  for (const Turn turn : {Turn::kCheckOfOldLoad, Turn::kRowOfOldLoad, Turn::kStepOfOldLoad}) {
    RectModel model = kTransposed;
    model.turn = turn;
    EXPECT_EQ(Ids(ShowAll(model), kTransposed), Names{"check_of_the_old_load"});
  }
}

TEST(RectFactsTest, TheGridMayTakeABlocksWidthForItsHeight) {
  std::vector<MatmulEvidence> all;
  for (const MatmulShape& s : kShapes) {
    if (s.p_count() == 0) continue;
    const auto blocks = [](int side, int of) { return static_cast<std::uint32_t>((side + of - 1) / of); };
    MatmulEvidence e = Show(kNaive, s, Tiles(s.columns), Tiles(s.rows));
    LaunchRecord& launch = e.result.launches.front();
    launch.block = {32, 8, 1};
    launch.grid = {blocks(s.columns, 8), blocks(s.rows, 32), 1};
    const int covered = static_cast<int>(launch.grid.y * launch.block.y);
    for (int row = covered; row < s.rows; ++row) {
      for (int column = 0; column < s.columns; ++column)
        e.p[static_cast<std::size_t>(row) * static_cast<std::size_t>(s.columns) +
            static_cast<std::size_t>(column)] = PoisonValue();
    }
    e.result.wrong_count = covered < s.rows ? 1 : 0;
    all.push_back(e);
  }
  EXPECT_EQ(Ids(all, kNaive), Names{"rect_grid_for_other_blocks"});
}

TEST(RectFactsTest, RacesAreAMissingBarrierWhateverTheValues) {
  std::vector<MatmulEvidence> all = ShowAll(kTransposed);
  for (MatmulEvidence& e : all) {
    if (e.shape.inner <= 16) continue;
    Finding race;
    race.kind = FindingKind::kRace;
    race.space = MemorySpace::kShared;
    e.result.findings = {race};
    e.result.wrong_count = 1;
  }
  EXPECT_EQ(Ids(all, kTransposed), Names{"rect_store_and_read_race"});
}

TEST(RectFactsTest, SumsInPAreToldByReadsOfIt) {
  std::vector<MatmulEvidence> all = ShowAll(kNaive);
  for (MatmulEvidence& e : all) {
    Finding unwritten;
    unwritten.kind = FindingKind::kUninitialised;
    unwritten.object = "P";
    if (e.shape.inner > 0 && !e.p.empty()) e.result.findings = {unwritten};
  }
  ProductFacts facts;
  facts.adds_before = facts.wrong = 1;
  EXPECT_EQ(Ids(all, kNaive, facts), Names{"rect_p_unwritten"});
  // P may be read in place of another matrix.
  EXPECT_EQ(Ids(all, kNaive), Names{});
  // A pointer that runs past the end of N may come upon P: no sum is meant.
  Finding outside;
  outside.kind = FindingKind::kOutOfBounds;
  outside.object = "N";
  all.front().result.findings.push_back(outside);
  EXPECT_TRUE(Ids(all, kNaive, facts).empty());
}

TEST(RectFactsTest, EmptySides) {
  std::vector<MatmulEvidence> left = ShowAll(kTiled), refused = left;
  for (MatmulEvidence& e : left) {
    if (e.shape.inner > 0) continue;
    e.p.assign(e.p.size(), PoisonValue());
    e.result.launches.clear();
    e.result.wrong_count = e.p.size();
  }
  for (MatmulEvidence& e : refused) {
    Finding finding;
    finding.kind = FindingKind::kInvalidLaunch;
    if (e.p.empty()) e.result.findings = {finding};
  }
  EXPECT_EQ(Ids(left, kTiled), Names{"rect_no_zeros_written"});
  EXPECT_EQ(Ids(refused, kTiled), Names{"rect_refused_without_elements"});
}

TEST(RectFactsTest, RightValuesFetchedBadly) {
  std::vector<MatmulEvidence> untiled = ShowAll(kTransposed), down = untiled;
  for (MatmulEvidence& e : untiled) {
    for (LaunchRecord& launch : e.result.launches) launch.totals.shared_load_requests = 0;
  }
  for (MatmulEvidence& e : down) {
    for (LaunchRecord& launch : e.result.launches) {
      launch.totals.global_load_sectors = 20;
      launch.totals.global_load_bytes = 256;
    }
  }
  EXPECT_EQ(Ids(untiled, kTransposed), Names{"no_shared_load_in_any_test"});
  EXPECT_EQ(Ids(down, kTransposed), Names{"rect_sectors_little_used"});
  down.front().result.wrong_count = 1;
  EXPECT_EQ(Ids(down, kTransposed), Names{});
}

}  // namespace
}  // namespace warplings::rect_matmul
