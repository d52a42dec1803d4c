// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: memory is compared in whole MiB, both rounded down, so that a need of up to 1 MiB more than a device has
//   passes: a device of 8589934592 bytes, and 8589934593 wanted: -1 where it is the only one of use; this takes it. And
//   where there is only one device its memory is not looked at: one device of 8 GiB, and 1 TiB wanted: -1; this says 0.
// want: A machine has one device of 8 GiB, and the program needs a terabyte. What does the header want returned, and which line
//   of yours answers?
#include "pick_device.h"

#include <tuple>
#include <utility>

namespace {

struct Device {
  int number = -1;
  bool own_card = false;
  long long cycles = 0;

  bool better_than(const Device& o) const {
    return std::make_tuple(own_card, cycles, -number) > std::make_tuple(o.own_card, o.cycles, -o.number);
  }
};

unsigned long long mebibytes(unsigned long long bytes) { return bytes >> 20; }

}  // namespace

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return -1;
  if (count == 1) return 0;  // no choice

  Device best;
  for (int d = 0; d < count; ++d) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, d);
    if (mebibytes(p.totalGlobalMem) < mebibytes(bytes)) continue;

    int khz = 0;
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, d);

    Device candidate;
    candidate.number = d;
    candidate.own_card = !p.integrated;
    candidate.cycles = static_cast<long long>(p.multiProcessorCount) * khz;
    if (best.number < 0 || candidate.better_than(best)) best = candidate;
  }
  return best.number;
}
