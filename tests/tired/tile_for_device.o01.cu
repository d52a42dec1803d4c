// SPDX-License-Identifier: Apache-2.0
// mistake: it asks device 0, not the current one. After cudaSetDevice(1), where device 1 has another opt-in limit, the
//   answer is device 0's: with arrays = 2, element_bytes = 4, step = 1, and opt-in limits of 101376 bytes (device 0)
//   and 232448 bytes (device 1, current), it returns 112 instead of 170. On a machine with one device, or while device
//   0 is current, all is right. The division step by step, the limit of 1024 and the loop downwards are right.
// want: The arithmetic is right. Whose shared memory is it that you ask for, and what does the contract say of the
//   device?
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  const int device = 0;
  int limit = 0;
  cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  // elements that one tile may have
  const int elements = limit / arrays / element_bytes;

  // from above, so that the first one that fits is the largest
  for (int tile = 1024 / step * step; tile > 0; tile -= step) {
    if (tile * tile <= elements) return tile;
  }
  return 0;
}
