// SPDX-License-Identifier: Apache-2.0
// Indirect calls: a table of functions in constant memory, lanes of one warp that call different ones, a
// pointer fetched by the host from the device, a virtual function, a lambda.
#include "tests/kernels/expect.h"

typedef float (*Operation)(float, float);

__device__ float add(float a, float b) {
  return a + b;
}
__device__ float subtract(float a, float b) {
  return a - b;
}
__device__ float multiply(float a, float b) {
  return a * b;
}
__device__ float larger(float a, float b) {
  return a > b ? a : b;
}

__device__ Operation table[4] = {add, subtract, multiply, larger};
__device__ Operation chosen_by_host = subtract;

__global__ void call_by_index(const float* a, const float* b, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = table[i % 4](a[i], b[i]);
}

__global__ void call_argument(Operation operation, const float* a, const float* b, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = operation(a[i], b[i]);
}

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Rectangle : Shape {
  float width, height;
  __device__ Rectangle(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }
};

__device__ __noinline__ float area_of(const Shape* shape) {
  return shape->area();
}

__global__ void call_virtual(float* out) {
  Square square(threadIdx.x + 1.0f);
  Rectangle rectangle(threadIdx.x + 1.0f, 3.0f);
  out[threadIdx.x] = area_of(threadIdx.x % 3 == 0 ? static_cast<Shape*>(&square) : &rectangle);
}

template <class F>
__global__ void call_lambda(F function, float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = function(i);
}

int main() {
  const int count = 200;
  std::vector<float> a = Eighths(count, 3), b = Eighths(count, 4);
  float *da = OnDevice(a), *db = OnDevice(b), *out = OnDevice<float>(count);
  call_by_index<<<2, 128>>>(da, db, out, count);
  FINISH();
  auto values = FromDevice(out, count);
  for (int i = 0; i < count; ++i) {
    const float wanted[] = {a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] > b[i] ? a[i] : b[i]};
    ExpectEqual("by index", i, values[i], wanted[i % 4]);
  }
  Operation pointer;
  CUDA(cudaMemcpyFromSymbol(&pointer, chosen_by_host, sizeof pointer));
  call_argument<<<2, 128>>>(pointer, da, db, out, count);
  FINISH();
  values = FromDevice(out, count);
  for (int i = 0; i < count; ++i) ExpectEqual("argument", i, values[i], a[i] - b[i]);
  call_virtual<<<1, 64>>>(out);
  FINISH();
  values = FromDevice(out, 64);
  for (int i = 0; i < 64; ++i) ExpectEqual("area", i, values[i], (i + 1.0f) * (i % 3 == 0 ? i + 1.0f : 3.0f));
  const float scale = 2.5f;
  call_lambda<<<2, 128>>>([=] __device__(int i) { return scale * i; }, out, count);
  FINISH();
  values = FromDevice(out, count);
  for (int i = 0; i < count; ++i) ExpectEqual("lambda", i, values[i], 2.5f * i);
  return Result();
}
