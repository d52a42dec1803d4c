// SPDX-License-Identifier: Apache-2.0
// Worked example of chapter 2's handout: three arrays, two lengths, and which length belongs where.
#include <cstdio>
#include <vector>

// [kernel]
// B[c][r] = s[r] * A[r][c]. A is j x k, s has j elements, B is k x j; A and B lie row by row.
__global__ void scale_and_turn(const float* A, const float* s, float* B, int j, int k) {
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < j && c < k) {
    B[c * j + r] = s[r] * A[r * k + c];
  }
}
// [end]

int main() {
  const int j = 21, k = 45;
  std::vector<float> A(j * k), s(j), B(j * k);
  for (int i = 0; i < j * k; ++i) A[i] = static_cast<float>(i);
  for (int r = 0; r < j; ++r) s[r] = static_cast<float>(r + 1);
  float *device_A, *device_s, *device_B;
  cudaMalloc(&device_A, A.size() * sizeof(float));
  cudaMalloc(&device_s, s.size() * sizeof(float));
  cudaMalloc(&device_B, B.size() * sizeof(float));
  cudaMemcpy(device_A, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_s, s.data(), s.size() * sizeof(float), cudaMemcpyHostToDevice);
  // [launch]
  const dim3 threads(16, 16);
  const dim3 blocks((k + 15) / 16, (j + 15) / 16);  // x counts columns
  scale_and_turn<<<blocks, threads>>>(device_A, device_s, device_B, j, k);
  // [end]
  cudaMemcpy(B.data(), device_B, B.size() * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < j; ++r) {
    for (int c = 0; c < k; ++c) wrong += B[c * j + r] != s[r] * A[r * k + c];
  }
  for (float* each : {device_A, device_s, device_B}) cudaFree(each);
  std::puts(wrong == 0 ? "ok" : "wrong");
}
