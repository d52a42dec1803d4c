// SPDX-License-Identifier: Apache-2.0
// Arguments by value of all sizes and alignments, an array in a struct that is indexed at run time, and
// enough of them to fill most of the 4 KB of parameter space.
#include "tests/kernels/expect.h"

struct Coefficients {
  char tag;
  double weight;
  short offsets[5];
  float4 colour;
};
struct Table {
  int values[500];
};

__global__ void use_all(bool flag, Coefficients c, char small, long long wide, Table table, float3 v,
                        float* out) {
  const int i = threadIdx.x;
  out[i] = (flag ? 1.0f : 0.0f) + c.tag + static_cast<float>(c.weight) + c.offsets[i % 5] + c.colour.w +
           small + static_cast<float>(wide) + table.values[i * 7 % 500] + v.z;
}

int main() {
  Coefficients c = {3, 0.25, {10, 20, 30, 40, 50}, {0, 0, 0, 0.5f}};
  Table table;
  for (int i = 0; i < 500; ++i) table.values[i] = i * 3;
  float* out = OnDevice<float>(96);
  use_all<<<1, 96>>>(true, c, -5, 1000, table, make_float3(0, 0, 7), out);
  FINISH();
  const auto got = FromDevice(out, 96);
  for (int i = 0; i < 96; ++i)
    ExpectEqual("out", i, got[i], 1 + 3 + 0.25f + 10 * (i % 5 + 1) + 0.5f - 5 + 1000 + i * 7 % 500 * 3 + 7);
  return Result();
}
