// SPDX-License-Identifier: Apache-2.0
// mistake: The properties are those of device 0, not of the current device. Where device 1 is current and has another
//   opt-in limit, the answer is device 0's: with 232448 bytes on device 0 and 101376 on device 1, arrays = 2,
//   element_bytes = 4, step = 16: 160 instead of 112. The closed form with the square root is right.
// want: A computer may have several devices. Which one do you ask?
#include "tile_for_device.h"

#include <cmath>

int tile_for_device(int arrays, int element_bytes, int step) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);

  // arrays * T * T * element_bytes <= available, so T * T <= available / (arrays * element_bytes)
  const long long per_place = 1LL * arrays * element_bytes;
  const long long places = (long long)prop.sharedMemPerBlockOptin / per_place;

  long long t = (long long)std::sqrt((double)places);
  while (t * t > places) --t;
  while ((t + 1) * (t + 1) <= places) ++t;

  return (int)(t / step * step);
}
