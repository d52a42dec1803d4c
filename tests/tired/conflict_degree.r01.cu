// SPDX-License-Identifier: Apache-2.0
// mistake: the words of a bank are marked in 64 bits, by the number word / 32, and that number reaches 64 from
//   byte 8192 on: the shift is by 64 or more, which is undefined (on x86 it is taken modulo 64). With elements of 4
//   bytes, even lanes at address 0 and odd lanes at 8192, bank 0 has to give words 0 and 2048: 2 ways. This sets
//   bit 0 twice and says 1. Groups, wide and narrow elements and repeated words are right.
// want: How far can an address lie from the start of shared memory? Put two lanes 8 KB apart and say which bits
//   they set.
#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int bytes = request.element_bytes;
  const int together = bytes <= 4 ? 32 : 128 / bytes;

  int worst = 1;
  for (int start = 0; start != 32; start += together) {
    // one bit for each line of 32 words, so that a word which is wanted again changes nothing
    unsigned long long lines[32] = {};
    for (int lane = start; lane < start + together; ++lane) {
      const int from = request.address[lane] / 4;
      const int to = (request.address[lane] + bytes - 1) / 4;
      for (int word = from; word <= to; ++word) {
        lines[word % 32] |= 1ull << (word / 32);
      }
    }
    for (unsigned long long wanted : lines) {
      const int ways = __builtin_popcountll(wanted);
      worst = ways > worst ? ways : worst;
    }
  }
  return worst;
}
