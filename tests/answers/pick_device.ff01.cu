// SPDX-License-Identifier: Apache-2.0
// mistake: integrated devices are passed over as soon as the machine has any card of its own, even if none of
//   the cards has enough memory. Device 0 a card with 8 GiB, device 1 integrated with 64 GiB, 20 GiB wanted: the
//   answer should be 1 and is -1.
// want: Among which devices does the contract prefer a card of its own? Think of a machine whose only card is too
//   small.
#include "pick_device.h"

#include <vector>

static int attribute(cudaDeviceAttr what, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, what, device);
  return value;
}

long long cycles(int device) {
  return 1LL * attribute(cudaDevAttrMultiProcessorCount, device) * attribute(cudaDevAttrClockRate, device);
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  std::vector<cudaDeviceProp> properties(count);
  bool have_card = false;
  for (int d = 0; d < count; ++d) {
    cudaGetDeviceProperties(&properties[d], d);
    have_card = have_card || !properties[d].integrated;
  }

  int best = -1;
  // backwards, with >=, so that of equals the lower number stays
  for (int d = count - 1; d >= 0; --d) {
    if (have_card && properties[d].integrated) continue;
    if (properties[d].totalGlobalMem < bytes) continue;
    if (best == -1 || cycles(d) >= cycles(best)) best = d;
  }
  return best;
}
