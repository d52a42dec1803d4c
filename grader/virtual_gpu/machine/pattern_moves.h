// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: recognises the pattern of an access (AccessPattern), and moves the data of those
// patterns that a few vector instructions can handle.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>

#include "grader/virtual_gpu/machine/access_pattern.h"
#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

[[gnu::noinline]] inline AccessPattern& NewPattern(const WarpAccess& at) {
  return *(at.warp->patterns[at.inst->index] = std::make_unique<AccessPattern>());
}
inline AccessPattern& PatternOf(const WarpAccess& at) {
  AccessPattern* pattern = at.warp->patterns[at.inst->index].get();
  return pattern ? *pattern : NewPattern(at);
}

inline bool IsPatternOfAll(const AccessPattern& pattern, const u64* address) {
  const u64 first = address[0];
  WordVector different{};
  for (u32 i = 0; i < kWarpSize; i += kVectorWords) {
    WordVector at, distance;
    LoadWords(at, address + i);
    WidenInts(distance, &pattern.distance[i]);
    different |= (at - first) ^ distance;
  }
  return !IsAnySet(different);
}
[[gnu::noinline]] inline bool IsPatternOfSome(const AccessPattern& pattern, const u64* address) {
  const u64 first = address[__builtin_ctz(pattern.mask)];
  u64 different = 0;
  for (u32 i = 0; i < kWarpSize; ++i) {
    const u64 d = (address[i] - first) ^ static_cast<u64>(s64{pattern.distance[i]});
    different |= (pattern.mask >> i) & 1 ? d : 0;
  }
  return !different;
}

/// Distances beyond 32 bits are truncated, so that the pattern never matches again.
[[gnu::noinline]] inline void NotePattern(AccessPattern& pattern, const u64* address, Mask mask) {
  const u64 first = address[__builtin_ctz(mask)];
  pattern.mask = mask;
  pattern.is_known = false;
  for (int i = 0; i < kWarpSize; ++i) {
    pattern.distance[static_cast<u32>(i)] = static_cast<s32>(static_cast<u32>(address[i] - first));
  }
}

/// True if, within each group of `lanes` lanes, neighbours are `step` bytes apart.
inline bool AreApart(const AccessPattern& pattern, u32 lanes, s32 step) {
  bool apart = true;
  for (u32 i = 1; i < kWarpSize; ++i) {
    apart = apart && (i % lanes == 0 || pattern.distance[i] - pattern.distance[i - 1] == step);
  }
  return apart;
}

inline void FindShape(AccessPattern& pattern, u32 bytes) {
  pattern.shape = AccessPattern::Shape::kScattered;
  if (pattern.mask != kAllLanes) return;
  for (const u32 lanes : {16u, 8u}) {
    pattern.run_lanes = static_cast<s32>(lanes);
    if (AreApart(pattern, lanes, static_cast<s32>(bytes))) {
      pattern.shape = AccessPattern::Shape::kSideBySide;
      return;
    }
    if (AreApart(pattern, lanes, 0)) {
      pattern.shape = AccessPattern::Shape::kAtOneAddress;
      return;
    }
  }
}

[[gnu::noinline]] inline void LearnPattern(AccessPattern& pattern, u32 bytes) {
  s32 lowest = std::numeric_limits<s32>::max(), highest = std::numeric_limits<s32>::min();
  u32 low_bits = 0;
  ForEachLane(pattern.mask, [&](int lane) {
    const s32 distance = pattern.distance[static_cast<u32>(lane)];
    lowest = std::min(lowest, distance);
    highest = std::max(highest, distance);
    low_bits |= static_cast<u32>(distance) & (bytes - 1);
  });
  pattern.lowest = lowest;
  pattern.highest = highest;
  pattern.is_aligned = low_bits == 0;
  pattern.counts = {};
  pattern.words.count = -1;
  FindShape(pattern, bytes);
  pattern.is_known = true;
}

/// The pattern of an access if it equals that of the instruction's previous access; otherwise null.
inline AccessPattern* RecognisePattern(const WarpAccess& at) {
  if (!at.warp->recognises_patterns) return nullptr;
  AccessPattern& pattern = PatternOf(at);
  const bool same = pattern.mask == at.mask && (at.mask == kAllLanes ? IsPatternOfAll(pattern, at.address)
                                                                     : IsPatternOfSome(pattern, at.address));
  if (!same) {
    NotePattern(pattern, at.address, at.mask);
    return nullptr;
  }
  if (!pattern.is_known) LearnPattern(pattern, at.bytes);
  return &pattern;
}

/// Calls f(lane, lanes) for each run of lanes at adjacent addresses or at one address.
template <class F>
inline void ForEachRun(const AccessPattern& pattern, F f) {
  if (pattern.run_lanes == 16) {
    for (u32 lane = 0; lane < kWarpSize; lane += 16) f(lane, std::integral_constant<u32, 16>{});
  } else {
    for (u32 lane = 0; lane < kWarpSize; lane += 8) f(lane, std::integral_constant<u32, 8>{});
  }
}

/// True if MoveIn() supports the pattern, with `elements` elements per lane.
inline bool CanMoveIn(const AccessPattern* pattern, u32 elements) {
  using enum AccessPattern::Shape;
  return pattern && (pattern->shape == kAtOneAddress || (pattern->shape == kSideBySide && elements == 1));
}
inline bool CanMoveOut(const AccessPattern* pattern, u32 elements) {
  return pattern && pattern->shape == AccessPattern::Shape::kSideBySide && elements == 1;
}

/// Data is moved in whole vector registers, the size in which handlers read it: after smaller writes, store
/// forwarding fails and the read waits for the cache. On its own, GCC copies 16 bytes at a time at the AVX2
/// level, and splits vectors that are larger than a register into single bytes.
template <class T, u32 kLanes>
struct Piece {
  static constexpr u32 kBytes = std::min<u32>(kLanes * sizeof(T), kVectorWords * 8);
  typedef T Vector __attribute__((vector_size(kBytes)));

  template <class From, class To>
  static void Copy(const From* from, To* to) {
    for (u32 at = 0; at < kLanes * sizeof(T); at += kBytes) {
      Vector vector;
      std::memcpy(&vector, reinterpret_cast<const std::byte*>(from) + at, kBytes);
      std::memcpy(reinterpret_cast<std::byte*>(to) + at, &vector, kBytes);
    }
  }
  static void Fill(T value, T* to) {
    const Vector vector = Vector{} + value;
    for (u32 lane = 0; lane < kLanes; lane += kBytes / sizeof(T)) std::memcpy(to + lane, &vector, kBytes);
  }
};

/// Loads the values of all 32 lanes; `memory` is the host address of the first lane's value.
template <class T>
inline void MoveIn(const AccessPattern& pattern, const std::byte* memory, T* lanes) {
  if (pattern.shape == AccessPattern::Shape::kSideBySide) {
    ForEachRun(pattern, [&](u32 lane, auto count) {
      Piece<T, count>::Copy(memory + pattern.distance[lane], lanes + lane);
    });
    return;
  }
  ForEachRun(pattern, [&](u32 lane, auto count) {
    T value;
    std::memcpy(&value, memory + pattern.distance[lane], sizeof value);
    Piece<T, count>::Fill(value, lanes + lane);
  });
}

template <class T>
inline void MoveOut(const AccessPattern& pattern, const T* lanes, std::byte* memory) {
  ForEachRun(pattern, [&](u32 lane, auto count) {
    Piece<T, count>::Copy(lanes + lane, memory + pattern.distance[lane]);
  });
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
