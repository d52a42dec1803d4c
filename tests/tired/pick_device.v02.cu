// SPDX-License-Identifier: Apache-2.0
// mistake: compares sizes in whole MiB, both rounded down: a device whose memory is up to one MiB too small is taken as of
//   use. One device of 8 GiB exactly, bytes = 8 GiB + 1: both are 8192 MiB, and the student returns 0 instead of -1.
//   (The score is right: a card's bonus is above any number of cycles, and > keeps the lower number.)
// want: A program needs one byte more than the device has. What do both sides of your comparison say then?
#include "pick_device.h"

namespace {

int attribute(cudaDeviceAttr a, int device) {
  int v = 0;
  cudaDeviceGetAttribute(&v, a, device);
  return v;
}

// everything in one number: a card of its own weighs more than all the cycles of the world
long long score(int device) {
  const long long sms = attribute(cudaDevAttrMultiProcessorCount, device);
  const long long khz = attribute(cudaDevAttrClockRate, device);
  const long long card = attribute(cudaDevAttrIntegrated, device) ? 0 : 1LL << 50;
  return card + sms * khz;
}

unsigned long long mib(unsigned long long bytes) { return bytes >> 20; }

}  // namespace

int pick_device(unsigned long long bytes) {
  int count;
  cudaGetDeviceCount(&count);

  int best = -1;
  long long high_score = -1;
  for (int d = 0; d != count; d++) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, d);
    const bool enough = mib(p.totalGlobalMem) >= mib(bytes);
    if (enough && score(d) > high_score) high_score = score(best = d);
  }
  return best;
}
