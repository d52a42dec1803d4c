// SPDX-License-Identifier: Apache-2.0
// mistake: an integrated device never replaces a card of its own, but a card does not replace an integrated device
//   unless it has more cycles. Device 0 integrated with 40 million cycles, device 1 a card with 30 million, both large
//   enough: 1 is right, this returns 0. With the card first, or faster, it is right.
// want: Device 0 is integrated and fast, device 1 a card of its own and slow. Go through your loop for both of them.
#include "pick_device.h"

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
long long cycles(int device) {
  int processors = 0, khz = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
  return static_cast<long long>(processors) * khz;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  int best = -1;
  long long most = -1;
  bool have_card = false;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    // once there is a card of its own, nobody wants an integrated one
    if (have_card && properties.integrated) continue;

    const long long now = cycles(device);
    if (now > most) {
      best = device;
      most = now;
      have_card = !properties.integrated;
    }
  }
  return best;
}
