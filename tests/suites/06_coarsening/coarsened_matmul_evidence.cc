// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/06_coarsening/coarsened_matmul_evidence.h"

#include <algorithm>

#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "tests/suites/06_coarsening/messages.h"
#include "tests/suites/common/element_groups.h"
#include "tests/suites/common/matmul_counts.h"
#include "tests/suites/common/messages.h"
#include "tests/suites/common/title_numbers.h"

namespace warplings::coarsened_matmul {
namespace {

using coarsening::WidthOf;
using All = std::span<const MatmulEvidence>;
using Found = std::vector<Fact>;

std::uint64_t CeilDiv(int count, int of) {
  return static_cast<std::uint64_t>((count + of - 1) / of);
}

/// Names the test, and its size unless its title does.
Message In(const MatmulEvidence& e, const Message& what) {
  return HasNumber(e.result.title, WidthOf(e)) ? say::of_test(e.test, what)
                                               : say::of_test_with_width(e.test, WidthOf(e), what);
}

/// Visits (row, column) of the accesses that the first column's check lets pass.
template <class Visit>
void ForEachPassed(int width, const Visit& visit) {
  for (int row = 0; row < width; ++row) {
    for (int first = 0; first < width; ++first) {
      if (first % kSpan >= kTileWidth) continue;  // belongs to a thread further to the left
      for (int c = 0; c < kCoarseFactor; ++c) visit(row, first + c * kTileWidth);
    }
  }
}

std::uint64_t Outside(int width) {
  std::uint64_t count = 0;
  ForEachPassed(width, [&](int row, int col) {
    if (row * width + col >= width * width) ++count;
  });
  return count;
}

// --- Values. ---------------------------------------------------------------------------------------------

/// Of a grid that has as many rows of blocks as P takes columns of them.
int FirstRowWithoutBlock(int width) {
  return static_cast<int>(CeilDiv(width, kSpan)) * kTileWidth;
}

/// True when just the columns from `first_missing` on were never written.
bool LacksColumnsFrom(const MatmulEvidence& e, int first_missing) {
  for (int i = 0; i < WidthOf(e) * WidthOf(e); ++i) {
    if (IsPoison(e.p[static_cast<std::size_t>(i)]) != (i % WidthOf(e) >= first_missing)) return false;
  }
  return true;
}

/// The first test that lacks just the rows for which a grid with x and y interchanged has no blocks, if that
/// is so in every completed one.
const MatmulEvidence* LacksRowsOfTurnedGrid(All all) {
  const MatmulEvidence* seen = nullptr;
  for (const MatmulEvidence& e : all) {
    if (!Completed(e.result) || e.p.empty()) continue;
    const int width = WidthOf(e), first_missing = FirstRowWithoutBlock(width);
    if (!HasTilesBelowOneAnother(e.result, width)) return nullptr;
    for (int i = 0; i < width * width; ++i) {
      if (IsPoison(e.p[static_cast<std::size_t>(i)]) != (i / width >= first_missing)) return nullptr;
    }
    if (seen == nullptr && first_missing < width) seen = &e;
  }
  return seen;
}

/// True in every completed test, and in one of them columns are missing.
template <class FirstMissing>
const MatmulEvidence* LacksColumns(All all, const FirstMissing& first_missing) {
  const MatmulEvidence* seen = nullptr;
  for (const MatmulEvidence& e : all) {
    if (!Completed(e.result) || e.p.empty()) continue;
    if (!LacksColumnsFrom(e, first_missing(WidthOf(e)))) return nullptr;
    if (seen == nullptr && first_missing(WidthOf(e)) < WidthOf(e)) seen = &e;
  }
  return seen;
}

/// True when of each four tiles side by side just the first `stored` were written.
bool LacksTilesFrom(const MatmulEvidence& e, int stored) {
  for (int i = 0; i < WidthOf(e) * WidthOf(e); ++i) {
    const bool missing = i % WidthOf(e) % kSpan / kTileWidth >= stored;
    if (IsPoison(e.p[static_cast<std::size_t>(i)]) != missing) return false;
  }
  return true;
}

void FindUnstoredTiles(All all, Found& found) {
  for (int stored = 1; stored < kCoarseFactor; ++stored) {
    const MatmulEvidence* seen = nullptr;
    const bool follows = std::ranges::all_of(all, [&](const MatmulEvidence& e) {
      if (!Completed(e.result) || e.p.empty()) return true;
      if (WidthOf(e) > stored * kTileWidth) seen = &e;
      return LacksTilesFrom(e, stored);
    });
    if (!follows || seen == nullptr) continue;
    AddFact(found, In(*seen, stored == 1 ? say::coarse_matmul_one_tile_written()
                                         : say::coarse_matmul_tiles_written(stored)));
  }
}

/// True when of each four tiles side by side just the columns were written that threads with columns `apart`
/// from each other have.
bool HasColumnsApart(const MatmulEvidence& e, int apart) {
  for (int i = 0; i < WidthOf(e) * WidthOf(e); ++i) {
    const bool missing = i % WidthOf(e) % kSpan >= kTileWidth + (kCoarseFactor - 1) * apart;
    if (IsPoison(e.p[static_cast<std::size_t>(i)]) != missing) return false;
  }
  return true;
}

/// Columns that are less than a tile apart: those of neighbouring threads are partly the same.
void FindOverlappingColumns(All all, Found& found) {
  for (int apart = 1; apart < kTileWidth; ++apart) {
    const int missing = kTileWidth + (kCoarseFactor - 1) * apart, last = kTileWidth - 1 + 2 * apart;
    const MatmulEvidence* seen = nullptr;
    const bool follows = std::ranges::all_of(all, [&](const MatmulEvidence& e) {
      if (!Completed(e.result) || e.p.empty()) return true;
      if (seen == nullptr && WidthOf(e) > missing) seen = &e;
      return HasColumnsApart(e, apart);
    });
    // Not where the columns are stored once: then some loop ends too early.
    if (!follows || seen == nullptr) continue;
    const std::uint64_t stored = TrafficOf(seen->result, "P").store_bytes / sizeof(float);
    const auto present = std::ranges::count_if(seen->p, [](float value) { return !IsPoison(value); });
    if (stored <= static_cast<std::uint64_t>(present)) continue;
    AddFact(found, In(*seen, say::coarse_matmul_columns_overlap(apart, apart, last, missing)));
    return;
  }
}

/// P[row][col] is the sum of all elements that its thread must compute.
bool IsSumOfThread(const MatmulEvidence& e, int row, int col) {
  const int first = col / kSpan * kSpan + col % kTileWidth;
  double value = 0, bound = 0;
  for (int c = first; c < std::min(first + kSpan, WidthOf(e)); c += kTileWidth) {
    const auto i = static_cast<std::size_t>(row * WidthOf(e) + c);
    value += e.expected.value[i];
    bound += e.expected.bound[i];
  }
  // All of the products pass through one sum, four times as long: four times the bound of the parts.
  return !IsWrong(e.p[static_cast<std::size_t>(row * WidthOf(e) + col)], value, kCoarseFactor * bound);
}

const MatmulEvidence* SharesOneSum(All all) {
  const MatmulEvidence* seen = nullptr;
  for (const MatmulEvidence& e : all) {
    if (!Completed(e.result) || e.p.empty()) continue;
    for (int i = 0; i < WidthOf(e) * WidthOf(e); ++i) {
      if (!IsSumOfThread(e, i / WidthOf(e), i % WidthOf(e))) return nullptr;
    }
    if (seen == nullptr && e.result.wrong_count > 0) seen = &e;
  }
  return seen;
}

void FindWrongValues(All all, Found& found) {
  if (const auto* e = LacksColumns(all, [](int width) { return width / kSpan * kSpan; })) {
    AddFact(found, In(*e, say::coarse_matmul_last_columns_missing()));
  }
  const auto without_factor = [](int width) {
    return std::min(width, static_cast<int>(CeilDiv(width, kSpan) - 1) * kTileWidth + kSpan);
  };
  if (const auto* e = LacksColumns(all, without_factor)) {
    AddFact(found, In(*e, say::coarse_matmul_columns_missing(without_factor(WidthOf(*e)))));
  }
  if (const auto* e = LacksRowsOfTurnedGrid(all)) {
    const Dim3 grid = e->result.launches.front().grid;
    AddFact(found, In(*e, say::coarse_matmul_grid_turned(grid.x, grid.y, FirstRowWithoutBlock(WidthOf(*e)))));
  }
  FindUnstoredTiles(all, found);
  if (found.empty()) FindOverlappingColumns(all, found);
  if (const auto* e = SharesOneSum(all)) {
    AddFact(found, In(*e, say::coarse_matmul_shared_sum()));
  }
}

// --- Findings. -------------------------------------------------------------------------------------------

void FindRaces(All all, Found& found) {
  const auto single_phase = std::ranges::find_if(all, [](const MatmulEvidence& e) {
    return WidthOf(e) <= kTileWidth && ReadsTooEarlyOrStoresOver(e.result);
  });
  if (single_phase == all.end()) return;
  // A warp that waits for its tiles finds every place of them written; one that does not, finds some empty.
  // Where all elements exist, so that no place is empty for want of one.
  const MatmulEvidence* empty = FirstWith(all, [](const MatmulEvidence& e) {
    return WidthOf(e) % kSpan == 0 && HasFinding(e.result, FindingKind::kUninitialised, MemorySpace::kShared);
  });
  if (empty != nullptr) {
    Fact& fact = AddFact(found, In(*empty, say::coarse_matmul_empty_places()));
    ShowFinding(fact, empty->result, FindingKind::kUninitialised);
  } else {
    Fact& fact = AddFact(found, In(*single_phase, say::coarse_matmul_written_places_race()));
    ShowFinding(fact, single_phase->result, NeedsABarrier);
    NameRaceOfPasses(fact, single_phase->result);
  }
}

void FindFirstColumnChecked(All all, Found& found) {
  const MatmulEvidence* seen = nullptr;
  for (const MatmulEvidence& e : all) {
    if (!Completed(e.result)) continue;
    const std::uint64_t reads = CountOutside(e.result, "N", Access::kRead);
    const std::uint64_t writes = CountOutside(e.result, "P", Access::kWrite);
    const bool follows = (reads == 0 || reads == ReadsOutsideN(WidthOf(e))) &&
                         (writes == 0 || writes == WritesOutsideP(WidthOf(e))) &&
                         CountOutside(e.result, "M", Access::kRead) == 0;
    if (!follows) return;
    if (seen == nullptr && reads + writes > 0) seen = &e;
  }
  if (seen == nullptr) return;
  Fact& fact = AddFact(found, In(*seen, say::coarse_matmul_first_column()));
  ShowFinding(fact, seen->result, Outside("N", Access::kRead));
  ShowFinding(fact, seen->result, Outside("P", Access::kWrite));
}

// --- Counts, where everything else is right. --------------------------------------------------------------

std::uint64_t Threads(const TestResult& result) {
  std::uint64_t threads = 0;
  for (const LaunchRecord& launch : result.launches) threads += launch.grid.Volume() * launch.block.Volume();
  return threads;
}

bool HasGrid(const TestResult& result, std::uint64_t across, std::uint64_t down) {
  return std::ranges::all_of(result.launches, [&](const LaunchRecord& launch) {
    return launch.grid.x == across && launch.grid.y == down;
  });
}

void FindByCounts(const MatmulEvidence& e, Found& found) {
  const Counts counts = TotalCounts(e.result);
  const auto w = static_cast<std::uint64_t>(WidthOf(e));
  const std::uint64_t tiled_bytes = 8 * w * w * CeilDiv(WidthOf(e), kTileWidth);
  const std::uint64_t bytes = counts.global_load_bytes, sectors = counts.global_load_sectors;
  if (counts.shared_load_requests == 0) {
    AddFact(found, In(e, say::coarse_matmul_untiled()));
  } else if (counts.flops >= 3 * (2 * w * w * w) && Threads(e.result) >= w * w) {
    AddFact(found, In(e, say::coarse_matmul_operations(counts.flops, 2 * w * w * w)));
  } else if (Threads(e.result) >= w * w && bytes > AllowedBytes(WidthOf(e))) {
    AddFact(found, In(e, say::coarse_matmul_not_coarsened(bytes)));
  } else if (Threads(e.result) == w * w / kCoarseFactor && bytes == tiled_bytes &&
             2 * TrafficOf(e.result, "M").load_bytes == tiled_bytes &&
             HasTilesSideBySide(e.result, WidthOf(e))) {
    AddFact(found, In(e, say::coarse_matmul_m_reloaded(bytes)));
  } else if (bytes <= AllowedBytes(WidthOf(e)) && sectors >= 2 * bytes / 32) {
    const Message waste = WasteOfLoads(e.result);
    AddFact(found, In(e, waste.empty() ? say::coarse_matmul_bytes_in_sectors(bytes, sectors)
                                       : say::coarse_matmul_bytes_in_sectors_wasted(waste)));
  }
}

}  // namespace

std::uint64_t AllowedBytes(int width) {
  const auto w = static_cast<std::uint64_t>(width);
  return 4 * w * w * (CeilDiv(width, kSpan) + CeilDiv(width, kTileWidth));
}

/// Every row of blocks loads all of N.
std::uint64_t ReadsOutsideN(int width) {
  return CeilDiv(width, kTileWidth) * Outside(width);
}

std::uint64_t WritesOutsideP(int width) {
  return Outside(width);
}

bool HasTilesSideBySide(const TestResult& result, int width) {
  return HasGrid(result, CeilDiv(width, kSpan), CeilDiv(width, kTileWidth));
}

bool HasTilesBelowOneAnother(const TestResult& result, int width) {
  return HasGrid(result, CeilDiv(width, kTileWidth), CeilDiv(width, kSpan));
}

Message StepOfFewTiles(const TestResult& result, int width) {
  for (const int tiles : {2, 3}) {
    if (width % (tiles * kTileWidth) == 0 &&
        HasGrid(result, width / (tiles * kTileWidth), width / kTileWidth))
      return say::coarse_matmul_m_few_tiles_step(say::Count(tiles, "tile"));
  }
  return say::coarse_matmul_m_step();
}

Message StepOfPart(const TestResult& result, const std::string& matrix, std::uint64_t loaded,
                   std::uint64_t allowed, std::uint64_t width) {
  const Dim3 block = result.launches.empty() ? Dim3{} : result.launches.front().block;
  const bool is_square = block.x == block.y && block.x > 1 && width % block.x == 0;
  const std::uint64_t phases = is_square ? width / block.x : 0;
  return phases > 1 && loaded * phases == allowed * (phases + 1)
             ? say::coarse_matmul_phase_step(matrix, phases + 1, width, phases)
             : say::coarse_matmul_part_step(loaded - allowed, matrix);
}

Message ColumnsLeftOut(All all) {
  constexpr ElementGroups kColumns{.size = kCoarseFactor, .stride = kTileWidth};
  const MatmulEvidence* seen = nullptr;
  bool any_stored = false;
  for (const MatmulEvidence& e : all) {
    if (!Completed(e.result) || e.p.empty()) continue;
    const auto width = static_cast<std::size_t>(WidthOf(e));
    for (std::size_t i = 0; i < e.p.size(); ++i) {
      const bool is_left_out = kColumns.LeavesOut(i % width, width);
      if (IsPoison(e.p[i]) != is_left_out) return {};
      if (is_left_out && seen == nullptr) seen = &e;
      // A grid with too few blocks stores nothing of these columns.
      any_stored |= !is_left_out && width < kSpan;
    }
  }
  if (seen == nullptr || !any_stored) return {};
  const auto width = static_cast<std::size_t>(WidthOf(*seen));
  std::size_t first = 0;
  while (!kColumns.LeavesOut(first, width)) ++first;
  const auto name = [](std::size_t column) { return "P[0][" + std::to_string(column) + "]"; };
  return say::columns_left_out_apart(kCoarseFactor, kTileWidth, say::width(WidthOf(*seen)), name(first),
                                     name(kColumns.LastOf(first)));
}

std::vector<Fact> FactsOf(All all) {
  Found found;
  FindRaces(all, found);
  FindFirstColumnChecked(all, found);
  if (found.empty()) FindWrongValues(all, found);
  const bool right = std::ranges::all_of(all, [](const MatmulEvidence& e) {
    return Completed(e.result) && e.result.wrong_count == 0 && !HasError(e.result);
  });
  const MatmulEvidence* counted = FirstWith(all, [](const MatmulEvidence& e) { return WidthOf(e) == kSpan; });
  if (right && counted != nullptr) FindByCounts(*counted, found);
  return found;
}

}  // namespace warplings::coarsened_matmul
