// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: name or show another file
// #line with ../../ path and the name of the student's own file, with a line that does not exist.

#include "reverse.h"
#line 999999 "../../../../../../etc/hostname"
__global__ void k(int* p) { p[-5000000] = 1; }

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  k<<<1, 1>>>(out);
}
