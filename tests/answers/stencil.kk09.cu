// SPDX-License-Identifier: Apache-2.0
// mistake: A cube of 8 x 8 x 8 points with a frame on all six sides: 1000 loads for 512 points. Even without what
//   lies outside, a large input costs about 1.8 floats per point or more, where 1.5 are allowed. Values are right.
// want: How many elements does a block load, and how many points does it compute? Which of the three axes needs no
//   frame if the block walks along it?

#include "stencil.h"

#define N 8        // points of the block along each axis
#define M (N + 2)  // with the frame

__global__ void stencil_kernel(const float* input, float* output, int width, int height, int depth) {
  __shared__ float cube[M][M][M];
  const int x0 = blockIdx.x * N - 1, y0 = blockIdx.y * N - 1, z0 = blockIdx.z * N - 1;
  const int thread = (threadIdx.z * N + threadIdx.y) * N + threadIdx.x;

  // 512 threads load 1000 elements
  for (int e = thread; e < M * M * M; e += N * N * N) {
    const int cx = e % M, cy = e / M % M, cz = e / (M * M);
    const int gx = x0 + cx, gy = y0 + cy, gz = z0 + cz;
    float value = 0;
    if (gx >= 0 && gx < width && gy >= 0 && gy < height && gz >= 0 && gz < depth) {
      value = input[(gz * height + gy) * width + gx];
    }
    cube[cz][cy][cx] = value;
  }
  __syncthreads();

  const int cx = threadIdx.x + 1, cy = threadIdx.y + 1, cz = threadIdx.z + 1;
  const int x = x0 + cx, y = y0 + cy, z = z0 + cz;
  if (x >= width || y >= height || z >= depth) return;
  float result = cube[cz][cy][cx];
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1 && z > 0 && z < depth - 1) {
    const float neighbours = cube[cz][cy][cx - 1] + cube[cz][cy][cx + 1] + cube[cz][cy - 1][cx] +
                             cube[cz][cy + 1][cx] + cube[cz - 1][cy][cx] + cube[cz + 1][cy][cx];
    result = kCentre * result + kNeighbour * neighbours;
  }
  output[(z * height + y) * width + x] = result;
}

void stencil(const float* input, float* output, int width, int height, int depth) {
  const dim3 grid((width + N - 1) / N, (height + N - 1) / N, (depth + N - 1) / N);
  stencil_kernel<<<grid, dim3(N, N, N)>>>(input, output, width, height, depth);
}
