// SPDX-License-Identifier: Apache-2.0
// mistake: the row is reduced modulo 32 before the address is computed. 32 rows are 32 * pitch * element_bytes bytes,
//   a multiple of 128 only where pitch * element_bytes is a multiple of 4. For {base 0, element_bytes 1, width 32,
//   pitch 33} element [32][0] starts at byte 1056, word 264, bank 8; the code says bank 0. The count (last bank minus
//   first bank plus one) is right, since elements are aligned and never run past bank 31.
// want: After how many rows does the pattern of banks repeat when elements have 1 byte and pitch is 33? Compute the
//   bank of [0][0] and of [32][0] by hand.
#include "bank_of.h"

namespace {
constexpr int kBanks = 32;
constexpr int kWord = 4;

int bank_of_byte(int byte) { return byte / kWord % kBanks; }
}  // namespace

Banks bank_of(SharedArray array, int row, int column) {
  const auto [base, size, width, pitch] = array;
  (void)width;  // only pitch counts

  // The pattern of banks is periodic in the rows, so that small numbers are enough.
  const int r = row % kBanks;
  const int begin = base + (r * pitch + column) * size;
  const int end = begin + size - 1;  // its last byte

  const int first = bank_of_byte(begin);
  const int last = bank_of_byte(end);
  return {first, last - first + 1};
}
