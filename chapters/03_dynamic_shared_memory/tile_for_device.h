// SPDX-License-Identifier: Apache-2.0
#pragma once

// How wide can a kernel's tiles be on the current device?
//
// The kernel keeps `arrays` square tiles in one extern __shared__ array and has no other shared memory. A
// tile is T elements wide and T high; an element has element_bytes bytes. T is a multiple of step. Blocks
// have step x step threads, whatever T is: a thread takes care of several elements, so the number of
// threads does not limit T.
//
// Returns the largest T for which one block's tiles fit into the shared memory that a block of the current
// device may have at most, the opt-in included (cudaFuncAttributeMaxDynamicSharedMemorySize of
// cudaFuncSetAttribute); 0 if not even T = step fits. arrays, element_bytes and step are 1 to 1024; a
// block's bytes may be more than an int holds.
//
// Graded:
//   - The answer is right for every device that may be current.
//   - The function runs on the host and launches no kernel (see chapters/grading.md).
int tile_for_device(int arrays, int element_bytes, int step);
