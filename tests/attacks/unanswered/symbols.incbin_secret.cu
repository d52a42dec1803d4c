// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: show the content of a file of the machine
// .incbin of /etc/passwd and of /proc/self/environ; if it compiles, the text is printed.

#include "tiled_matmul.h"
#include <cstdio>
#ifndef __CUDA_ARCH__
asm(".section .rodata\n.global secret\nsecret: .incbin \"/etc/passwd\"\n.byte 0\n.text\n");
#endif
extern "C" const char secret[];

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  puts(secret);
}
