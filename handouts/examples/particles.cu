// SPDX-License-Identifier: Apache-2.0
// Worked example of chapter 5's handout: particles as an array of structs and a struct of arrays.
#include <cstdio>
#include <vector>

// [records]
struct Particle {
  float x, y, z, mass;
};

__global__ void heavy_records(const Particle* in, float* out) {
  __shared__ Particle particles[256];
  particles[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  const int other = (threadIdx.x + 7) % 256;
  out[blockIdx.x * 256 + threadIdx.x] = particles[other].mass;  // 16 bytes from lane to lane
}
// [end]

// [arrays]
__global__ void heavy_arrays(const Particle* in, float* out) {
  __shared__ float mass[256];
  mass[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x].mass;
  __syncthreads();
  const int other = (threadIdx.x + 7) % 256;
  out[blockIdx.x * 256 + threadIdx.x] = mass[other];  // 4 bytes from lane to lane
}
// [end]

int main() {
  const int n = 512;
  std::vector<Particle> in(n);
  for (int i = 0; i < n; ++i) in[i] = {0.0f, 1.0f, 2.0f, static_cast<float>(i)};
  Particle* device_in;
  float* device_out;
  cudaMalloc(&device_in, n * sizeof(Particle));
  cudaMalloc(&device_out, 2 * n * sizeof(float));
  cudaMemcpy(device_in, in.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
  heavy_records<<<n / 256, 256>>>(device_in, device_out);
  heavy_arrays<<<n / 256, 256>>>(device_in, device_out + n);
  std::vector<float> out(2 * n);
  cudaMemcpy(out.data(), device_out, 2 * n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 2 * n; ++i) wrong += out[i] != in[i % n / 256 * 256 + (i + 7) % 256].mass;
  cudaFree(device_in);
  cudaFree(device_out);
  std::puts(wrong == 0 ? "ok" : "wrong");
}
