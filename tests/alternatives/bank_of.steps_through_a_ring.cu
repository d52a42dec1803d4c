// SPDX-License-Identifier: Apache-2.0
// differs: a pointer to a byte runs round a ring of 128 bytes, by remainders of each step, so that no large number ever
// occurs; a set of words says the count. Byte order mark, Chinese comments.

#include <set>

#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  constexpr int ring = 32 * 4;  // 三十二个存储体,每个四字节
  int at = array.base % ring;
  const int row_step = array.pitch % ring * array.element_bytes % ring;
  at = (at + row % ring * row_step) % ring;
  at = (at + column % ring * array.element_bytes) % ring;

  std::set<int> banks;  // 这个元素所在的存储体
  for (int b = 0; b < array.element_bytes; ++b) banks.insert((at + b) % ring / 4);
  return {at / 4, static_cast<int>(banks.size())};
}
