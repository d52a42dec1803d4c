// SPDX-License-Identifier: Apache-2.0
// Integer division and remainder by variables and constants, 64-bit products, high halves, saturation of
// conversions, shifts by 32 and more.
#include <algorithm>
#include <type_traits>

#include "tests/kernels/expect.h"

template <class T>
__global__ void divide(const T* a, const T* b, T* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i * 6] = a[i] / b[i];
  out[i * 6 + 1] = a[i] % b[i];
  out[i * 6 + 2] = a[i] / 7;
  out[i * 6 + 3] = a[i] % 10;
  out[i * 6 + 4] = a[i] * b[i];
  out[i * 6 + 5] = a[i] - b[i] * 3;
}

template <class T>
void TestDivision(const char* name, const std::vector<T>& a, const std::vector<T>& b) {
  const int count = static_cast<int>(a.size());
  T *da = OnDevice(a), *db = OnDevice(b), *out = OnDevice<T>(count * 6);
  divide<<<(count + 63) / 64, 64>>>(da, db, out, count);
  FINISH();
  auto results = FromDevice(out, count * 6);
  for (int i = 0; i < count; ++i) {
    using U = std::make_unsigned_t<T>;
    const T wanted[] = {T(a[i] / b[i]),
                        T(a[i] % b[i]),
                        T(a[i] / 7),
                        T(a[i] % 10),
                        T(U(1ull * U(a[i]) * U(b[i]))),
                        T(U(1ull * U(a[i]) - 3ull * U(b[i])))};
    for (int k = 0; k < 6; ++k)
      ExpectBits(name, i * 6 + k, static_cast<U>(results[i * 6 + k]), static_cast<U>(wanted[k]));
  }
}

__global__ void high_parts(const int* a, const int* b, unsigned long long* out) {
  int i = threadIdx.x;
  unsigned ua = a[i], ub = b[i];
  long long wide = static_cast<long long>(a[i]) << 31 ^ b[i],
            other = static_cast<long long>(b[i]) * 77777777777ll;
  unsigned long long* to = out + i * 9;
  to[0] = static_cast<unsigned>(__mulhi(a[i], b[i]));
  to[1] = __umulhi(ua, ub);
  to[2] = static_cast<unsigned long long>(__mul64hi(wide, other));
  to[3] = __umul64hi(wide, other);
  to[4] = static_cast<unsigned long long>(static_cast<long long>(a[i]) * b[i]);
  to[5] = static_cast<unsigned>(__float2int_rz(a[i] * 1e6f));
  to[6] = static_cast<unsigned>(static_cast<int>(__dadd_rn(a[i], 0.5)));
  to[7] = static_cast<unsigned>(abs(a[i]) + min(a[i], b[i]) - max(a[i], 17));
  to[8] = __sad(a[i], b[i], 5u) ^ __uhadd(ua, ub);
}

int main() {
  const int count = 128;
  std::vector<int> a = Integers(count, 5), b = Integers(count, 6);
  a[0] = INT32_MIN, b[0] = 3, a[1] = INT32_MAX, b[1] = -1, a[2] = -7, b[2] = 2;
  for (int& value : b)
    value = value == 0 ? 1 : value % 1000 == 0 ? 13 : value % 5 == 0 ? value % 1000 : value;
  TestDivision("int", a, b);
  TestDivision("unsigned", std::vector<unsigned>(a.begin(), a.end()),
               std::vector<unsigned>(b.begin(), b.end()));
  std::vector<long long> la, lb;
  std::vector<unsigned long long> ua, ub;
  for (int i = 0; i < count; ++i) {
    la.push_back(a[i] * 12345678901ll), lb.push_back(i % 3 ? b[i] : b[i] * 1234567ll);
    ua.push_back(la[i]), ub.push_back(lb[i]);
  }
  TestDivision("long long", la, lb);
  TestDivision("unsigned long long", ua, ub);
  std::vector<short> sa(a.begin(), a.end()), sb;
  for (int i = 0; i < count; ++i) sb.push_back(static_cast<short>(i % 50 + 1));
  TestDivision("short", sa, sb);
  int *da = OnDevice(a), *db = OnDevice(b);
  unsigned long long* out = OnDevice<unsigned long long>(count * 9);
  high_parts<<<1, count>>>(da, db, out);
  FINISH();
  auto parts = FromDevice(out, count * 9);
  for (int i = 0; i < count; ++i) {
    const unsigned ui = a[i], uj = b[i];
    const long long wide =
        static_cast<long long>(static_cast<unsigned long long>(static_cast<long long>(a[i])) << 31) ^ b[i];
    const long long other = b[i] * 77777777777ll;
    const float product = a[i] * 1e6f;
    const unsigned wanted_rz = product >= 2147483647.0f    ? INT32_MAX
                               : product <= -2147483648.0f ? INT32_MIN
                                                           : static_cast<int>(product);
    const double half = a[i] + 0.5;
    const unsigned wanted_half = half >= 2147483647.0 ? INT32_MAX : static_cast<int>(half);
    const unsigned difference = a[i] > b[i] ? ui - uj : uj - ui;
    const unsigned magnitude = a[i] < 0 ? 0u - ui : ui;
    const unsigned long long wanted[] = {
        static_cast<unsigned>(static_cast<long long>(a[i]) * b[i] >> 32),
        1ull * ui * uj >> 32,
        static_cast<unsigned long long>(static_cast<__int128>(wide) * other >> 64),
        static_cast<unsigned long long>(
            static_cast<unsigned __int128>(static_cast<unsigned long long>(wide)) *
                static_cast<unsigned long long>(other) >>
            64),
        static_cast<unsigned long long>(static_cast<long long>(a[i]) * b[i]),
        wanted_rz,
        wanted_half,
        magnitude + static_cast<unsigned>(std::min(a[i], b[i])) - static_cast<unsigned>(std::max(a[i], 17)),
        (difference + 5u) ^ static_cast<unsigned>((1ull * ui + uj) >> 1)};
    for (int k = 0; k < 9; ++k) ExpectBits("part", i * 9 + k, parts[i * 9 + k], wanted[k]);
  }
  return Result();
}
