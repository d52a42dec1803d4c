// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: HTML or terminal markup that takes effect
// Names and asserts with HTML, quotes and format characters: <img onerror>, %n%s, {0}.

#include "coarsened_reduction.h"
#include <cassert>
#include <cstdio>
__global__ void k(float* p) { printf("<img src=x onerror=alert(1)> %%n%%s%%n {0} ${HOME} `id` $(id)\n"); assert(p == 0 && "</code><script>alert(1)</script> %n%s {0}"); }

void coarsened_reduction(const float* input, float* output, int length) {
  k<<<1, 1>>>(output);
}
