// SPDX-License-Identifier: Apache-2.0
#pragma once

// How wide may a kernel's tiles be on the current device?
//
// The kernel keeps `arrays` square tiles in one extern __shared__ array. Each tile is T elements wide and T
// high; an element has element_bytes bytes. Its blocks have step x step threads, whatever T is, and each
// thread takes care of several elements: so T has to be a multiple of step, and the number of threads does
// not limit it.
//
// Returns the largest T for which one block's tiles fit into the shared memory that a block of the current
// device may have at most, the opt-in of cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize)
// included; 0 where not even T = step fits. arrays, element_bytes and step are 1 to 1024; a block's bytes may
// be more than an int holds. The kernel has no other shared memory. Nothing is launched.
int tile_for_device(int arrays, int element_bytes, int step);
