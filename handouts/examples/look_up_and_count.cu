// SPDX-License-Identifier: Apache-2.0
// Worked example of chapter 3's handout: one dynamic array for two of different types.
#include <cstdio>
#include <vector>

// [kernel]
// out[i] = table[which[i]], and used[e] grows by the number of i with which[i] == e.
__global__ void look_up_and_count(const float* table, const int* which, float* out, int* used,
                                  int n, int entries) {
  extern __shared__ float memory[];
  float* copy = memory;                                   // entries floats
  int* count = reinterpret_cast<int*>(memory + entries);  // entries ints, right behind them

  for (int e = threadIdx.x; e < entries; e += blockDim.x) {
    copy[e] = table[e];
    count[e] = 0;
  }
  __syncthreads();

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = copy[which[i]];
    atomicAdd(&count[which[i]], 1);
  }
  __syncthreads();

  for (int e = threadIdx.x; e < entries; e += blockDim.x) {
    atomicAdd(&used[e], count[e]);
  }
}
// [end]

int main() {
  const int n = 1000, entries = 37;
  std::vector<float> table(entries), out(n);
  std::vector<int> which(n), used(entries);
  for (int e = 0; e < entries; ++e) table[e] = 0.5f * e;
  for (int i = 0; i < n; ++i) which[i] = (i * i + 3) % entries;
  float *device_table, *device_out;
  int *device_which, *device_used;
  cudaMalloc(&device_table, entries * sizeof(float));
  cudaMalloc(&device_out, n * sizeof(float));
  cudaMalloc(&device_which, n * sizeof(int));
  cudaMalloc(&device_used, entries * sizeof(int));
  cudaMemcpy(device_table, table.data(), entries * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_which, which.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(device_used, 0, entries * sizeof(int));
  // [launch]
  const size_t both = entries * sizeof(float) + entries * sizeof(int);  // bytes
  look_up_and_count<<<(n + 255) / 256, 256, both>>>(device_table, device_which, device_out,
                                                    device_used, n, entries);
  // [end]
  cudaMemcpy(out.data(), device_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(used.data(), device_used, entries * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += out[i] != table[which[i]];
    --used[which[i]];
  }
  for (int e = 0; e < entries; ++e) wrong += used[e] != 0;
  cudaFree(device_table);
  cudaFree(device_out);
  cudaFree(device_which);
  cudaFree(device_used);
  std::puts(wrong == 0 ? "ok" : "wrong");
}
