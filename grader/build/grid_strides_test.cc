// SPDX-License-Identifier: Apache-2.0
#include "grader/build/grid_strides.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

/// "LINE VARIABLE STRIDE".
std::string StrideIn(const std::string& body) {
  const auto found = FindShortStride("__global__ void f(int* out, int n) {\n" + body + "\n}\n");
  return found ? std::to_string(found->line) + " " + found->variable + " " + found->stride : "";
}

TEST(GridStrides, OneExtentInPlaceOfTheProduct) {
  EXPECT_EQ(
      StrideIn("const int t = blockIdx.x * blockDim.x + threadIdx.x;\nfor (int i = t; i < n; i += gridDim.x) "
               "out[i] = 0;"),
      "3 i gridDim.x");
  EXPECT_EQ(StrideIn("for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += blockDim.x)\nout[i] = 0;"),
            "2 i blockDim.x");
}

TEST(GridStrides, LoopsThatNeedNoMore) {
  EXPECT_EQ(StrideIn("for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * "
                     "blockDim.x) out[i] = 0;"),
            "");
  EXPECT_EQ(StrideIn("for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 0;"), "");
  EXPECT_EQ(StrideIn("for (int i = blockIdx.x; i < n; i += gridDim.x) out[i] = 0;"), "");
  EXPECT_EQ(StrideIn("const int t = threadIdx.x;\nfor (int i = t; i < n; i += blockDim.x) out[i] = 0;"), "");
  EXPECT_EQ(StrideIn("for (;;) out[0] = 0;"), "");
}

}  // namespace
}  // namespace warplings
