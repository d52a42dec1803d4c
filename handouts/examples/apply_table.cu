// SPDX-License-Identifier: Apache-2.0
// Worked example of chapter 6's handout: each block pays for its own table; coarsening shares it.
#include <cstdio>
#include <vector>

// [kernel]
// out[i] = table[pixels[i]]. Each block loads the table of 256 entries into its shared memory.
template <int kFactor>
__global__ void apply_table(const float* table, const unsigned char* pixels, float* out, int n) {
  __shared__ float copy[256];
  copy[threadIdx.x] = table[threadIdx.x];  // the price: once for each block
  __syncthreads();

  const int first = blockIdx.x * 256 * kFactor + threadIdx.x;
  for (int step = 0; step < kFactor; ++step) {
    const int i = first + step * 256;
    if (i < n) out[i] = copy[pixels[i]];
  }
}
// [end]

template <int kFactor>
int Wrong(const float* table, const unsigned char* pixels, float* out,
          const std::vector<unsigned char>& in) {
  const int n = static_cast<int>(in.size());
  const int span = 256 * kFactor;
  cudaMemset(out, 0, n * sizeof(float));
  apply_table<kFactor><<<(n + span - 1) / span, 256>>>(table, pixels, out, n);
  std::vector<float> result(n);
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += result[i] != in[i] * 0.5f;
  return wrong;
}

int main() {
  std::vector<float> table(256);
  for (int e = 0; e < 256; ++e) table[e] = e * 0.5f;
  std::vector<unsigned char> pixels(3000);
  for (int i = 0; i < 3000; ++i) pixels[i] = static_cast<unsigned char>(i * 31);
  float *device_table, *device_out;
  unsigned char* device_pixels;
  cudaMalloc(&device_table, 256 * sizeof(float));
  cudaMalloc(&device_pixels, pixels.size());
  cudaMalloc(&device_out, pixels.size() * sizeof(float));
  cudaMemcpy(device_table, table.data(), 256 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_pixels, pixels.data(), pixels.size(), cudaMemcpyHostToDevice);
  const int wrong = Wrong<1>(device_table, device_pixels, device_out, pixels) +
                    Wrong<4>(device_table, device_pixels, device_out, pixels);
  cudaFree(device_table);
  cudaFree(device_pixels);
  cudaFree(device_out);
  std::puts(wrong == 0 ? "ok" : "wrong");
}
