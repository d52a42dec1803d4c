// SPDX-License-Identifier: Apache-2.0
#pragma once

// On which of this machine's CUDA devices should a program run that needs `bytes` bytes of device memory?
//
// Returns the device's number, as cudaSetDevice takes it. Only a device with at least `bytes` bytes of memory
// in total is of use; where there is none, the answer is -1. Among those of use
//   1. a card of its own is better than an integrated device, which shares the host's memory;
//   2. then the more cycles its multiprocessors have in a second the better: their number times the clock
//      rate. That is a rule of thumb and no throughput: an RTX 3060's multiprocessor has 128 FP32 lanes, a
//      T4's has 64;
//   3. then the lower number.
// From one to eight devices are present. Nothing is launched.
int pick_device(unsigned long long bytes);
