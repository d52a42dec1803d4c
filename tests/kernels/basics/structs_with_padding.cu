// SPDX-License-Identifier: Apache-2.0
// Structs are copied in words that hold the padding between their members, which nobody has written.
#include "tests/kernels/expect.h"

struct Found {
  bool found;
  long place;
};
struct Weighted {
  int id;
  double weight;
};
struct Small {
  char letter;
  short number;
  char second;
};

__global__ void fill(Found* found, Weighted* weighted, Small* small) {
  int i = threadIdx.x;
  found[i].found = i % 3 == 0;
  found[i].place = 7L * i;
  weighted[i].id = i;
  weighted[i].weight = 0.5 * i;
  small[i].letter = static_cast<char>(i);
  small[i].number = static_cast<short>(2 * i);
  small[i].second = static_cast<char>(i + 1);
}

/// Turned round by way of shared memory.
template <class T>
__global__ void reversed(const T* in, T* out) {
  __shared__ __align__(alignof(T)) char bytes[64 * sizeof(T)];
  T* staged = reinterpret_cast<T*>(bytes);
  int i = threadIdx.x;
  staged[i] = in[i];
  __syncthreads();
  out[i] = staged[63 - i];
}

int main() {
  const int n = 64;
  Found *found = OnDevice<Found>(n), *found_out = OnDevice<Found>(n);
  Weighted *weighted = OnDevice<Weighted>(n), *weighted_out = OnDevice<Weighted>(n);
  Small *small = OnDevice<Small>(n), *small_out = OnDevice<Small>(n);
  fill<<<1, n>>>(found, weighted, small);
  reversed<<<1, n>>>(found, found_out);
  reversed<<<1, n>>>(weighted, weighted_out);
  reversed<<<1, n>>>(small, small_out);
  FINISH();
  const auto f = FromDevice(found_out, n);
  const auto w = FromDevice(weighted_out, n);
  const auto s = FromDevice(small_out, n);
  for (int i = 0; i < n; ++i) {
    const int from = n - 1 - i;
    ExpectEqual("found", i, f[i].found, from % 3 == 0);
    ExpectEqual("place", i, f[i].place, 7L * from);
    ExpectEqual("id", i, w[i].id, from);
    ExpectEqual("weight", i, w[i].weight, 0.5 * from);
    ExpectEqual("number", i, s[i].number, 2 * from);
    ExpectEqual("second", i, s[i].second, from + 1);
  }
  return Result();
}
