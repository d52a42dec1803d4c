// SPDX-License-Identifier: Apache-2.0
// differs: walks over the bytes of the element and notes the bank of each in a std::bitset. Windows line ends.

#include <bitset>

#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const long long start = array.base + (static_cast<long long>(row) * array.pitch + column) * array.element_bytes;
  const auto bank = [](long long byte) { return static_cast<int>(byte % 128 / 4); };
  std::bitset<32> touched;
  for (long long byte = start; byte < start + array.element_bytes; ++byte) touched.set(bank(byte));
  return Banks{bank(start), static_cast<int>(touched.count())};
}
