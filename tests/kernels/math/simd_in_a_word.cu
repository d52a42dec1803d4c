// SPDX-License-Identifier: Apache-2.0
// The SIMD intrinsics of the CUDA Math API: bytes and halves of a word, each beside the same on the host.
#include <climits>
#include <type_traits>

#include "tests/kernels/expect.h"

/// Applies `f` to the elements of type T of two words.
template <class T, class F>
unsigned Map(unsigned a, unsigned b, F f) {
  constexpr int kBits = 8 * sizeof(T);
  unsigned result = 0;
  for (int at = 0; at < 32; at += kBits) {
    const unsigned mask = (1u << kBits) - 1;
    const unsigned element = unsigned(f(int(T(a >> at)), int(T(b >> at)))) & mask;
    result |= element << at;
  }
  return result;
}
template <class T, class F>
unsigned Sum(unsigned a, unsigned b, F f) {
  unsigned sum = 0;
  for (int at = 0; at < 32; at += 8 * int(sizeof(T))) sum += unsigned(f(int(T(a >> at)), int(T(b >> at))));
  return sum;
}
template <class T>
int Cut(int x) {
  const int least = std::is_signed<T>::value ? -(1 << (8 * sizeof(T) - 1)) : 0;
  const int most = std::is_signed<T>::value ? (1 << (8 * sizeof(T) - 1)) - 1 : (1 << 8 * sizeof(T)) - 1;
  return x < least ? least : x > most ? most : x;
}
/// Rounded to the nearest, halves away from zero.
int Average(int a, int b) {
  return (a + b + (a + b >= 0)) >> 1;
}

using S8 = signed char;
using U8 = unsigned char;
using S16 = short;
using U16 = unsigned short;

// clang-format off
// name, element type, expression of a and b
#define OF_TWO(V)                                                                                                \
  V(__vabs2, 1, S16, x < 0 ? -x : x)                                                                             \
  V(__vabsss2, 1, S16, Cut<S16>(x < 0 ? -x : x)) V(__vneg2, 1, S16, -x) V(                                       \
      __vnegss2, 1, S16, Cut<S16>(-x)) V(__vabs4, 1, S8,                                                         \
                                         x < 0 ? -x : x) V(__vabsss4, 1, S8,                                     \
                                                           Cut<S8>(x < 0 ? -x : x)) V(__vneg4, 1, S8, -x)        \
      V(__vnegss4, 1, S8, Cut<S8>(-x)) V(__vadd2, 2, S16, x + y) V(__vaddss2, 2, S16, Cut<S16>(x + y)) V(        \
          __vaddus2, 2,                                                                                          \
          U16,                                                                                                   \
          Cut<U16>(x +                                                                                           \
                   y)) V(__vsub2, 2, S16, x - y) V(__vsubss2, 2, S16, Cut<S16>(x - y))                           \
          V(__vsubus2, 2, U16, Cut<U16>(x - y)) V(__vadd4, 2, S8, x + y) V(                                      \
              __vaddss4,                                                                                         \
              2, S8, Cut<S8>(x + y)) V(__vaddus4, 2, U8, Cut<U8>(x + y))                                         \
              V(__vsub4, 2, S8, x - y) V(__vsubss4, 2, S8, Cut<S8>(x - y)) V(                                    \
                  __vsubus4,                                                                                     \
                  2, U8, Cut<U8>(x - y)) V(__vavgs2, 2, S16, Average(x, y))                                      \
                  V(__vavgu2, 2, U16, Average(x, y)) V(__vavgs4, 2, S8, Average(x, y)) V(                        \
                      __vavgu4,                                                                                  \
                      2, U8,                                                                                     \
                      Average(                                                                                   \
                          x, y)) V(__vhaddu2, 2, U16, (x + y) >> 1) V(__vhaddu4, 2, U8, (x + y) >> 1)            \
                      V(__vmaxs2, 2, S16, x > y ? x : y) V(__vmaxu2, 2, U16, x > y ? x : y)                      \
                          V(__vmins2, 2, S16, x < y ? x : y) V(__vminu2, 2, U16, x < y ? x : y) V(               \
                              __vmaxs4,                                                                          \
                              2, S8, x > y ? x : y) V(__vmaxu4, 2, U8, x > y ? x : y)                            \
                              V(__vmins4, 2, S8, x < y ? x : y) V(__vminu4, 2, U8, x < y ? x : y) V(             \
                                  __vabsdiffs2,                                                                  \
                                  2,                                                                             \
                                  S16, x > y ? x - y : y - x) V(__vabsdiffu2, 2, U16, x > y ? x - y : y - x)     \
                                  V(__vabsdiffs4, 2, S8, x > y ? x - y : y - x) V(                               \
                                      __vabsdiffu4,                                                              \
                                      2, U8, x > y ? x - y : y - x) V(__vcmpeq2, 2, S16, x == y ? -1 : 0)        \
                                      V(__vcmpne2, 2, S16, x != y ? -1 : 0) V(                                   \
                                          __vcmpges2,                                                            \
                                          2, S16,                                                                \
                                          x >= y ? -1                                                            \
                                                 : 0) V(__vcmpgeu2, 2, U16, x >= y ? -1 : 0)                     \
                                          V(__vcmpgts2, 2, S16, x > y ? -1 : 0) V(                               \
                                              __vcmpgtu2,                                                        \
                                              2, U16,                                                            \
                                              x > y                                                              \
                                                  ? -1                                                           \
                                                  : 0) V(__vcmples2, 2, S16, x <= y ? -1 : 0)                    \
                                              V(__vcmpleu2, 2, U16, x <= y ? -1 : 0) V(                          \
                                                  __vcmplts2,                                                    \
                                                  2, S16,                                                        \
                                                  x < y                                                          \
                                                      ? -1                                                       \
                                                      : 0) V(__vcmpltu2, 2, U16, x < y ? -1 : 0)                 \
                                                  V(__vcmpeq4, 2, S8, x == y ? -1 : 0) V(                        \
                                                      __vcmpne4, 2,                                              \
                                                      S8,                                                        \
                                                      x != y ? -1                                                \
                                                             : 0) V(__vcmpges4, 2, S8, x >= y ? -1 : 0)          \
                                                      V(__vcmpgeu4, 2, U8, x >= y ? -1 : 0) V(                   \
                                                          __vcmpgts4,                                            \
                                                          2, S8,                                                 \
                                                          x > y                                                  \
                                                              ? -1                                               \
                                                              : 0) V(__vcmpgtu4, 2, U8, x > y ? -1 : 0)          \
                                                          V(__vcmples4, 2, S8, x <= y ? -1 : 0) V(               \
                                                              __vcmpleu4,                                        \
                                                              2, U8,                                             \
                                                              x <= y                                             \
                                                                  ? -1                                           \
                                                                  : 0) V(__vcmplts4, 2, S8, x < y ? -1 : 0)      \
                                                              V(__vcmpltu4, 2, U8, x < y ? -1 : 0) V(            \
                                                                  __vseteq2,                                     \
                                                                  2, S16,                                        \
                                                                  x == y) V(__vsetne2, 2, S16, x != y)           \
                                                                  V(__vsetges2, 2, S16, x >= y) V(               \
                                                                      __vsetgeu2,                                \
                                                                      2, U16,                                    \
                                                                      x >= y) V(__vsetgts2, 2, S16, x > y)       \
                                                                      V(__vsetgtu2, 2, U16,                      \
                                                                        x > y) V(__vsetles2, 2, S16, x <= y)     \
                                                                          V(__vsetleu2, 2, U16, x <= y) V(       \
                                                                              __vsetlts2,                        \
                                                                              2, S16,                            \
                                                                              x < y) V(__vsetltu2, 2, U16,       \
                                                                                       x < y)                    \
                                                                              V(__vseteq4, 2, S8, x == y) V(     \
                                                                                  __vsetne4, 2,                  \
                                                                                  S8, x != y)                    \
                                                                                  V(__vsetges4, 2, S8,           \
                                                                                    x >=                         \
                                                                                        y) V(__vsetgeu4, 2,      \
                                                                                             U8, x >= y)         \
                                                                                      V(__vsetgts4, 2, S8,       \
                                                                                        x > y) V(__vsetgtu4,     \
                                                                                                 2, U8,          \
                                                                                                 x > y)          \
                                                                                          V(__vsetles4, 2,       \
                                                                                            S8,                  \
                                                                                            x <=                 \
                                                                                                y) V(__vsetleu4, \
                                                                                                     2, U8,      \
                                                                                                     x <= y)     \
                                                                                              V(__vsetlts4,      \
                                                                                                2, S8,           \
                                                                                                x < y)           \
                                                                                                  V(__vsetltu4,  \
                                                                                                    2, U8,       \
                                                                                                    x < y)
#define SUMS(V) V(__vsads2, S16) V(__vsadu2, U16) V(__vsads4, S8) V(__vsadu4, U8)

#define CALL_1(name) name(a[i])
#define CALL_2(name) name(a[i], b[i])
#define KERNEL(name, count, T, expression)                                            \
  __global__ void kernel##name(const unsigned* a, const unsigned* b, unsigned* out) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                              \
    out[i] = CALL_##count(name);                                                      \
    (void)b;                                                                          \
  }
#define SUM_KERNEL(name, T) KERNEL(name, 2, T, )
OF_TWO(KERNEL)
SUMS(SUM_KERNEL)

int main() {
  constexpr int kCount = 1024;
  std::vector<unsigned> a(kCount), b(kCount);
  const unsigned edges[] = {0,          0xffffffff, 0x80008000, 0x7fff7fff,
                            0x80808080, 0x7f7f7f7f, 0x00010001, 0x01ff01ff};
  unsigned seed = 7;
  for (int i = 0; i < kCount; ++i) {
    a[i] = i < 64 ? edges[i / 8] : (seed = seed * 1664525u + 1013904223u) ^ seed >> 15;
    b[i] = i < 64 ? edges[i % 8] : (seed = seed * 1664525u + 1013904223u) ^ seed >> 13;
  }
  unsigned *da = OnDevice(a), *db = OnDevice(b), *out = OnDevice<unsigned>(kCount);
#define CHECK(name, count, T, expression)                                \
  kernel##name<<<kCount / 128, 128>>>(da, db, out);                      \
  FINISH();                                                              \
  {                                                                      \
    const auto got = FromDevice(out, kCount);                            \
    for (int i = 0; i < kCount; ++i)                                     \
      ExpectBits(#name, i, got[i], Map<T>(a[i], b[i], [](int x, int y) { \
                   (void)y;                                              \
                   return expression;                                    \
                 }));                                                    \
  }
#define CHECK_SUM(name, T)                                                                                  \
  kernel##name<<<kCount / 128, 128>>>(da, db, out);                                                         \
  FINISH();                                                                                                 \
  {                                                                                                         \
    const auto got = FromDevice(out, kCount);                                                               \
    for (int i = 0; i < kCount; ++i)                                                                        \
      ExpectBits(#name, i, got[i], Sum<T>(a[i], b[i], [](int x, int y) { return x > y ? x - y : y - x; })); \
  }
  OF_TWO(CHECK)
  SUMS(CHECK_SUM)
  CUDA(cudaFree(da));
  CUDA(cudaFree(db));
  CUDA(cudaFree(out));
  return Result();
}
// clang-format on
