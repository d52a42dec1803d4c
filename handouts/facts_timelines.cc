// SPDX-License-Identifier: Apache-2.0
//
// What happens one after the other: warps at a barrier, lanes that exchange registers. And what
// memory is made of.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "grader/device/device_profile.h"
#include "grader/timing/estimate.h"
#include "handouts/facts_parts.h"

namespace warplings {
namespace {

using nlohmann::json;

constexpr std::size_t kWarps = 8;  // Of a block of 16 x 16 threads.

/// The product of chapter 1 whose last phase and last blocks are almost empty; a test of its suite has this
/// width.
constexpr int kTileSide = 16, kWidthAtBarriers = 17, kPhases = 2, kProductsInASlot = 4;

using ByWarp = std::array<int, kWarps>;

/// The sectors that each warp loads of M and N in one phase of the solution. The test `handouts` compares the
/// sums with what the virtual GPU counts.
ByWarp LoadedSectors(int block_x, int block_y, int phase) {
  constexpr int kRows = kTileSide / static_cast<int>(kWarps), kFloats = 32 / 4;
  ByWarp sectors{};
  for (std::size_t warp = 0; warp < kWarps; ++warp) {
    std::set<int> m, n;
    for (int ty = static_cast<int>(warp) * kRows; ty < static_cast<int>(warp + 1) * kRows; ++ty) {
      for (int tx = 0; tx < kTileSide; ++tx) {
        const int row = block_y * kTileSide + ty, column = block_x * kTileSide + tx;
        const int m_column = phase * kTileSide + tx, n_row = phase * kTileSide + ty;
        if (row < kWidthAtBarriers && m_column < kWidthAtBarriers)
          m.insert((row * kWidthAtBarriers + m_column) / kFloats);
        if (n_row < kWidthAtBarriers && column < kWidthAtBarriers)
          n.insert((n_row * kWidthAtBarriers + column) / kFloats);
      }
    }
    sectors[warp] = static_cast<int>(m.size() + n.size());
  }
  return sectors;
}

/// The last block, one slot for each sector that a warp loads and for every few multiply-adds of its lanes.
/// One row of letters for each warp: l loads, w waits at a barrier, u uses the tiles.
class BarrierRun {
 public:
  BarrierRun() : rows_(kWarps) {
    ByWarp products{};
    products.fill(kTileSide / kProductsInASlot);
    for (int phase = 0; phase < kPhases; ++phase) {
      Work(LoadedSectors(kPhases - 1, kPhases - 1, phase), 'l', phase);
      Work(products, 'u', phase);
    }
  }

  json Facts() const {
    json slots = json::array();
    for (std::size_t slot = 0; slot < phases_.size(); ++slot) {
      std::map<char, int> count;
      for (const std::string& row : rows_) ++count[row[slot]];
      slots.push_back({{"loading", count['l']},
                       {"waiting", count['w']},
                       {"using", count['u']},
                       {"phase", phases_[slot]},
                       {"opens", std::ranges::count(opens_, slot + 1) > 0}});
    }
    json sectors = json::array();  // By block.
    for (int block = 0; block < kPhases * kPhases; ++block) {
      int sum = 0;
      for (int phase = 0; phase < kPhases; ++phase) {
        const ByWarp loaded = LoadedSectors(block % kPhases, block / kPhases, phase);
        sum += std::accumulate(loaded.begin(), loaded.end(), 0);
      }
      sectors.push_back(sum);
    }
    return {{"rows", rows_},
            {"slots", slots},
            {"opens", opens_},
            {"warps", kWarps},
            {"phases", kPhases},
            {"arrivals", kWarps * opens_.size()},
            {"width", kWidthAtBarriers},
            {"sectors", sectors},
            {"products", kTileSide},
            {"products_in_a_slot", kProductsInASlot}};
  }

 private:
  /// All warps work, each as long as it takes; then each waits until the last has arrived.
  void Work(const ByWarp& times, char letter, int phase) {
    const int longest = std::ranges::max(times);
    for (std::size_t warp = 0; warp < kWarps; ++warp) {
      rows_[warp].append(static_cast<std::size_t>(times[warp]), letter);
      rows_[warp].append(static_cast<std::size_t>(longest - times[warp]), 'w');
    }
    phases_.insert(phases_.end(), static_cast<std::size_t>(longest), phase);
    opens_.push_back(phases_.size());
  }

  std::vector<std::string> rows_;
  std::vector<int> phases_;         ///< By unit of time.
  std::vector<std::size_t> opens_;  ///< When a barrier opens.
};

/// A kind of DRAM: how wide a channel is that answers by itself, and how many transfers a burst has.
struct Dram {
  const char* card;
  const char* name;
  int channel_bits, transfers;
};

// JEDEC's standards: HBM2 in pseudo-channel mode (JESD235), HBM3 (JESD238), GDDR6 (JESD250). Which card has
// which: the white papers that grader/device/device_profile.cc names.
constexpr std::array kDrams = {Dram{"t4", "GDDR6", 16, 16}, Dram{"a100", "HBM2", 64, 4},
                               Dram{"h100", "HBM3", 32, 8}};

json DramFacts() {
  json facts = json::array();
  for (const Dram& dram : kDrams) {
    const DeviceProfile& card = *FindDeviceProfile(dram.card);
    facts.push_back({{"card", card.name},
                     {"name", dram.name},
                     {"channel_bits", dram.channel_bits},
                     {"transfers", dram.transfers},
                     {"burst_bytes", dram.channel_bits * dram.transfers / 8},
                     {"bus_bits", card.memory_bus_bits},
                     {"channels", card.memory_bus_bits / dram.channel_bits}});
  }
  return facts;
}

/// Eight lanes add up their values by shuffles: what each holds after each step, and how many lanes from the
/// first hold a sum that counts.
json ShuffleFacts() {
  std::vector<int> values = {3, 1, 4, 1, 5, 9, 2, 6};
  const std::size_t lanes = values.size();
  json steps = json::array();
  for (std::size_t distance = lanes / 2; distance > 0; distance /= 2) {
    const std::vector<int> before = values;
    // A lane without a partner gets its own value back.
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      values[lane] += before[lane + distance < lanes ? lane + distance : lane];
    }
    steps.push_back({{"distance", distance}, {"before", before}, {"after", values}, {"count", distance}});
  }
  return {{"lanes", lanes}, {"steps", steps}, {"sum", values[0]}};
}

}  // namespace

json TimelineFacts() {
  return {{"barrier", BarrierRun().Facts()}, {"shuffle", ShuffleFacts()}};
}

json MemoryFacts() {
  const timing::EstimateModel model;
  const DeviceProfile& card = *FindDeviceProfile("h200");
  const auto latency = [&](double cycles) {
    return json{{"cycles", cycles}, {"ns", 1e6 * cycles / card.clock_khz}};
  };
  return {{"drams", DramFacts()},
          {"latency",
           {{"dram", latency(model.dram_cycles)},
            {"l2", latency(model.l2_cycles)},
            {"l1", latency(model.l1_cycles)},
            {"shared", latency(model.shared_cycles)}}}};
}

}  // namespace warplings
