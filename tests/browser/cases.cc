// SPDX-License-Identifier: Apache-2.0
// Prints random questions with the grader's own answers, for the interactive pages to answer in a browser:
//
//     browser-cases SEED
//     {"occupancy": [[profile, threads, registers, shared bytes, blocks, [limits]], ...],
//      "banks": [[element bytes, [addresses], degree, wavefronts, conflicts, [busiest]], ...]}
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "grader/device/device_profile.h"
#include "grader/device/occupancy.h"
#include "reference/banks.h"

namespace warplings {
namespace {

using nlohmann::json;

class Cases {
 public:
  explicit Cases(std::uint32_t seed) : random_(seed) {}

  /// Every other one is a shape that people use; the rest are anything, with what fits on no card among it.
  json OccupancyCase() {
    const auto profiles = DeviceProfiles();
    const DeviceProfile& profile = profiles[Below(static_cast<std::uint32_t>(profiles.size()))];
    BlockShape shape;
    if (Below(2) == 0) {
      shape = {.threads = 32 * (1 + Below(32)), .registers = 16 + Below(113)};
      shape.dynamic_shared_bytes = 256 * Below(260);
    } else {
      shape = {.threads = 1 + Below(1100), .registers = Below(270)};
      shape.dynamic_shared_bytes = Below(240'000);
    }
    if (Below(4) == 0) shape.dynamic_shared_bytes = 0;
    // A page asks for both kinds together; to the header static and dynamic bytes are the same.
    shape.static_shared_bytes = Below(shape.dynamic_shared_bytes + 1);
    shape.dynamic_shared_bytes -= shape.static_shared_bytes;
    const auto [blocks, limits] = ResidencyOn(profile, shape);
    json names = json::array();
    for (const auto& [limit, name] : {std::pair{kLimitThreads, "threads"},
                                      {kLimitRegisters, "registers"},
                                      {kLimitSharedMemory, "shared"},
                                      {kLimitBlocks, "blocks"}}) {
      if (limits & limit) names.push_back(name);
    }
    return {profile.id,      shape.threads,
            shape.registers, shape.static_shared_bytes + shape.dynamic_shared_bytes,
            blocks,          names};
  }

  /// Strides, blocks of lanes that want the same, and any addresses at all.
  json BankCase() {
    const std::uint32_t bytes = 1u << Below(5);
    reference::LaneAddresses addresses = reference::Strided(bytes * Below(64), bytes * Below(70));
    if (const std::uint32_t kind = Below(3); kind > 0) {
      const std::uint32_t range = kind == 1 ? 16 : 4096;
      for (std::uint32_t& address : addresses) address = bytes * Below(range);
    }
    const reference::BankUse use = reference::UseOfBanks(addresses, static_cast<int>(bytes));
    json busiest = json::array();
    for (int bank = 0; bank < reference::kBanks; ++bank) {
      if (use.busiest_banks >> bank & 1) busiest.push_back(bank);
    }
    return {bytes, addresses, use.degree, use.wavefronts, use.conflicts, busiest};
  }

 private:
  std::uint32_t Below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

  std::mt19937 random_;
};

}  // namespace
}  // namespace warplings

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: browser-cases SEED\n");
    return 2;
  }
  warplings::Cases cases(static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)));
  nlohmann::json all;
  for (int i = 0; i < 10'000; ++i) all["occupancy"].push_back(cases.OccupancyCase());
  for (int i = 0; i < 2'000; ++i) all["banks"].push_back(cases.BankCase());
  std::cout << all.dump() << std::endl;
  return std::cout ? 0 : 3;
}
