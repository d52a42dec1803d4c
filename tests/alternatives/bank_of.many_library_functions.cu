// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer that goes by way of many harmless functions of the C and C++ libraries: bsearch, lrint,
// frexp, ldexp, ilogb, remainder, memmove, memchr, strtod, std::mt19937, std::llround, std::lcm, std::from_chars.

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>

#include "bank_of.h"

static int compare(const void* a, const void* b) {
  const int x = *static_cast<const int*>(a), y = *static_cast<const int*>(b);
  return (x > y) - (x < y);
}

Banks bank_of(SharedArray array, int row, int column) {
  long long byte = array.base + (1LL * row * array.pitch + column) * array.element_bytes;
  byte %= std::lcm(32, 128);  // 128: once round all banks
  const int word = static_cast<int>(std::lrint(std::floor(std::ldexp(static_cast<double>(byte), -2))));

  int sorted[32];
  std::iota(sorted, sorted + 32, 0);
  int copy[32];
  std::memmove(copy, sorted, sizeof copy);
  const int* const found = static_cast<const int*>(std::bsearch(&word, copy, 32, sizeof(int), compare));

  int exponent = 0;
  std::frexp(array.element_bytes, &exponent);  // 1, 2, 4, 8, 16 give 1 to 5
  const char counts[] = "11124";
  int count = 0;
  std::from_chars(counts + exponent - 1, counts + exponent, count);

  // None of these changes anything.
  std::mt19937 random(1);
  count += static_cast<int>(random() * 0ull) + (__builtin_ctz(array.element_bytes) - std::ilogb(array.element_bytes));
  count += static_cast<int>(std::llround(std::remainder(64.0, 32.0))) + static_cast<int>(std::strtod("0.0", nullptr));
  count += std::memchr(counts, '9', 5) != nullptr;
  return {static_cast<int>(found - copy), count};
}
