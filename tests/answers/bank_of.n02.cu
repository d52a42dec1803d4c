// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) lets successive elements lie in successive banks whatever their size (adds the element index to the
//   base's word); only right for 4 bytes. (2) count is element_bytes / 4, which is 0 for 1 and 2 bytes.
// want: Four elements of 1 byte: in how many words do they lie, and so in which banks? And one of 8 bytes: where does the
//   next one start? Compute the byte address first. (Then: can an element lie in 0 banks?)
#include "bank_of.h"

static const int kBanks = 32;
static const int kWord = 4;

Banks bank_of(SharedArray a, int row, int column) {
  const int base_word = a.base / kWord;
  const int index = row * a.pitch + column;

  // One step to the right is one bank further, after bank 31 comes 0 again.
  int bank = base_word + index;
  bank = bank % kBanks;

  const int words = a.element_bytes / kWord;
  return Banks{bank, words};
}
