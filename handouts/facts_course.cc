// SPDX-License-Identifier: Apache-2.0
//
// What the sections about the exercises of chapters 1 to 3 work out by hand.
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/device/device_profile.h"
#include "handouts/facts_parts.h"
#include "reference/matmul.h"
#include "tests/suites/01_boundary_checks/load_pictures.h"
#include "tests/suites/03_dynamic_shared_memory/tile_answers.h"

namespace warplings {
namespace {

using nlohmann::json;
namespace pictures = load_pictures;

// --- A product to follow by hand -----------------------------------------------------------------

constexpr int kSide = 3, kTile = 2;
constexpr std::array<float, 9> kM = {1, 2, 3, 4, 5, 6, 7, 8, 9};
constexpr std::array<float, 9> kN = {1, 0, 2, 0, 1, 1, 3, 1, 4};

/// A tile after its loads, with 0 where there is no element; and which places have one.
json FilledTile(const pictures::Question& question, pictures::Matrix matrix) {
  const auto& values = matrix == pictures::Matrix::kM ? kM : kN;
  json tile, exists;
  for (int ty = 0; ty < kTile; ++ty) {
    json row = json::array(), there = json::array();
    for (int tx = 0; tx < kTile; ++tx) {
      const pictures::Place place = pictures::PlaceOf(question, matrix, tx, ty);
      const bool inside = pictures::LoadAt(kSide, place) == pictures::Load::kInside;
      row.push_back(
          inside ? static_cast<int>(values[static_cast<std::size_t>(place.row * kSide + place.column)]) : 0);
      there.push_back(inside);
    }
    tile.push_back(row);
    exists.push_back(there);
  }
  return {{"values", tile}, {"exists", exists}};
}

json Rows(const auto& values) {
  json rows;
  for (std::size_t row = 0; row < kSide; ++row) {
    json each;
    for (std::size_t column = 0; column < kSide; ++column) {
      each.push_back(static_cast<int>(values[row * kSide + column]));
    }
    rows.push_back(each);
  }
  return rows;
}

json ProductFacts() {
  const reference::Bounded product = reference::Matmul(kM, kN, kSide, kSide, kSide);
  json facts = {{"m", Rows(kM)}, {"n", Rows(kN)}, {"p", Rows(product.value)}};
  for (const pictures::Question& question : pictures::AllBlocksAndPhases(kSide, kTile)) {
    const std::string key = std::to_string(question.bx) + "/" + std::to_string(question.by) + "/" +
                            std::to_string(question.phase);
    facts["tiles"][key] = {{"m", FilledTile(question, pictures::Matrix::kM)},
                           {"n", FilledTile(question, pictures::Matrix::kN)}};
  }
  return facts;
}

// --- Three sides ---------------------------------------------------------------------------------

struct Rectangles {
  int j, k, l, tile;
};

/// Rows and columns of the part of a tile that exists, which is at its upper left.
json Part(int first_row, int rows, int first_column, int columns, int tile) {
  std::set<int> rows_there, columns_there;
  for (int ty = 0; ty < tile; ++ty) {
    for (int tx = 0; tx < tile; ++tx) {
      if (first_row + ty >= rows || first_column + tx >= columns) continue;
      rows_there.insert(ty);
      columns_there.insert(tx);
    }
  }
  return {{"rows", rows_there.size()}, {"columns", columns_there.size()}};
}

/// The last block in its last phase.
json LastBlockFacts(const Rectangles& sides) {
  const auto tiles = [&](int side) { return (side + sides.tile - 1) / sides.tile; };
  const int bx = tiles(sides.l) - 1, by = tiles(sides.j) - 1, phase = tiles(sides.k) - 1;
  const int row = by * sides.tile, column = bx * sides.tile, walked = phase * sides.tile;
  return {{"j", sides.j},
          {"k", sides.k},
          {"l", sides.l},
          {"blocks_x", bx + 1},
          {"blocks_y", by + 1},
          {"phases", phase + 1},
          {"row", row},
          {"column", column},
          {"walked", walked},
          {"m", Part(row, sides.j, walked, sides.k, sides.tile)},
          {"n", Part(walked, sides.k, column, sides.l, sides.tile)},
          {"p", Part(row, sides.j, column, sides.l, sides.tile)}};
}

/// The first warp of a block of 16 x 16 threads loads floats of a matrix whose rows have `length` elements:
/// tx down and ty along a row, or the other way round. Byte addresses by lane, the number of sectors that
/// they touch, and for each of these, by address, the lanes that it serves.
json WarpLoadFacts(int length, bool tx_along_row) {
  json bytes, served = json::array();
  std::map<int, std::vector<int>> sectors;
  for (int lane = 0; lane < 32; ++lane) {
    const int tx = lane % 16, ty = lane / 16;
    const int address = 4 * (tx_along_row ? ty * length + tx : tx * length + ty);
    bytes.push_back(address);
    sectors[address / 32].push_back(lane);
  }
  for (const auto& [sector, lanes] : sectors) served.push_back(lanes);
  return {{"bytes", bytes}, {"sectors", sectors.size()}, {"served", served}};
}

json TileFacts() {
  json facts;
  for (const DeviceProfile& profile : DeviceProfiles()) {
    facts[profile.id] = tile_for_device::LargestTile({&profile, 3, 8, 8});
  }
  return facts;
}

}  // namespace

json CourseFacts() {
  return {{"product", ProductFacts()},
          {"partial", LastBlockFacts({20, 37, 50, 16})},
          {"transposed",
           {{"down", WarpLoadFacts(64, false)},
            {"across", WarpLoadFacts(64, true)},
            {"last", LastBlockFacts({20, 5, 16, 16})}}},
          {"tiles", TileFacts()}};
}

}  // namespace warplings
