// SPDX-License-Identifier: Apache-2.0
// Device functions that are called and not inlined: structs by value and by reference, several results.
#include "tests/kernels/expect.h"

struct Vec3 {
  float x, y, z;
  __host__ __device__ float dot(const Vec3& other) const { return x * other.x + y * other.y + z * other.z; }
};

__device__ __noinline__ Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

__device__ __noinline__ void min_and_max(const float* values, int count, float& least, float& most) {
  least = most = values[0];
  for (int i = 1; i < count; ++i) {
    least = fminf(least, values[i]);
    most = fmaxf(most, values[i]);
  }
}

__device__ __noinline__ long long weigh(char a, short b, int c, long long d, float e, double f) {
  return a + 2ll * b + 3ll * c + 4 * d + static_cast<long long>(e) + static_cast<long long>(f);
}

__global__ void call_all(const Vec3* a, const Vec3* b, Vec3* crossed, float* dots, float2* range,
                         long long* weights, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  crossed[i] = cross(a[i], b[i]);
  dots[i] = a[i].dot(b[i]);
  float least, most;
  min_and_max(&a[i].x, 3, least, most);
  range[i] = make_float2(least, most);
  weights[i] = weigh(static_cast<char>(i % 100), static_cast<short>(-i), i * 1000, i * 10000000000ll,
                     i * 0.5f, i * 2.0);
}

int main() {
  const int count = 300;
  std::vector<float> numbers = Eighths(count * 6);
  std::vector<Vec3> a(count), b(count);
  std::memcpy(a.data(), numbers.data(), count * sizeof(Vec3));
  std::memcpy(b.data(), numbers.data() + count * 3, count * sizeof(Vec3));
  Vec3 *da = OnDevice(a), *db = OnDevice(b), *dc = OnDevice<Vec3>(count);
  float* dots = OnDevice<float>(count);
  float2* range = OnDevice<float2>(count);
  long long* weights = OnDevice<long long>(count);
  call_all<<<3, 128>>>(da, db, dc, dots, range, weights, count);
  FINISH();
  auto crossed = FromDevice(dc, count);
  auto products = FromDevice(dots, count);
  auto ranges = FromDevice(range, count);
  auto weighed = FromDevice(weights, count);
  for (int i = 0; i < count; ++i) {
    ExpectEqual("cross.x", i, crossed[i].x, a[i].y * b[i].z - a[i].z * b[i].y);
    ExpectEqual("cross.y", i, crossed[i].y, a[i].z * b[i].x - a[i].x * b[i].z);
    ExpectEqual("cross.z", i, crossed[i].z, a[i].x * b[i].y - a[i].y * b[i].x);
    ExpectEqual("dot", i, products[i], a[i].dot(b[i]));
    ExpectEqual("least", i, ranges[i].x, std::fmin(a[i].x, std::fmin(a[i].y, a[i].z)));
    ExpectEqual("most", i, ranges[i].y, std::fmax(a[i].x, std::fmax(a[i].y, a[i].z)));
    ExpectEqual("weight", i, weighed[i], i % 100 - 2ll * i + 3000ll * i + i * 40000000000ll + i / 2 + 2 * i);
  }
  return Result();
}
