// SPDX-License-Identifier: Apache-2.0
// mistake: notes the words of a bank as bits of one 64-bit number, at word / 32. From byte 8192 on the shift is 64 or
//   more: undefined, in practice modulo 64, so that words 8 KB apart fall onto one bit and count once. Lanes 512 bytes
//   apart give 16 instead of 32.
// want: Which bit stands for address 8192 of bank 0, and which for address 0? How large may addresses be, and how many
//   rows of 32 words are that?
#include "conflict_degree.h"

typedef unsigned long long Rows;

static int bits(Rows rows) {
  int n = 0;
  for (; rows != 0; rows &= rows - 1) ++n;
  return n;
}

int conflict_degree(WarpRequest request) {
  const int size = request.element_bytes;
  const int together = size <= 4 ? 32 : 128 / size;
  const int words = size <= 4 ? 1 : size / 4;

  int degree = 1;
  for (int group = 0; group < 32; group += together) {
    // Shared memory as rows of 32 words: which rows does each bank have to give?
    Rows rows[32] = {};
    for (int lane = group; lane < group + together; ++lane) {
      const int start = request.address[lane] / 4;
      for (int word = start; word < start + words; ++word) {
        rows[word % 32] |= Rows(1) << (word / 32);
      }
    }
    for (int bank = 0; bank < 32; ++bank) {
      const int n = bits(rows[bank]);
      degree = n > degree ? n : degree;
    }
  }
  return degree;
}
