// SPDX-License-Identifier: Apache-2.0
// Operations that the hardware lacks, by loops around atomicCAS: multiplication, a float maximum, double
// addition by hand, a saturating counter, 16-bit compare-and-swap.
#include "tests/kernels/expect.h"

__device__ void atomic_multiply(unsigned* address, unsigned factor) {
  unsigned seen = *address, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(address, assumed, assumed * factor);
  } while (seen != assumed);
}

__device__ void atomic_max(float* address, float value) {
  int* as_int = reinterpret_cast<int*>(address);
  int seen = *as_int;
  while (__int_as_float(seen) < value) {
    const int assumed = seen;
    seen = atomicCAS(as_int, assumed, __float_as_int(value));
    if (seen == assumed) break;
  }
}

__device__ void atomic_add(double* address, double value) {
  unsigned long long* as_long = reinterpret_cast<unsigned long long*>(address);
  unsigned long long seen = *as_long, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(as_long, assumed, __double_as_longlong(__longlong_as_double(assumed) + value));
  } while (seen != assumed);
}

__device__ bool take_below(int* counter, int limit) {
  int seen = atomicAdd(counter, 0);
  while (seen < limit) {
    const int assumed = seen;
    seen = atomicCAS(counter, assumed, assumed + 1);
    if (seen == assumed) return true;
  }
  return false;
}

__global__ void loops(unsigned* product, float* most, double* sum, int* counter, int* taken,
                      unsigned short* small) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomic_multiply(product, 2 * i + 1);
  atomic_max(most, static_cast<float>((i * 37) % 101));
  atomic_add(sum, i * 0.5);
  if (take_below(counter, 50)) atomicAdd(taken, 1);
  unsigned short seen = 0, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(small, assumed, static_cast<unsigned short>(assumed + 1));
  } while (seen != assumed);
}

int main() {
  unsigned* product = OnDevice(std::vector<unsigned>{1});
  float* most = OnDevice(std::vector<float>{-1});
  double* sum = OnDevice(std::vector<double>{0});
  int *counter = OnDevice(std::vector<int>{0}), *taken = OnDevice(std::vector<int>{0});
  unsigned short* small = OnDevice(std::vector<unsigned short>{0, 7});
  const int count = 128;
  loops<<<2, 64>>>(product, most, sum, counter, taken, small);
  FINISH();
  unsigned wanted = 1;
  for (int i = 0; i < count; ++i) wanted *= 2 * i + 1;
  ExpectEqual("product", 0, FromDevice(product, 1)[0], wanted);
  ExpectEqual("most", 0, FromDevice(most, 1)[0], 100.0f);
  ExpectEqual("sum", 0, FromDevice(sum, 1)[0], 0.5 * count * (count - 1) / 2);
  ExpectEqual("counter", 0, FromDevice(counter, 1)[0], 50);
  ExpectEqual("taken", 0, FromDevice(taken, 1)[0], 50);
  ExpectEqual("small", 0, FromDevice(small, 2)[0], count);
  ExpectEqual("small", 1, FromDevice(small, 2)[1], 7);
  return Result();
}
