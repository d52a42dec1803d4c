// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: hang; grader_fault
// #include of /dev/stdin, /dev/tty, /proc/self/fd/0, /dev/random.

#include "tiled_matmul.h"
#if __has_include("/dev/tty")
#include "/dev/tty"
#endif
#include "/dev/stdin"
#include "/proc/self/fd/0"
#include "/dev/urandom"

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
