// SPDX-License-Identifier: Apache-2.0
// mistake: The word of the base and the words of the offset are each rounded down before they are added, so that
//   the bytes left over on both sides never carry into the next word. base 3, element_bytes 1, row 0, column 1:
//   byte 4 is in bank 1, the answer says bank 0. (base 2, element_bytes 2, column 1 likewise.)
// want: Take single bytes, and an array that starts at byte 3. In which word does its element [0][1] lie, and what
//   does each of your two divisions make of it?
#include "bank_of.h"

namespace {
constexpr int kWord = 4;
constexpr int kBanks = 32;

// whole words in that many bytes
int words(int bytes) { return bytes / kWord; }
}  // namespace

Banks bank_of(SharedArray array, int row, int column) {
  Banks b;

  // how many elements lie in front of this one, used or not
  const int before = row * array.pitch + column;

  // word in which the array starts, and from there on
  const int start = words(array.base);
  const int along = words(before * array.element_bytes);

  b.first = (start + along) & (kBanks - 1);
  b.count = (array.element_bytes + kWord - 1) / kWord;  // 1, 1, 1, 2, 4
  return b;
}
