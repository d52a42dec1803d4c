// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) Puts every second (fourth) lane into a group instead of 16 (8) consecutive ones: doubles side by side
//   give 2 instead of 1, elements of 16 bytes side by side 4 instead of 1. (2) Tells wishes apart by address instead of
//   by word: with elements of 1 byte, lanes at bytes 0, 1, 2 and 3 count as four words; 32 bytes side by side give 4
//   instead of 1.
// want: Elements of 8 bytes: which lanes are served first according to the contract, and which are in your first group?
//   And elements of 1 byte at 0 and at 1: do these lanes want different words?
#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  // Wide elements need several turns.
  int turns = 1;
  if (request.element_bytes == 8) turns = 2;
  if (request.element_bytes == 16) turns = 4;

  const int banks_each = request.element_bytes <= 4 ? 1 : request.element_bytes / 4;

  int worst = 1;
  for (int turn = 0; turn < turns; ++turn) {
    int load[32] = {0};
    for (int lane = turn; lane < 32; lane += turns) {
      const int a = request.address[lane];

      // did a lane of this turn ask for it already?
      bool asked = false;
      for (int other = turn; other < lane; other += turns) {
        if (request.address[other] == a) asked = true;
      }
      if (asked) continue;

      for (int b = 0; b < banks_each; ++b) {
        ++load[(a / 4 + b) % 32];
      }
    }
    for (int b = 0; b < 32; ++b) {
      if (load[b] > worst) worst = load[b];
    }
  }
  return worst;
}
