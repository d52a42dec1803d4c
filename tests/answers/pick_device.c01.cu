// SPDX-License-Identifier: Apache-2.0
// mistake: multiplies multiprocessors and clock rate by the FP32 lanes that a multiprocessor of that compute
//   capability has, a throughput, where the contract's rule 2 counts cycles alone. A T4 (40 multiprocessors at 1590
//   MHz) loses to an RTX 3060 (28 at 1777 MHz), though it has more cycles.
// want: What exactly does rule 2 multiply? Compute it for a T4 and an RTX 3060: which of them wins by the rule, and
//   which by your function?
#include "pick_device.h"

static int attribute(cudaDeviceAttr what, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, what, device);
  return value;
}

// FP32 lanes of a multiprocessor
static int lanes(int device) {
  const int major = attribute(cudaDevAttrComputeCapabilityMajor, device);
  const int minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
  if (major == 7) return 64;                // Volta, Turing
  if (major == 6 && minor == 0) return 64;  // P100
  if (major == 8 && minor == 0) return 64;  // A100
  return 128;
}

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
long long cycles(int device) {
  return 1LL * attribute(cudaDevAttrMultiProcessorCount, device) * attribute(cudaDevAttrClockRate, device) *
         lanes(device);
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  int best = -1;
  bool best_is_card = false;
  long long best_cycles = 0;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    const bool is_card = !properties.integrated;
    const long long c = cycles(device);
    if (best == -1 || (is_card && !best_is_card) || (is_card == best_is_card && c > best_cycles)) {
      best = device;
      best_is_card = is_card;
      best_cycles = c;
    }
  }
  return best;
}
