// SPDX-License-Identifier: Apache-2.0
// 2D and 3D grids and blocks: every thread writes who it is into its own cell of a volume.
#include "tests/kernels/expect.h"

__global__ void label(ulonglong2* cells, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  const unsigned long long block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned long long thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  cells[(z * ny + y) * nx + x] = make_ulonglong2(block, thread);
}

int main() {
  const int nx = 21, ny = 10, nz = 7;
  const dim3 block(8, 4, 3), grid((nx + 7) / 8, (ny + 3) / 4, (nz + 2) / 3);
  ulonglong2* cells = OnDevice<ulonglong2>(nx * ny * nz);
  label<<<grid, block>>>(cells, nx, ny, nz);
  FINISH();
  const auto got = FromDevice(cells, nx * ny * nz);
  for (int z = 0, i = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x, ++i) {
        ExpectEqual("block", i, got[i].x, x / 8 + grid.x * (y / 4 + grid.y * (z / 3)));
        ExpectEqual("thread", i, got[i].y, x % 8 + 8 * (y % 4 + 4 * (z % 3)));
      }
  return Result();
}
