// SPDX-License-Identifier: Apache-2.0
#pragma once

// How wide can a kernel's tiles be on the current device?
//
// The kernel keeps several square tiles, as many as `arrays` says, one after another in a single extern
// __shared__ array, and has no other shared memory. A tile is T elements wide and T high; an element has
// element_bytes bytes. T must be a multiple of step. The number of threads does not limit T: a thread may
// take care of several elements.
//
// Returns the largest T for which the tiles of one block fit into its shared memory, or 0 if not even
// tiles of width `step` fit. The limit is the most shared memory that a block can have on the current
// device after opting in (a kernel opts in with cudaFuncAttributeMaxDynamicSharedMemorySize). arrays,
// element_bytes and step are 1 to 1024; the number of bytes may overflow an int.
//
// Graded:
//   - The answer is right, whichever device is current.
//   - The function runs on the host and launches no kernel (see chapters/grading.md).
int tile_for_device(int arrays, int element_bytes, int step);
