// SPDX-License-Identifier: Apache-2.0
#include "grader/build/block_indices.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

std::string WordsOfIndex(const std::optional<BlockIndex>& found) {
  if (!found) return "";
  const char* const mistakes[] = {"without block", "times blocks", "block alone"};
  return std::string(mistakes[static_cast<int>(found->mistake)]) + ": " + found->index + " in line " +
         std::to_string(found->line) + ", " + found->axis;
}

/// Of a kernel whose second line is `index` and whose third one is `store`.
std::string FoundIndex(const std::string& index, const std::string& store = "c[i] = a[i];",
                       const std::string& head = "__global__ void k(const float* a, float* c, int n) {") {
  return WordsOfIndex(FindWrongBlockIndex(head + "\n" + index + "\n" + store + "\n}", 3));
}

TEST(BlockIndices, AnIndexThatBlocksShare) {
  EXPECT_EQ(FoundIndex("int i = threadIdx.x;"), "without block: i in line 2, x");
  EXPECT_EQ(FoundIndex("int i = threadIdx.x;", "if (i < n) c[i + 1] = a[i];"),
            "without block: i in line 2, x");
  EXPECT_EQ(FoundIndex("float s = blockIdx.x;", "c[threadIdx.x] = s;"),
            "without block: threadIdx.x in line 3, x");
  EXPECT_EQ(FoundIndex("for (int i = threadIdx.x; i < n; i += blockDim.x)"), "without block: i in line 2, x");
  EXPECT_EQ(FoundIndex("int i = blockIdx.x * gridDim.x + threadIdx.x;"), "times blocks: i in line 2, x");
  EXPECT_EQ(
      FoundIndex("int r = threadIdx.y + gridDim.y * blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;",
                 "c[r * n + j] = 1;"),
      "times blocks: r in line 2, y");
  EXPECT_EQ(FoundIndex("int i = threadIdx.x + blockIdx.x;"), "block alone: i in line 2, x");
}

TEST(BlockIndices, NothingIsSaidOfOthers) {
  for (const char* const index : {"int i = blockIdx.x * blockDim.x + threadIdx.x;", "int i = b[threadIdx.x];",
                                  "int i = f(threadIdx.x);", "int i = blockIdx.x + gridDim.x * threadIdx.x;",
                                  "int i = blockIdx.y * gridDim.x + blockIdx.x;", "int i = 0;",
                                  "int i = threadIdx.x; i += 32 * blockIdx.x;",
                                  "int i = blockIdx.x * gridDim.x * blockDim.x + threadIdx.x;"})
    EXPECT_EQ(FoundIndex(index), "") << index;
  EXPECT_EQ(FoundIndex("int i = threadIdx.x;", "*c = i;"), "");
  EXPECT_EQ(FoundIndex("int i = threadIdx.x;", "c[i] = 1;", "__device__ void f(float* c) {"), "");
}

TEST(BlockIndices, TheProductThatNumbersNothing) {
  const auto found = [](const std::string& body, const std::string& head = "__global__ void k(int n) {\n") {
    return WordsOfIndex(FindIndexTimesBlocks(head + body + "\n}"));
  };
  EXPECT_EQ(found("int i = blockIdx.x * gridDim.x + threadIdx.x;"), "times blocks: i in line 2, x");
  EXPECT_EQ(found("int b = blockIdx.x * gridDim.x;"), "");
  EXPECT_EQ(found("int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;"), "");
  EXPECT_EQ(found("int i = blockIdx.x * gridDim.x + threadIdx.x;", "void f(int n) {\n"), "");
}

}  // namespace
}  // namespace warplings
