// SPDX-License-Identifier: Apache-2.0
// mistake: count = element_bytes / 4 is 0 for elements of 1 and 2 bytes; these lie in one bank, too.
// want: A char lies somewhere: in how many banks? What does 1 / 4 give for ints?
#include "bank_of.h"

static const int kWord = 4;
static const int kBanks = 32;

Banks bank_of(SharedArray array, int row, int column) {
  Banks banks;
  const int byte = array.base + (row * array.pitch + column) * array.element_bytes;
  banks.first = (byte / kWord) % kBanks;
  banks.count = array.element_bytes / kWord;  // float 1, double 2, float4 4
  return banks;
}
