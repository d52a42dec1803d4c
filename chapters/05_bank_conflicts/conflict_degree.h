// SPDX-License-Identifier: Apache-2.0
#pragma once

// One instruction of one warp that reads shared memory: each of the 32 lanes reads one element.
struct WarpRequest {
  int element_bytes;  // 1, 2, 4, 8 or 16: the same for all lanes
  int address[32];    // of each lane's element, in bytes; a multiple of element_bytes
};

// How many ways does this request conflict? Within the lanes that are served together it is the number of
// different 4-byte words that they want from one bank, for the bank from which they want most. 1 means no
// conflict, 8 an 8-way conflict.
//
// Elements of 4 bytes and less are served for all 32 lanes together, elements of 8 bytes for one half of the
// warp after the other (lanes 0 to 15, 16 to 31), elements of 16 bytes for one quarter after the other (lanes
// 0 to 7, 8 to 15, ...). The answer is that of the worst of these groups. A host function: it launches no
// kernel.
int conflict_degree(WarpRequest request);
