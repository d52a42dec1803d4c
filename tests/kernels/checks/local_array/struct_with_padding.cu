// SPDX-License-Identifier: Apache-2.0
// clean
// A struct is copied whole, with the padding that nobody writes.
#include "tests/kernels/expect.h"

struct Item {
  char tag;
  double weight;
  short rank;
};

__global__ void k(const int* in, double* out) {
  Item items[4];
  for (int i = 0; i < 4; ++i) {
    items[(in[i] + i) & 3].tag = 'a';
    items[(in[i] + i) & 3].weight = i;
    items[(in[i] + i) & 3].rank = 1;
  }
  const Item copy = items[in[0] & 3];
  items[in[1] & 3] = copy;
  out[threadIdx.x] = items[in[1] & 3].weight + items[in[1] & 3].rank;
}

int main() {
  k<<<1, 32>>>(OnDevice(std::vector<int>(4)), OnDevice<double>(32));
  FINISH();
  return 0;
}
