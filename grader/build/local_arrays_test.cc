// SPDX-License-Identifier: Apache-2.0
#include "grader/build/local_arrays.h"

#include <gtest/gtest.h>

#include <string>

#include "grader/messages/findings.h"

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

TEST(LocalArrays, TheArrayOfAnAccessOutside) {
  const auto said = [](const std::string& body, int line, std::int64_t offset, std::int64_t bytes = 16) {
    Finding finding;
    finding.kind = FindingKind::kOutOfBounds;
    finding.where.line = line;
    finding.access = Access::kWrite;
    finding.access_bytes = 4;
    finding.object = say::local_variable();
    finding.object_bytes = bytes;
    finding.offset_bytes = offset;
    finding.message = Message("as it was");
    NameLocalArray(finding, "#define SIZE 4\n__global__ void k() {\n" + body + "\n}");
    return English(finding.message);
  };
  EXPECT_EQ(said("int mine[4];\nmine[t] = 1;", 4, 16), "writes `mine[4]`, but `mine` has 4 elements");
  EXPECT_EQ(said("int mine[SIZE];\nmine[t] = 1;", 4, -4),
            "writes `mine[-1]`, which lies before the start of `mine`");
  EXPECT_EQ(said("int a[3], b[4];\na[t] = b[t];", 4, 20), "writes `b[5]`, but `b` has 4 elements")
      << "the one with as many elements";
  EXPECT_EQ(said("int m[2][2];\nm[t][0] = 1;", 4, 16),
            "writes element 4 of `m`, which has 4 elements (the last is 3)");
  EXPECT_EQ(said("double mine[2];\nmine[t] = 1;", 4, 16), "as it was") << "no whole element";
  EXPECT_EQ(said("short mine[8];\nmine[t] = 1;", 4, 16),
            "would write `mine[8]` and `mine[9]`, but `mine` has 8 elements")
      << "two accesses that the compiler has joined";
  EXPECT_EQ(said("char mine[16];\nmine[t] = 1;", 4, 16),
            "would write `mine[16]` to `mine[19]`, but `mine` has 16 elements");
  EXPECT_EQ(said("int a[4], b[4];\na[t] = b[t];", 4, 16), "as it was") << "either may be it";
  EXPECT_EQ(said("__shared__ int s[4]; int a[n];\ns[t] = P[t];", 4, 16), "as it was") << "neither is local";
  EXPECT_EQ(said("int mine[4];\nmine[t] = 1;", 4, 16, 28), "as it was") << "no size of elements";
}

}  // namespace
}  // namespace warplings
