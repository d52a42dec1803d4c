// SPDX-License-Identifier: Apache-2.0
// differs: C style: qsort by (bank, word) and the longest run of different words in one bank.

#include <stdlib.h>

#include "conflict_degree.h"

static int by_bank_then_word(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  if (x % 32 != y % 32) return x % 32 - y % 32;
  return (x > y) - (x < y);
}

int conflict_degree(WarpRequest request) {
  const int parts = request.element_bytes < 8 ? 1 : request.element_bytes / 4;
  const int lanes = 32 / parts;
  int worst = 1;
  for (int first = 0; first < 32; first += lanes) {
    int words[32], n = 0;
    for (int lane = first; lane < first + lanes; ++lane)
      for (int part = 0; part < parts; ++part) words[n++] = request.address[lane] / 4 + part;
    qsort(words, 32, sizeof(int), by_bank_then_word);
    for (int i = 1, run = 1; i < 32; ++i) {
      if (words[i] == words[i - 1]) continue;
      run = words[i] % 32 == words[i - 1] % 32 ? run + 1 : 1;
      if (run > worst) worst = run;
    }
  }
  return worst;
}
