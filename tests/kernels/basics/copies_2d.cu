// SPDX-License-Identifier: Apache-2.0
// Pitched memory: cudaMallocPitch, cudaMemcpy2D in all directions, cudaMemset2D, a kernel that uses the
// pitch.
#include "tests/kernels/expect.h"

__global__ void double_all(float* matrix, std::size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(matrix) + y * pitch);
    row[x] *= 2;
  }
}

int main() {
  const int width = 37, height = 21;
  const std::vector<float> in = Eighths(width * height);
  float *matrix = nullptr, *other = nullptr;
  std::size_t pitch = 0, other_pitch = 0;
  CUDA(cudaMallocPitch(&matrix, &pitch, width * sizeof(float), height));
  CUDA(cudaMallocPitch(&other, &other_pitch, (width + 10) * sizeof(float), height));
  ExpectEqual("pitch is enough", 0, pitch >= width * sizeof(float) && pitch % 32 == 0, true);
  CUDA(cudaMemcpy2D(matrix, pitch, in.data(), width * sizeof(float), width * sizeof(float), height,
                    cudaMemcpyHostToDevice));
  double_all<<<dim3(3, 2), dim3(16, 16)>>>(matrix, pitch, width, height);
  CUDA(cudaMemset2D(other, other_pitch, 0, (width + 10) * sizeof(float), height));
  CUDA(cudaMemcpy2D(other + 5, other_pitch, matrix, pitch, width * sizeof(float), height,
                    cudaMemcpyDeviceToDevice));
  std::vector<float> out((width + 10) * height, -1.0f);
  CUDA(cudaMemcpy2D(out.data(), (width + 10) * sizeof(float), other, other_pitch,
                    (width + 10) * sizeof(float), height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width + 10; ++x)
      ExpectEqual("out", y * (width + 10) + x, out[y * (width + 10) + x],
                  x >= 5 && x < width + 5 ? 2 * in[y * width + x - 5] : 0.0f);
  return Result();
}
