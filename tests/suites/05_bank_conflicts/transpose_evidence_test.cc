// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/05_bank_conflicts/transpose_evidence.h"

#include <gtest/gtest.h>

#include <bit>
#include <optional>
#include <utility>

#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "tests/suites/05_bank_conflicts/messages.h"

namespace warplings::bank_conflicts {
namespace {

using Ids = std::vector<std::string>;

/// What a right and fast answer shows.
Transposition Right(int rows, int columns) {
  RandomValues random(static_cast<std::uint64_t>(rows * 1000 + columns));
  Transposition t;
  t.test = "Shape";
  t.rows = rows;
  t.columns = columns;
  t.x = SignedValues(random, static_cast<std::size_t>(rows * columns));
  t.y.resize(t.x.size());
  for (int i = 0; i < rows * columns; ++i) {
    t.y[static_cast<std::size_t>(i % columns * rows + i / columns)] = t.x[static_cast<std::size_t>(i)];
  }
  LaunchRecord launch;
  launch.completed = true;
  launch.block = {32, 32, 1};
  launch.static_shared_bytes = 4096;
  launch.totals.shared_load_requests = launch.totals.shared_store_requests = 100;
  launch.totals.global_load_sectors = launch.totals.global_store_sectors =
      static_cast<std::uint64_t>(rows * columns / 8);
  t.result.launches = {launch};
  t.result.verdict = Verdict::kPassed;
  return t;
}

template <class Change>
std::vector<Transposition> All(const Change& change) {
  std::vector<Transposition> all;
  for (const auto& [rows, columns] :
       {std::pair{3, 5}, {32, 32}, {64, 64}, {33, 31}, {130, 1}, {45, 83}, {96, 64}}) {
    all.push_back(Right(rows, columns));
    change(all.back());
  }
  return all;
}

Ids IdsOf(const std::vector<Fact>& found) {
  Ids ids;
  for (const Fact& each : found) {
    EXPECT_FALSE(each.message.empty());
    ids.push_back(each.id);
  }
  return ids;
}

template <class Change>
Ids Padded(const Change& change) {
  return IdsOf(FactsOfPadded(All(change)));
}
template <class Change>
Ids Swizzled(const Change& change) {
  return IdsOf(FactsOfSwizzled(All(change)));
}

auto WithShared(std::uint32_t bytes, std::uint64_t conflicts_per_load) {
  return [=](Transposition& t) {
    t.result.launches[0].static_shared_bytes = bytes;
    t.result.launches[0].totals.shared_load_conflicts = 100 * conflicts_per_load;
  };
}

Finding FindingOf(FindingKind kind, MemorySpace space) {
  Finding finding;
  finding.kind = kind;
  finding.space = space;
  return finding;
}

TEST(TransposeEvidenceTest, ARightAnswerShowsNothing) {
  EXPECT_EQ(Padded([](Transposition&) {}), Ids{});
  EXPECT_EQ(Padded(WithShared(4224, 0)), Ids{});
  EXPECT_EQ(Swizzled([](Transposition&) {}), Ids{});
  EXPECT_TRUE(FactsOfPadded({}).empty());
  EXPECT_TRUE(FactsOfSwizzled({}).empty());
}

TEST(TransposeEvidenceTest, PaddingIsToldByConflictsAndBytes) {
  EXPECT_EQ(Padded(WithShared(4096, 31)), Ids{"tile_not_padded"});
  EXPECT_EQ(Padded(WithShared(4224, 31)), Ids{"extra_row"});
  EXPECT_EQ(Padded(WithShared(4352, 1)), Ids{"padding_not_odd"});
  EXPECT_EQ(Padded(WithShared(4608, 3)), Ids{"padding_not_odd"});
  // Rows of 33 floats have no element in common with a bank's next round: it is something else.
  EXPECT_EQ(Padded(WithShared(4224, 1)), Ids{});
  EXPECT_EQ(Padded(WithShared(8192, 31)), Ids{}) << "rows of 64, or two tiles";
  EXPECT_EQ(Padded(WithShared(4096, 7)), Ids{}) << "some other order, and no padding";
}

TEST(TransposeEvidenceTest, SwizzlesAreToldByConflictsAndBytes) {
  EXPECT_EQ(Swizzled(WithShared(4096, 31)), Ids{"column_in_one_bank"});
  EXPECT_EQ(Swizzled(WithShared(4096, 1)), Ids{"too_few_orders"});
  EXPECT_EQ(Swizzled(WithShared(4224, 0)), Ids{"transpose_bytes"});
  EXPECT_EQ(Swizzled(WithShared(4104, 0)), Ids{}) << "a variable beside the tile";
  EXPECT_EQ(Swizzled(WithShared(8192, 0)), Ids{}) << "two tiles";
}

TEST(TransposeEvidenceTest, OtherBlockShapesAreNotNamed) {
  EXPECT_EQ(Padded([](Transposition& t) {
              WithShared(1024, 7)(t);
              t.result.launches[0].block = {16, 16, 1};
            }),
            Ids{});
}

TEST(TransposeEvidenceTest, StridedAccessesAreToldBySectors) {
  EXPECT_EQ(Padded([](Transposition& t) { t.result.launches[0].totals.global_store_sectors *= 8; }),
            Ids{"transpose_written"});
  EXPECT_EQ(Padded([](Transposition& t) { t.result.launches[0].totals.global_load_sectors *= 8; }),
            Ids{"transpose_read"});
}

/// Full sectors that are moved several times: no thread's elements lie apart.
TEST(TransposeEvidenceTest, WhatIsMovedTwiceDoesNotLieApart) {
  const auto twice = [](Transposition& t) {
    Counts& counts = t.result.launches[0].totals;
    counts.global_load_sectors *= 2;
    counts.global_load_bytes = 32 * counts.global_load_sectors;
  };
  EXPECT_EQ(Padded(twice), Ids{});
  Transposition t = Right(32, 32);
  twice(t);
  GradeSectors(t);
  EXPECT_EQ(t.result.next_step, say::transpose_full_sectors_step(8192, 4096));
}

TEST(TransposeEvidenceTest, WrongValuesAreNotExplainedByCounts) {
  EXPECT_EQ(Padded([](Transposition& t) {
              WithShared(4096, 31)(t);
              t.result.wrong_count = 1;
            }),
            Ids{});
}

TEST(TransposeEvidenceTest, TilesThatStayInPlace) {
  const auto stay = [](Transposition& t) {
    if (t.rows != 64 || t.columns != 64) return;
    for (int i = 0; i < 64 * 64; ++i) {
      const int row = i / 64, column = i % 64;
      const int x_row = row / 32 * 32 + column % 32, x_column = column / 32 * 32 + row % 32;
      t.y[static_cast<std::size_t>(i)] = t.x[static_cast<std::size_t>(x_row * 64 + x_column)];
    }
    t.result.wrong_count = 2048;
  };
  EXPECT_EQ(Padded(stay), Ids{"transpose_turned_in_place"});
}

TEST(TransposeEvidenceTest, TilesThatAreNotTurned) {
  const auto same = [](Transposition& t) {
    if (t.rows != 64 || t.columns != 64) return;
    for (int i = 0; i < 64 * 64; ++i) {
      const int row = i / 64, column = i % 64;
      const int x_row = column / 32 * 32 + row % 32, x_column = row / 32 * 32 + column % 32;
      t.y[static_cast<std::size_t>(i)] = t.x[static_cast<std::size_t>(x_row * 64 + x_column)];
    }
    t.result.wrong_count = 2048;
  };
  EXPECT_EQ(Padded(same), Ids{"transpose_not_turned"});
}

TEST(TransposeEvidenceTest, ARaceExplainsTheRest) {
  EXPECT_EQ(Padded([](Transposition& t) {
              t.result.findings = {FindingOf(FindingKind::kRace, MemorySpace::kShared)};
              t.result.wrong_count = 3;
            }),
            Ids{"race_in_shared_memory"});
}

/// By hand: of X with 1 row and 3 columns, threads tx = 0, 1, 2 of row 0 pass; they store to row 0 of Y,
/// which has one element in each row, so to Y[0], Y[1], Y[2]: nothing outside. With 3 rows and 1 column it is
/// the first element of rows 0, 1, 2 of Y, which has one row of 3.
TEST(TransposeEvidenceTest, WritesThatTheWrongCheckLetsThrough) {
  EXPECT_EQ(WritesCheckedWithX(1, 3), 0u);
  EXPECT_EQ(WritesCheckedWithX(3, 1), 2u);
  EXPECT_EQ(WritesCheckedWithX(32, 32), 0u);
  EXPECT_EQ(WritesWithRowsOfX(1, 3), 2u);  // rows 1 and 2 of Y, at 3 and 6
  EXPECT_EQ(WritesWithRowsOfX(3, 1), 0u);
  EXPECT_EQ(WritesWithBoundsOfX(1, 3), 0u);
  EXPECT_EQ(WritesWithBoundsOfX(3, 1), 2u);  // element 0 of rows 1 and 2, which Y does not have
  EXPECT_EQ(WritesWithShapeOfX(3, 1), 0u);
  const auto with = [](WritesOutside model, std::uint64_t more) {
    return [model, more](Transposition& t) {
      const std::uint64_t count = model(t.rows, t.columns);
      if (count == 0) return;
      Finding finding = FindingOf(FindingKind::kOutOfBounds, MemorySpace::kGlobal);
      finding.object = "Y";
      finding.access = Access::kWrite;
      finding.count = count + more;
      t.result.findings = {finding};
    };
  };
  EXPECT_EQ(Padded(with(WritesCheckedWithX, 0)), Ids{"transpose_checked_with_x"});
  EXPECT_EQ(Padded(with(WritesCheckedWithX, 1)), Ids{});
  EXPECT_EQ(Padded(with(WritesWithRowsOfX, 0)), Ids{"transpose_with_shape_of_x"});
  EXPECT_EQ(Padded(with(WritesWithBoundsOfX, 0)), Ids{"transpose_with_shape_of_x"});
}

Finding OutsideOf(const char* matrix, Access access, std::uint64_t count) {
  Finding finding = FindingOf(FindingKind::kOutOfBounds, MemorySpace::kGlobal);
  finding.object = std::string(matrix);
  finding.access = access;
  finding.count = count;
  return finding;
}

/// By hand: of an X with one row, the thread of row 0 in a block of 8 rows reads rows 0, 8, 16 and 24.
TEST(TransposeEvidenceTest, OnlyTheFirstRowOfAThreadIsChecked) {
  const auto first_row = [](std::uint64_t more, std::uint32_t height) {
    const auto past = [=](int rows, int columns) {
      std::uint64_t count = 0;
      for (int row = 0; row < (rows + 31) / 32 * 32; ++row) {
        const int first = row / 32 * 32 + row % 32 % static_cast<int>(height);
        count += first < rows && row >= rows;
      }
      return count * static_cast<std::uint64_t>(columns);
    };
    return [=](Transposition& t) {
      t.result.launches[0].block = {32, height, 1};
      t.result.launches[0].grid = {static_cast<std::uint32_t>((t.columns + 31) / 32),
                                   static_cast<std::uint32_t>((t.rows + 31) / 32), 1};
      if (const auto reads = past(t.rows, t.columns))
        t.result.findings.push_back(OutsideOf("X", Access::kRead, reads + more));
      if (const auto writes = past(t.columns, t.rows))
        t.result.findings.push_back(OutsideOf("Y", Access::kWrite, writes));
    };
  };
  EXPECT_EQ(Padded(first_row(0, 8)), Ids{"transpose_first_row_checked"});
  EXPECT_EQ(Padded(first_row(0, 16)), Ids{"transpose_first_row_checked"});
  EXPECT_EQ(Padded(first_row(1, 8)), Ids{});
}

/// Y as it is when element [row][column] of a tile is fetched from where `fetched(row, column)` lies.
template <class Fetched>
auto WithOrder(const Fetched& fetched) {
  return [=](Transposition& t) {
    if (t.rows % 32 != 0 || t.columns % 32 != 0) return;
    for (int row = 0; row < t.rows; ++row) {
      for (int column = 0; column < t.columns; ++column) {
        const int from = column / 32 * 32 + fetched(row % 32, column % 32);
        t.y[static_cast<std::size_t>(column * t.rows + row)] =
            t.x[static_cast<std::size_t>(row * t.columns + from)];
      }
    }
    t.result.wrong_count = 1;
  };
}

TEST(TransposeEvidenceTest, DisorderWithinARow) {
  EXPECT_EQ(Swizzled(WithOrder([](int row, int column) { return row ^ column; })), Ids{"transpose_moved"});
  EXPECT_EQ(Swizzled(WithOrder([](int row, int column) { return (row + column) % 32; })),
            Ids{"transpose_moved"});
  EXPECT_EQ(Swizzled(WithOrder([](int row, int column) { return row | column; })), Ids{"transpose_lost"});
  EXPECT_EQ(Swizzled([](Transposition& t) {
              t.y[0] = std::bit_cast<float>(Poison());
              t.result.wrong_count = 1;
            }),
            Ids{});
}

/// Whoever reads that two elements have changed places looks for those two.
TEST(TransposeEvidenceTest, DisorderNamesTwoElements) {
  Transposition t = Right(64, 64);
  WithOrder([](int row, int column) { return row >= 8 ? column ^ 1 : column; })(t);
  const auto found = FactsOfSwizzled(std::span(&t, 1));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message,
            say::transpose_evidence({"Shape"}, 64, 64, say::transpose_moved("X[8][0]", "X[8][1]")));
}

TEST(TransposeEvidenceTest, DisorderOfThreadsThatAreOutOfStepIsNoOrder) {
  const auto order = WithOrder([](int row, int column) { return row ^ column; });
  EXPECT_EQ(Swizzled([&](Transposition& t) {
              order(t);
              t.result.findings = {FindingOf(FindingKind::kRace, MemorySpace::kShared)};
            }),
            Ids{});
}

/// Element [31][1] of a tile is stored where [0][0] is.
TEST(TransposeEvidenceTest, TwoElementsOfATileInOnePlace) {
  const auto shared = [](std::optional<float> instead) {
    return [=](Transposition& t) {
      if (t.rows % 32 != 0 || t.columns % 32 != 0) return;
      t.y[0] = instead.value_or(t.x[static_cast<std::size_t>(31 * t.columns + 1)]);
      t.result.wrong_count = 1;
      Finding finding = FindingOf(FindingKind::kRace, MemorySpace::kShared);
      finding.access = Access::kWrite;
      finding.other_access = Access::kWrite;
      t.result.findings = {finding};
    };
  };
  EXPECT_EQ(Swizzled(shared({})), Ids{"transpose_lost_in_tile"});
  EXPECT_EQ(Swizzled(shared(std::bit_cast<float>(Poison()))), Ids{});
  std::vector<Transposition> all = All(shared({}));
  EXPECT_EQ(FactsOfSwizzled(all).front().message,
            say::transpose_evidence({"Shape"}, 32, 32, say::transpose_lost_in_tile("X[0][0]", "X[31][1]")));
}

/// "The 32 lanes are 2 rows of your block" holds where a block has two.
TEST(TransposeEvidenceTest, RowsOfAWarpAreThoseOfTheBlock) {
  const auto advice = [](Dim3 block) {
    Transposition t = Right(32, 32);
    t.result.launches[0].block = block;
    t.result.launches[0].totals.shared_load_requests = 1;
    t.result.launches[0].totals.shared_load_conflicts = 1;
    GradeConflicts(t.result);
    return t.result.next_step;
  };
  const Message share = say::transpose_conflicts_step(say::transpose_load());
  const Message write_banks = say::both(share, say::transpose_write_banks());
  EXPECT_EQ(advice({16, 16, 1}),
            say::both(say::both(share, say::transpose_rows_of_a_warp(2, 16)), say::transpose_write_banks()));
  EXPECT_EQ(advice({16, 1, 1}), write_banks);
  EXPECT_EQ(advice({32, 8, 1}), write_banks);
}

TEST(TransposeEvidenceTest, PlacesOutsideTheTile) {
  EXPECT_EQ(Swizzled([](Transposition& t) {
              t.result.findings = {FindingOf(FindingKind::kOutOfBounds, MemorySpace::kShared)};
            }),
            Ids{"transpose_outside_shared"});
}

TEST(TransposeEvidenceTest, SharedBytesAreGraded) {
  Transposition t = Right(32, 32);
  GradeSharedBytes(t.result);
  EXPECT_EQ(t.result.verdict, Verdict::kPassed);
  t.result.launches[0].dynamic_shared_bytes = 4;
  GradeSharedBytes(t.result);
  EXPECT_EQ(t.result.verdict, Verdict::kWrongResult);
}

TEST(TransposeEvidenceTest, ConflictsAndSectorsAreGraded) {
  Transposition t = Right(32, 32);
  GradeConflicts(t.result);
  GradeSectors(t);
  EXPECT_EQ(t.result.verdict, Verdict::kPassed);
  t.result.launches[0].totals.shared_store_conflicts = 1;
  GradeConflicts(t.result);
  EXPECT_EQ(t.result.verdict, Verdict::kWrongResult);
  t = Right(32, 32);
  t.result.launches[0].totals.global_load_sectors = SectorLimit(32, 32) + 1;
  GradeSectors(t);
  EXPECT_EQ(t.result.verdict, Verdict::kWrongResult);
}

/// Of an X of 2 x 3: Y[e] holds X[from[e]]; -1: nothing was stored.
ProbeResult Holding(const std::vector<int>& from) {
  ProbeResult probed;
  for (std::size_t e = 0; e < from.size(); ++e) {
    FoundFormula& found = probed.formulas.emplace_back();
    found.element = e;
    found.known = true;
    if (from[e] < 0) found.before_times = 1;
    if (from[e] >= 0) found.terms = {{from[e], kNoElement, 1}};
  }
  return probed;
}

std::string FactOf(const std::vector<int>& from, const std::vector<LaunchRecord>& launches = {}) {
  const auto facts = FactsOfTransposition(2, 3, Holding(from), launches);
  return facts.empty() ? "" : English(facts.front());
}

TEST(TransposeFacts, SayHowMemoryIsRead) {
  EXPECT_EQ(FactOf({0, 3, 1, 4, 2, 5}), "") << "right";
  EXPECT_EQ(
      FactOf({0, 1, 2, 3, 4, 5}),
      "Nothing is transposed: Y holds the elements of X in the same order. Which index does a thread use to "
      "load, and which to store?");
  EXPECT_EQ(FactOf({0, 2, 1, 3, 2, 4}),
            "Your index of X uses rows of 2 elements (`rows`), but X has rows of 3 (`columns`). Which line "
            "computes this index?");
  EXPECT_EQ(FactOf({0, 3, -1, 1, 4, -1}),
            "Your index of Y uses rows of 3 elements (`columns`), but Y has rows of 2 (`rows`). Which line "
            "computes this index?");
  EXPECT_EQ(FactOf({5, 4, 3, 2, 1, 0}), "");
}

std::vector<std::string> FactsOfGap(const std::vector<int>& from, const LaunchRecord& launch) {
  std::vector<std::string> said;
  for (const Message& fact : FactsOfTransposition(2, 3, Holding(from), std::vector{launch}))
    said.push_back(English(fact));
  return said;
}

TEST(TransposeFacts, SayWhatNobodyStores) {
  using Said = std::vector<std::string>;
  LaunchRecord launch;
  launch.block = {32, 32, 1};
  launch.totals.barriers = 32;
  const std::vector<int> no_row_2 = {0, 3, 1, 4, -1, -1};
  EXPECT_EQ(
      FactsOfGap(no_row_2, launch),
      (Said{"Row 2 of Y is never stored.",
            "`columns` is 3, so Y has 3 rows: which thread should store Y[2][0], and what does that thread "
            "do instead?"}));
  EXPECT_EQ(
      FactsOfGap({0, -1, 1, -1, 2, -1}, launch),
      (Said{"Column 1 of Y is never stored.",
            "`rows` is 2, so Y has 2 columns: which thread should store Y[0][1], and what does that thread "
            "do instead?"}));
  EXPECT_EQ(FactOf({0, -1, 1, -1, -1, -1}, {launch}),
            "Y is never stored from row 2 on, nor from column 1 on.");
  EXPECT_EQ(FactOf({0, 3, -1, -1, -1, -1}, {launch}), "Rows 1 and 2 of Y are never stored.");
  launch.totals.barriers = 2;
  EXPECT_EQ(
      FactsOfGap(no_row_2, launch).back(),
      "Threads without an element of X return before the barrier, but some of them should store elements "
      "of Y. Let these threads skip only the load.");
}

TEST(TransposeFacts, SayThatBlocksAreMissing) {
  std::vector<int> from(40 * 32);
  for (int e = 0; e < 40 * 32; ++e)
    from[static_cast<std::size_t>(e)] = e % 40 < 32 ? e % 40 * 32 + e / 40 : -1;
  LaunchRecord launch;
  launch.block = {32, 32, 1};
  const auto facts = FactsOfTransposition(40, 32, Holding(from), std::vector{launch});
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_EQ(English(facts[0]), "Columns 32 to 39 of Y are never stored.");
  EXPECT_EQ(English(facts[1]),
            "The launch has 1 block, but X has 2 tiles of 32 x 32: which block should store Y[0][32], and is "
            "it launched?");
}

TEST(TransposeFacts, SayThatTilesAreMissing) {
  std::vector<int> from(40 * 70);
  for (int e = 0; e < 40 * 70; ++e) {
    const bool is_missing = e / 40 / 32 == 1 && e % 40 < 32;
    from[static_cast<std::size_t>(e)] = is_missing ? -1 : e % 40 * 70 + e / 40;
  }
  LaunchRecord launch;
  launch.grid = {6, 1, 1};
  launch.totals.global_store_bytes = (40 * 70 - 32 * 32) * sizeof(float);
  const auto facts = FactsOfTransposition(40, 70, Holding(from), std::vector{launch});
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_EQ(English(facts[0]), "One tile of Y is never stored: the one that begins at Y[32][0].");
  EXPECT_EQ(
      English(facts[1]),
      "There are as many blocks as tiles, but some blocks store nothing: which tile do these compute from "
      "blockIdx?");
  // Another tile twice.
  launch.totals.global_store_bytes += 32 * 32 * sizeof(float);
  EXPECT_EQ(English(FactsOfTransposition(40, 70, Holding(from), std::vector{launch}).back()),
            "Which block should store this tile, and which tile does it compute from blockIdx?");
}

TEST(TransposeFacts, SayThatStripsOfTilesAreMissing) {
  std::vector<int> from(40 * 70);
  for (int e = 0; e < 40 * 70; ++e)
    from[static_cast<std::size_t>(e)] = e / 40 % 32 < 8 ? e % 40 * 70 + e / 40 : -1;
  const auto facts = FactsOfTransposition(40, 70, Holding(from), {});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(English(facts[0]),
            "In each group of 32 rows of Y, nothing is stored from row 8 on: which thread should store "
            "Y[8][0]?");
}

TEST(TransposeFacts, SayThatTheGridIsTurned) {
  std::vector<int> from(64 * 96);
  for (int e = 0; e < 64 * 96; ++e)
    from[static_cast<std::size_t>(e)] = e / 64 < 64 ? e % 64 * 96 + e / 64 : -1;
  LaunchRecord launch;
  launch.block = {32, 32, 1};
  launch.grid = {2, 3, 1};
  const auto facts = FactsOfTransposition(64, 96, Holding(from), std::vector{launch});
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_EQ(English(facts[0]), "Rows 64 to 95 of Y are never stored.");
  EXPECT_EQ(English(facts[1]),
            "The grid's x and y are interchanged. X is 3 tiles wide and 2 high, but the grid is 2 blocks "
            "wide and 3 "
            "high: in your kernel, which of blockIdx.x and blockIdx.y counts the tiles across X?");
  launch.grid = {3, 2, 1};
  EXPECT_TRUE(English(FactsOfTransposition(64, 96, Holding(from), std::vector{launch}).back())
                  .starts_with("`columns` is 96, so Y has 96 rows:"));
}

/// Blocks of 32 x 8 threads, each of which moves one element.
TEST(TransposeEvidenceTest, APartOfEachTile) {
  const auto part = [](int rows, int columns, int written) {
    Transposition t = Right(rows, columns);
    for (int row = 0; row < columns; ++row) {
      for (int column = 0; column < rows && row % 32 >= written; ++column)
        t.y[static_cast<std::size_t>(row * rows + column)] = std::bit_cast<float>(Poison());
    }
    t.result.launches.front().block = {32, 8, 1};
    t.result.wrong_count = columns > written ? 1 : 0;
    t.result.verdict = columns > written ? Verdict::kWrongResult : Verdict::kPassed;
    return t;
  };
  const std::vector<Transposition> all{part(3, 5, 8), part(64, 64, 8), part(33, 31, 8)};
  for (const std::vector<Fact>& facts : {FactsOfPadded(all), FactsOfSwizzled(all)}) {
    ASSERT_EQ(facts.size(), 1U);
    EXPECT_EQ(facts.front().id, "transpose_part_of_tile");
  }
  const std::vector<Transposition> others{part(64, 64, 16)};
  EXPECT_TRUE(FactsOfPadded(others).empty()) << "more rows than threads";
}

}  // namespace
}  // namespace warplings::bank_conflicts
