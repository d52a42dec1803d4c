// SPDX-License-Identifier: Apache-2.0
// Copies and fills of boxes, right and wrong ones. Prints one line for each expectation that does not hold,
// and at the end "right".
#include <cstdio>
#include <cstring>
#include <vector>

#include "expect.h"

namespace {

constexpr int kWidth = 5, kHeight = 4, kDepth = 3;

int At(const std::vector<int>& box, int x, int y, int z) {
  return box[(z * kHeight + y) * kWidth + x];
}

}  // namespace

int main() {
  std::vector<int> in(kWidth * kHeight * kDepth), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i) + 1;
  const cudaExtent extent = make_cudaExtent(kWidth * sizeof(int), kHeight, kDepth);
  cudaPitchedPtr box;
  OK(cudaMalloc3D(&box, extent));
  EXPECT(box.pitch >= kWidth * sizeof(int) && box.ysize == kHeight);
  cudaMemcpy3DParms copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcPtr = make_cudaPitchedPtr(in.data(), kWidth * sizeof(int), kWidth, kHeight);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  // Back, but without the first column, row and slice, which go elsewhere.
  cudaStream_t stream;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaMemcpy3DParms back;
  std::memset(&back, 0, sizeof back);
  back.srcPtr = box;
  back.srcPos = make_cudaPos(sizeof(int), 1, 1);
  back.dstPtr = make_cudaPitchedPtr(out.data(), kWidth * sizeof(int), kWidth, kHeight);
  back.extent = make_cudaExtent((kWidth - 1) * sizeof(int), kHeight - 1, kDepth - 1);
  back.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3DAsync(&back, stream));
  OK(cudaStreamSynchronize(stream));
  for (int z = 0; z < kDepth - 1; ++z) {
    for (int y = 0; y < kHeight - 1; ++y) {
      for (int x = 0; x < kWidth - 1; ++x) EXPECT(At(out, x, y, z) == At(in, x + 1, y + 1, z + 1));
    }
  }
  EXPECT(At(out, kWidth - 1, 0, 0) == 0);
  OK(cudaMemset3D(box, 0x11, make_cudaExtent(2 * sizeof(int), 2, kDepth)));
  back.srcPos = make_cudaPos(0, 0, 0);
  back.extent = extent;
  OK(cudaMemcpy3D(&back));
  for (int z = 0; z < kDepth; ++z) {
    EXPECT(At(out, 1, 1, z) == 0x11111111);
    EXPECT(At(out, 2, 1, z) == At(in, 2, 1, z));
    EXPECT(At(out, 1, 2, z) == At(in, 1, 2, z));
  }
  OK(cudaMemset3DAsync(box, 0, extent, stream));
  OK(cudaStreamSynchronize(stream));

  FAILS(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
  cudaMemcpy3DParms wrong = copy;
  wrong.extent.width = 1 << 20;
  FAILS(cudaMemcpy3D(&wrong), cudaErrorInvalidValue);
  wrong = copy;
  wrong.dstPos = make_cudaPos(0, 2, 0);
  FAILS(cudaMemcpy3D(&wrong), cudaErrorInvalidValue);
  wrong = copy;
  wrong.extent.depth = 1 << 20;
  FAILS(cudaMemcpy3D(&wrong), cudaErrorInvalidValue);
  wrong = copy;
  wrong.extent.depth = 0;
  OK(cudaMemcpy3D(&wrong));
  FAILS(cudaMemset3D(make_cudaPitchedPtr(nullptr, 64, 64, 4), 0, extent), cudaErrorInvalidValue);
  OK(cudaFree(box.ptr));
  if (failed == 0) std::printf("right\n");
  return failed != 0;
}
