// SPDX-License-Identifier: Apache-2.0
// mistake: finds repeated words only when they follow each other: compares with the last word counted in this bank
//   instead of with all of them (0, 128, 0, 128, ... counts 32 instead of 2).
// want: Lanes read the addresses 0, 128, 0, 128, ...: how many different words are those? With which earlier words do
//   you compare each?
#include "conflict_degree.h"

// Different words of one bank that the lanes from `from` to before `to` want.
static int wanted(const WarpRequest& r, int from, int to, int bank) {
  int n = 0;
  int seen = -1;
  for (int lane = from; lane < to; ++lane) {
    const int first_word = r.address[lane] / 4;
    const int last_word = (r.address[lane] + r.element_bytes - 1) / 4;
    for (int word = first_word; word <= last_word; ++word) {
      if (word % 32 == bank && word != seen) {
        seen = word;
        n++;
      }
    }
  }
  return n;
}

int conflict_degree(WarpRequest request) {
  int together = 32;
  if (request.element_bytes == 8) together = 16;
  if (request.element_bytes == 16) together = 8;

  int degree = 1;
  for (int from = 0; from < 32; from += together) {
    for (int bank = 0; bank < 32; bank++) {
      const int w = wanted(request, from, from + together, bank);
      degree = w > degree ? w : degree;
    }
  }
  return degree;
}
