// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/07_where_it_recurs/stencil_evidence.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "chapters/07_where_it_recurs/stencil.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "tests/suites/07_where_it_recurs/messages.h"
#include "tests/suites/07_where_it_recurs/recognise.h"

namespace warplings::stencil {
namespace {

using recurs::FailedFirst;
using recurs::FindBy;
using recurs::FindReturns;

using All = std::span<const Evidence>;
using Found = std::vector<Fact>;
using IsIt = std::function<bool(const Finding&)>;

Message In(const Evidence& e, const Message& what) {
  return say::of_test(e.test, what);
}

// --- Findings. -------------------------------------------------------------------------------------------

/// Of races in shared memory: without a barrier between the line that stores and the one that reads, a read
/// comes too early; with one, the next plane's store does.
bool FindRaces(All all, Found& found) {
  const auto races = [](const Evidence& e) { return ReadsTooEarlyOrStoresOver(e.result); };
  const auto early = [&](const Evidence& e) {
    return races(e) && BarrierOfRaces(e.result) == RaceBarrier::kNone;
  };
  if (const Evidence* e = FirstWith(all, early)) {
    ShowFinding(AddFact(found, In(*e, say::stencil_read_early())), e->result, NeedsABarrier);
    return true;
  }
  if (const Evidence* e = FirstWith(all, races)) {
    ShowFinding(AddFact(found, In(*e, say::stencil_stored_over())), e->result, NeedsABarrier);
    return true;
  }
  return false;
}

/// How many floats from the start of input, below 0 before it.
std::int64_t ElementOf(const Finding& finding) {
  return finding.offset_bytes / static_cast<std::int64_t>(sizeof(float));
}

/// There is one launch, and the grid's blocks have one thread for each x and y: as many blocks as that takes.
bool HasThreadForEachColumn(const Evidence& e) {
  if (e.result.launches.size() != 1) return false;
  const Dim3& blocks = e.result.launches.front().grid;
  const Dim3& threads = e.result.launches.front().block;
  const auto covers = [](std::uint64_t count, std::uint64_t each, std::size_t points) {
    return (points + each - 1) / each == count;
  };
  return covers(blocks.x, threads.x, e.grid.width) && covers(blocks.y, threads.y, e.grid.height);
}

/// With a thread for each x and y in a block of several planes: more blocks along z than have stored.
bool HasIdleBlocksAlongZ(const Evidence& e) {
  return HasThreadForEachColumn(e) && e.result.launches.front().block.z == 1 && e.storing_threads > 0 &&
         e.storing_threads < e.grid.width * e.grid.height * e.result.launches.front().grid.z;
}

/// Stores outside by threads whose x and y exist, to elements that have other ones in any plane: no guard is
/// missing, and the index is wrong.
bool FindStoresElsewhere(All all, const IsIt& is_it, Found& found) {
  const Evidence* seen = nullptr;
  const Finding* shown = nullptr;
  Message what;
  for (const Evidence& e : all) {
    for (const Finding& finding : e.result.findings) {
      if (!is_it(finding)) continue;
      if (!HasThreadForEachColumn(e)) return false;
      const Dim3& threads = e.result.launches.front().block;
      const std::uint64_t x = finding.block.x * std::uint64_t{threads.x} + finding.thread.x;
      const std::uint64_t y = finding.block.y * std::uint64_t{threads.y} + finding.thread.y;
      if (x >= e.grid.width || y >= e.grid.height) return false;
      const std::uint64_t own = y * e.grid.width + x, plane = e.grid.width * e.grid.height;
      const std::int64_t element = ElementOf(finding);
      if ((element - static_cast<std::int64_t>(own)) % static_cast<std::int64_t>(plane) == 0) return false;
      if (seen != nullptr && seen->input.size() <= e.input.size()) continue;
      seen = &e;
      shown = &finding;
      what = say::stencil_stores_elsewhere(
          "(" + std::to_string(finding.thread.x) + ", " + std::to_string(finding.thread.y) + ")", element, x,
          y, own, plane);
    }
  }
  if (shown == nullptr) return false;
  ShowFinding(AddFact(found, In(*seen, what)), seen->result,
              [&](const Finding& finding) { return &finding == shown; });
  return true;
}

/// Blocks along z that begin past the last plane read all their planes outside. A neighbour that a point on
/// the last face lacks is in the plane just past it; blocks that walk on past the last plane are there in a
/// grid of one block, too. Of the block that says it best; empty where reads have another cause.
std::optional<Message> BlocksPastTheEnd(All all, const IsIt& is_it) {
  const Evidence* seen = nullptr;
  const Finding* shown = nullptr;
  for (const Evidence& e : all) {
    const auto plane = static_cast<std::int64_t>(e.grid.width * e.grid.height);
    for (const Finding& finding : e.result.findings) {
      if (!is_it(finding)) continue;
      if (finding.block.z == 0 || ElementOf(finding) < 0) return std::nullopt;
      const bool is_far =
          ElementOf(finding) / plane > static_cast<std::int64_t>(e.grid.depth) || HasIdleBlocksAlongZ(e);
      if (is_far && shown == nullptr && e.result.launches.size() == 1) {
        seen = &e;
        shown = &finding;
      }
    }
  }
  if (shown == nullptr) return std::nullopt;
  const auto plane = static_cast<std::uint64_t>(ElementOf(*shown)) / (seen->grid.width * seen->grid.height);
  return say::stencil_blocks_past_end(shown->block.z, plane, say::Count(seen->grid.depth, "plane"),
                                      say::Count(seen->result.launches.front().grid.z, "block"));
}

/// A read by a block that begins in plane 0, of a plane that does not even follow the last one: who walks
/// from plane to plane meets that one first, so the index is wrong. Empty if there is none.
Message ReadPastNextPlane(All all, const IsIt& is_it) {
  for (const Evidence& e : all) {
    const auto plane = static_cast<std::int64_t>(e.grid.width * e.grid.height);
    for (const Finding& finding : e.result.findings) {
      if (!is_it(finding) || finding.block.z > 0 || plane == 0) continue;
      const std::int64_t of = ElementOf(finding) / plane;
      if (of > static_cast<std::int64_t>(e.grid.depth))
        return say::stencil_reads_later_plane(ElementOf(finding), of, say::Count(e.grid.depth, "plane"));
    }
  }
  return {};
}

/// What all reads outside have in common. No int is as far as an unsigned one that was to be below 0. Reads
/// of a whole plane are a neighbour in z: along y there would be a row of them, and along x one.
Message ReadsOutside(All all, const IsIt& is_it) {
  constexpr std::int64_t kBeyondInts = std::int64_t{1} << 31;
  bool is_far = true, is_plane = true, is_before = true, is_behind = true, is_flat = true, has_rows = false;
  for (const Evidence& e : all) {
    for (const Finding& finding : e.result.findings) {
      if (!is_it(finding)) continue;
      is_far = is_far && ElementOf(finding) >= kBeyondInts;
      (ElementOf(finding) < 0 ? is_behind : is_before) = false;
      is_flat = is_flat && e.grid.depth == 1;
      has_rows = has_rows || std::min(e.grid.width, e.grid.height) > 1;
      is_plane = is_plane && finding.count % (e.grid.width * e.grid.height) == 0;
    }
  }
  if (const auto past_end = BlocksPastTheEnd(all, is_it)) return *past_end;
  const bool has_deep = std::ranges::any_of(all, [](const Evidence& e) { return e.grid.depth > 1; });
  if (is_far) return say::stencil_reads_far();
  if (is_plane && is_behind && is_flat && has_deep) return say::stencil_reads_second_plane();
  if (is_plane && has_rows && is_behind) {
    const Message later = ReadPastNextPlane(all, is_it);
    return later.empty() ? say::stencil_reads_plane_behind() : later;
  }
  if (is_plane && has_rows && is_before) return say::stencil_reads_plane_before();
  return is_behind ? say::stencil_reads_behind() : say::stencil_reads_outside();
}

// --- Values. ---------------------------------------------------------------------------------------------

using OfPoint = std::function<bool(const Evidence&, std::size_t)>;

struct Point {
  std::size_t x = 0, y = 0, z = 0;
};

/// The neighbours of a point: left and right, above and below, in front and behind.
constexpr std::array<std::array<int, 3>, 6> kSides = {
    {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}};

Point PointOf(const Evidence& e, std::size_t i) {
  return {i % e.grid.width, i / e.grid.width % e.grid.height, i / (e.grid.width * e.grid.height)};
}

std::string TextOf(const Point& p, int planes) {
  const auto z = static_cast<std::ptrdiff_t>(p.z) + planes;
  return "(" + std::to_string(p.x) + ", " + std::to_string(p.y) + ", " + std::to_string(z) + ")";
}

bool IsOnFace(const Evidence& e, std::size_t i) {
  const Point p = PointOf(e, i);
  return e.grid.IsOnFace(p.x, p.y, p.z);
}

float At(const Evidence& e, std::size_t i) {
  return e.input[i];
}

std::optional<float> Neighbour(const Evidence& e, std::size_t i, std::size_t side) {
  const Point p = PointOf(e, i);
  const auto x = static_cast<std::ptrdiff_t>(p.x) + kSides[side][0];
  const auto y = static_cast<std::ptrdiff_t>(p.y) + kSides[side][1];
  const auto z = static_cast<std::ptrdiff_t>(p.z) + kSides[side][2];
  const auto lies = [](std::ptrdiff_t at, std::size_t count) {
    return at >= 0 && at < static_cast<std::ptrdiff_t>(count);
  };
  if (!lies(x, e.grid.width) || !lies(y, e.grid.height) || !lies(z, e.grid.depth)) return std::nullopt;
  return At(
      e, e.grid.Index(static_cast<std::size_t>(x), static_cast<std::size_t>(y), static_cast<std::size_t>(z)));
}

/// The formula with `missing` for neighbours that do not exist.
float Formula(const Evidence& e, std::size_t i, float missing) {
  float sum = 0;
  for (std::size_t side = 0; side < kSides.size(); ++side) sum += Neighbour(e, i, side).value_or(missing);
  return kCentre * At(e, i) + kNeighbour * sum;
}

float Right(const Evidence& e, std::size_t i) {
  return IsOnFace(e, i) ? At(e, i) : Formula(e, i, 0);
}

bool IsRight(const Evidence& e, std::size_t i) {
  return e.output[i] == Right(e, i);
}

/// The formula with the neighbours in memory, whatever row they are in; outside the array they are 0.
float OfMemory(const Evidence& e, std::size_t i) {
  const auto row = static_cast<std::ptrdiff_t>(e.grid.width);
  const auto plane = static_cast<std::ptrdiff_t>(e.grid.width * e.grid.height);
  float sum = 0;
  for (const std::ptrdiff_t step : {std::ptrdiff_t{-1}, std::ptrdiff_t{1}, -row, row, -plane, plane}) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) + step;
    if (at >= 0 && at < std::ssize(e.input)) sum += At(e, static_cast<std::size_t>(at));
  }
  return kCentre * At(e, i) + kNeighbour * sum;
}

/// Neighbours in x and y that were taken from the tile with row and column exchanged, as far as these lie in
/// the same tile: in the tile at the corner of the grid, those of point (y, x).
struct Exchanged {
  unsigned lacking = 0;  ///< A bit for each neighbour that was not taken
  unsigned taken = 0;    ///< and for each one of point (y, x) that was.
};

float WithExchanged(const Evidence& e, std::size_t i, const Exchanged& by) {
  const Point p = PointOf(e, i);
  const std::size_t other = e.grid.Index(p.y, p.x, p.z);
  float sum = 0;
  for (std::size_t side = 0; side < kSides.size(); ++side) {
    if (side >= 4 || (by.lacking >> side & 1) == 0) sum += Neighbour(e, i, side).value_or(0);
    if (side < 4 && (by.taken >> side & 1) != 0) sum += Neighbour(e, other, side).value_or(0);
  }
  return kCentre * At(e, i) + kNeighbour * sum;
}

/// True if the points do as `is_it` says that lie inside the tile at the corner of the grid, on both sides of
/// its diagonal. No tile is smaller than 4 x 4.
template <class IsIt>
bool EachInFirstTile(const Evidence& e, const IsIt& is_it) {
  constexpr std::size_t kTile = 4;
  for (std::size_t z = 1; z + 1 < e.grid.depth; ++z) {
    for (std::size_t y = 1; y + 1 < std::min(e.grid.height, kTile); ++y) {
      for (std::size_t x = 1; x + 1 < std::min(e.grid.width, kTile); ++x) {
        if (x != y && !is_it(e.grid.Index(x, y, z))) return false;
      }
    }
  }
  return true;
}

/// Some of the neighbours in x and y count as 0.
bool LacksInPlane(const Evidence& e, std::size_t i) {
  for (unsigned lacking = 1; lacking < 16; ++lacking) {
    float sum = 0;
    for (std::size_t side = 0; side < kSides.size(); ++side) {
      if (side >= 4 || (lacking >> side & 1) == 0) sum += Neighbour(e, i, side).value_or(0);
    }
    if (e.output[i] == kCentre * At(e, i) + kNeighbour * sum) return true;
  }
  return false;
}

/// What the point would have to have in place of its neighbours in z, taken together.
float InPlaceOfPlanes(const Evidence& e, std::size_t i) {
  float sum = kCentre * At(e, i);
  for (std::size_t side = 0; side < 4; ++side) sum += kNeighbour * Neighbour(e, i, side).value_or(0);
  return (e.output[i] - sum) / kNeighbour;
}

/// Some of the neighbours in x and y are those of the plane before or after.
OfPoint HasFrameOf(int plane) {
  return [plane](const Evidence& e, std::size_t i) {
    const auto other =
        static_cast<std::ptrdiff_t>(i) + plane * static_cast<std::ptrdiff_t>(e.grid.width * e.grid.height);
    if (other < 0 || other >= std::ssize(e.input)) return false;
    for (unsigned moved = 1; moved < 16; ++moved) {
      float sum = 0;
      for (std::size_t side = 0; side < kSides.size(); ++side) {
        const bool is_moved = side < 4 && (moved >> side & 1) != 0;
        sum += Neighbour(e, is_moved ? static_cast<std::size_t>(other) : i, side).value_or(0);
      }
      if (e.output[i] == kCentre * At(e, i) + kNeighbour * sum) return true;
    }
    return false;
  };
}

/// `side`: the neighbour in z that counts, of kSides; the other one is 0.
OfPoint HasOnlyPlane(std::size_t side) {
  return [side](const Evidence& e, std::size_t i) { return InPlaceOfPlanes(e, i) == Neighbour(e, i, side); };
}

bool LacksPlane(const Evidence& e, std::size_t i) {
  return InPlaceOfPlanes(e, i) == 0 || HasOnlyPlane(4)(e, i) || HasOnlyPlane(5)(e, i);
}

bool HasOtherPlane(const Evidence& e, std::size_t i) {
  const float rest = InPlaceOfPlanes(e, i);
  const Point p = PointOf(e, i);
  const auto is_with = [&](float other) {
    return rest == Neighbour(e, i, 4).value_or(0) + other || rest == Neighbour(e, i, 5).value_or(0) + other;
  };
  if (is_with(0)) return true;
  for (std::size_t z = 0; z < e.grid.depth; ++z) {
    if (is_with(At(e, e.grid.Index(p.x, p.y, z)))) return true;
  }
  return false;
}

/// Every thread came to its end, and nothing is wrong but values.
bool HasValues(const Evidence& e) {
  return e.is_exact && Completed(e.result) && !HasError(e.result) && !e.output.empty();
}

/// The smallest test with wrong points, if `explains` holds for every wrong point of all tests.
const Evidence* AllWrong(All all, const OfPoint& explains) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    if (!HasValues(e) || e.result.wrong_count == 0) continue;
    for (std::size_t i = 0; i < e.output.size(); ++i) {
      if (!IsRight(e, i) && !explains(e, i)) return nullptr;
    }
    if (seen == nullptr || e.input.size() < seen->input.size()) seen = &e;
  }
  return seen;
}

/// Tests from whose values a wrong index can be seen: every thread came to its end, and the grid has points
/// that are inside of tiles.
bool ShowsIndices(const Evidence& e) {
  return e.is_exact && Completed(e.result) && !e.output.empty() && e.result.wrong_count > 0 &&
         std::min({e.grid.width, e.grid.height, e.grid.depth}) > 6;
}

/// The tile is read with row and column exchanged. In the tile at the corner of the grid, that gives
/// neighbours of other points; elsewhere, perhaps elements that nobody has stored.
bool FindExchangedIndices(All all, Found& found) {
  std::vector<const Evidence*> shown;
  for (const Evidence& e : all)
    if (ShowsIndices(e)) shown.push_back(&e);
  if (shown.empty()) return false;
  for (unsigned lacking = 1; lacking < 16; ++lacking) {
    for (unsigned taken = 1; taken < 16; ++taken) {
      if (std::popcount(lacking) != std::popcount(taken)) continue;
      const auto fits = [&](const Evidence* e) {
        return EachInFirstTile(*e, [&](std::size_t i) {
          return e->output[i] == WithExchanged(*e, i, {lacking, taken});
        });
      };
      if (!std::ranges::all_of(shown, fits)) continue;
      const auto element = [](int side, bool is_exchanged) {
        const auto name = [](const char* origin, int by) {
          return std::string(origin) + (by < 0 ? " - 1" : by > 0 ? " + 1" : "");
        };
        const auto& step = kSides[static_cast<std::size_t>(side)];
        const std::string one = is_exchanged ? "y" : "x", other = is_exchanged ? "x" : "y";
        return "(" + name(one.c_str(), step[0]) + ", " + name(other.c_str(), step[1]) + ", z)";
      };
      AddFact(found,
              In(*shown.front(), say::stencil_tile_transposed(element(std::countr_zero(taken), true),
                                                              element(std::countr_zero(lacking), false))));
      return true;
    }
  }
  return false;
}

/// On which face a point lies, as a condition: "x = width - 1".
struct Face {
  const char* condition;
  bool (*has)(const reference::Grid&, const Point&);
};
constexpr std::array<Face, 6> kFaces = {{
    {"x = 0", [](const reference::Grid&, const Point& p) { return p.x == 0; }},
    {"x = width - 1", [](const reference::Grid& grid, const Point& p) { return p.x + 1 == grid.width; }},
    {"y = 0", [](const reference::Grid&, const Point& p) { return p.y == 0; }},
    {"y = height - 1", [](const reference::Grid& grid, const Point& p) { return p.y + 1 == grid.height; }},
    {"z = 0", [](const reference::Grid&, const Point& p) { return p.z == 0; }},
    {"z = depth - 1", [](const reference::Grid& grid, const Point& p) { return p.z + 1 == grid.depth; }},
}};

/// Tile elements are read that nobody stored, and all wrong points are on faces, which need no neighbours:
/// the frame is complete, and the condition for a face is not.
bool FindFacesFromTile(All all, const IsIt& is_it, Found& found) {
  const Evidence* seen = nullptr;
  std::array<bool, 6> on_all;
  on_all.fill(true);
  Point first;
  for (const Evidence& e : all) {
    if (!e.is_exact || !Completed(e.result) || e.output.empty()) continue;
    // What is said is true of a test in which such an element was read.
    const bool is_smallest = std::ranges::any_of(e.result.findings, is_it) &&
                             (seen == nullptr || e.input.size() < seen->input.size());
    bool has_wrong = false;
    for (std::size_t i = 0; i < e.output.size(); ++i) {
      if (IsRight(e, i)) continue;
      if (!IsOnFace(e, i)) return false;
      const Point p = PointOf(e, i);
      for (std::size_t f = 0; f < kFaces.size(); ++f) on_all[f] = on_all[f] && kFaces[f].has(e.grid, p);
      if (is_smallest && !has_wrong) first = p;
      has_wrong = true;
    }
    if (has_wrong && is_smallest) seen = &e;
  }
  if (seen == nullptr) return false;
  std::size_t face = static_cast<std::size_t>(std::ranges::find(on_all, true) - on_all.begin());
  for (std::size_t f = 0; f < kFaces.size() && face == kFaces.size(); ++f) {
    if (kFaces[f].has(seen->grid, first)) face = f;
  }
  ShowFinding(
      AddFact(found, In(*seen, say::stencil_face_from_tile(TextOf(first, 0), kFaces[face].condition))),
      seen->result, is_it);
  return true;
}

/// Tile elements are read that nobody stored. Where that is the frame, points away from it are right: of a
/// tile of 8 x 8 points, more than half.
bool FindUnwrittenTile(All all, Found& found) {
  const IsIt is_it = InShared(FindingKind::kUninitialised);
  const auto has = [&](const Evidence& e) { return std::ranges::any_of(e.result.findings, is_it); };
  if (std::ranges::none_of(all, has)) return false;
  if (FindFacesFromTile(all, is_it, found)) return true;
  std::size_t wrong = 0, inner = 0;
  for (const Evidence& e : all) {
    if (!ShowsIndices(e) || !has(e)) continue;
    for (std::size_t i = 0; i < e.output.size(); ++i) {
      if (IsOnFace(e, i)) continue;
      ++inner;
      wrong += !IsRight(e, i);
    }
  }
  if (!FindExchangedIndices(all, found)) {
    const bool is_most = 4 * wrong > 3 * inner;
    FindBy(all, is_it, is_most ? say::stencil_tile_index() : say::stencil_frame_unwritten(), found);
    return true;
  }
  const Evidence* seen = FirstWith(all, has);
  ShowFinding(found.back(), seen->result, is_it);
  return true;
}

OfPoint OnFace(OfPoint what) {
  return [what = std::move(what)](const Evidence& e, std::size_t i) { return IsOnFace(e, i) && what(e, i); };
}

OfPoint Inside(OfPoint what) {
  return [what = std::move(what)](const Evidence& e, std::size_t i) { return !IsOnFace(e, i) && what(e, i); };
}

/// The end of what was written, along each axis.
Point Written(const Evidence& e) {
  Point most;
  for (std::size_t i = 0; i < e.output.size(); ++i) {
    if (IsPoison(e.output[i])) continue;
    const Point p = PointOf(e, i);
    most = {std::max(most.x, p.x + 1), std::max(most.y, p.y + 1), std::max(most.z, p.z + 1)};
  }
  return most;
}

/// A box that starts at point 0 is written, and nothing behind it.
bool EndsEarly(const Evidence& e) {
  const Point most = Written(e);
  if (most.x * most.y * most.z == e.output.size()) return false;
  for (std::size_t i = 0; i < e.output.size(); ++i) {
    const Point p = PointOf(e, i);
    if (IsPoison(e.output[i]) == (p.x < most.x && p.y < most.y && p.z < most.z)) return false;
  }
  return true;
}

/// What is not written are whole lines along an axis, with written ones on both sides.
bool HasGaps(const Evidence& e) {
  std::vector<bool> x(e.grid.width), y(e.grid.height), z(e.grid.depth);
  for (std::size_t i = 0; i < e.output.size(); ++i) {
    if (IsPoison(e.output[i])) continue;
    const Point p = PointOf(e, i);
    x[p.x] = y[p.y] = z[p.z] = true;
  }
  for (std::size_t i = 0; i < e.output.size(); ++i) {
    const Point p = PointOf(e, i);
    if (IsPoison(e.output[i]) == (x[p.x] && y[p.y] && z[p.z])) return false;
  }
  const auto has_gap = [](const std::vector<bool>& line) {
    const auto first = std::ranges::find(line, true);
    return std::find(std::find(first, line.end(), false), line.end(), true) != line.end();
  };
  return has_gap(x) || has_gap(y) || has_gap(z);
}

/// Of each tile only a part was written, as many columns (or rows) of it as the block has threads along the
/// other axis: the block's two sides, or threadIdx.x and .y, are exchanged.
bool FindBlockShape(All all, Found& found) {
  const Evidence* seen = nullptr;
  std::optional<bool> in_columns;
  for (const Evidence& e : all) {
    if (!Completed(e.result) || e.output.empty() || std::ranges::none_of(e.output, IsPoison)) continue;
    if (e.result.launches.size() != 1) return false;
    const Dim3& threads = e.result.launches.front().block;
    const std::size_t tile = std::max(threads.x, threads.y), part = std::min(threads.x, threads.y);
    if (tile == part) return false;
    const auto fits = [&](bool is_of_columns) {
      for (std::size_t i = 0; i < e.output.size(); ++i) {
        const Point p = PointOf(e, i);
        if (IsPoison(e.output[i]) != ((is_of_columns ? p.x : p.y) % tile >= part)) return false;
      }
      return true;
    };
    const bool columns = fits(true);
    if ((!columns && !fits(false)) || in_columns.value_or(columns) != columns) return false;
    in_columns = columns;
    if (seen == nullptr || seen->input.size() > e.input.size()) seen = &e;
  }
  if (seen == nullptr) return false;
  const Dim3& threads = seen->result.launches.front().block;
  const std::uint64_t tile = std::max(threads.x, threads.y), part = std::min(threads.x, threads.y);
  AddFact(found, In(*seen, *in_columns ? say::stencil_part_of_columns(threads.x, threads.y, tile, part)
                                       : say::stencil_part_of_rows(threads.x, threads.y, tile, part)));
  return true;
}

/// The blocks along an axis write as many points each, and those are fewer than there are. Threads at the
/// border of a block may only load the frame.
std::optional<Message> FewBlocks(std::string axis, std::uint64_t blocks, std::uint64_t threads,
                                 std::size_t written, std::size_t points) {
  if (blocks == 0 || written % blocks != 0 || written < 2 * blocks || written / blocks + 2 < threads)
    return std::nullopt;
  return say::stencil_few_blocks(points, std::move(axis), say::Count(blocks, "block"), written / blocks);
}

/// If the grid of blocks has the axes of the grid of points: along the first one that lacks points.
std::optional<Message> FewBlocks(const Evidence& e) {
  if (e.result.launches.size() != 1) return std::nullopt;
  const Point most = Written(e);
  const Dim3& blocks = e.result.launches.front().grid;
  const Dim3& threads = e.result.launches.front().block;
  if (most.x < e.grid.width) return FewBlocks("x", blocks.x, threads.x, most.x, e.grid.width);
  if (most.y < e.grid.height) return FewBlocks("y", blocks.y, threads.y, most.y, e.grid.height);
  return FewBlocks("z", blocks.z, threads.z, most.z, e.grid.depth);
}

/// Where the points begin that were not written, in the axes that lack some.
Message FirstUnwritten(const Evidence& e) {
  if (const auto blocks = FewBlocks(e)) return *blocks;
  const Point most = Written(e);
  const bool x = most.x < e.grid.width, y = most.y < e.grid.height, z = most.z < e.grid.depth;
  if (x && y && z) return say::stencil_never_written(most.x, most.y, most.z);
  if (x && y) return say::stencil_unwritten_in_two("x", most.x, "y", most.y);
  if (x && z) return say::stencil_unwritten_in_two("x", most.x, "z", most.z);
  if (y && z) return say::stencil_unwritten_in_two("y", most.y, "z", most.z);
  if (x) return say::stencil_unwritten_in_one("x", most.x);
  return y ? say::stencil_unwritten_in_one("y", most.y) : say::stencil_unwritten_in_one("z", most.z);
}

/// Each block along an axis begins one point after the one before, and not after its last point: with b
/// blocks of p points, b - 1 + p points are written. Shown by different numbers of blocks.
std::optional<Message> BlocksThatOverlap(All all) {
  const Evidence* seen = nullptr;
  std::optional<std::size_t> axis, points;
  bool has_others = false;
  for (const Evidence& e : all) {
    // Fractions have no values that fit exactly.
    if (!e.is_exact) continue;
    if (!HasValues(e) || e.result.launches.size() != 1) return std::nullopt;
    const Dim3& grid = e.result.launches.front().grid;
    const Point most = Written(e);
    const std::array<std::size_t, 3> written = {most.x, most.y, most.z},
                                     there = {e.grid.width, e.grid.height, e.grid.depth},
                                     blocks = {grid.x, grid.y, grid.z};
    for (std::size_t a = 0; a < 3; ++a) {
      if (written[a] == there[a]) continue;
      if (axis.value_or(a) != a || blocks[a] < 2 || written[a] <= blocks[a]) return std::nullopt;
      const std::size_t each = written[a] - (blocks[a] - 1);
      if (points.value_or(each) != each || each * blocks[a] < there[a]) return std::nullopt;
      if (seen != nullptr) {
        const Dim3& other = seen->result.launches.front().grid;
        has_others = has_others || std::array<std::size_t, 3>{other.x, other.y, other.z}[a] != blocks[a];
      }
      axis = a;
      points = each;
      if (seen == nullptr || e.input.size() < seen->input.size()) seen = &e;
    }
  }
  if (seen == nullptr || !has_others) return std::nullopt;
  return In(*seen, say::stencil_blocks_overlap(std::array{"x", "y", "z"}[*axis], *points - 1));
}

void FindUnwritten(All all, Found& found) {
  const Evidence* early = nullptr;
  const Evidence* gaps = nullptr;
  for (const Evidence& e : all) {
    if (!HasValues(e) || std::ranges::none_of(e.output, IsPoison) || Written(e).x == 0) continue;
    if (HasGaps(e)) {
      if (gaps == nullptr) gaps = &e;
    } else if (EndsEarly(e)) {
      if (early == nullptr) early = &e;
    } else {
      return;
    }
  }
  if (gaps != nullptr) {
    AddFact(found, In(*gaps, say::stencil_gaps()));
  } else if (early != nullptr) {
    const auto overlap = BlocksThatOverlap(all);
    AddFact(found, overlap ? *overlap : In(*early, FirstUnwritten(*early)));
  }
}

/// Seven factors that give every inner point of the test, by elimination from the points in turn.
std::optional<std::array<double, 7>> FactorsOf(const Evidence& e) {
  using Row = std::array<double, 8>;
  const auto row_of = [&](std::size_t i) {
    Row row{static_cast<double>(At(e, i))};
    for (std::size_t side = 0; side < kSides.size(); ++side)
      row[side + 1] = static_cast<double>(Neighbour(e, i, side).value_or(0));
    row[7] = static_cast<double>(e.output[i]);
    return row;
  };
  std::array<std::optional<Row>, 7> solved;
  for (std::size_t i = 0; i < e.output.size(); ++i) {
    if (IsOnFace(e, i)) continue;
    Row row = row_of(i);
    for (std::size_t c = 0; c < 7; ++c) {
      if (std::abs(row[c]) < 1e-6) continue;
      if (!solved[c]) {
        const double by = row[c];
        for (double& value : row) value /= by;
        solved[c] = row;
        break;
      }
      const double times = row[c];
      for (std::size_t k = c; k < row.size(); ++k) row[k] -= times * (*solved[c])[k];
      row[c] = 0;
    }
    if (std::ranges::all_of(solved, [](const auto& each) { return each.has_value(); })) break;
  }
  std::array<double, 7> factors{};
  for (std::size_t c = 7; c-- > 0;) {
    if (!solved[c]) return std::nullopt;
    factors[c] = (*solved[c])[7];
    for (std::size_t k = c + 1; k < 7; ++k) factors[c] -= (*solved[c])[k] * factors[k];
  }
  for (std::size_t i = 0; i < e.output.size(); ++i) {
    if (IsOnFace(e, i)) continue;
    const Row row = row_of(i);
    double sum = 0;
    for (std::size_t c = 0; c < 7; ++c) sum += factors[c] * row[c];
    // Written so that NaN is no fit.
    if (!(std::abs(sum - row[7]) < 0.01)) return std::nullopt;
  }
  return factors;
}

/// The same factors for all inner points of all tests that have more than a few.
bool FindOtherFactors(All all, Found& found) {
  const Evidence* seen = nullptr;
  std::optional<std::array<double, 7>> factors;
  for (const Evidence& e : all) {
    const bool is_large = e.grid.width > 6 && e.grid.height > 6 && e.grid.depth > 6;
    if (!HasValues(e) || !is_large || e.result.wrong_count == 0) continue;
    const auto own = FactorsOf(e);
    if (!own) return false;
    const auto differs = [](double a, double b) { return std::abs(a - b) > 0.001; };
    if (factors && !std::ranges::equal(*factors, *own, [&](double a, double b) { return !differs(a, b); }))
      return false;
    if (seen == nullptr) seen = &e;
    factors = own;
  }
  // What is wrong with the right factors are points on faces.
  constexpr std::array<double, 7> kRight = {kCentre,    kNeighbour, kNeighbour, kNeighbour,
                                            kNeighbour, kNeighbour, kNeighbour};
  const auto is_same = [](double a, double b) { return std::abs(a - b) <= 0.001; };
  if (seen == nullptr || std::ranges::equal(*factors, kRight, is_same)) return false;
  const auto of = [&](std::size_t c) {
    // No "-0.000".
    return say::Decimal(std::abs((*factors)[c]) < 0.0005 ? 0 : (*factors)[c], 3);
  };
  AddFact(found, In(*seen, say::stencil_other_factors(of(0), of(1), of(2), of(3), of(4), of(5), of(6))));
  return true;
}

/// Right in all tests whose width is a multiple of 4, and wrong in all others.
bool FindOnlyFours(All all, Found& found) {
  std::vector<const Evidence*> wrong;
  bool has_fours = false;
  for (const Evidence& e : all) {
    const bool is_wrong = e.result.wrong_count > 0 || !Completed(e.result);
    if (is_wrong == (e.grid.width % 4 == 0)) return false;
    has_fours = has_fours || !is_wrong;
    if (is_wrong) wrong.push_back(&e);
  }
  if (!has_fours) return false;
  for (const Evidence* e : wrong) AddFactOf(found, In(*e, say::stencil_only_fours()), e->test);
  return !wrong.empty();
}

using SideOf = std::size_t reference::Grid::*;

bool HasInner(const reference::Grid& grid) {
  return grid.width > 2 && grid.height > 2 && grid.depth > 2;
}

/// Right in all tests where both sides are equal, and wrong in those others that have inner points.
void FindOnlyEqual(All all, SideOf one, SideOf other, const Message& what, Found& found) {
  std::vector<const Evidence*> wrong;
  bool has_equal = false;
  for (const Evidence& e : all) {
    if (!e.is_exact || !HasInner(e.grid)) continue;
    const bool is_wrong = e.result.wrong_count > 0 || HasError(e.result);
    if (is_wrong == (e.grid.*one == e.grid.*other)) return;
    if (!is_wrong && e.grid.width > 6) has_equal = true;
    if (is_wrong) wrong.push_back(&e);
  }
  if (!has_equal) return;
  for (const Evidence* e : wrong) AddFactOf(found, In(*e, what), e->test);
}

/// The sides of the grid of points that an index multiplies by: element z * plane[0] * plane[1] + y * row +
/// x.
struct Strides {
  SideOf row;
  std::array<SideOf, 2> plane;

  bool UsesDepth() const {
    constexpr SideOf kDepth = &reference::Grid::depth;
    return row == kDepth || plane[0] == kDepth || plane[1] == kDepth;
  }
};

std::string NameOf(SideOf side) {
  return side == &reference::Grid::width ? "width" : side == &reference::Grid::height ? "height" : "depth";
}

/// True if what was stored are the elements that points have with these strides.
bool IsStoredBy(const Evidence& e, const Strides& strides) {
  const reference::Grid& grid = e.grid;
  const std::size_t row = grid.*strides.row, plane = grid.*strides.plane[0] * (grid.*strides.plane[1]);
  std::vector<bool> stored(e.output.size());
  for (std::size_t z = 0; z < grid.depth; ++z) {
    for (std::size_t y = 0; y < grid.height; ++y) {
      const std::size_t first = z * plane + y * row;
      for (std::size_t x = 0; x < grid.width && first + x < stored.size(); ++x) stored[first + x] = true;
    }
  }
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (stored[i] == IsPoison(e.output[i])) return false;
  }
  return true;
}

/// An index of output in which depth stands for another side. Some elements have no point then.
void FindDepthInIndex(All all, Found& found) {
  constexpr SideOf kWidth = &reference::Grid::width, kHeight = &reference::Grid::height,
                   kDepth = &reference::Grid::depth;
  constexpr std::array<SideOf, 3> kSidesOfGrid = {kWidth, kHeight, kDepth};
  constexpr std::array<std::array<SideOf, 2>, 6> kPlanes = {{{kWidth, kHeight},
                                                             {kWidth, kDepth},
                                                             {kHeight, kDepth},
                                                             {kWidth, kWidth},
                                                             {kHeight, kHeight},
                                                             {kDepth, kDepth}}};
  std::vector<const Evidence*> wrong;
  for (const Evidence& e : all) {
    if (e.is_exact && HasInner(e.grid) && !e.output.empty() && !IsStoredBy(e, {kWidth, kPlanes[0]}))
      wrong.push_back(&e);
  }
  // One alone may be so by chance.
  if (wrong.size() < 2) return;
  for (const SideOf row : kSidesOfGrid) {
    for (const auto& plane : kPlanes) {
      const Strides strides{row, plane};
      const bool fits = std::ranges::all_of(all, [&](const Evidence& e) {
        return !HasInner(e.grid) || e.output.empty() || IsStoredBy(e, strides);
      });
      if (!fits || !strides.UsesDepth()) continue;
      const Message what = say::stencil_depth_in_index(NameOf(plane[0]), NameOf(plane[1]), NameOf(row));
      for (const Evidence* e : wrong) AddFactOf(found, In(*e, what), e->test);
      return;
    }
  }
}

/// Sides are exchanged in an index.
void FindExchangedSides(All all, Found& found) {
  FindDepthInIndex(all, found);
  if (found.empty()) {
    FindOnlyEqual(all, &reference::Grid::width, &reference::Grid::height, say::stencil_only_square(), found);
  }
  if (found.empty()) {
    FindOnlyEqual(all, &reference::Grid::height, &reference::Grid::depth, say::stencil_only_high_as_deep(),
                  found);
  }
}

/// The axes from the slowest to the fastest in an index; 0 is x.
using Order = std::array<std::size_t, 3>;

std::size_t IndexBy(const reference::Grid& grid, const Point& p, const Order& order) {
  const std::array<std::size_t, 3> at = {p.x, p.y, p.z}, sides = {grid.width, grid.height, grid.depth};
  return (at[order[0]] * sides[order[1]] + at[order[1]]) * sides[order[2]] + at[order[2]];
}

/// The axes of an index are in another order: that of the elements stored, or that of those loaded, which
/// faces keep. Says it of the smallest test's first wrong point.
bool FindOtherOrder(All all, Found& found) {
  constexpr std::array<Order, 5> kOrders = {{{2, 0, 1}, {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}}};
  const auto state = [&](const auto& fits, const auto& what) {
    const Evidence* seen = nullptr;
    for (const Evidence& e : all) {
      if (!HasValues(e) || e.result.wrong_count == 0) continue;
      for (std::size_t i = 0; i < e.output.size(); ++i) {
        if (!fits(e, i)) return false;
      }
      if (seen == nullptr || e.input.size() < seen->input.size()) seen = &e;
    }
    if (seen == nullptr) return false;
    for (std::size_t i = 0; i < seen->output.size(); ++i) {
      const std::optional<Message> fact = what(*seen, i);
      if (!fact) continue;
      AddFact(found, In(*seen, *fact));
      return true;
    }
    return false;
  };
  for (const Order& order : kOrders) {
    const auto moved = [&](const Evidence& e, std::size_t i) {
      return IndexBy(e.grid, PointOf(e, i), order);
    };
    const auto is_stored = [&](const Evidence& e, std::size_t i) {
      return e.output[moved(e, i)] == Right(e, i);
    };
    const auto stored = [&](const Evidence& e, std::size_t to) -> std::optional<Message> {
      if (IsRight(e, to)) return std::nullopt;
      std::size_t i = 0;
      while (moved(e, i) != to) ++i;
      return say::stencil_stored_elsewhere(TextOf(PointOf(e, to), 0), TextOf(PointOf(e, i), 0), i, to);
    };
    const auto is_kept = [&](const Evidence& e, std::size_t i) {
      return !IsOnFace(e, i) || e.output[i] == At(e, moved(e, i));
    };
    const auto kept = [&](const Evidence& e, std::size_t i) -> std::optional<Message> {
      if (!IsOnFace(e, i) || IsRight(e, i)) return std::nullopt;
      return say::stencil_loaded_elsewhere(TextOf(PointOf(e, i), 0), TextOf(PointOf(e, moved(e, i)), 0), i,
                                           moved(e, i));
    };
    if (state(is_stored, stored) || state(is_kept, kept)) return true;
  }
  return false;
}

/// The formula, with any of the values for missing neighbours that a kernel may have at hand: 0, the point
/// itself, the neighbour on the other side, or the next element in memory.
bool IsComputed(const Evidence& e, std::size_t i) {
  const std::array<std::ptrdiff_t, 3> steps = {1, static_cast<std::ptrdiff_t>(e.grid.width),
                                               static_cast<std::ptrdiff_t>(e.grid.width * e.grid.height)};
  std::vector<float> sums = {0};
  for (std::size_t side = 0; side < kSides.size(); ++side) {
    std::vector<float> values;
    if (const auto neighbour = Neighbour(e, i, side)) {
      values = {*neighbour};
    } else {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) + (side % 2 == 0 ? -1 : 1) * steps[side / 2];
      values = {0, At(e, i)};
      if (const auto opposite = Neighbour(e, i, side ^ 1)) values.push_back(*opposite);
      if (at >= 0 && at < std::ssize(e.input)) values.push_back(At(e, static_cast<std::size_t>(at)));
    }
    std::vector<float> next;
    for (const float sum : sums) {
      for (const float value : values) next.push_back(sum + value);
    }
    sums = std::move(next);
  }
  return std::ranges::any_of(sums,
                             [&](float sum) { return e.output[i] == kCentre * At(e, i) + kNeighbour * sum; });
}

/// The formula is applied on some of the faces, and everything else is right. Names up to two of them.
bool FindFacesComputed(All all, Found& found) {
  const Evidence* seen = AllWrong(all, OnFace(IsComputed));
  if (seen == nullptr) return false;
  // A face is one of them if a point is wrong that lies on no other one.
  std::array<bool, 6> is_computed{};
  const auto each_wrong = [&](const auto& does) {
    for (const Evidence& e : all) {
      if (!HasValues(e) || e.result.wrong_count == 0) continue;
      for (std::size_t i = 0; i < e.output.size(); ++i) {
        if (!IsRight(e, i)) does(e, PointOf(e, i));
      }
    }
  };
  each_wrong([&](const Evidence& e, const Point& p) {
    const auto has = [&](const Face& face) { return face.has(e.grid, p); };
    if (std::ranges::count_if(kFaces, has) == 1)
      is_computed[static_cast<std::size_t>(std::ranges::find_if(kFaces, has) - kFaces.begin())] = true;
  });
  bool explains_all = true;
  each_wrong([&](const Evidence& e, const Point& p) {
    bool lies = false;
    for (std::size_t f = 0; f < kFaces.size(); ++f)
      lies = lies || (is_computed[f] && kFaces[f].has(e.grid, p));
    explains_all = explains_all && lies;
  });
  std::vector<std::string> names;
  for (std::size_t f = 0; f < kFaces.size(); ++f) {
    if (is_computed[f]) names.emplace_back(kFaces[f].condition);
  }
  Message what = say::stencil_some_faces_computed();
  if (explains_all && names.size() == 1) what = say::stencil_face_computed(names[0]);
  if (explains_all && names.size() == 2) what = say::stencil_two_faces_computed(names[0], names[1]);
  AddFact(found, say::stencil_faces_computed.id, In(*seen, what));
  return true;
}

bool FindOnFaces(All all, Found& found) {
  const auto state = [&](const OfPoint& is_it, const Message& what) {
    const Evidence* e = AllWrong(all, OnFace(is_it));
    if (e != nullptr) AddFact(found, In(*e, what));
    return e != nullptr;
  };
  return state([](const Evidence& e, std::size_t i) { return IsPoison(e.output[i]); },
               say::stencil_faces_unwritten()) ||
         state([](const Evidence& e, std::size_t i) { return e.output[i] == 0; },
               say::stencil_faces_zero()) ||
         state([](const Evidence& e, std::size_t i) { return e.output[i] == Formula(e, i, 0); },
               say::stencil_faces_computed()) ||
         state([](const Evidence& e, std::size_t i) { return e.output[i] == Formula(e, i, At(e, i)); },
               say::stencil_faces_clamped()) ||
         state([](const Evidence& e, std::size_t i) { return e.output[i] == OfMemory(e, i); },
               say::stencil_rows_run_on()) ||
         FindFacesComputed(all, found);
}

void FindInside(All all, Found& found) {
  const auto state = [&](const OfPoint& is_it, const Message& what) {
    const Evidence* e = AllWrong(all, Inside(is_it));
    if (e != nullptr) AddFact(found, In(*e, what));
    return e != nullptr;
  };
  if (state([](const Evidence& e, std::size_t i) { return e.output[i] == At(e, i); },
            say::stencil_inner_copied()) ||
      FindOtherFactors(all, found)) {
    return;
  }
  if (state(HasOnlyPlane(5), say::stencil_no_plane_before()) ||
      state(HasOnlyPlane(4), say::stencil_no_plane_after()) || state(LacksPlane, say::stencil_no_plane()) ||
      state(HasOtherPlane, say::stencil_other_plane()) ||
      state(HasFrameOf(1), say::stencil_frame_of_next()) ||
      state(HasFrameOf(-1), say::stencil_frame_of_last())) {
    return;
  }
  if (!state(LacksInPlane, say::stencil_frame_zero())) FindExchangedIndices(all, found);
}

/// A point on a face that keeps the input of a point so many planes further.
OfPoint KeepsInputOf(int planes) {
  return [planes](const Evidence& e, std::size_t i) {
    const auto other =
        static_cast<std::ptrdiff_t>(i) + planes * static_cast<std::ptrdiff_t>(e.grid.width * e.grid.height);
    return other >= 0 && other < std::ssize(e.input) && e.output[i] == At(e, static_cast<std::size_t>(other));
  };
}

/// A point on a face that keeps the input of the first plane of its group of so many.
OfPoint KeepsFirstOf(std::size_t planes) {
  return [planes](const Evidence& e, std::size_t i) {
    const Point p = PointOf(e, i);
    return e.output[i] == At(e, e.grid.Index(p.x, p.y, p.z - p.z % planes));
  };
}

/// In all planes of a block, the register for the point itself holds the first one.
bool FindPlaneNeverMoves(All all, Found& found) {
  constexpr std::size_t kMostPlanes = 1024;
  for (std::size_t planes = 3; planes <= kMostPlanes; ++planes) {
    const OfPoint is_it = KeepsFirstOf(planes);
    const Evidence* seen = nullptr;
    bool fits = true;
    for (const Evidence& e : all) {
      if (!HasValues(e) || e.result.wrong_count == 0) continue;
      for (std::size_t i = 0; fits && i < e.output.size(); ++i) fits = !IsOnFace(e, i) || is_it(e, i);
      if (!fits) break;
      const bool is_smaller = seen == nullptr || e.input.size() < seen->input.size();
      if (e.grid.depth > 2 && is_smaller) seen = &e;
    }
    if (!fits || seen == nullptr) continue;
    AddFact(found, say::stencil_own_plane.id,
            In(*seen, say::stencil_plane_never_moves(TextOf({}, 1), TextOf({}, 2), TextOf({}, 0))));
    return true;
  }
  return false;
}

/// A register for the point itself holds another plane. On faces it is stored as it is, so that it can be
/// recognised there, whatever that makes of points inside.
void FindOwnPlane(All all, Found& found) {
  constexpr std::ptrdiff_t kEnough = 8;
  for (const int planes : {-1, 1, -2, 2}) {
    const OfPoint is_it = KeepsInputOf(planes);
    const Evidence* e = AllWrong(
        all, [&](const Evidence& each, std::size_t i) { return !IsOnFace(each, i) || is_it(each, i); });
    if (e == nullptr) continue;
    std::vector<std::size_t> moved;
    for (std::size_t i = 0; i < e->output.size(); ++i) {
      if (IsOnFace(*e, i) && !IsRight(*e, i)) moved.push_back(i);
    }
    if (std::ssize(moved) < kEnough) continue;
    const Point p = PointOf(*e, moved.front());
    AddFact(found, In(*e, say::stencil_own_plane(TextOf(p, 0), TextOf(p, planes))));
    return;
  }
}

void FindWrongValues(All all, Found& found) {
  FindUnwritten(all, found);
  if (found.empty()) FindOtherOrder(all, found);
  if (found.empty() && !FindOnFaces(all, found)) FindInside(all, found);
  if (found.empty() && !FindPlaneNeverMoves(all, found)) FindOwnPlane(all, found);
}

// --- Counts, where every value is right. ------------------------------------------------------------------

/// The points of a block along each axis, if the grid of blocks has the axes of the grid of points. Threads
/// at the border of a block may only load the frame.
struct Part {
  double x = 0, y = 0, z = 0;
};
std::optional<Part> PartOf(const Evidence& e) {
  if (e.result.launches.size() != 1) return std::nullopt;
  const LaunchRecord& launch = e.result.launches.front();
  const auto along = [](std::size_t points, std::uint64_t blocks) {
    return static_cast<double>(points) / static_cast<double>(blocks);
  };
  const Part part{along(e.grid.width, launch.grid.x), along(e.grid.height, launch.grid.y),
                  along(e.grid.depth, launch.grid.z)};
  const auto is_less = [](double points, std::uint64_t threads) {
    return points + 2 < static_cast<double>(threads);
  };
  if (is_less(part.x, launch.block.x) || is_less(part.y, launch.block.y) || is_less(part.z, launch.block.z) ||
      part.x < 1 || part.y < 1 || part.z < 1) {
    return std::nullopt;
  }
  return part;
}

/// Loads that a point's share of the frame costs along an axis, on which a block has so many points.
double FrameOf(double points, std::size_t all) {
  return points < static_cast<double>(all) ? 2 / points : 0;
}

/// A tile is in shared memory, and too much is loaded nevertheless.
Message ManyLoadsWithTile(const Evidence& e, double of_point) {
  const say::Decimal shown(of_point, 1);
  const std::optional<Part> part = PartOf(e);
  if (!part) return of_point > 2.75 ? say::stencil_planes_again(shown) : say::stencil_small_tiles(shown);
  const double x = FrameOf(part->x, e.grid.width), y = FrameOf(part->y, e.grid.height),
               z = FrameOf(part->z, e.grid.depth);
  // Each element once, and the frame; corners and rounding need a little more.
  if (of_point > 1 + x + y + z + 0.7 || part->z < 1.5) return say::stencil_planes_again(shown);
  const auto number = [](double points) { return static_cast<std::uint64_t>(points); };
  if (z > std::max(x, y)) {
    const std::uint64_t planes = number(part->z);
    return say::stencil_short_walk(shown, planes, planes + 2);
  }
  if (std::max(x, y) > z) {
    const std::uint64_t columns = number(part->x), rows = number(part->y);
    return say::stencil_large_frame(shown, columns, rows, 2 * (columns + rows));
  }
  return say::stencil_small_tiles(shown);
}

void FindByCounts(const Evidence& e, Found& found) {
  const Limits limits = LimitsOf(e.grid);
  const Counts counts = TotalCounts(e.result);
  const std::uint64_t loads = counts.global_load_bytes / sizeof(float);
  const double of_point = static_cast<double>(loads) / static_cast<double>(e.grid.Points());
  if (counts.global_load_bytes > limits.bytes) {
    const say::Decimal shown(of_point, 1);
    if (!UsesShared(e.result)) {
      AddFact(found,
              In(e, of_point > 5.5 ? say::stencil_seven_loads(shown) : say::stencil_some_loads(shown)));
    } else {
      AddFact(found, In(e, ManyLoadsWithTile(e, of_point)));
    }
  }
  if (counts.global_load_sectors > limits.sectors && 2 * counts.global_load_sectors > loads)
    AddFact(found, In(e, say::stencil_many_sectors(counts.global_load_sectors, loads)));
}

}  // namespace

bool IsLarge(const reference::Grid& grid) {
  return std::min({grid.width, grid.height, grid.depth}) >= kLargeSide;
}

Limits LimitsOf(const reference::Grid& grid) {
  return {6 * grid.Points(), grid.Points() * 3 / 4};
}

bool UsesShared(const TestResult& result) {
  return SharedRequests(TotalCounts(result)) > 0;
}

Message DescribePoint(const reference::Grid& grid, std::size_t i) {
  const auto text = [](std::size_t number) { return std::to_string(number); };
  return "output(" + text(i % grid.width) + ", " + text(i / grid.width % grid.height) + ", " +
         text(i / (grid.width * grid.height)) + ")";
}

Message StepOfWrongInside(const reference::Grid& grid, std::uint64_t inside, std::size_t first) {
  const std::size_t plane = grid.Points() == 0 ? 0 : first / (grid.width * grid.height);
  // In plane 1, the first that has points inside, nothing is right yet that a later plane could differ from.
  return plane < 2 ? say::stencil_wrong_inside(inside)
                   : say::stencil_wrong_from_plane(plane - 1, DescribePoint(grid, first));
}

std::vector<Fact> FactsOf(All all) {
  Found found;
  if (FindBy(
          all, [](const Finding& finding) { return finding.kind == FindingKind::kDivergentBarrier; },
          say::stencil_different_barriers(), found) ||
      FindReturns(all, say::stencil_returned(), found) || FindBlockShape(all, found) ||
      FindRaces(all, found)) {
    return found;
  }
  if (FindOnlyFours(all, found)) return found;
  FindExchangedSides(all, found);
  if (!found.empty()) return found;
  // A thread without a point that stores one has read a part of the tile that nobody needs.
  const IsIt stores = Outside("output", Access::kWrite);
  if (!FindStoresElsewhere(all, stores, found) &&
      !FindBy(all, stores, say::stencil_stores_outside(), found)) {
    FindUnwrittenTile(all, found);
    const IsIt outside = Outside("input", Access::kRead);
    FindBy(all, outside, ReadsOutside(all, outside), found);
  }
  if (found.empty()) FindWrongValues(all, found);
  const bool right = std::ranges::all_of(
      all, [](const Evidence& e) { return e.result.wrong_count == 0 && !HasError(e.result); });
  if (!found.empty() || !right) return found;
  for (const Evidence* e : FailedFirst(all)) {
    if (IsLarge(e->grid) && Completed(e->result)) FindByCounts(*e, found);
  }
  return found;
}

}  // namespace warplings::stencil
