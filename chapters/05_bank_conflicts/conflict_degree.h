// SPDX-License-Identifier: Apache-2.0
#pragma once

// How bad is the bank conflict of one warp's request to shared memory: 2-way, 8-way, or is there none?
// Each of the 32 lanes reads one element.
//
// Lanes that are served together form a group. They conflict if they need different 4-byte words in the
// same bank. The group's degree is the largest number of different words that it needs from any one bank:
// 1 means no conflict, 8 an 8-way conflict. Returns the degree of the worst group. The groups are:
//
//   elements of 1, 2 or 4 bytes   one group: lanes 0 to 31
//   elements of 8 bytes           two groups: lanes 0 to 15, 16 to 31
//   elements of 16 bytes          four groups: lanes 0 to 7, 8 to 15, 16 to 23, 24 to 31
//
// Graded:
//   - The degree is right for every request.
//   - The function runs on the host and launches no kernel (see chapters/grading.md).

// One instruction of one warp that reads shared memory.
struct WarpRequest {
  int element_bytes;  // 1, 2, 4, 8 or 16: the same for all lanes
  int address[32];    // byte address of each lane's element, a multiple of element_bytes
};

int conflict_degree(WarpRequest request);
