// SPDX-License-Identifier: Apache-2.0
// A reduction of each warp by __shfl_down_sync, of all lanes by __shfl_xor_sync, with sub-warp widths, for
// int, float, double and long long; and a broadcast and a rotation.
#include "tests/kernels/expect.h"

template <class T>
__device__ T warp_sum(T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

template <class T>
__global__ void shuffle_all(const T* in, T* sums, T* all, T* quarter, T* rotated, T* below) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const T value = in[i];
  const T sum = warp_sum(value);
  if (lane == 0) sums[i / 32] = sum;
  T everywhere = value;
  for (int mask = 16; mask > 0; mask /= 2) everywhere += __shfl_xor_sync(0xffffffffu, everywhere, mask);
  all[i] = everywhere;
  T part = value;
  for (int offset = 4; offset > 0; offset /= 2) part += __shfl_down_sync(0xffffffffu, part, offset, 8);
  quarter[i] = __shfl_sync(0xffffffffu, part, 0, 8);
  rotated[i] = __shfl_sync(0xffffffffu, value, lane + 5);
  below[i] = __shfl_up_sync(0xffffffffu, value, 3, 16);
}

template <class T>
void Test(const char* name) {
  const int count = 192;
  std::vector<T> in;
  for (float value : Eighths(count, 21)) in.push_back(static_cast<T>(value));
  T *din = OnDevice(in), *sums = OnDevice<T>(count / 32), *all = OnDevice<T>(count),
    *quarter = OnDevice<T>(count), *rotated = OnDevice<T>(count), *below = OnDevice<T>(count);
  shuffle_all<<<2, 96>>>(din, sums, all, quarter, rotated, below);
  FINISH();
  const auto s = FromDevice(sums, count / 32), a = FromDevice(all, count), q = FromDevice(quarter, count),
             r = FromDevice(rotated, count), b = FromDevice(below, count);
  for (int i = 0; i < count; ++i) {
    const int warp = i / 32 * 32, eight = i / 8 * 8;
    T sum = 0, part = 0;
    for (int k = 0; k < 32; ++k) sum += in[warp + k];
    for (int k = 0; k < 8; ++k) part += in[eight + k];
    ExpectEqual(name, i, s[i / 32], sum);
    ExpectEqual(name, i, a[i], sum);
    ExpectEqual(name, i, q[i], part);
    ExpectEqual(name, i, r[i], in[warp + (i + 5) % 32]);
    ExpectEqual(name, i, b[i], i % 16 < 3 ? in[i] : in[i - 3]);
  }
}

int main() {
  Test<int>("int");
  Test<unsigned>("unsigned");
  Test<float>("float");
  Test<double>("double");
  Test<long long>("long long");
  return Result();
}
