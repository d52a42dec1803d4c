// SPDX-License-Identifier: Apache-2.0
//
// Writes what the handouts' figures and tables show, as JSON, computed by the code that grades: the occupancy
// arithmetic and the profiles of grader/device, the banks of reference/, the pictures and answers of the
// suites.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/device/device_profile.h"
#include "grader/device/occupancy.h"
#include "handouts/facts_parts.h"
#include "reference/banks.h"
#include "tests/suites/01_boundary_checks/load_pictures.h"
#include "tests/suites/03_dynamic_shared_memory/tile_answers.h"

namespace warplings {
namespace {

using nlohmann::json;
namespace pictures = load_pictures;

// --- Cards and occupancy -------------------------------------------------------------------------

json ProfileFacts(const DeviceProfile& profile) {
  const auto threads = static_cast<std::uint32_t>(profile.max_threads_per_multiprocessor);
  const AllocationUnits units = AllocationUnitsOf(profile);
  return {{"name", profile.name},
          {"capability", std::to_string(profile.major) + "." + std::to_string(profile.minor)},
          {"multiprocessors", profile.multiprocessors},
          {"threads_per_block", profile.max_threads_per_block},
          {"threads", threads},
          {"warps", threads / 32},
          {"blocks", profile.max_blocks_per_multiprocessor},
          {"registers", profile.registers_per_multiprocessor},
          {"registers_block", profile.registers_per_block},
          {"registers_thread", units.registers_per_thread},
          {"register_partitions", units.register_partitions},
          {"shared_block", profile.shared_bytes_per_block},
          {"shared_optin", profile.shared_bytes_per_block_optin},
          {"shared", profile.shared_bytes_per_multiprocessor},
          {"shared_reserved", profile.reserved_shared_bytes_per_block},
          {"register_unit", units.registers_per_warp},
          {"shared_unit", units.shared_bytes},
          {"shared_per_thread", profile.shared_bytes_per_multiprocessor / threads},
          {"registers_per_thread",
           profile.registers_per_multiprocessor / profile.max_threads_per_multiprocessor}};
}

json OccupancyFacts(const DeviceProfile& profile, const BlockShape& shape) {
  const auto [blocks, limits] = ResidencyOn(profile, shape);
  json names = json::array();
  for (const auto& [limit, name] : {std::pair{kLimitThreads, "threads"},
                                    {kLimitRegisters, "registers"},
                                    {kLimitSharedMemory, "shared"},
                                    {kLimitBlocks, "blocks"}}) {
    if (limits & limit) names.push_back(name);
  }
  return {{"threads", shape.threads},
          {"registers", shape.registers},
          {"shared", shape.static_shared_bytes},
          {"blocks", blocks},
          {"limits", names},
          {"resident_threads", blocks * shape.threads},
          {"occupancy", Occupancy(profile, shape)}};
}

/// Occupancy along each of the three resources, and of the shapes that the texts speak of.
json OccupancyCurves(const DeviceProfile& profile) {
  json curves;
  for (std::uint32_t threads = 32; threads <= 1024; threads += 32) {
    curves["threads"].push_back(OccupancyFacts(profile, {.threads = threads}));
  }
  for (const std::uint32_t threads : {256u, 512u}) {
    json& curve = curves["registers"][std::to_string(threads)];
    for (std::uint32_t registers = 16; registers <= 128; ++registers) {
      curve.push_back(OccupancyFacts(profile, {.threads = threads, .registers = registers}));
    }
  }
  constexpr std::uint32_t kStep = 512;
  for (std::uint32_t bytes = 0; bytes <= profile.shared_bytes_per_block_optin; bytes += kStep) {
    curves["shared"].push_back(OccupancyFacts(profile, {.threads = 256, .static_shared_bytes = bytes}));
  }
  return curves;
}

/// "threads/registers/shared bytes" of each shape that a text asks for.
json OccupancyCases(const DeviceProfile& profile) {
  json cases = json::object();
  for (const std::uint32_t threads : {32u, 64u, 96u, 128u, 192u, 256u, 320u, 384u, 512u, 640u, 768u, 1024u}) {
    for (const std::uint32_t registers : {0u, 31u, 32u, 33u, 40u, 48u, 64u, 96u, 128u}) {
      for (const std::uint32_t shared : {0u, 2048u, 8192u, 16384u, 20480u, 24576u, 32768u, 40960u, 49152u}) {
        const std::string key =
            std::to_string(threads) + "/" + std::to_string(registers) + "/" + std::to_string(shared);
        cases[key] = OccupancyFacts(
            profile, {.threads = threads, .registers = registers, .static_shared_bytes = shared});
      }
    }
  }
  return cases;
}

// --- Loads of a tiled product --------------------------------------------------------------------

constexpr const char* kLoadNames[] = {"inside", "other", "behind"};

json TileFacts(const pictures::Question& question, pictures::Matrix matrix) {
  json cells;
  const pictures::Picture picture = pictures::Draw(question);
  for (int ty = 0; ty < question.tile_width; ++ty) {
    for (int tx = 0; tx < question.tile_width; ++tx) {
      const pictures::Place place = pictures::PlaceOf(question, matrix, tx, ty);
      cells.push_back({{"tx", tx},
                       {"ty", ty},
                       {"row", place.row},
                       {"column", place.column},
                       {"index", place.row * question.width + place.column},
                       {"load", kLoadNames[static_cast<int>(picture.Of(matrix)[ty][tx])]}});
    }
  }
  return cells;
}

/// Which threads of the block own an element of P, and what a store without a check would hit.
json OwnerFacts(const pictures::Question& question) {
  json cells;
  for (int ty = 0; ty < question.tile_width; ++ty) {
    for (int tx = 0; tx < question.tile_width; ++tx) {
      const pictures::Place place{question.by * question.tile_width + ty,
                                  question.bx * question.tile_width + tx};
      const int load = static_cast<int>(pictures::LoadAt(question.width, place));
      cells.push_back(
          {{"tx", tx}, {"ty", ty}, {"row", place.row}, {"column", place.column}, {"load", kLoadNames[load]}});
    }
  }
  return cells;
}

/// "bx/by/phase" of each block in each phase.
json LoadFacts(int width, int tile_width) {
  json loads = {{"width", width}, {"tile", tile_width}};
  for (const pictures::Question& question : pictures::AllBlocksAndPhases(width, tile_width)) {
    const std::string key = std::to_string(question.bx) + "/" + std::to_string(question.by) + "/" +
                            std::to_string(question.phase);
    loads["blocks"][key] = {{"m", TileFacts(question, pictures::Matrix::kM)},
                            {"n", TileFacts(question, pictures::Matrix::kN)},
                            {"p", OwnerFacts(question)}};
  }
  loads["phases"] = pictures::TilesIn({.width = width, .tile_width = tile_width});
  return loads;
}

/// How many loads of the whole grid leave a matrix, of how many.
json OutsideFacts(int width, int tile_width) {
  std::uint64_t loads = 0, other = 0, behind = 0;
  for (const pictures::Question& question : pictures::AllBlocksAndPhases(width, tile_width)) {
    const pictures::Picture picture = pictures::Draw(question);
    for (const auto matrix : {pictures::Matrix::kM, pictures::Matrix::kN}) {
      for (int ty = 0; ty < tile_width; ++ty) {
        for (int tx = 0; tx < tile_width; ++tx) {
          const pictures::Load load = picture.Of(matrix)[ty][tx];
          ++loads;
          other += load == pictures::Load::kOtherElement;
          behind += load == pictures::Load::kPastTheEnd;
        }
      }
    }
  }
  const int tiles = pictures::TilesIn({.width = width, .tile_width = tile_width});
  return {{"width", width},
          {"tile", tile_width},
          {"tiles", tiles},
          {"blocks", tiles * tiles},
          {"threads", tiles * tiles * tile_width * tile_width},
          {"elements", width * width},
          {"loads", loads},
          {"other", other},
          {"behind", behind}};
}

/// 32-byte sectors that a warp touches whose lanes read floats `stride` floats apart.
std::size_t SectorsOf(int stride) {
  std::set<int> sectors;
  for (int lane = 0; lane < reference::kWarpLanes; ++lane) sectors.insert(4 * lane * stride / 32);
  return sectors.size();
}

// --- Banks ---------------------------------------------------------------------------------------

json BankFacts(const reference::LaneAddresses& addresses, int element_bytes) {
  const reference::BankUse use = reference::UseOfBanks(addresses, element_bytes);
  json banks, busiest;
  for (const std::uint32_t address : addresses) banks.push_back(reference::BankOf(address));
  for (int bank = 0; bank < reference::kBanks; ++bank) {
    if (use.busiest_banks >> bank & 1) busiest.push_back(bank);
  }
  return {{"addresses", addresses},
          {"banks", banks},
          {"degree", use.degree},
          {"wavefronts", use.wavefronts},
          {"conflicts", use.conflicts},
          {"busiest", busiest},
          {"banks_used", [&] {
             std::vector<bool> used(reference::kBanks);
             for (const int bank : banks) used[static_cast<std::size_t>(bank)] = true;
             return std::count(used.begin(), used.end(), true);
           }()}};
}

/// By element size and stride in elements; a column of a tile is a stride of its pitch.
json StrideFacts() {
  json facts;
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (int stride = 0; stride <= 36; ++stride) {
      const auto addresses = reference::Strided(0, static_cast<std::uint32_t>(stride * bytes));
      facts[std::to_string(bytes)][std::to_string(stride)] = BankFacts(addresses, bytes);
    }
    facts["lanes_at_once"][std::to_string(bytes)] = reference::LanesAtOnce(bytes);
  }
  return facts;
}

json AllFacts() {
  json facts;
  for (const DeviceProfile& profile : DeviceProfiles()) {
    facts["profiles"][profile.id] = ProfileFacts(profile);
    DeviceProfile without_asking = profile;
    without_asking.shared_bytes_per_block_optin = profile.shared_bytes_per_block;
    facts["tile_without_optin"][profile.id] = tile_for_device::LargestTile({&without_asking, 2, 4, 16});
    facts["tile_for_device"][profile.id] = tile_for_device::LargestTile({&profile, 2, 4, 16});
  }
  for (const char* id : {"a100", "t4", "h200"}) {
    const DeviceProfile& profile = *FindDeviceProfile(id);
    facts["occupancy"][id] = {{"curves", OccupancyCurves(profile)}, {"cases", OccupancyCases(profile)}};
  }
  facts["loads"]["3x2"] = LoadFacts(3, 2);
  facts["loads"]["5x4"] = LoadFacts(5, 4);
  for (const int width : {16, 17, 31, 33, 64, 100}) {
    facts["outside"][std::to_string(width)] = OutsideFacts(width, 16);
  }
  for (const int stride : {1, 2, 4, 8, 16, 32}) facts["sectors"][std::to_string(stride)] = SectorsOf(stride);
  json bank_of;
  for (std::uint32_t address = 0; address < 512; address += 4) {
    bank_of[std::to_string(address)] = reference::BankOf(address);
  }
  facts["course"] = CourseFacts();
  facts["banks"] = {{"strides", StrideFacts()}, {"of", bank_of}};
  facts["limits"] = LimitFacts();
  facts["latency"] = LatencyFacts();
  facts["trees"] = TreeFacts();
  facts["arrangements"] = ArrangementFacts();
  facts["histogram"] = HistogramFacts();
  facts["scan"] = ScanFacts();
  facts["timelines"] = TimelineFacts();
  facts["memory"] = MemoryFacts();
  return facts;
}

}  // namespace
}  // namespace warplings

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: handout-facts FILE\n");
    return 2;
  }
  std::ofstream file(argv[1], std::ios::binary);
  file << warplings::AllFacts().dump() << std::flush;
  if (file) return 0;
  std::fprintf(stderr, "handout-facts: cannot write %s\n", argv[1]);
  return 3;
}
