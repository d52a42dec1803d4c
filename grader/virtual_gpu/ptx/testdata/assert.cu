// SPDX-License-Identifier: Apache-2.0
#include <cassert>
__global__ void as(int* x) {
  assert(x[0] > 3 && "message");
  x[1] = 2;
}
