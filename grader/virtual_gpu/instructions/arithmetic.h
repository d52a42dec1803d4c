// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: handlers that are not simply one function of semantics.h over the lanes.
#pragma once

#include "grader/virtual_gpu/instructions/memory_access.h"
#include "grader/virtual_gpu/instructions/semantics.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

// --- Integers. ----------------------------------------------------------------------------------------

template <class Op, class T>
void Int2(WarpContext& w, const Inst& in, Mask mask) {
  Map2<T, T, T>(w, in, mask, [](T a, T b) { return Op::Apply(a, b); });
}
/// div and rem. What they give where the divisor is 0 is Op's business.
template <class Op, class T>
void Division(WarpContext& w, const Inst& in, Mask mask) {
  if (w.block->grid->observation.checks) {
    const T* divisors = w.Lanes<const T>(in.op[2]);
    Mask by_zero = 0;
    for (int lane = 0; lane < kWarpSize; ++lane) by_zero |= Mask(divisors[lane] == 0) << lane;
    if ((by_zero & mask) != 0) w.block->faults->DivisionByZero(w, in, by_zero & mask);
  }
  Int2<Op, T>(w, in, mask);
}
/// add.sat.s32, sub.sat.s32
template <class Op>
void SaturatedInt2(WarpContext& w, const Inst& in, Mask mask) {
  Map2<s32, s32, s32>(w, in, mask, [](s32 a, s32 b) { return Saturated<s32>(Op::Apply(s64{a}, s64{b})); });
}
template <class T>
void MulWideLanes(WarpContext& w, const Inst& in, Mask mask) {
  using W = typename Wider<T>::Type;
  Map2<W, T, T>(w, in, mask, [](T a, T b) { return MulWide(a, b); });
}
template <class Op, class T>
void Mad(WarpContext& w, const Inst& in, Mask mask) {
  Map3<T, T, T, T>(w, in, mask, [](T a, T b, T c) { return IntAdd::Apply(Op::Apply(a, b), c); });
}
template <class T>
void MadWide(WarpContext& w, const Inst& in, Mask mask) {
  using W = typename Wider<T>::Type;
  Map3<W, T, T, W>(w, in, mask, [](T a, T b, W c) { return IntAdd::Apply(MulWide(a, b), c); });
}
struct Mul24Low {
  template <class T>
  static T Apply(T a, T b) {
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>((s64((a << 8) >> 8) * s64((b << 8) >> 8)));
    else
      return static_cast<T>(u64(a & 0xffffff) * u64(b & 0xffffff));
  }
};
template <class T>
void Sad(WarpContext& w, const Inst& in, Mask mask) {
  Map3<T, T, T, T>(w, in, mask, [](T a, T b, T c) {
    using U = Unsigned<T>;
    return static_cast<T>(U(c) + (a < b ? U(b) - U(a) : U(a) - U(b)));
  });
}
template <class T>
void Neg(WarpContext& w, const Inst& in, Mask mask) {
  Map1<T, T>(w, in, mask, [](T a) { return static_cast<T>(Unsigned<T>(0) - Unsigned<T>(a)); });
}
template <class T>
void Abs(WarpContext& w, const Inst& in, Mask mask) {
  Map1<T, T>(w, in, mask, [](T a) { return a < 0 ? static_cast<T>(Unsigned<T>(0) - Unsigned<T>(a)) : a; });
}
template <class T>
void Not(WarpContext& w, const Inst& in, Mask mask) {
  Map1<T, T>(w, in, mask, [](T a) { return static_cast<T>(~a); });
}
template <class T>
void LogicalNot(WarpContext& w, const Inst& in, Mask mask) {
  Map1<T, T>(w, in, mask, [](T a) { return static_cast<T>(a == 0); });
}
template <class Op, class T>
void Shift(WarpContext& w, const Inst& in, Mask mask) {
  Map2<T, T, u32>(w, in, mask, [](T a, u32 b) { return Op::template Apply<T>(a, b); });
}
template <class T>
void Bfe(WarpContext& w, const Inst& in, Mask mask) {
  Map3<T, T, u32, u32>(w, in, mask,
                       [](T a, u32 start, u32 length) { return BitFieldExtract<T>(a, start, length); });
}
/// op: d, a, b, start, length (4).
template <class T>
void Bfi(WarpContext& w, const Inst& in, Mask mask) {
  const T* a = w.Lanes<const T>(in.op[1]);
  const T* b = w.Lanes<const T>(in.op[2]);
  const u32* start = w.Lanes<const u32>(in.op[3]);
  const u32* length = w.Lanes<const u32>(in.op[4]);
  alignas(64) T result[kWarpSize];
  for (int i = 0; i < kWarpSize; ++i) result[i] = BitFieldInsert<T>(a[i], b[i], start[i], length[i]);
  Merge(w.Lanes<T>(in.op[0]), result, mask);
}
template <class T>
void PopCount(WarpContext& w, const Inst& in, Mask mask) {
  Map1<u32, T>(w, in, mask, [](T a) { return static_cast<u32>(std::popcount(a)); });
}
template <class T>
void LeadingZeros(WarpContext& w, const Inst& in, Mask mask) {
  Map1<u32, T>(w, in, mask, [](T a) { return static_cast<u32>(std::countl_zero(a)); });
}
template <class T>
void Brev(WarpContext& w, const Inst& in, Mask mask) {
  Map1<T, T>(w, in, mask, [](T a) { return ReverseBits(a); });
}
template <class T>
void Bfind(WarpContext& w, const Inst& in, Mask mask) {
  Map1<u32, T>(w, in, mask, [](T a) { return FindHighest<T>(a); });
}
inline void Prmt(WarpContext& w, const Inst& in, Mask mask) {
  Map3<u32, u32, u32, u32>(w, in, mask, [](u32 a, u32 b, u32 c) { return Permute(a, b, c); });
}
/// lop3: the truth table is the last operand; bit (a<<2 | b<<1 | c) of it is the result.
inline void Lop3(WarpContext& w, const Inst& in, Mask mask) {
  u32 keep[8];
  for (int i = 0; i < 8; ++i) keep[i] = (in.imm >> i) & 1 ? ~0u : 0;
  Map3<u32, u32, u32, u32>(w, in, mask, [&](u32 a, u32 b, u32 c) {
    return (~a & ~b & ~c & keep[0]) | (~a & ~b & c & keep[1]) | (~a & b & ~c & keep[2]) |
           (~a & b & c & keep[3]) | (a & ~b & ~c & keep[4]) | (a & ~b & c & keep[5]) |
           (a & b & ~c & keep[6]) | (a & b & c & keep[7]);
  });
}
inline void ShfLeft(WarpContext& w, const Inst& in, Mask mask) {
  const bool wrap = in.mods & mods::kWrap;
  Map3<u32, u32, u32, u32>(w, in, mask, [=](u32 a, u32 b, u32 c) { return FunnelLeft(a, b, c, wrap); });
}
inline void ShfRight(WarpContext& w, const Inst& in, Mask mask) {
  const bool wrap = in.mods & mods::kWrap;
  Map3<u32, u32, u32, u32>(w, in, mask, [=](u32 a, u32 b, u32 c) { return FunnelRight(a, b, c, wrap); });
}

// --- Floats: .ftz, .sat and rounding are chosen once per instruction, not per lane. -----------------------

// The common case has a function of its own, because the others would make it slower.

inline bool IsPlain(const Inst& in) {
  return !(in.mods & (mods::kFtz | mods::kSat | mods::kRoundMask));
}

template <class T, class F>
[[gnu::noinline]] void FloatMapSpecially1(WarpContext& w, const Inst& in, Mask mask, F f) {
  const RoundingScope rounding(in.mods);
  switch (in.mods & (mods::kFtz | mods::kSat)) {
    case 0: return Map1<T, T>(w, in, mask, [&](T a) { return Canonical(f(a)); });
    case mods::kFtz: return Map1<T, T>(w, in, mask, [&](T a) { return Flush(Canonical(f(Flush(a)))); });
    case mods::kSat: return Map1<T, T>(w, in, mask, [&](T a) { return Saturate(f(a)); });
    default: return Map1<T, T>(w, in, mask, [&](T a) { return Saturate(Flush(f(Flush(a)))); });
  }
}
template <class T, class F>
inline void FloatMap1(WarpContext& w, const Inst& in, Mask mask, F f) {
  if (!IsPlain(in)) return FloatMapSpecially1<T>(w, in, mask, f);
  Map1<T, T>(w, in, mask, [=](T a) { return Canonical(f(a)); });
}

template <class T, class F>
[[gnu::noinline]] void FloatMapSpecially2(WarpContext& w, const Inst& in, Mask mask, F f) {
  const RoundingScope rounding(in.mods);
  switch (in.mods & (mods::kFtz | mods::kSat)) {
    case 0: return Map2<T, T, T>(w, in, mask, [&](T a, T b) { return Canonical(f(a, b)); });
    case mods::kFtz:
      return Map2<T, T, T>(w, in, mask, [&](T a, T b) { return Flush(Canonical(f(Flush(a), Flush(b)))); });
    case mods::kSat: return Map2<T, T, T>(w, in, mask, [&](T a, T b) { return Saturate(f(a, b)); });
    default:
      return Map2<T, T, T>(w, in, mask, [&](T a, T b) { return Saturate(Flush(f(Flush(a), Flush(b)))); });
  }
}
template <class T, class F>
inline void FloatMap2(WarpContext& w, const Inst& in, Mask mask, F f) {
  if (!IsPlain(in)) return FloatMapSpecially2<T>(w, in, mask, f);
  Map2<T, T, T>(w, in, mask, [=](T a, T b) { return Canonical(f(a, b)); });
}

/// Written with intrinsics, because GCC does not vectorise a loop over the built-in function if rounding
/// modes matter (-frounding-math).
template <class T>
inline void FmaLanes(T* d, const T* a, const T* b, const T* c) {
#ifdef __FMA__
  constexpr int kAtOnce = kVectorWords * 8 / sizeof(T);
  typedef T Lanes __attribute__((vector_size(kVectorWords * 8)));
  for (int i = 0; i < kWarpSize; i += kAtOnce) {
    Lanes x, y, z;
    std::memcpy(&x, a + i, sizeof x);
    std::memcpy(&y, b + i, sizeof y);
    std::memcpy(&z, c + i, sizeof z);
#ifdef __AVX512F__
    if constexpr (sizeof(T) == 4) x = _mm512_fmadd_ps(x, y, z);
    if constexpr (sizeof(T) == 8) x = _mm512_fmadd_pd(x, y, z);
#else
    if constexpr (sizeof(T) == 4) x = _mm256_fmadd_ps(x, y, z);
    if constexpr (sizeof(T) == 8) x = _mm256_fmadd_pd(x, y, z);
#endif
    std::memcpy(d + i, &x, sizeof x);
  }
#else
  for (int i = 0; i < kWarpSize; ++i) d[i] = Fma::Apply(a[i], b[i], c[i]);
#endif
}

template <class T>
[[gnu::noinline]] void FusedMulAddSpecially(WarpContext& w, const Inst& in, Mask mask) {
  const RoundingScope rounding(in.mods);
  const bool flush = in.mods & mods::kFtz, saturate = in.mods & mods::kSat;
  alignas(64) T operands[3][kWarpSize];
  for (u32 k = 0; k < 3; ++k) {
    const T* from = w.Lanes<const T>(in.op[k + 1]);
    for (int i = 0; i < kWarpSize; ++i) operands[k][i] = flush ? Flush(from[i]) : from[i];
  }
  T* const result = operands[0];
  FmaLanes(result, operands[0], operands[1], operands[2]);
  for (int i = 0; i < kWarpSize; ++i) {
    const T flushed = flush ? Flush(result[i]) : result[i];
    result[i] = saturate ? Saturate(flushed) : Canonical(flushed);
  }
  Merge(w.Lanes<T>(in.op[0]), result, mask);
}
template <class T>
void FusedMulAdd(WarpContext& w, const Inst& in, Mask mask) {
  if (!IsPlain(in) || mask != kAllLanes) return FusedMulAddSpecially<T>(w, in, mask);
  T* d = w.Lanes<T>(in.op[0]);
  FmaLanes(d, w.Lanes<const T>(in.op[1]), w.Lanes<const T>(in.op[2]), w.Lanes<const T>(in.op[3]));
  for (int i = 0; i < kWarpSize; ++i) d[i] = Canonical(d[i]);
}
template <class Op, class T>
void Float2(WarpContext& w, const Inst& in, Mask mask) {
  FloatMap2<T>(w, in, mask, [](T a, T b) { return Op::Apply(a, b); });
}
/// min and max: bit 0 of `mode`, .NaN: a NaN wins, otherwise it loses; bit 1, .xorsign.abs: the magnitudes
/// are compared and the result's sign is that of the product.
template <class Op>
inline float ChooseExtreme(float a, float b, u32 mode) {
  if (mode & 1 && (a != a || b != b)) return Canonical(a + b);
  const bool magnitudes = mode & 2;
  const float chosen = Canonical(magnitudes ? Op::Apply(std::abs(a), std::abs(b)) : Op::Apply(a, b));
  const bool negative = magnitudes && chosen == chosen && std::signbit(a) != std::signbit(b);
  return negative ? -chosen : chosen;
}
template <class Op>
void FloatExtreme(WarpContext& w, const Inst& in, Mask mask) {
  const u32 mode = ModeOf(in);
  if (mode == 0) return Float2<Op, float>(w, in, mask);
  FloatMap2<float>(w, in, mask, [=](float a, float b) { return ChooseExtreme<Op>(a, b, mode); });
}
/// div.approx: a divisor beyond 2^126 gives zero, or NaN of an infinite dividend ("div").
struct ApproximateDiv {
  static float Apply(float a, float b) {
    const bool too_large = std::abs(b) > 0x1p126f && std::abs(b) <= std::numeric_limits<float>::max();
    return a / b * (too_large ? 0.0f : 1.0f);
  }
};
template <class T, T (*kFunction)(T)>
void Float1(WarpContext& w, const Inst& in, Mask mask) {
  FloatMap1<T>(w, in, mask, [](T a) { return kFunction(a); });
}
template <class T>
inline T Reciprocal(T a) {
  return T(1) / a;
}
template <class T>
inline T SquareRoot(T a) {
  return std::sqrt(a);
}
/// Computed in double, so that the f32 result is within the 2 ulp that the manual allows.
inline float ReciprocalSquareRoot(float a) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a)));
}
inline double ReciprocalSquareRoot64(double a) {
  return 1.0 / std::sqrt(a);
}
/// rcp.approx.ftz.f64, rsqrt.approx.ftz.f64: of the upper 32 bits alone, which have 20 bits of mantissa; so
/// is the result, with zeros below. f64's .ftz is theirs alone.
template <double (*kFunction)(double)>
void OfUpperWord(WarpContext& w, const Inst& in, Mask mask) {
  constexpr u64 kUpper = 0xffffffff00000000u;
  auto flush = [](double x) { return std::abs(x) < 0x1p-1022 ? std::copysign(0.0, x) : x; };
  Map1<u64, u64>(w, in, mask, [=](u64 a) {
    const double result = flush(kFunction(flush(std::bit_cast<double>(a & kUpper))));
    if (result != result) return u64(0x7fffffff) << 32;
    const u64 bits = std::bit_cast<u64>(result);
    return (std::isinf(result) ? bits : bits + 0x80000000u) & kUpper;
  });
}
inline float Exp2(float a) {
  return static_cast<float>(std::exp2(static_cast<double>(a)));
}
inline float Log2(float a) {
  return static_cast<float>(std::log2(static_cast<double>(a)));
}
inline float Sine(float a) {
  return static_cast<float>(std::sin(static_cast<double>(a)));
}
inline float Cosine(float a) {
  return static_cast<float>(std::cos(static_cast<double>(a)));
}
inline float HyperbolicTangent(float a) {
  return static_cast<float>(std::tanh(static_cast<double>(a)));
}

/// neg and abs change only the sign. For a NaN, hardware returns the canonical one (f32) or the operand
/// (f64).
template <class T, class U, U kFlip, U kKeep>
void SignBit(WarpContext& w, const Inst& in, Mask mask) {
  const bool ftz = in.mods & mods::kFtz;
  Map1<U, T>(w, in, mask, [=](T a) {
    const T x = ftz ? Flush(a) : a;
    const U bits = std::bit_cast<U>(x);
    if constexpr (sizeof(T) == 4) return a != a ? U(0x7fffffffu) : static_cast<U>((bits & kKeep) ^ kFlip);
    return a != a && kFlip ? bits : static_cast<U>((bits & kKeep) ^ kFlip);
  });
}
/// copysign d, a, b: b with the sign of a.
template <class U>
void CopySign(WarpContext& w, const Inst& in, Mask mask) {
  constexpr U kSign = U(1) << (sizeof(U) * 8 - 1);
  Map2<U, U, U>(w, in, mask, [](U a, U b) { return (a & kSign) | (b & ~kSign); });
}

// --- Comparison and selection. --------------------------------------------------------------------------

enum BooleanOp : u32 { kNoBool, kBoolAnd, kBoolOr, kBoolXor };

/// op: 0 p, 5 the second destination q (the inverse), 1 a, 2 b, 3 the predicate to combine with.
template <class T>
void SetPredicateFrom(WarpContext& w, const Inst& in, Mask mask) {
  const u32 comparison = (in.mods & mods::kCompareMask) >> mods::kCompareShift;
  const T* a = w.Lanes<const T>(in.op[1]);
  const T* b = w.Lanes<const T>(in.op[2]);
  alignas(64) T flushed[2][kWarpSize];
  if constexpr (std::is_same_v<T, float>) {
    if (in.mods & mods::kFtz) {
      for (int i = 0; i < kWarpSize; ++i) flushed[0][i] = Flush(a[i]), flushed[1][i] = Flush(b[i]);
      a = flushed[0], b = flushed[1];
    }
  }
  Mask p = Compare(a, b, comparison);
  Mask q = ~p;
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
/// set: all ones (integers) or 1.0 (f32) where the comparison holds.
template <class D, class T>
void SetFrom(WarpContext& w, const Inst& in, Mask mask) {
  const u32 comparison = (in.mods & mods::kCompareMask) >> mods::kCompareShift;
  const Mask p = Compare(w.Lanes<const T>(in.op[1]), w.Lanes<const T>(in.op[2]), comparison);
  constexpr D kTrue = std::is_floating_point_v<D> ? D(1) : static_cast<D>(-1);
  alignas(64) D result[kWarpSize];
  for (int i = 0; i < kWarpSize; ++i) result[i] = (p >> i) & 1 ? kTrue : D(0);
  Merge(w.Lanes<D>(in.op[0]), result, mask);
}
template <class T>
void Select(WarpContext& w, const Inst& in, Mask mask) {
  Mask p = PredicateOf(w, in.op[3]);
  if (in.mods & mods::kNegate) p = ~p;
  const T* a = w.Lanes<const T>(in.op[1]);
  const T* b = w.Lanes<const T>(in.op[2]);
  alignas(64) T result[kWarpSize];
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) result[i] = (p >> i) & 1 ? a[i] : b[i];
  Merge(w.Lanes<T>(in.op[0]), result, mask);
}
template <class T, class C>
void SelectBySign(WarpContext& w, const Inst& in, Mask mask) {
  // .ftz takes a subnormal as a zero of its sign, and -0 is not less than 0.
  const bool ftz = in.mods & mods::kFtz;
  Map3<T, T, T, C>(w, in, mask, [=](T a, T b, C c) {
    if constexpr (std::is_floating_point_v<C>) c = ftz ? Flush(c) : c;
    return c >= C(0) ? a : b;
  });
}

// --- Predicates. ----------------------------------------------------------------------------------------

template <class Op>
void Predicate2(WarpContext& w, const Inst& in, Mask mask) {
  SetPredicate(w, in.op[0], Op::Apply(PredicateOf(w, in.op[1]), PredicateOf(w, in.op[2])), mask);
}
inline void PredicateNot(WarpContext& w, const Inst& in, Mask mask) {
  SetPredicate(w, in.op[0], ~PredicateOf(w, in.op[1]), mask);
}
inline void PredicateMove(WarpContext& w, const Inst& in, Mask mask) {
  SetPredicate(w, in.op[0], PredicateOf(w, in.op[1]), mask);
}

// --- Moves. ---------------------------------------------------------------------------------------------

template <class T>
void Move(WarpContext& w, const Inst& in, Mask mask) {
  Map1<T, T>(w, in, mask, [](T a) { return a; });
}
/// mov.b32 d, {a, b} and the like: the first element is the lowest.
template <class D, class E, int kCount>
void Pack(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) D result[kWarpSize] = {};
  for (int e = 0; e < kCount; ++e) {
    const E* element = w.Lanes<const E>(in.op[1 + e]);
    for (int i = 0; i < kWarpSize; ++i)
      result[i] |= static_cast<D>(D(element[i]) << (e * int(sizeof(E)) * 8));
  }
  Merge(w.Lanes<D>(in.op[0]), result, mask);
}
/// Of bytes, each of which has a lane of 16 bits.
inline void PackBytes(WarpContext& w, const Inst& in, Mask mask) {
  Map2<u16, u16, u16>(w, in, mask, [](u16 low, u16 high) { return u16((low & 0xff) | (high << 8)); });
}
inline void UnpackBytes(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) u16 whole[kWarpSize], element[kWarpSize];
  std::memcpy(whole, w.Lanes<const u16>(in.op[4]), sizeof whole);
  for (int e = 0; e < 2; ++e) {
    if (in.op[e] == kNoOperand) continue;
    for (int i = 0; i < kWarpSize; ++i) element[i] = static_cast<u16>((whole[i] >> (8 * e)) & 0xff);
    Merge(w.Lanes<u16>(in.op[e]), element, mask);
  }
}
template <class S, class E, int kCount>
void Unpack(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) S whole[kWarpSize];
  std::memcpy(whole, w.Lanes<const S>(in.op[4]), sizeof whole);  // a destination may be the source
  for (int e = 0; e < kCount; ++e) {
    if (in.op[e] == kNoOperand) continue;
    alignas(64) E element[kWarpSize];
    for (int i = 0; i < kWarpSize; ++i) element[i] = static_cast<E>(whole[i] >> (e * int(sizeof(E)) * 8));
    Merge(w.Lanes<E>(in.op[e]), element, mask);
  }
}

// --- Conversions. ---------------------------------------------------------------------------------------

/// Rounds to an integral value in the direction of the scope's rounding mode.
template <class T>
inline T RoundToIntegral(T a) {
  return std::nearbyint(a);
}

template <class D, class S>
void ConvertInt(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) S source[kWarpSize];
  alignas(64) D result[kWarpSize];
  ReadLanes<S>(w, in.op[1], in.source_bytes, source);
  const bool saturate = in.mods & mods::kSat;
  for (int i = 0; i < kWarpSize; ++i) {
    if (saturate) {
      const bool below =
          std::is_signed_v<S> &&
          (std::is_unsigned_v<D> ? source[i] < S(0) : s64(source[i]) < s64(std::numeric_limits<D>::min()));
      const bool above = !below && !(std::is_signed_v<S> && source[i] < S(0)) &&
                         u64(source[i]) > u64(std::numeric_limits<D>::max());
      result[i] = below   ? std::numeric_limits<D>::min()
                  : above ? std::numeric_limits<D>::max()
                          : static_cast<D>(source[i]);
    } else {
      result[i] = static_cast<D>(source[i]);
    }
  }
  WriteLanes<D>(w, in.op[0], in.register_bytes, result, mask);
}
template <class D, class S>
void ConvertFloatToInt(WarpContext& w, const Inst& in, Mask mask) {
  const bool ftz = in.mods & mods::kFtz;
  const S* a = w.Lanes<const S>(in.op[1]);
  alignas(64) D result[kWarpSize];
  {
    const RoundingScope rounding(in.mods);
    for (int i = 0; i < kWarpSize; ++i) result[i] = FloatToInt<D>(RoundToIntegral(ftz ? Flush(a[i]) : a[i]));
  }
  WriteLanes<D>(w, in.op[0], in.register_bytes, result, mask);
}
template <class D, class S>
void ConvertIntToFloat(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) S source[kWarpSize];
  alignas(64) D result[kWarpSize];
  ReadLanes<S>(w, in.op[1], in.source_bytes, source);
  {
    const RoundingScope rounding(in.mods);
    for (int i = 0; i < kWarpSize; ++i) result[i] = static_cast<D>(source[i]);
  }
  if (in.mods & mods::kSat) {
    for (int i = 0; i < kWarpSize; ++i) result[i] = Saturate(result[i]);
  }
  Merge(w.Lanes<D>(in.op[0]), result, mask);
}
/// Between floats. NaNs keep what fits of their payload, as hardware does, unless arithmetic is involved:
/// flushing (.ftz, of f32) makes them canonical first.
template <class D, class S>
void ConvertFloat(WarpContext& w, const Inst& in, Mask mask) {
  const S* a = w.Lanes<const S>(in.op[1]);
  alignas(64) D result[kWarpSize];
  const bool ftz = in.mods & mods::kFtz, integral = in.mods & mods::kInteger;
  {
    const RoundingScope rounding(in.mods);
    for (int i = 0; i < kWarpSize; ++i) {
      S x = a[i];
      if (ftz) x = Flush(Canonical(x));
      // To f32 with .ftz: what is too small for a normal number before rounding is zero.
      if (ftz && sizeof(D) < sizeof(S) && std::abs(x) < S(0x1p-126)) x = std::copysign(S(0), x);
      if (integral) x = RoundToIntegral(x);
      result[i] = static_cast<D>(x);
      if (integral && sizeof(D) == 4) result[i] = Canonical(result[i]);
      if (in.mods & mods::kSat) result[i] = Saturate(result[i]);
    }
  }
  Merge(w.Lanes<D>(in.op[0]), result, mask);
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
