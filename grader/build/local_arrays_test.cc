// SPDX-License-Identifier: Apache-2.0
#include "grader/build/local_arrays.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "LINE ARRAY [INDEX]: REASON VARIABLE LOOP_LINE", of a kernel whose body begins in line 2.
std::string ArrayIn(const std::string& body, const std::string& before = "") {
  const auto found = FindRunTimeIndex(before + "__global__ void k(float* P, int width) {\n" + body + "\n}\n");
  if (!found) return "";
  const char* const reasons[] = {"bounds", "not unrolled", "computed", "address"};
  return std::to_string(found->line) + " " + found->array + " [" + found->index +
         "]: " + reasons[static_cast<int>(found->why)] + " " + found->variable + " " +
         std::to_string(found->loop_line);
}

TEST(LocalArrays, ALoopWhoseBoundsAreNoConstants) {
  const std::string rows = "const int rows = max(0, min(4, width - 3));\nfloat sum[4][4] = {};\n";
  EXPECT_EQ(ArrayIn(rows + "for (int i = 0; i < rows; ++i) {\nfor (int j = 0; j < 4; ++j) sum[i][j] += 1; }"),
            "5 sum [i]: bounds i 4");
  EXPECT_EQ(ArrayIn("float sum[4];\nfor (int i = 0; i < width; ++i)\nsum[i] += 1;"), "4 sum [i]: bounds i 3");
  EXPECT_EQ(
      ArrayIn("const int rows = min(4, width);\nfloat sum[4];\nfor (int i = 0; i < rows; ++i)\nsum[i] += 1;"),
      "5 sum [i]: bounds i 4");
  EXPECT_EQ(ArrayIn("float sum[4];\nfor (int i = threadIdx.x; i < 4; i += 32)\nsum[i] += 1;"),
            "4 sum [i]: bounds i 3");
}

TEST(LocalArrays, ConstantIndices) {
  EXPECT_EQ(ArrayIn("float sum[kSide];\nfor (int i = 0; i < kSide; ++i)\nsum[i] += 1;"), "");
  EXPECT_EQ(ArrayIn("float sum[4];\nfor (int i = 0; i < 4 && i < width; ++i)\nsum[i] += 1;"), "");
  EXPECT_EQ(ArrayIn("float sum[4];\nfor (int i = 0; i < 4; ++i) {\nconst int j = 3 - i;\nsum[j] += 1; }"),
            "");
  EXPECT_EQ(ArrayIn("__shared__ float tile[4];\ntile[threadIdx.x] = 1;"), "") << "it is the block's";
  EXPECT_EQ(ArrayIn("P[threadIdx.x] = 1;"), "");
  EXPECT_EQ(ArrayIn("float kept[2];\nauto f = [&](int set) { kept[set] = 1; };"), "")
      << "a call may be inlined";
}

TEST(LocalArrays, AnIndexThatIsComputed) {
  EXPECT_EQ(
      ArrayIn("float kept[2][4];\nfor (int phase = 0; phase < width; ++phase)\nP[0] = kept[phase & 1][0];"),
      "4 kept [phase & 1]: computed phase 3");
  EXPECT_EQ(ArrayIn("float x[4];\nx[threadIdx.x & 3] = 1;"), "3 x [threadIdx.x & 3]: computed threadIdx 0");
  EXPECT_EQ(ArrayIn("float a[2][8], b[2][8];\n#pragma unroll 1\nfor (int k = 0; k < 8; ++k) {\n"
                    "const int cur = k & 1;\nP[k] = b[cur][0]; }"),
            "6 b [cur]: not unrolled k 4");
}

TEST(LocalArrays, AnArrayGivenToAFunctionThatIsNotInlined) {
  const std::string store = "__device__ __noinline__ void store(float* p, const float* row) {}\n";
  const std::string loop = "float sum[4][4];\nfor (int i = 0; i < 4; ++i)\n";
  EXPECT_EQ(ArrayIn(loop + "store(P + (3 + i), sum[i]);", store), "5 sum []: address store 0");
  EXPECT_EQ(ArrayIn(loop + "store(P + (3 + i), sum[i]);"), "");
  EXPECT_EQ(ArrayIn(loop + "store(P, max(sum[i][0], 1));", store), "") << "that is a number";
}

TEST(LocalArrays, HalfASource) {
  for (const char* source :
       {"", "__global__ void k() {", "__global__ void k() { float a[", "float a[2]; a[i]",
        "__global__ void k() { float a[2]; for (int i = ", "__device__ __noinline__"})
    EXPECT_FALSE(FindRunTimeIndex(source)) << source;
}

}  // namespace
}  // namespace warplings
