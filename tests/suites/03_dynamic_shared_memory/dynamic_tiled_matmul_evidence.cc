// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/03_dynamic_shared_memory/dynamic_tiled_matmul_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "grader/suite/evidence.h"
#include "reference/matmul.h"
#include "tests/suites/03_dynamic_shared_memory/messages.h"

namespace warplings::dynamic_tiled_matmul {
namespace {

using All = std::span<const Evidence>;
using Found = std::vector<Fact>;

/// The test's title says width and tile.
Message In(const Evidence& e, const Message& what) {
  return say::of_test(e.test, what);
}

bool OutsideShared(const Evidence& e) {
  return HasFinding(e.result, FindingKind::kOutOfBounds, MemorySpace::kShared);
}

/// True when every launch of every test passed as many bytes as `bytes` says for its T.
template <class Bytes>
bool AllPassedBytes(All all, const Bytes& bytes) {
  return std::ranges::all_of(all, [&](const Evidence& e) {
    const std::uint32_t passed = bytes(static_cast<std::uint32_t>(e.tile));
    return std::ranges::all_of(
        e.result.launches, [&](const LaunchRecord& launch) { return launch.dynamic_shared_bytes == passed; });
  });
}

/// `factor` x T x T bytes.
bool AllPassed(All all, std::uint32_t factor) {
  return AllPassedBytes(all, [=](std::uint32_t tile) { return factor * tile * tile; });
}

/// Rows instead of squares: one row or two, of floats or of bytes.
bool AllPassedRows(All all) {
  return std::ranges::any_of(std::array{1u, 2u, 4u, 8u}, [&](std::uint32_t factor) {
    return AllPassedBytes(all, [=](std::uint32_t tile) { return factor * tile; });
  });
}

/// An access at byte 16 T T: where N's tile begins when its T T floats are counted as 4 T T.
bool BeginsFourTimesTooFar(const Evidence& e) {
  return std::ranges::any_of(e.result.findings, [&](const Finding& finding) {
    return finding.kind == FindingKind::kOutOfBounds && finding.space == MemorySpace::kShared &&
           finding.offset_bytes == 16 * e.tile * e.tile;
  });
}

void FindOutside(All all, Found& found) {
  const Evidence* first = FirstWith(all, OutsideShared);
  if (first == nullptr) return;
  const std::uint32_t passed =
      first->result.launches.empty() ? 0 : first->result.launches.front().dynamic_shared_bytes;
  const std::uint32_t needed = BytesOfBothTiles(first->tile);
  if (AllPassed(all, 2)) {
    AddFact(found, In(*first, say::dynamic_tiles_passed_elements(passed, needed)));
  } else if (AllPassedRows(all)) {
    AddFact(found, In(*first, say::dynamic_tiles_passed_rows(say::Count(passed, "byte"), needed)));
  } else if (AllPassed(all, 4)) {
    AddFact(found, In(*first, say::dynamic_tiles_passed_one_tile(passed, needed)));
  }
  if (!AllPassed(all, 8)) return;
  const Evidence* far = FirstWith(all, BeginsFourTimesTooFar);
  const bool everywhere = std::ranges::all_of(
      all, [](const Evidence& e) { return e.result.launches.empty() || OutsideShared(e); });
  // With rows of `width` the last place of a tile lies outside wherever the matrix is wider, and the tile has
  // more than one row.
  const bool by_width = std::ranges::all_of(all, [](const Evidence& e) {
    const bool is_wider = e.width > e.tile && e.tile > 1;
    return e.result.launches.empty() || OutsideShared(e) == is_wider;
  });
  if (far != nullptr && everywhere) {
    AddFact(found, In(*far, say::dynamic_tiles_too_far(16 * far->tile * far->tile, needed)));
  } else if (by_width) {
    AddFact(found, In(*first, say::dynamic_tiles_by_width()));
  }
}

/// What a kernel computes whose two tiles share one place, so that the one stored last is multiplied by
/// itself.
reference::Bounded OneTileTwice(const Evidence& e, bool of_n) {
  const int w = e.width, t = e.tile, phases = (w + t - 1) / t;
  const std::vector<float>& source = of_n ? e.n : e.m;
  reference::Bounded p;
  for (int row = 0; row < w; ++row) {
    for (int col = 0; col < w; ++col) {
      // Element (r, c) of the tile that this block has in its place in `phase`.
      const auto element = [&](int phase, int r, int c) {
        const int i = (of_n ? phase : row / t) * t + r, j = (of_n ? col / t : phase) * t + c;
        return i < w && j < w ? double{source[static_cast<std::size_t>(i * w + j)]} : 0.0;
      };
      double sum = 0, magnitude = 0;
      for (int k = 0; k < phases * t; ++k) {
        const double product = element(k / t, row % t, k % t) * element(k / t, k % t, col % t);
        sum += product;
        magnitude += std::fabs(product);
      }
      p.value.push_back(sum);
      p.bound.push_back(reference::Gamma(static_cast<std::size_t>(phases * t), 0x1p-24) * magnitude + 1e-30);
    }
  }
  return p;
}

bool Equals(const std::vector<float>& p, const reference::Bounded& model) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (IsWrong(p[i], model.value[i], model.bound[i])) return false;
  }
  return true;
}

void FindSharedPlace(All all, Found& found) {
  for (const bool of_n : {true, false}) {
    const bool always = !all.empty() && std::ranges::all_of(all, [&](const Evidence& e) {
      return Completed(e.result) && e.result.wrong_count > 0 && !e.p.empty() &&
             Equals(e.p, OneTileTwice(e, of_n));
    });
    if (always) {
      AddFact(found, In(all.front(), say::dynamic_tiles_squared(of_n ? "N" : "M")));
    }
  }
}

/// Only where the values are right: the contract asks for more than values.
void FindFixedSizes(All all, Found& found) {
  const bool right = std::ranges::all_of(all, [](const Evidence& e) {
    return Completed(e.result) && e.result.wrong_count == 0 && !HasError(e.result);
  });
  if (all.empty() || !right) return;
  std::set<std::uint64_t> threads, tiles;
  for (const Evidence& e : all) {
    tiles.insert(static_cast<std::uint64_t>(e.tile));
    for (const LaunchRecord& launch : e.result.launches) threads.insert(launch.block.Volume());
  }
  if (threads.size() == 1 && tiles.size() > 1) {
    AddFact(found, say::dynamic_tiles_fixed_block(say::Count(*threads.begin(), "thread")));
    return;
  }
  const Evidence* fixed = FirstWith(all, [](const Evidence& e) {
    return std::ranges::any_of(e.result.launches,
                               [](const LaunchRecord& l) { return l.static_shared_bytes > 0; });
  });
  // A few variables beside tiles that lie where they should are no tiles.
  constexpr std::uint64_t kSmallestTile = 4 * 32 * 32;  // That all calls find room in.
  if (fixed == nullptr) return;
  const std::uint64_t bytes = fixed->result.launches.front().static_shared_bytes;
  if (bytes < kSmallestTile) return;
  AddFact(found, In(*fixed, say::dynamic_tiles_fixed_arrays(bytes, BytesOfBothTiles(fixed->tile))));
}

Message StepOfOutside(const Evidence& e, const Finding& finding) {
  constexpr std::int64_t kBytes = sizeof(float);
  const std::int64_t elements = std::int64_t{e.tile} * e.tile, element = finding.offset_bytes / kBytes;
  const say::Count of_array(2 * elements, "element");
  const int line = finding.where.line;
  const bool any_store = std::ranges::any_of(e.result.findings, [](const Finding& each) {
    return each.kind == FindingKind::kOutOfBounds && each.space == MemorySpace::kShared &&
           each.access == Access::kWrite;
  });
  if (finding.access == Access::kRead && !any_store)
    return say::dynamic_tiles_load_outside(line, element, of_array, e.tile);
  // This thread's element is the tile's first, so that nothing is added to where the tile begins.
  const bool has_one_each = e.result.launches.front().block.Volume() == static_cast<std::uint64_t>(elements);
  const bool is_first_of_tile =
      has_one_each && finding.thread == Dim3{0, 0, 0} && finding.access == Access::kWrite;
  return is_first_of_tile ? say::dynamic_tiles_begins_outside(line, element, of_array, e.tile, elements)
                          : say::dynamic_tiles_index_outside(line, element, 2 * elements - 1, e.tile,
                                                             say::Count(elements, "element"));
}

/// Two lines that store to one place. A second tile at a number of elements taken for bytes begins at just
/// that byte. Thread (0, 0) stores the first element of each tile, so that one begins where it stores.
Message StepOfOverlap(const Evidence& e, const Finding& finding) {
  constexpr std::int64_t kBytes = sizeof(float);
  const std::int64_t elements = std::int64_t{e.tile} * e.tile, element = finding.offset_bytes / kBytes;
  const say::Line line = finding.where.line, other = finding.other->line;
  if (finding.offset_bytes == elements) {
    return say::dynamic_tiles_overlap_in_bytes(line, other, finding.offset_bytes, e.tile, elements,
                                               elements * kBytes);
  }
  const bool has_one_each = e.result.launches.front().block.Volume() == static_cast<std::uint64_t>(elements);
  if (has_one_each && finding.thread == Dim3{0, 0, 0} && element > 0 && element < elements) {
    return say::dynamic_tiles_begins_inside(line, other, element, e.tile, say::Count(elements, "element"));
  }
  const auto& row =
      element < elements ? say::dynamic_tiles_overlap_in_first : say::dynamic_tiles_overlap_in_second;
  return row(line, other, element, e.tile, say::Count(elements, "element"));
}

}  // namespace

std::vector<Fact> FactsOf(std::span<const Evidence> evidence) {
  Found found;
  FindOutside(evidence, found);
  if (const Evidence* outside = FirstWith(evidence, OutsideShared); outside != nullptr && !found.empty())
    ShowFinding(found[0], outside->result, InShared(FindingKind::kOutOfBounds));
  if (found.empty()) FindSharedPlace(evidence, found);
  if (found.empty()) FindFixedSizes(evidence, found);
  return found;
}

Message StepOfTiles(const Evidence& e) {
  if (!e.result.advised || e.result.launches.empty()) return {};
  const std::uint32_t passed = e.result.launches.front().dynamic_shared_bytes;
  const Finding& finding = e.result.findings[*e.result.advised];
  if (finding.space != MemorySpace::kShared || finding.where.line == 0 || passed != BytesOfBothTiles(e.tile))
    return {};
  constexpr std::int64_t kBytes = sizeof(float);
  const bool is_of_float = finding.access_bytes == kBytes && finding.offset_bytes % kBytes == 0;
  if (finding.kind == FindingKind::kOutOfBounds) return is_of_float ? StepOfOutside(e, finding) : Message();
  if (finding.kind == FindingKind::kUninitialised && is_of_float) {
    // Both tiles hold floats.
    return say::nobody_stored_shared(say::numbered_element(finding.object, finding.offset_bytes / kBytes),
                                     finding.where.line);
  }
  const bool has_other_line =
      finding.other && finding.other->line > 0 && finding.other->line != finding.where.line;
  return BothStore(finding) && has_other_line ? StepOfOverlap(e, finding) : Message();
}

Message StepOfLoads(const Evidence& e) {
  const auto width = static_cast<std::uint32_t>(e.width), tile = static_cast<std::uint32_t>(e.tile);
  const std::uint32_t tiles = (width + tile - 1) / tile;
  if (e.result.launches.size() == 1) {
    const LaunchRecord& launch = e.result.launches.front();
    const bool has_tiles = launch.block.x == tile && launch.block.y == tile;
    if (has_tiles && launch.grid.x >= tiles && launch.grid.y >= tiles &&
        launch.grid.Volume() > std::uint64_t{tiles} * tiles)
      return say::dynamic_tiles_large_grid(launch.grid.x, launch.grid.y, width, tile, tiles);
  }
  return say::dynamic_tiles_loads_question(tiles);
}

Message StepOfRace(int tile, say::Line store, say::Line read) {
  constexpr std::int64_t kWarp = 32;
  const std::int64_t threads = std::int64_t{tile} * tile;
  const auto& row = threads <= kWarp ? say::dynamic_tiles_race_in_warp : say::dynamic_tiles_race;
  return row(tile, say::Count(threads, "thread"), store, read);
}

}  // namespace warplings::dynamic_tiled_matmul
