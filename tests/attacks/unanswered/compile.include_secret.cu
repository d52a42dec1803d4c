// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: show the content of files of the machine in messages
// #include of /etc/passwd, /proc/self/environ, /proc/1/cmdline: the compiler quotes the lines it cannot read.

#include "tiled_matmul.h"
#include "/etc/passwd"
#include "/proc/self/environ"
#include "/proc/1/cmdline"

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
