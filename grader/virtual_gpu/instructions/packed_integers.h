// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: integers of 8 and 16 bits that share a register, masks, and the rarer bit tricks.
#pragma once

#include "grader/virtual_gpu/instructions/half.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// dp4a: the dot product of four bytes, added to c. A and B are the bytes' types.
template <class A, class B>
void DotBytes(WarpContext& w, const Inst& in, Mask mask) {
  Map3<u32, u32, u32, u32>(w, in, mask, [](u32 a, u32 b, u32 c) {
    for (int k = 0; k < 4; ++k) c += u32(s32(A(a >> (8 * k))) * s32(B(b >> (8 * k))));
    return c;
  });
}
/// dp2a: two 16-bit elements of a with the lower (.lo) or upper (.hi, mode 1) two bytes of b.
template <class A, class B>
void DotHalves(WarpContext& w, const Inst& in, Mask mask) {
  const int from = ModeOf(in) == 1 ? 16 : 0;
  Map3<u32, u32, u32, u32>(w, in, mask, [=](u32 a, u32 b, u32 c) {
    for (int k = 0; k < 2; ++k) c += u32(s32(A(a >> (16 * k))) * s32(B(b >> (from + 8 * k))));
    return c;
  });
}

/// Byte positions of prmt's modes by the two low bits of the selector, lowest byte first ("prmt").
inline constexpr u8 kPermuteModes[6][4][4] = {
    {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}},  // f4e
    {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}},  // b4e
    {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}},  // rc8
    {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}},  // ecl
    {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}},  // ecr
    {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}},  // rc16
};
inline void PermuteByMode(WarpContext& w, const Inst& in, Mask mask) {
  const auto& table = kPermuteModes[ModeOf(in)];
  Map3<u32, u32, u32, u32>(w, in, mask, [&](u32 a, u32 b, u32 c) {
    const u64 bytes = (u64(b) << 32) | a;
    u32 result = 0;
    for (int i = 0; i < 4; ++i) result |= (u32(bytes >> (8 * table[c & 3][i])) & 0xffu) << (8 * i);
    return result;
  });
}

/// bmsk d, a, b: b ones from bit a on. .clamp takes what is beyond 32 as 32, .wrap modulo 32.
inline void BitMask(WarpContext& w, const Inst& in, Mask mask) {
  const bool wrap = in.mods & mods::kWrap;
  Map2<u32, u32, u32>(w, in, mask, [=](u32 a, u32 b) {
    const u32 from = wrap ? a & 31 : a < 32 ? a : 32, count = wrap ? b & 31 : b < 32 ? b : 32;
    return u32(((u64(1) << count) - 1) << from);
  });
}
/// szext d, a, b: a's low b bits, zero- or sign-extended.
template <class T>
void ExtendFrom(WarpContext& w, const Inst& in, Mask mask) {
  const bool wrap = in.mods & mods::kWrap;
  Map2<T, T, u32>(w, in, mask, [=](T a, u32 b) {
    const u32 count = wrap ? b & 31 : b < 32 ? b : 32;
    if (count == 0) return T(0);
    return static_cast<T>(static_cast<T>(u32(a) << (32 - count)) >> (32 - count));
  });
}
/// bfind.shiftamt: how far to shift left so that the bit found is on top.
template <class T>
void BfindShift(WarpContext& w, const Inst& in, Mask mask) {
  Map1<u32, T>(w, in, mask, [](T a) {
    const u32 at = FindHighest<T>(a);
    return at == ~0u ? at : u32(kBits<T> - 1) - at;
  });
}
/// fns d, mask, base, offset: the offset-th set bit from base on, downwards for a negative offset.
inline void FindNthSet(WarpContext& w, const Inst& in, Mask mask) {
  Map3<u32, u32, u32, s32>(w, in, mask, [](u32 bits, u32 base, s32 offset) {
    // The manual leaves these open; so does an H200 answer.
    if (offset == std::numeric_limits<s32>::min()) return 0u;
    if (base > 31) return ~0u;
    if (offset == 0) return (bits >> base) & 1 ? base : ~0u;
    const int step = offset > 0 ? 1 : -1;
    s64 left = offset > 0 ? s64{offset} : -s64{offset};
    for (int at = int(base); at >= 0 && at < 32; at += step) {
      if ((bits >> at) & 1 && --left == 0) return u32(at);
    }
    return ~0u;
  });
}

/// cvt.pack.sat: two integers, cut to T's range, beside each other, b below; above them the lower bits of c,
/// where T leaves room for them.
template <class T>
void PackSaturated(WarpContext& w, const Inst& in, Mask mask) {
  constexpr int kWidth = 8 * sizeof(T);
  constexpr s32 kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
  const auto cut = [](s32 x) {
    return u32(std::make_unsigned_t<T>(x < kLeast ? kLeast : x > kMost ? kMost : x));
  };
  if constexpr (2 * kWidth == 32) {
    Map2<u32, s32, s32>(w, in, mask, [=](s32 a, s32 b) { return cut(a) << kWidth | cut(b); });
  } else {
    Map3<u32, s32, s32, u32>(
        w, in, mask, [=](s32 a, s32 b, u32 c) { return c << (2 * kWidth) | cut(a) << kWidth | cut(b); });
  }
}

enum TestKind : u32 { kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };
/// testp
template <class T>
void TestFloat(WarpContext& w, const Inst& in, Mask mask) {
  const T* a = w.Lanes<const T>(in.op[1]);
  const u32 kind = ModeOf(in);
  const Mask p = BitOfEach([=](int i) {
    switch (std::fpclassify(a[i])) {
      case FP_NAN: return kind == kNotANumber;
      case FP_INFINITE: return kind == kInfinite || kind == kNumber;
      case FP_SUBNORMAL: return kind == kFinite || kind == kNumber || kind == kSubnormal;
      case FP_NORMAL: return kind == kFinite || kind == kNumber || kind == kNormal;
      // The manual has a zero neither normal nor subnormal; hardware calls it normal, see its table.
      default: return kind == kFinite || kind == kNumber || kind == kNormal;
    }
  });
  SetPredicate(w, in.op[0], p, mask);
}

// --- Pairs of 16-bit integers. ---------------------------------------------------------------------------

template <class Op, class T>
void Int16Pair(WarpContext& w, const Inst& in, Mask mask) {
  const T* a = w.Lanes<const T>(in.op[1]);
  const T* b = w.Lanes<const T>(in.op[2]);
  const bool relu = ModeOf(in) == 1;
  alignas(64) u16 result[kWarpSize * 2];
  for (int i = 0; i < kWarpSize * 2; ++i) {
    const T x = Op::Apply(a[i], b[i]);
    result[i] = static_cast<u16>(relu && x < T(0) ? T(0) : x);
  }
  MergeHalves<2>(w, in, mask, result);
}

/// vabsdiff2 and vabsdiff4 d, a, b, c: absolute differences of halves or bytes; mode 1 (.add): their sum
/// and c.
template <class T>
void AbsoluteDifferences(WarpContext& w, const Inst& in, Mask mask) {
  constexpr int kWidth = 8 * sizeof(T);
  constexpr u32 kElement = (1u << kWidth) - 1;
  const bool sum = ModeOf(in) == 1;
  Map3<u32, u32, u32, u32>(w, in, mask, [=](u32 a, u32 b, u32 c) {
    u32 packed = 0;
    for (int at = 0; at < 32; at += kWidth) {
      const int x = T(a >> at), y = T(b >> at);
      const u32 difference = u32(x > y ? x - y : y - x);
      packed |= (difference & kElement) << at;
      c += difference;
    }
    return sum ? c : packed;
  });
}

// --- Clocks ("Special Registers"). -----------------------------------------------------------------------

/// mov from %clock and its kin. Time is what the block has executed, so that it is the same in every run.
template <class T>
void ReadClock(WarpContext& w, const Inst& in, Mask mask) {
  const u64 now = w.block->clock >> in.imm;
  ForEachLane(mask, [&](int i) { w.Lanes<T>(in.op[0])[i] = static_cast<T>(now); });
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
