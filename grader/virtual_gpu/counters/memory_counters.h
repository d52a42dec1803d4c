// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the memory counters of a profiler.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Number of distinct values among the lanes of `mask`.
inline u32 CountDistinct(const u64* value, Mask mask) {
  // Neighbouring lanes mostly touch the same or the next sector, in ascending order.
  u64 seen[kWarpSize];
  u32 count = 0;
  ForEachLane(mask, [&](int i) {
    const u64 v = value[i];
    if (count && seen[count - 1] == v) return;
    for (u32 j = 0; j < count; ++j) {
      if (seen[j] == v) return;
    }
    seen[count++] = v;
  });
  return count;
}

/// 32-byte sectors that one request touches.
inline u32 CountSectors(const WarpAccess& access) {
  alignas(64) u64 sector[kWarpSize];
  for (int i = 0; i < kWarpSize; ++i) sector[i] = access.address[i] >> 5;
  // An aligned access never straddles two sectors: 16 bytes at most.
  return CountDistinct(sector, access.mask);
}

/// The rows of 32 words, one of each bank, in which CountPasses looks for words.
inline constexpr u64 kBankRows = 32;

/// The largest number of rows that have the same bit.
inline u32 CountMostRows(const u32* rows, u64 count) {
  // Bit b of sums[k] is bit k of the number of rows with bit b.
  u32 sums[6] = {};
  for (u64 row = 0; row < count; ++row) {
    u32 carry = rows[row];
    for (u32* sum = sums; carry; ++sum) {
      const u32 both = *sum & carry;
      *sum ^= carry;
      carry = both;
    }
  }
  u32 among = ~0u, most = 0;
  for (u32 k = 6; k-- > 0;) {
    if (!(sums[k] & among)) continue;
    among &= sums[k];
    most |= 1u << k;
  }
  return most;
}

/// CountPasses for words that lie further apart.
inline u32 CountPassesOfFar(const WarpAccess& access, Mask mask, u32 words_per_lane) {
  u32 per_bank[32] = {};
  u64 words[32][kWarpSize];
  u32 worst = 0;
  ForEachLane(mask, [&](int i) {
    for (u32 k = 0; k < words_per_lane; ++k) {
      const u64 word = (access.address[i] >> 2) + k;
      const u32 bank = static_cast<u32>(word & 31);
      u64* wanted = words[bank];
      u32& count = per_bank[bank];
      if (std::find(wanted, wanted + count, word) != wanted + count) continue;
      wanted[count++] = word;
      worst = std::max(worst, count);
    }
  });
  return worst;
}

/// Number of passes in which shared memory serves the lanes of `mask`: the largest number of different words
/// that are requested from one bank.
inline u32 CountPasses(const WarpAccess& access, Mask mask, u32 words_per_lane) {
  u64 low = ~u64{0}, high = 0;
  ForEachLane(mask, [&](int i) {
    low = std::min(low, access.address[i] >> 2);
    high = std::max(high, access.address[i] >> 2);
  });
  const u64 first = low & ~u64{31}, row_count = (high + words_per_lane - first + 31) / 32;
  if (!mask || row_count > kBankRows) return CountPassesOfFar(access, mask, words_per_lane);
  u32 rows[kBankRows];
  std::fill_n(rows, row_count, 0u);
  ForEachLane(mask, [&](int i) {
    for (u32 k = 0; k < words_per_lane; ++k) {
      const u64 word = (access.address[i] >> 2) + k - first;
      rows[word / 32] |= 1u << (word % 32);
    }
  });
  return CountMostRows(rows, row_count);
}

/// Wavefronts of one shared request. An access of 8 bytes is served half a warp at a time, one of 16 bytes a
/// quarter of a warp at a time (measured with ncu on an H200: see tests/counters).
inline u32 CountWavefronts(const WarpAccess& access) {
  const u32 words = std::max(access.bytes >> 2, 1u);
  const int lanes_at_once = kWarpSize / static_cast<int>(words);
  // Fast paths: all lanes within 32 consecutive words, or all at the same word.
  if (words == 1) {
    u64 low = ~u64{0}, high = 0;
    for (int i = 0; i < kWarpSize; ++i) {
      const bool in = (access.mask >> i) & 1;
      low = in && access.address[i] < low ? access.address[i] : low;
      high = in && access.address[i] > high ? access.address[i] : high;
    }
    // Within 32 consecutive words every bank holds one word.
    if ((high >> 2) - (low >> 2) < 32) return 1;
  }
  u32 total = 0;
  for (int first = 0; first < kWarpSize; first += lanes_at_once) {
    const Mask part = lanes_at_once == kWarpSize ? kAllLanes : ((1u << lanes_at_once) - 1) << first;
    total += CountPasses(access, access.mask & part, words);
  }
  return std::max(total, 1u);
}

/// The minimum number of wavefronts for the active lanes and this access size.
inline u32 BestWavefronts(const WarpAccess& access) {
  const u32 words = std::max(access.bytes >> 2, 1u);
  const int lanes_at_once = kWarpSize / static_cast<int>(words);
  u32 parts = 0;
  for (int first = 0; first < kWarpSize; first += lanes_at_once) {
    const Mask part = lanes_at_once == kWarpSize ? kAllLanes : ((1u << lanes_at_once) - 1) << first;
    parts += (access.mask & part) != 0;
  }
  return parts;
}

/// Passes of one atomic request: the number of lanes at the most contended address.
inline u32 CountPasses(const WarpAccess& access) {
  u64 seen[kWarpSize];
  u32 lanes[kWarpSize];
  u32 count = 0, most = 0;
  ForEachLane(access.mask, [&](int i) {
    u32 j = 0;
    while (j < count && seen[j] != access.address[i]) ++j;
    if (j == count) {
      seen[count] = access.address[i];
      lanes[count++] = 0;
    }
    most = std::max(most, ++lanes[j]);
  });
  return most;
}

class MemoryCounters final : public Observer {
 public:
  explicit MemoryCounters(std::vector<InstCounts>& counts) : counts_(counts) {}

  Mask OnGlobal(const WarpAccess& access) override {
    InstCounts& counts = counts_[access.inst->index];
    ++counts.global_requests;
    counts.sectors += SectorsOf(access);
    counts.bytes += u64{access.bytes} * static_cast<u64>(__builtin_popcount(access.mask));
    if (access.access == Access::kAtomic) counts.passes += PassesOf(access);
    return access.mask;
  }
  Mask OnShared(const WarpAccess& access) override {
    InstCounts& counts = counts_[access.inst->index];
    const auto [wavefronts, conflicts] = WavefrontsOf(access);
    ++counts.shared_requests;
    counts.wavefronts += wavefronts;
    counts.conflicts += conflicts;
    if (access.access == Access::kAtomic) counts.passes += PassesOf(access);
    return access.mask;
  }
  Mask OnConstant(const WarpAccess& access) override {
    counts_[access.inst->index].bytes +=
        u64{access.bytes} * static_cast<u64>(__builtin_popcount(access.mask));
    return access.mask;
  }

  /// 32-byte sectors of a request. Depends on the pattern and on the first lane's position within its sector.
  static u32 SectorsOf(const WarpAccess& access) {
    if (!access.pattern || access.bytes < 4) return CountSectors(access);
    const u64 first = access.address[__builtin_ctz(access.mask)];
    u8& known = access.pattern->counts.sectors[(first >> 2) & 7];
    if (!known) known = static_cast<u8>(CountSectors(access));
    return known;
  }

 private:
  // Counts that depend only on the pattern of an access are computed once and cached with the pattern.

  static std::pair<u32, u32> WavefrontsOf(const WarpAccess& access) {
    // Another start address shifts all words by the same number of banks. For accesses smaller than a word,
    // the position within the word matters.
    if (!access.pattern || access.bytes < 4) return CountWavefrontsAndConflicts(access);
    AccessPattern::Counts& known = access.pattern->counts;
    if (!known.wavefronts) {
      std::tie(known.wavefronts, known.conflicts) = CountWavefrontsAndConflicts(access);
    }
    return {known.wavefronts, known.conflicts};
  }
  static std::pair<u32, u32> CountWavefrontsAndConflicts(const WarpAccess& access) {
    const u32 wavefronts = CountWavefronts(access);
    return {wavefronts, wavefronts - std::min(wavefronts, BestWavefronts(access))};
  }

  static u32 PassesOf(const WarpAccess& access) {
    if (!access.pattern) return CountPasses(access);
    AccessPattern::Counts& known = access.pattern->counts;
    if (!known.passes) known.passes = CountPasses(access);
    return known.passes;
  }

  std::vector<InstCounts>& counts_;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
