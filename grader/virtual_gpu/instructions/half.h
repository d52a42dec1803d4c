// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: f16, bf16 and their pairs ("Half Precision Floating-Point Instructions"). Values
// are 16 bits; a pair (f16x2) is two neighbouring elements. Arithmetic is done in f32, whose 24 bits are
// enough that rounding twice equals rounding once for sums and products; fma needs more care.
#pragma once

#include "grader/virtual_gpu/instructions/arithmetic.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

struct F16 {
  static constexpr int kMantissaBits = 10, kBias = 15;
  static constexpr u32 kInfinity = 0x7c00, kOne = 0x3c00;
  static float Widen(u16 bits) {
    // The exponent is rebiased by a multiplication, which is exact for subnormals as well.
    const u32 magnitude = bits & 0x7fffu;
    const u32 finite = std::bit_cast<u32>(std::bit_cast<float>(magnitude << 13) * 0x1p112f);
    const u32 special = magnitude >= kInfinity ? 0x7f800000u | (magnitude << 13) : finite;
    return std::bit_cast<float>(special | (u32(bits & 0x8000u) << 16));
  }
};
struct BF16 {
  static constexpr int kMantissaBits = 7, kBias = 127;
  static constexpr u32 kInfinity = 0x7f80, kOne = 0x3f80;
  static float Widen(u16 bits) { return std::bit_cast<float>(u32(bits) << 16); }
};
/// The NaN of both formats that arithmetic gives.
inline constexpr u16 kHalfNan = 0x7fff;

/// Rounds to a 16-bit format; `round` is mods' field (rn, rz, rm, rp).
template <class F, class T>
inline u16 Narrow(T x, u32 round = 0) {
  using U = std::conditional_t<sizeof(T) == 4, u32, u64>;
  constexpr int kSourceBits = sizeof(T) == 4 ? 23 : 52, kSourceBias = sizeof(T) == 4 ? 127 : 1023;
  constexpr U kSign = U(1) << (sizeof(T) * 8 - 1);
  constexpr U kSourceInfinity = U(2 * kSourceBias + 1) << kSourceBits;
  const U bits = std::bit_cast<U>(x), magnitude = bits & ~kSign;
  const bool negative = (bits & kSign) != 0;
  const int exponent = int(magnitude >> kSourceBits);
  const U significand = (magnitude & ((U(1) << kSourceBits) - 1)) | (exponent ? U(1) << kSourceBits : 0);
  const int rebiased = (exponent ? exponent : 1) - kSourceBias + F::kBias;
  int shift = kSourceBits - F::kMantissaBits + (rebiased < 1 ? 1 - rebiased : 0);
  shift = shift > kBits<U> - 1 ? kBits<U> - 1 : shift;
  const U kept = significand >> shift, rest = significand & ((U(1) << shift) - 1), half = U(1) << (shift - 1);
  const bool nearest = rest > half || (rest == half && (kept & 1));
  const bool away = rest != 0 && (negative ? round == 2 : round == 3);
  // The leading bit of a normal significand raises the exponent by one.
  U result =
      (rebiased < 1 ? U(0) : U(rebiased - 1) << F::kMantissaBits) + kept + U(round == 0 ? nearest : away);
  const bool to_infinity = round == 0 || round == (negative ? 2u : 3u) || magnitude == kSourceInfinity;
  if (result >= F::kInfinity) result = to_infinity ? F::kInfinity : F::kInfinity - 1;
  if (magnitude > kSourceInfinity) {
    if constexpr (sizeof(T) == 4) return kHalfNan;
    // From f64 a NaN keeps its sign and what fits of its payload.
    constexpr u32 kQuiet = 1u << (F::kMantissaBits - 1);
    result = F::kInfinity | kQuiet | (significand >> (kSourceBits - F::kMantissaBits) & (kQuiet - 1));
  }
  return static_cast<u16>(result | (negative ? 0x8000u : 0u));
}

template <class F>
inline u16 FlushHalf(u16 x) {
  return (x & F::kInfinity) == 0 ? x & 0x8000u : x;
}

/// What follows the arithmetic: .ftz, .sat, .relu (mode 1; negative values become +0).
template <class F>
inline u16 FinishHalf(u16 x, bool ftz, bool sat, bool relu) {
  if (ftz) x = FlushHalf<F>(x);
  const bool nan = (x & 0x7fffu) > F::kInfinity;
  if (sat) x = nan || (x & 0x8000u) ? u16(0) : x > F::kOne ? u16(F::kOne) : x;
  if (relu) x = !nan && (x & 0x8000u) ? u16(0) : x;
  return x;
}

// One or two elements a lane, by kCount.
template <int kCount>
using HalfLane = std::conditional_t<kCount == 2, u32, u16>;

template <int kCount>
inline void MergeHalves(WarpContext& w, const Inst& in, Mask mask, const u16* result) {
  Merge(w.Lanes<HalfLane<kCount>>(in.op[0]), reinterpret_cast<const HalfLane<kCount>*>(result), mask);
}
template <int kCount, class G>
inline void HalfMap1(WarpContext& w, const Inst& in, Mask mask, G g) {
  const u16* a = w.Lanes<const u16>(in.op[1]);
  alignas(64) u16 result[kWarpSize * kCount];
  for (int i = 0; i < kWarpSize * kCount; ++i) result[i] = g(a[i]);
  MergeHalves<kCount>(w, in, mask, result);
}
template <int kCount, class G>
inline void HalfMap2(WarpContext& w, const Inst& in, Mask mask, G g) {
  const u16* a = w.Lanes<const u16>(in.op[1]);
  const u16* b = w.Lanes<const u16>(in.op[2]);
  alignas(64) u16 result[kWarpSize * kCount];
  for (int i = 0; i < kWarpSize * kCount; ++i) result[i] = g(a[i], b[i]);
  MergeHalves<kCount>(w, in, mask, result);
}

template <class Op, class F, int kCount>
void Half2(WarpContext& w, const Inst& in, Mask mask) {
  const bool ftz = in.mods & mods::kFtz, sat = in.mods & mods::kSat;
  auto apply = [](u16 a, u16 b) { return Narrow<F>(Op::Apply(F::Widen(a), F::Widen(b))); };
  if (!ftz && !sat) return HalfMap2<kCount>(w, in, mask, apply);
  HalfMap2<kCount>(w, in, mask, [=](u16 a, u16 b) {
    if (ftz) a = FlushHalf<F>(a), b = FlushHalf<F>(b);
    return FinishHalf<F>(apply(a, b), ftz, sat, false);
  });
}

/// a * b + c rounded once: the product is exact in f64, the sum is rounded to odd there, which keeps the
/// second rounding honest (Boldo and Melquiond, "When double rounding is odd", 2005).
template <class F>
inline u16 FusedHalf(u16 a, u16 b, u16 c) {
  const double product = double(F::Widen(a)) * double(F::Widen(b)), addend = F::Widen(c);
  const double sum = product + addend;
  if (sum != sum) return kHalfNan;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (addend - back);
  u64 bits = std::bit_cast<u64>(sum);
  const bool inexact = error > 0 || error < 0;
  if (inexact && !(bits & 1)) bits += (error > 0) == (sum > 0) ? u64(1) : ~u64(0);
  return Narrow<F>(std::bit_cast<double>(bits));
}
template <class F, int kCount>
void HalfFusedMulAdd(WarpContext& w, const Inst& in, Mask mask) {
  const bool ftz = in.mods & mods::kFtz, sat = in.mods & mods::kSat, relu = ModeOf(in) == 1;
  const u16* a = w.Lanes<const u16>(in.op[1]);
  const u16* b = w.Lanes<const u16>(in.op[2]);
  const u16* c = w.Lanes<const u16>(in.op[3]);
  alignas(64) u16 result[kWarpSize * kCount];
  for (int i = 0; i < kWarpSize * kCount; ++i) {
    const u16 fused = ftz ? FusedHalf<F>(FlushHalf<F>(a[i]), FlushHalf<F>(b[i]), FlushHalf<F>(c[i]))
                          : FusedHalf<F>(a[i], b[i], c[i]);
    result[i] = FinishHalf<F>(fused, ftz, sat, relu);
  }
  MergeHalves<kCount>(w, in, mask, result);
}

/// min, max; modes as of FloatExtreme.
template <class Op, class F, int kCount>
void HalfExtreme(WarpContext& w, const Inst& in, Mask mask) {
  const bool ftz = in.mods & mods::kFtz;
  const u32 mode = ModeOf(in);
  HalfMap2<kCount>(w, in, mask, [=](u16 a, u16 b) {
    if (ftz) a = FlushHalf<F>(a), b = FlushHalf<F>(b);
    return Narrow<F>(ChooseExtreme<Op>(F::Widen(a), F::Widen(b), mode));
  });
}

template <class F, int kCount, u32 kFlip, u32 kKeep>
void HalfSign(WarpContext& w, const Inst& in, Mask mask) {
  const bool ftz = in.mods & mods::kFtz;
  HalfMap1<kCount>(w, in, mask, [=](u16 a) {
    if ((a & 0x7fffu) > F::kInfinity) return kHalfNan;
    return static_cast<u16>(((ftz ? FlushHalf<F>(a) : a) & kKeep) ^ kFlip);
  });
}

template <class F, int kCount, float (*kFunction)(float)>
void Half1(WarpContext& w, const Inst& in, Mask mask) {
  const bool ftz = in.mods & mods::kFtz;
  HalfMap1<kCount>(w, in, mask, [=](u16 a) {
    const u16 result = Narrow<F>(kFunction(F::Widen(ftz ? FlushHalf<F>(a) : a)));
    return ftz ? FlushHalf<F>(result) : result;
  });
}

// --- Comparison. -----------------------------------------------------------------------------------------

/// The comparison of element `part` of each lane.
template <class F, int kCount>
inline Mask CompareHalves(WarpContext& w, const Inst& in, int part) {
  const bool ftz = in.mods & mods::kFtz;
  alignas(64) float a[kWarpSize], b[kWarpSize];
  for (int i = 0; i < kWarpSize; ++i) {
    const u16 x = w.Lanes<const u16>(in.op[1])[i * kCount + part];
    const u16 y = w.Lanes<const u16>(in.op[2])[i * kCount + part];
    a[i] = F::Widen(ftz ? FlushHalf<F>(x) : x);
    b[i] = F::Widen(ftz ? FlushHalf<F>(y) : y);
  }
  return Compare<float>(a, b, (in.mods & mods::kCompareMask) >> mods::kCompareShift);
}
/// Of a pair the destinations are p|q: one for each element. Otherwise q is the inverse.
template <class F, int kCount>
void SetPredicateFromHalf(WarpContext& w, const Inst& in, Mask mask) {
  Mask p = CompareHalves<F, kCount>(w, in, 0);
  Mask q = kCount == 2 ? CompareHalves<F, kCount>(w, in, kCount - 1) : ~p;
  const u32 boolean = (in.mods & mods::kBoolMask) >> mods::kBoolShift;
  if (boolean != kNoBool) {
    Mask c = PredicateOf(w, in.op[3]);
    if (in.mods & mods::kNegate) c = ~c;
    auto combine = [&](Mask x) { return boolean == kBoolAnd ? x & c : boolean == kBoolOr ? x | c : x ^ c; };
    p = combine(p);
    q = combine(q);
  }
  if (in.op[0] != kNoOperand) SetPredicate(w, in.op[0], p, mask);
  if (in.predicate != kNoOperand) SetPredicate(w, in.predicate, q, mask);
}
/// set: kTrue in a D where the comparison holds; of a pair, for each half of the lane.
template <class D, D kTrue, class F, int kCount>
void SetFromHalf(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) D result[kWarpSize * kCount];
  for (int part = 0; part < kCount; ++part) {
    const Mask p = CompareHalves<F, kCount>(w, in, part);
    for (int i = 0; i < kWarpSize; ++i) result[i * kCount + part] = (p >> i) & 1 ? kTrue : D(0);
  }
  using Lane = std::conditional_t<kCount == 2, u32, D>;
  Merge(w.Lanes<Lane>(in.op[0]), reinterpret_cast<const Lane*>(result), mask);
}

// --- Conversions. ----------------------------------------------------------------------------------------

template <class F, class S>
void ConvertFloatToHalf(WarpContext& w, const Inst& in, Mask mask) {
  const S* a = w.Lanes<const S>(in.op[1]);
  const u32 round = RoundOf(in);
  const bool sat = in.mods & mods::kSat, relu = ModeOf(in) == 1;
  alignas(64) u16 result[kWarpSize];
  // An H200 takes no notice of .ftz here.
  for (int i = 0; i < kWarpSize; ++i) {
    result[i] = FinishHalf<F>(Narrow<F>(a[i], round), false, sat, relu);
  }
  MergeHalves<1>(w, in, mask, result);
}
/// cvt.f16x2.f32 d, a, b: a becomes the upper half.
template <class F>
void ConvertFloatToHalves(WarpContext& w, const Inst& in, Mask mask) {
  const float* a = w.Lanes<const float>(in.op[1]);
  const float* b = w.Lanes<const float>(in.op[2]);
  const u32 round = RoundOf(in);
  const bool relu = ModeOf(in) == 1;
  alignas(64) u16 result[kWarpSize * 2];
  for (int i = 0; i < kWarpSize; ++i) {
    result[2 * i] = FinishHalf<F>(Narrow<F>(b[i], round), false, false, relu);
    result[2 * i + 1] = FinishHalf<F>(Narrow<F>(a[i], round), false, false, relu);
  }
  MergeHalves<2>(w, in, mask, result);
}
/// From f16 to f32 a NaN becomes the canonical one; otherwise it keeps its payload.
template <class D, class F>
void ConvertHalfToFloat(WarpContext& w, const Inst& in, Mask mask) {
  const bool sat = in.mods & mods::kSat, ftz = in.mods & mods::kFtz;
  Map1<D, u16>(w, in, mask, [=](u16 a) {
    float x = F::Widen(a);
    if constexpr (std::is_same_v<D, float> && std::is_same_v<F, F16>) x = Canonical(x);
    if (ftz) x = Flush(x);
    return D(sat ? Saturate(x) : x);
  });
}
/// Rounds to an integral value within the format.
template <class F>
void RoundHalf(WarpContext& w, const Inst& in, Mask mask) {
  const bool integral = in.mods & mods::kInteger, sat = in.mods & mods::kSat;
  const RoundingScope rounding(in.mods);
  HalfMap1<1>(w, in, mask, [=](u16 a) {
    const float x = F::Widen(a);
    return FinishHalf<F>(Narrow<F>(integral ? RoundToIntegral(x) : x), false, sat, false);
  });
}
template <class D, class F>
void ConvertHalfToInt(WarpContext& w, const Inst& in, Mask mask) {
  const u16* a = w.Lanes<const u16>(in.op[1]);
  alignas(64) D result[kWarpSize];
  {
    const RoundingScope rounding(in.mods);
    for (int i = 0; i < kWarpSize; ++i) result[i] = FloatToInt<D>(RoundToIntegral(F::Widen(a[i])));
  }
  WriteLanes<D>(w, in.op[0], in.register_bytes, result, mask);
}
template <class F, class S>
void ConvertIntToHalf(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) S source[kWarpSize];
  alignas(64) u16 result[kWarpSize];
  ReadLanes<S>(w, in.op[1], in.source_bytes, source);
  const u32 round = RoundOf(in);
  const bool sat = in.mods & mods::kSat;
  for (int i = 0; i < kWarpSize; ++i) {
    // Of large magnitudes the lowest bits only matter by not being zero: exact in f64 then.
    const bool negative = std::is_signed_v<S> && source[i] < S(0);
    u64 magnitude = negative ? u64(0) - u64(source[i]) : u64(source[i]);
    if (magnitude >> 53) magnitude = ((magnitude >> 11) | u64((magnitude & 0x7ff) != 0)) << 11;
    const double exact = negative ? -double(magnitude) : double(magnitude);
    result[i] = FinishHalf<F>(Narrow<F>(exact, round), false, sat, false);
  }
  MergeHalves<1>(w, in, mask, result);
}
/// cvt.tf32.f32: 10 bits of mantissa are left, the rest is zero; .rna rounds ties away from zero.
inline void ConvertToTf32(WarpContext& w, const Inst& in, Mask mask) {
  const bool away = ModeOf(in) == 1, truncate = RoundOf(in) == 1;
  Map1<u32, u32>(w, in, mask, [=](u32 a) -> u32 {
    const u32 magnitude = a & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return away ? a & 0xffffe000u : 0x7fffe000u;
    const u32 up = truncate ? 0u : away ? 0x1000u : 0xfffu + ((a >> 13) & 1);
    return magnitude == 0x7f800000u ? a : (a + up) & 0xffffe000u;
  });
}

// --- Atomics: "atom", "red" .add.noftz. ------------------------------------------------------------------

template <class F, int kCount, class Space>
inline void AtomicHalfIn(WarpContext& w, const Inst& in, Mask mask, const u64* address, Space) {
  using Lane = HalfLane<kCount>;
  WarpAccess at{&w, &in, mask, address, u32(sizeof(Lane)), Access::kAtomic};
  const Mask permitted = Space::CheckAccess(at);
  const u16* b = w.Lanes<const u16>(in.op[1]);
  alignas(64) u16 before[kWarpSize * kCount] = {};
  ForEachLane(permitted, [&](int i) {
    std::byte* target = Space::Host(w, i, address[i]);
    u16 value[kCount];
    std::memcpy(value, target, sizeof value);
    std::memcpy(before + i * kCount, value, sizeof value);
    for (int k = 0; k < kCount; ++k) {
      value[k] = Narrow<F>(F::Widen(value[k]) + F::Widen(b[i * kCount + k]));
    }
    std::memcpy(target, value, sizeof value);
  });
  if (in.op[0] != kNoOperand) MergeHalves<kCount>(w, in, mask, before);
}
template <class F, int kCount, class Space>
void AtomicHalf(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) u64 address[kWarpSize];
  ComputeAddresses(w, in, address);
  AtomicHalfIn<F, kCount>(w, in, mask, address, Space{});
}
template <class F, int kCount>
void AtomicHalfGeneric(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) u64 address[kWarpSize];
  ComputeAddresses(w, in, address);
  SplitGeneric(address, mask, [&](auto space, const u64* at, Mask lanes) {
    AtomicHalfIn<F, kCount>(w, in, lanes, at, space);
  });
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
