// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program needs `bytes` bytes of device memory. The machine has one to eight CUDA devices. Which of them
// should the program run on?
//
// Returns the number to pass to cudaSetDevice, counted from 0. Only devices with at least `bytes` bytes of
// memory in total can be used; returns -1 if there are none. If several can be used, choose by rule 1;
// break ties by rule 2, and any that remain by rule 3:
//
//   1. A discrete card is better than an integrated device, which shares the host's memory.
//   2. A larger product of multiprocessors and clock rate is better.
//   3. A lower device number is better.
//
// (Rule 2 is only a rule of thumb. It does not measure throughput: a multiprocessor of an RTX 3060 has 128
// FP32 lanes, one of a T4 has 64.)
//
// Graded:
//   - The right device is chosen on every machine and for every `bytes`.
//   - The function runs on the host and launches no kernel (see chapters/grading.md).
int pick_device(unsigned long long bytes);
