// SPDX-License-Identifier: Apache-2.0
// exercise: pick_block_size
// verdict: not passed
// must not: grader_fault; pass
// A host exercise that sets devices that do not exist and resets them, then answers 0.

#include "pick_block_size.h"
int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) { for (int d = -2; d < 70; ++d) { cudaSetDevice(d); cudaDeviceReset(); } cudaSetDevice(1 << 30); return 0; }
