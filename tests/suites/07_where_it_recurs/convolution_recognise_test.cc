// SPDX-License-Identifier: Apache-2.0
//
// What the recognisers of convolution say of made-up evidence, where two mistakes look alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "chapters/07_where_it_recurs/convolution.h"
#include "grader/messages/calls.h"
#include "grader/suite/random_values.h"
#include "reference/convolution.h"
#include "tests/suites/07_where_it_recurs/convolution_evidence.h"

namespace warplings::convolution {
namespace {

using Names = std::vector<std::string>;

Names IdsOf(const std::vector<Evidence>& all) {
  Names ids;
  for (const Fact& each : FactsOf(all)) ids.push_back(each.id);
  return ids;
}

/// What `by` computes in place of the filter, with 25 coefficients of different magnitude.
Evidence Filtered(const reference::MatrixShape& shape,
                  const std::function<void(std::vector<float>& filter)>& by) {
  RandomValues random(7);
  Evidence e;
  e.test = "SidesDiffer";
  e.shape = shape;
  e.input.resize(shape.Elements());
  for (float& value : e.input) value = static_cast<float>(1 + random.Below(255));
  e.filter = DistinctIntegers(random, 25, 1);
  std::vector<float> used = e.filter;
  by(used);
  const auto right = reference::Convolution(e.input, e.filter, shape, kRadius).value;
  const auto output = reference::Convolution(e.input, used, shape, kRadius).value;
  e.output.assign(output.begin(), output.end());
  e.result.wrong_count = right == output ? 0 : 1;
  LaunchRecord launch;
  launch.completed = true;
  e.result.launches = {launch};
  return e;
}

Evidence Right(const reference::MatrixShape& shape) {
  return Filtered(shape, [](std::vector<float>&) {});
}

Evidence With(Evidence e, const std::vector<Finding>& findings) {
  e.result.findings = findings;
  return e;
}

Finding OutsideOf(const std::string& object, Access access) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBounds;
  finding.object = object;
  finding.access = access;
  return finding;
}

TEST(ConvolutionFactsTest, RightSumsAreNoFact) {
  EXPECT_EQ(IdsOf({Right({20, 24})}), Names{});
}

TEST(ConvolutionFactsTest, FiltersThatAreTurnedAreToldApart) {
  const auto flipped = [](std::vector<float>& filter) { std::ranges::reverse(filter); };
  const auto transposed = [](std::vector<float>& filter) {
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < i; ++j) std::swap(filter[i * 5 + j], filter[j * 5 + i]);
  };
  EXPECT_EQ(IdsOf({Filtered({20, 24}, flipped)}), Names{"conv_flipped"});
  EXPECT_EQ(IdsOf({Filtered({20, 24}, transposed)}), Names{"conv_transposed"});
}

TEST(ConvolutionFactsTest, CoefficientsThatAreMissingOrTakenFromElsewhere) {
  EXPECT_EQ(IdsOf({Filtered({20, 24}, [](auto& filter) { filter[24] = 0; })}), Names{"conv_left_out"});
  const auto of_bytes = [](auto& filter) { std::fill(filter.begin() + 6, filter.end(), 0.0F); };
  EXPECT_EQ(IdsOf({Filtered({20, 24}, of_bytes)}), Names{"conv_few_copied"});
  EXPECT_EQ(IdsOf({Filtered({20, 24}, [](auto& filter) { filter[24] = filter[23]; })}),
            Names{"conv_other_coefficient"});
  EXPECT_EQ(IdsOf({Filtered({20, 24}, [](auto& filter) { std::ranges::fill(filter, 0.0f); })}),
            Names{"conv_all_zero"});
}

/// Coefficients that the filter has nowhere are computed.
TEST(ConvolutionFactsTest, CoefficientsThatAreComputed) {
  const auto product = [](std::vector<float>& filter) {
    const std::vector<float> right = filter;
    for (std::size_t k = 0; k < 25; ++k) filter[k] = right[k / 5 * 5 + 2] * right[10 + k % 5] / right[12];
  };
  EXPECT_EQ(IdsOf({Filtered({20, 24}, product)}), Names{"conv_product"});
  EXPECT_EQ(IdsOf({Filtered({20, 24}, [](auto& filter) { filter[7] = 0.5f; })}),
            Names{"conv_changed_coefficient"});
}

/// The coefficients are right, and are multiplied by elements other than their own. All these responses are a
/// column times a row, too.
Evidence Taken(const std::function<std::size_t(std::size_t i, std::size_t j)>& place) {
  return Filtered({20, 24}, [&](std::vector<float>& filter) {
    std::vector<float> used(25);
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j) used[place(i, j)] += filter[i * 5 + j];
    filter = used;
  });
}

TEST(ConvolutionFactsTest, OneElementForSeveralCoefficientsIsNoProductOfAColumnAndARow) {
  EXPECT_EQ(IdsOf({Taken([](auto i, auto) { return i * 5; })}), Names{"conv_column_without_j"});
  EXPECT_EQ(IdsOf({Taken([](auto, auto j) { return 10 + j; })}), Names{"conv_row_without_i"});
  EXPECT_EQ(IdsOf({Taken([](auto, auto) { return 12; })}), Names{"conv_one_element_used"});
  EXPECT_EQ(IdsOf({Taken([](auto i, auto) { return i * 5 + i; })}), Names{"conv_column_without_j"});
  EXPECT_EQ(IdsOf({Taken([](auto, auto j) { return j * 5 + j; })}), Names{"conv_row_without_i"});
  EXPECT_EQ(IdsOf({Taken([](auto, auto j) { return j * 5 + 1; })}), Names{"conv_neither_index"});
  EXPECT_EQ(IdsOf({Taken([](auto i, auto j) { return i / 2 * 5 + j; })}), Names{"conv_element_repeated"});
  const std::vector<Fact> facts = FactsOf(std::vector{Taken([](auto i, auto) { return i * 5; })});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(English(facts[0].message).substr(English(facts[0].message).find(": ") + 2),
            "in output(r, c), filter(i, j) is multiplied by input(r + i - 2, c - 2): the column does not "
            "depend on j");
}

/// All threads of a block of 8 x 8 compute the sum of its first element, or of the first in their row.
TEST(ConvolutionFactsTest, ThreadsThatComputeTheSameSum) {
  const auto first_of = [](std::size_t rows, std::size_t columns) {
    Evidence e = Right({20, 24});
    for (std::size_t r = 20; r-- > 0;)
      for (std::size_t c = 24; c-- > 0;)
        e.output[r * 24 + c] = e.output[r / rows * rows * 24 + c / columns * columns];
    e.result.wrong_count = 400;
    return e;
  };
  EXPECT_EQ(IdsOf({first_of(8, 8)}), Names{"conv_first_of_tile"});
  EXPECT_EQ(IdsOf({first_of(1, 8)}), Names{"conv_first_column_of_tile"});
  const std::vector<Fact> facts = FactsOf(std::vector{first_of(8, 1)});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(
      English(facts[0].message).substr(English(facts[0].message).find(": ") + 2),
      "output(1, 0) holds the sum of output(0, 0): the wrong elements repeat the first row of their tile");
}

/// One row of a filter that was changed is a product, but nothing says that the kernel made one.
TEST(ConvolutionFactsTest, OneRowOfCoefficientsIsNoProduct) {
  EXPECT_EQ(IdsOf({Filtered({20, 24},
                            [](auto& filter) {
                              for (std::size_t k = 0; k < 25; ++k) filter[k] = k < 5 ? filter[k] / 2 : 0;
                            })}),
            Names{"conv_changed_coefficient"});
}

/// A thread that computes a column from top to bottom, with one sum.
TEST(ConvolutionFactsTest, ASumThatGoesOnHasTheOneBefore) {
  Evidence e = Right({20, 24});
  for (std::size_t i = 24; i < e.output.size(); ++i) e.output[i] += e.output[i - 24];
  e.result.wrong_count = 1;
  EXPECT_EQ(IdsOf({e}), Names{"conv_sum_goes_on"});
}

/// Corners leave some elements of each row and column right; a side that is missing does not.
TEST(ConvolutionFactsTest, CornersOfTheHaloAreToldFromItsSides) {
  Finding unwritten;
  unwritten.kind = FindingKind::kUninitialised;
  unwritten.space = MemorySpace::kShared;
  Evidence corners = Right({20, 24});
  corners.output[0] += 1;
  corners.result.wrong_count = 1;
  Evidence side = corners;
  for (std::size_t r = 0; r < 20; ++r) side.output[r * 24] += 1;
  EXPECT_EQ(IdsOf({With(corners, {unwritten})}), Names{"conv_corners_unwritten"});
  EXPECT_EQ(IdsOf({With(side, {unwritten})}), Names{"conv_tile_unwritten"});
}

TEST(ConvolutionFactsTest, TileElementsOutsideTheMatrixAreToldApart) {
  Finding unwritten;
  unwritten.kind = FindingKind::kUninitialised;
  unwritten.space = MemorySpace::kShared;
  Evidence e = Right({20, 24});
  for (std::size_t c = 0; c < 24; ++c) e.output[c] += 1;
  e.result.wrong_count = 24;
  EXPECT_EQ(IdsOf({With(e, {unwritten})}), Names{"conv_tile_unwritten"}) << "no tile ends within the matrix";
  e.result.launches.front().grid = {2, 2, 1};
  EXPECT_EQ(IdsOf({With(e, {unwritten})}), Names{"conv_outside_unwritten"});
  for (std::size_t c = 0; c < 24; ++c) e.output[24 * 10 + c] += 1;
  EXPECT_EQ(IdsOf({With(e, {unwritten})}), Names{"conv_tile_unwritten"}) << "within the matrix, too";
}

/// Tiles of 16 x 16, as the grids tell.
std::vector<Evidence> WithGrids(const std::vector<Finding>& findings) {
  std::vector<Evidence> all = {Right({20, 300}), Right({300, 20})};
  all[0].result.launches.front().grid = {19, 2, 1};
  all[1].result.launches.front().grid = {2, 19, 1};
  all[1].result.findings = findings;
  all[1].result.verdict = Verdict::kFinding;
  return all;
}

TEST(ConvolutionFactsTest, AnArrayWithoutRoomForTheHalo) {
  Finding outside = OutsideOf("shared array `tile`", Access::kRead);
  outside.space = MemorySpace::kShared;
  const auto with = [&](std::int64_t room, std::int64_t offset) {
    outside.object_bytes = 4 * room;
    outside.offset_bytes = 4 * offset;
    return WithGrids({outside});
  };
  EXPECT_EQ(
      English(FactsOf(with(324, 324)).front().message),
      "SidesDiffer: out of bounds: a shared array has 324 elements, but a tile of 16 x 16 with its halo on "
      "all sides has 400");
  EXPECT_EQ(IdsOf(with(400, 400)), Names{}) << "there is room";
  EXPECT_EQ(IdsOf(with(25, 25)), Names{"conv_filter_outside"});
  EXPECT_EQ(IdsOf(with(400, -42)), Names{"conv_before_tile"});
  EXPECT_EQ(IdsOf(with(324, -42)), Names{}) << "no halo";
  std::vector<Evidence> swapped = with(324, 324);
  swapped[0].result.launches.front().grid = {2, 19, 1};
  EXPECT_EQ(IdsOf(swapped), Names{}) << "the grids do not tell the tile";
}

/// Tiles of 16 x 16 need 1.6 loads an element, whatever makes them many.
TEST(ConvolutionFactsTest, ElementsThatSeveralThreadsLoad) {
  Finding race;
  race.kind = FindingKind::kRace;
  race.severity = Severity::kWarning;
  race.space = MemorySpace::kShared;
  race.access = Access::kWrite;
  race.other_access = Access::kWrite;
  const auto loading = [&](std::uint64_t times, const std::vector<Finding>& findings) {
    Evidence e = Right({512, 512});
    e.storing_threads = 512 * 512;
    LaunchRecord& launch = e.result.launches.front();
    launch.grid = {32, 32, 1};
    launch.block = {16, 16, 1};
    launch.totals.global_load_bytes = times * 512 * 512 * 4;
    launch.totals.shared_store_requests = launch.totals.shared_store_wavefronts = times * 512 * 16;
    launch.arrays = {{}};
    launch.arrays.front().label = "input";
    launch.arrays.front().load_bytes = launch.totals.global_load_bytes;
    e.result.findings = findings;
    return e;
  };
  EXPECT_EQ(
      English(FactsOf(std::vector{loading(17, {race})}).front().message),
      "SidesDiffer: 17.0 loads from input for each element, but tiles of 16 x 16 with their halo need 1.6");
  EXPECT_EQ(IdsOf({loading(17, {})}), Names{"conv_small_tiles"});
}

/// What lies before an array may be the end of another one.
TEST(ConvolutionFactsTest, ReadsBeforeTheInputAreNotOnesOfTheFilter) {
  const Finding filter = OutsideOf("filter", Access::kRead), input = OutsideOf("input", Access::kRead);
  EXPECT_EQ(IdsOf({With(Right({20, 24}), {filter})}), Names{"conv_filter_outside"});
  EXPECT_EQ(IdsOf({With(Right({20, 24}), {filter, input})}), Names{"conv_reads_outside"});
}

TEST(ConvolutionFactsTest, AStoreOutsideSaysMoreThanItsRaceWithTheNextRow) {
  Finding race;
  race.kind = FindingKind::kRace;
  race.object = "output";
  race.space = MemorySpace::kGlobal;
  race.access = Access::kWrite;
  race.other_access = Access::kWrite;
  EXPECT_EQ(IdsOf({With(Right({20, 24}), {race})}), Names{"conv_output_twice"});
  EXPECT_EQ(IdsOf({With(Right({20, 24}), {race, OutsideOf("output", Access::kWrite)})}),
            Names{"conv_stores_outside"});
}

/// Beyond the last row and column, threads may be idle in any number.
TEST(ConvolutionFactsTest, IdleThreadsCountWhereTilesFit) {
  Evidence e = Right({512, 640});
  LaunchRecord& launch = e.result.launches.front();
  launch.grid = {500, 1, 1};
  launch.block = {1024, 1, 1};
  launch.arrays = {{"input", 4, 1, 0, 0}};
  e.storing_threads = 512 * 640;
  EXPECT_EQ(Threads(e.result), 512'000u);
  EXPECT_EQ(IdsOf({e}), Names{"conv_idle"});
  Evidence other = Right({512, 641});
  other.result.launches = e.result.launches;
  other.storing_threads = 512 * 641;
  EXPECT_EQ(IdsOf({other}), Names{});
}

/// 64 blocks of 256 threads store, and 17 more lie to the right of the matrix and below.
TEST(ConvolutionFactsTest, IdleThreadsMayBeWholeBlocks) {
  Evidence e = Right({512, 512});
  LaunchRecord& launch = e.result.launches.front();
  launch.grid = {9, 9, 1};
  launch.block = {32, 8, 1};
  launch.arrays = {{"input", 4, 1, 0, 0}};
  e.storing_threads = 64 * 256;
  EXPECT_EQ(IdsOf({e}), Names{"conv_idle_columns"});
  launch.grid = {8, 11, 1};
  EXPECT_EQ(IdsOf({e}), Names{"conv_idle"}) << "three rows of blocks too many";
  launch.grid = {8, 10, 1};
  launch.block = {32, 16, 1};
  e.storing_threads = 64 * 256;
  EXPECT_EQ(IdsOf({e}), Names{"conv_idle"}) << "half of the threads of each block, and two rows";
  // Tiles of 28 x 28 elements: as many threads as some blocks have, but no rows and columns of these.
  launch.grid = {19, 19, 1};
  launch.block = {32, 32, 1};
  e.storing_threads = 512 * 512;
  EXPECT_EQ(IdsOf({e}), Names{"conv_idle"});
}

/// As many threads as elements, of which a quarter stores four elements each.
TEST(ConvolutionFactsTest, AGridMayCountThreadsInPlaceOfTiles) {
  Evidence e = Right({512, 512});
  LaunchRecord& launch = e.result.launches.front();
  launch.grid = {16, 64, 1};
  launch.block = {32, 8, 1};
  launch.arrays = {{"input", 4, 1, 0, 0}};
  e.storing_threads = 512 * 128;
  EXPECT_EQ(IdsOf({e}), Names{"conv_idle_threads_of_grid"});
  launch.grid = {18, 64, 1};
  EXPECT_EQ(IdsOf({e}), Names{"conv_idle"});
}

/// A quarter of the blocks stores, tiles of 32 x 32 with their halos. The others lie below the matrix, and
/// the first of them load two rows.
TEST(ConvolutionFactsTest, LoadsTellWholeBlocksFromThreadsOfEach) {
  Evidence e = Right({512, 512});
  LaunchRecord& launch = e.result.launches.front();
  launch.grid = {16, 64, 1};
  launch.block = {32, 8, 1};
  launch.arrays = {{"input", 572 * 574 * 4, 1, 0, 0}};
  e.storing_threads = 512 * 128;
  const std::vector<Fact> facts = FactsOf(std::vector{e});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(
      English(facts[0].message).substr(English(facts[0].message).find(": ") + 2),
      "768 of 1024 blocks store nothing: a block stores 32 x 32 elements, but the grid has one for every "
      "8 x 32");
  launch.arrays = {{"input", 572 * (512 + 4 * 63) * 4, 1, 0, 0}};
  EXPECT_EQ(IdsOf({e}), Names{"conv_idle_threads_of_grid"}) << "a tile of 8 x 32 in each block";
}

/// The copy of the filter may run in a stream that the kernel does not wait for.
TEST(ConvolutionFactsTest, ACopyThatIsPendingTellsWhyTheFilterIsEmpty) {
  Evidence e = Right({20, 24});
  e.output.assign(e.output.size(), 0);
  e.result.wrong_count = e.output.size();
  EXPECT_EQ(IdsOf({e}), Names{"conv_all_zero"});
  e.result.reason = say::work_pending("copy of 100 bytes within the device");
  EXPECT_EQ(IdsOf({e}), Names{"conv_zero_beside_copy"});
}

/// Rows above the tile count as 0 in its first two rows.
TEST(ConvolutionFactsTest, RowsThatAreLeftOutAreNamed) {
  Evidence e = Right({40, 20});
  for (const std::size_t r : {32u, 33u}) {
    for (std::size_t c = 0; c < 20; ++c) {
      float sum = 0;
      for (std::size_t i = r == 32 ? 2 : 1; i < 5; ++i) {
        for (std::size_t j = 0; j < 5; ++j) {
          if (c + j < 2 || c + j - 2 >= 20) continue;
          sum += e.filter[i * 5 + j] * e.input[(r + i - 2) * 20 + c + j - 2];
        }
      }
      e.output[r * 20 + c] = sum;
    }
  }
  e.result.wrong_count = 40;
  const std::vector<Fact> facts = FactsOf(std::vector{e});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_NE(English(facts[0].message).find("the sum in output(32, 0) leaves out rows 30 and 31 of input"),
            std::string::npos)
      << English(facts[0].message);
}

/// Where no value follows from what was never stored, each test is named all the same.
TEST(ConvolutionFactsTest, AllTestsThatReadAnUnwrittenTileAreNamed) {
  Finding unset;
  unset.kind = FindingKind::kUninitialised;
  unset.space = MemorySpace::kShared;
  std::vector<Evidence> all = {With(Right({20, 24}), {unset}), With(Right({24, 20}), {unset})};
  all[1].test = "Other";
  for (Evidence& e : all) e.result.verdict = Verdict::kFinding;
  const std::vector<Fact> facts = FactsOf(all);
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0].tests, (Names{all[0].test, "Other"}));
}

TEST(ConvolutionFactsTest, KernelsThatLoadNoInputHaveNoIdleThreads) {
  Evidence e = Right({512, 640});
  LaunchRecord& launch = e.result.launches.front();
  launch.grid = {500, 1, 1};
  launch.block = {1024, 1, 1};
  EXPECT_EQ(Threads(e.result), 0u);
}

/// tile[tx + j][ty + i], and tile[tx + i][ty + j].
TEST(ConvolutionFactsTest, ATileThatIsReadAcrossItsDiagonal) {
  const auto turned = [](const reference::MatrixShape& shape, bool is_filter_turned) {
    Evidence e = Filtered(shape, [&](std::vector<float>& filter) {
      const std::vector<float> own = filter;
      for (std::size_t k = 0; k < 25 && is_filter_turned; ++k) filter[k] = own[k % 5 * 5 + k / 5];
    });
    const std::vector<float> sums = e.output;
    for (std::size_t r = 0; r < shape.rows; ++r) {
      for (std::size_t c = 0; c < shape.columns; ++c)
        e.output[r * shape.columns + c] = sums[(r / 8 * 8 + c % 8) * shape.columns + c / 8 * 8 + r % 8];
    }
    e.result.wrong_count = 1;
    return e;
  };
  EXPECT_EQ(IdsOf({turned({16, 24}, true), turned({24, 24}, true)}), Names{"conv_tile_turned"});
  EXPECT_EQ(IdsOf({turned({16, 24}, false), turned({24, 24}, false)}), Names{"conv_tile_turned"});
}

}  // namespace
}  // namespace warplings::convolution
