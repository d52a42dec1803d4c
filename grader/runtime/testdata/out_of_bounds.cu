// SPDX-License-Identifier: Apache-2.0
// Writes one element past the end, and looks at no error.
__global__ void count_up(int* numbers) { numbers[threadIdx.x] = threadIdx.x; }

int main() {
  int* numbers = nullptr;
  cudaMalloc(&numbers, 32 * sizeof(int));
  count_up<<<1, 33>>>(numbers);
  cudaDeviceSynchronize();
  return 0;
}
