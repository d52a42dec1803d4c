// SPDX-License-Identifier: Apache-2.0
// differs: a square root, put right by whole numbers; no loop over tiles. Windows line ends.

#include <cmath>
#include <cstdint>

#include "tile_for_device.h"

static std::int64_t whole_root(std::int64_t value) {
  std::int64_t root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(value)));
  for (; root * root > value; --root) {}
  for (; (root + 1) * (root + 1) <= value; ++root) {}
  return root;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  int device, bytes;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  if (cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess) return 0;
  const std::int64_t elements = bytes / (static_cast<std::int64_t>(arrays) * element_bytes);
  const std::int64_t root = whole_root(elements);
  return static_cast<int>(root - root % step);
}
