// SPDX-License-Identifier: Apache-2.0
//
// What a multiprocessor gives out: shared memory for each thread, registers by partition, cliffs; rates; and
// why more warps keep a scheduler busy.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/device/device_profile.h"
#include "grader/device/occupancy.h"
#include "grader/timing/estimate.h"
#include "grader/timing/roofline.h"
#include "handouts/facts_parts.h"

namespace warplings {
namespace {

using nlohmann::json;

bool IsFull(const DeviceProfile& card, std::uint32_t threads, std::uint32_t shared_bytes) {
  return Occupancy(card, {.threads = threads, .static_shared_bytes = shared_bytes}) == 1.0;
}

/// By block size: the occupancy when each thread takes the plain average of shared memory, and how many bytes
/// a thread may take at most where the multiprocessor is to be full.
json SharedBudget(const DeviceProfile& card) {
  const auto places = static_cast<std::uint32_t>(card.max_threads_per_multiprocessor);
  const std::uint32_t average = card.shared_bytes_per_multiprocessor / places;
  json rows;
  for (const std::uint32_t threads : {64u, 128u, 256u, 512u, 1024u}) {
    std::uint32_t most = 0;
    while (IsFull(card, threads, (most + 1) * threads)) ++most;
    const BlockShape shape{.threads = threads, .static_shared_bytes = average * threads};
    rows[std::to_string(threads)] = {{"asked", shape.static_shared_bytes},
                                     {"blocks", BlocksPerMultiprocessor(card, shape)},
                                     {"blocks_if_full", places / threads},
                                     {"occupancy", Occupancy(card, shape)},
                                     {"most", most}};
  }
  return {{"average", average}, {"rows", rows}};
}

/// By registers of a thread: what a warp gets, and how many warps that leaves room for.
json RegisterFile(const DeviceProfile& card) {
  const int unit = static_cast<int>(AllocationUnitsOf(card).registers_per_warp);
  const int partition = card.registers_per_multiprocessor / 4;
  json rows;
  for (int registers = 1; registers <= 255; ++registers) {
    const int used = 32 * registers;
    const int given = (used + unit - 1) / unit * unit;
    rows[std::to_string(registers)] = {{"used", used},
                                       {"given", given},
                                       {"units", given / unit},
                                       {"partition", partition},
                                       {"warps_a_partition", partition / given},
                                       {"left_in_partition", partition % given},
                                       {"warps", 4 * (partition / given)}};
  }
  return rows;
}

/// The numbers of registers at which one more costs a block, for blocks of `threads`.
json Cliffs(const DeviceProfile& card, std::uint32_t threads) {
  json cliffs = json::array();
  double before = Occupancy(card, {.threads = threads, .registers = 16});
  for (std::uint32_t registers = 17; registers <= 128; ++registers) {
    const double now = Occupancy(card, {.threads = threads, .registers = registers});
    if (now < before) {
      cliffs.push_back({{"last", registers - 1}, {"first", registers}, {"before", before}, {"after", now}});
    }
    before = now;
  }
  return cliffs;
}

json Rates(const DeviceProfile& card) {
  const double flops = timing::PeakFlopsPerSecond(card), bytes = timing::PeakBytesPerSecond(card);
  const double clock = 1e3 * card.clock_khz, sms = card.multiprocessors;
  const double lanes = flops / (2 * clock * sms);
  // Shared memory moves 32 words of 4 bytes a clock.
  const double shared = 128 * clock * sms;
  return {{"lanes", std::lround(lanes)},
          {"tflops", flops / 1e12},
          {"memory_tb", bytes / 1e12},
          {"ridge", flops / bytes},
          {"shared_tb", shared / 1e12},
          {"shared_ridge", flops / shared},
          {"threads_a_lane", card.max_threads_per_multiprocessor / lanes}};
}

}  // namespace

json LimitFacts() {
  json facts;
  for (const DeviceProfile& card : DeviceProfiles()) {
    json& of = facts[card.id];
    of = {{"name", card.name},
          {"shared", SharedBudget(card)},
          {"rates", Rates(card)},
          {"multiprocessors", card.multiprocessors},
          {"megahertz", card.clock_khz / 1000},
          {"megacycles", static_cast<std::int64_t>(card.multiprocessors) * (card.clock_khz / 1000)},
          {"memory", card.global_memory_bytes},
          // The low 32 bits, which is what an int keeps.
          {"memory_as_int", static_cast<std::int32_t>(card.global_memory_bytes)},
          {"capability", std::to_string(card.major) + "." + std::to_string(card.minor)},
          {"integrated", card.integrated}};
    for (const std::uint32_t threads : {256u, 512u, 1024u}) {
      of["cliffs"][std::to_string(threads)] = Cliffs(card, threads);
    }
  }
  for (const char* id : {"a100", "h200"}) facts[id]["registers"] = RegisterFile(*FindDeviceProfile(id));
  return facts;
}

json LatencyFacts() {
  // Of a warp in a phase of chapter 1's tiled product. Its page shows what the virtual GPU counts, and the
  // test `handouts` divides that once more.
  constexpr int kInstructions = 82;
  constexpr int kSlots = 30;
  // A slot is as long as these instructions take at one in a cycle.
  const int wait = static_cast<int>(std::lround(timing::EstimateModel{}.dram_cycles / kInstructions));
  json facts = {{"instructions", kInstructions}, {"wait", wait}, {"slots", kSlots}};
  for (const int warps : {1, 4, 1 + wait}) {
    std::vector<std::string> rows(static_cast<std::size_t>(warps), std::string(kSlots, ' '));
    std::vector<int> ready(rows.size(), 0);
    int busy = 0;
    for (int slot = 0; slot < kSlots; ++slot) {
      bool issued = false;
      for (std::size_t w = 0; w < rows.size(); ++w) {
        char& state = rows[w][static_cast<std::size_t>(slot)];
        if (ready[w] > slot) {
          state = 'w';  // waits for memory
        } else if (issued) {
          state = 'r';  // is ready; another one was first
        } else {
          state = 'i';  // issues
          issued = true;
          ready[w] = slot + 1 + wait;
          ++busy;
        }
      }
    }
    facts["warps"][std::to_string(warps)] = {
        {"rows", rows}, {"busy", busy}, {"share", double(busy) / kSlots}};
  }
  return facts;
}

}  // namespace warplings
