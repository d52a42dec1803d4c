// SPDX-License-Identifier: Apache-2.0
// mistake: it takes the bytes that the system reserves in each block (1024) off the opt-in limit, which does not
//   contain them: the opt-in limit is already what the kernel may use. With 232448 bytes (227 KB), arrays = 1,
//   element_bytes = 4, step = 1 a tile of 241 takes 232324 bytes and fits; it returns 240. Right where the last KB
//   makes no difference, as with step = 32 in this case (224), or where nothing is reserved. The search by halves is
//   right.
// want: You take something off the limit. Is the device's number before or after that? The contract says what a block
//   may have at most: compare it with the table in the programming guide.
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device;
  cudaGetDevice(&device);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);

  // The system keeps some of it in every block for itself.
  const unsigned long long available = prop.sharedMemPerBlockOptin - prop.reservedSharedMemPerBlock;

  const auto bytes = [&](unsigned long long tile) { return tile * tile * arrays * element_bytes; };

  // lo steps fit, hi steps do not
  int lo = 0;
  int hi = 4096 / step + 1;
  while (hi - lo > 1) {
    const int mid = lo + (hi - lo) / 2;
    if (bytes(1ull * mid * step) <= available) {
      lo = mid;
    } else {
      hi = mid;
    }
  }
  return lo * step;
}
