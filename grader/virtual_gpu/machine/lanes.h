// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: compiled once for each x86-64 level, in that level's namespace.
#pragma once

#include <immintrin.h>

#include <cstring>

#include "grader/virtual_gpu/machine/context.h"
#include "grader/virtual_gpu/machine/level.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

using s8 = std::int8_t;
using u8 = std::uint8_t;
using s16 = std::int16_t;
using u16 = std::uint16_t;
using s32 = std::int32_t;
using u32 = std::uint32_t;
using s64 = std::int64_t;
using u64 = std::uint64_t;

/// Writes the lanes in `mask`; the others keep their value.
template <class D>
inline void Merge(D* d, const D* result, Mask mask) {
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) d[i] = (mask >> i) & 1 ? result[i] : d[i];
}

// One instruction is one loop over 32 lanes that the compiler turns into SIMD. Lanes outside the mask are
// computed, too, and discarded, so `f` must be defined for all inputs. A destination may also be a source,
// but lane by lane and never shifted, so ivdep is valid. Partially active warps have functions of their own,
// because their temporary results would slow down the common case.
template <class D, class A, class F>
[[gnu::noinline]] void MapSome1(D* d, const A* a, Mask mask, F f) {
  alignas(64) D result[kWarpSize];
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) result[i] = f(a[i]);
  Merge(d, result, mask);
}
template <class D, class A, class F>
inline void Map1(WarpContext& w, const Inst& in, Mask mask, F f) {
  D* d = w.Lanes<D>(in.op[0]);
  const A* a = w.Lanes<const A>(in.op[1]);
  if (mask != kAllLanes) return MapSome1(d, a, mask, f);
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) d[i] = f(a[i]);
}

template <class D, class A, class B, class F>
[[gnu::noinline]] void MapSome2(D* d, const A* a, const B* b, Mask mask, F f) {
  alignas(64) D result[kWarpSize];
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) result[i] = f(a[i], b[i]);
  Merge(d, result, mask);
}
template <class D, class A, class B, class F>
inline void Map2(WarpContext& w, const Inst& in, Mask mask, F f) {
  D* d = w.Lanes<D>(in.op[0]);
  const A* a = w.Lanes<const A>(in.op[1]);
  const B* b = w.Lanes<const B>(in.op[2]);
  if (mask != kAllLanes) return MapSome2(d, a, b, mask, f);
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) d[i] = f(a[i], b[i]);
}

template <class D, class A, class B, class C, class F>
[[gnu::noinline]] void MapSome3(D* d, const A* a, const B* b, const C* c, Mask mask, F f) {
  alignas(64) D result[kWarpSize];
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) result[i] = f(a[i], b[i], c[i]);
  Merge(d, result, mask);
}
template <class D, class A, class B, class C, class F>
inline void Map3(WarpContext& w, const Inst& in, Mask mask, F f) {
  D* d = w.Lanes<D>(in.op[0]);
  const A* a = w.Lanes<const A>(in.op[1]);
  const B* b = w.Lanes<const B>(in.op[2]);
  const C* c = w.Lanes<const C>(in.op[3]);
  if (mask != kAllLanes) return MapSome3(d, a, b, c, mask, f);
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) d[i] = f(a[i], b[i], c[i]);
}

inline u32 RoundOf(const Inst& in) {
  return (in.mods & mods::kRoundMask) >> mods::kRoundShift;
}
inline u32 ModeOf(const Inst& in) {
  return (in.mods & mods::kModeMask) >> mods::kModeShift;
}

inline Mask& PredicateOf(WarpContext& w, OperandRef operand) {
  return *w.Lanes<Mask>(operand);
}

inline void SetPredicate(WarpContext& w, OperandRef operand, Mask value, Mask mask) {
  Mask& p = PredicateOf(w, operand);
  p = (p & ~mask) | (value & mask);
}

/// Collects the top bit of each of 32 lanes.
inline Mask TopBits(const u32* lanes) {
  Mask all = 0;
#if defined(__AVX512F__)
  for (int i = 0; i < kWarpSize; i += 16)
    all |= static_cast<Mask>(_mm512_movepi32_mask(_mm512_loadu_si512(lanes + i))) << i;
#elif defined(__AVX2__)
  for (int i = 0; i < kWarpSize; i += 8) {
    const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes + i));
    all |= static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(eight))) << i;
  }
#else
  for (int i = 0; i < kWarpSize; i += 4) {
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(lanes + i));
    all |= static_cast<Mask>(_mm_movemask_ps(_mm_castsi128_ps(four))) << i;
  }
#endif
  return all;
}
/// The mask of lanes for which f(lane) is true.
template <class F>
inline Mask BitOfEach(F f) {
  alignas(64) u32 lanes[kWarpSize];
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) lanes[i] = f(i) ? ~0u : 0u;
  return TopBits(lanes);
}

template <class F>
inline void ForEachLane(Mask mask, F f) {
  for (; mask; mask &= mask - 1) f(__builtin_ctz(mask));
}

// --- Vectors of 8-byte words, as long as the processor's registers. --------------------------------------

#if defined(__AVX512F__)
inline constexpr int kVectorWords = 8;
#elif defined(__AVX2__)
inline constexpr int kVectorWords = 4;
#else
inline constexpr int kVectorWords = 2;
#endif
/// Comparisons give all ones or 0 in each word.
typedef u64 WordVector __attribute__((vector_size(kVectorWords * 8)));

#if defined(__AVX512F__)
/// The masked functions are used because GCC 12 warns about those without a mask.
inline constexpr __mmask8 kAllWords = 0xff;
#endif
inline void LoadWords(WordVector& words, const u64* from) {
  std::memcpy(&words, from, sizeof words);
}
inline void StoreWords(u64* to, const WordVector& words) {
  std::memcpy(to, &words, sizeof words);
}
inline void WidenBytes(WordVector& words, const u8* from) {
#if defined(__AVX512F__)
  words = reinterpret_cast<WordVector>(_mm512_maskz_cvtepu8_epi64(kAllWords, _mm_loadu_si64(from)));
#elif defined(__AVX2__)
  words = reinterpret_cast<WordVector>(_mm256_cvtepu8_epi64(_mm_loadu_si32(from)));
#else
  words = WordVector{from[0], from[1]};
#endif
}
/// Sign-extends.
inline void WidenInts(WordVector& words, const s32* from) {
#if defined(__AVX512F__)
  const auto ints = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  words = reinterpret_cast<WordVector>(_mm512_maskz_cvtepi32_epi64(kAllWords, ints));
#elif defined(__AVX2__)
  const auto ints = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  words = reinterpret_cast<WordVector>(_mm256_cvtepi32_epi64(ints));
#else
  words = WordVector{static_cast<u64>(s64{from[0]}), static_cast<u64>(s64{from[1]})};
#endif
}
inline bool IsAnySet(const WordVector& words) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(words), reinterpret_cast<__m512i>(words)) != 0;
#elif defined(__AVX2__)
  return !_mm256_testz_si256(reinterpret_cast<__m256i>(words), reinterpret_cast<__m256i>(words));
#else
  return (words[0] | words[1]) != 0;
#endif
}

/// Sets the rounding mode of an instruction for its scope. The barrier keeps arithmetic inside: lanes
/// are loaded after it and stored before the next one.
class RoundingScope {
 public:
  explicit RoundingScope(u32 modifiers) : mode_(modifiers & mods::kRoundMask) {
    if (!mode_) return;
    saved_ = _mm_getcsr();
    // MXCSR's field: 1 down, 2 up, 3 towards zero; ours: 1 rz, 2 rm, 3 rp.
    const u32 field = mode_ == mods::kRoundZero ? 3u : mode_ == mods::kRoundDown ? 1u : 2u;
    _mm_setcsr((saved_ & ~0x6000u) | (field << 13));
    asm volatile("" ::: "memory");
  }
  ~RoundingScope() {
    if (!mode_) return;
    asm volatile("" ::: "memory");
    _mm_setcsr(saved_);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  u32 mode_;
  u32 saved_ = 0;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
