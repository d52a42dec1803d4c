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

std::string WordsOfUnused(const std::string& body, std::string_view axes, const std::string& head = "") {
  const std::string source = head + "__global__ void k(const float* a, float* c, int n) {\n" + body + "\n}\n";
  const auto found = FindUnusedBlockIndex(source, "k", axes);
  if (!found) return "";
  std::string words = found->index;
  for (const auto& each : found->variables) words += " " + each.name + ":" + std::to_string(each.line);
  return words + (found->product.empty() ? "" : " " + found->product);
}

TEST(BlockIndices, AKernelThatNeverUsesTheBlock) {
  EXPECT_EQ(WordsOfUnused(
                "int row = threadIdx.y;\nint col = threadIdx.x;\nif (row < n) c[row * n + col] = 0;", "xy"),
            "blockIdx row:2 col:3");
  EXPECT_EQ(
      WordsOfUnused("int tx = threadIdx.x, ty = threadIdx.y;\nint row = ty, col = blockIdx.x * T + tx;\n"
                    "c[row * n + col] = t[ty][tx];",
                    "xy"),
      "blockIdx.y row:3");
  EXPECT_EQ(WordsOfUnused("int t = threadIdx.x;\ns[t] = a[t];\nif (t == 0) c[0] = s[0];", "x"), "blockIdx.x")
      << "t is the index in a shared array, too";
  EXPECT_EQ(WordsOfUnused("int row = blockDim.y * T + threadIdx.y;\nc[row] = blockIdx.x;", "xy"),
            "blockIdx.y blockDim.y * T + threadIdx.y");
}

TEST(BlockIndices, AKernelThatMayKnowItsBlock) {
  const std::string body = "int i = threadIdx.x;\nc[i] = a[i];";
  EXPECT_EQ(WordsOfUnused(body, "x"), "blockIdx.x i:2");
  EXPECT_EQ(WordsOfUnused(body + "c[blockIdx.x] = 1;", "x"), "");
  EXPECT_EQ(WordsOfUnused(body, "y"), "") << "the index of the thread is not used along y";
  EXPECT_EQ(WordsOfUnused(body, "x", "#define HERE blockIdx.x\n"), "");
  EXPECT_EQ(WordsOfUnused(body, "x", "__device__ int f() { return blockIdx.x; }\n"), "");
  EXPECT_EQ(WordsOfUnused("int b = atomicAdd(&next, 1);" + body, "x"), "") << "a number for each block";
  EXPECT_EQ(WordsOfUnused("atomicAdd(&c[threadIdx.x], 1);", "x"), "blockIdx.x");
  EXPECT_EQ(WordsOfUnused("int i = threadIdx.y * blockDim.x + threadIdx.x; c[i] = 1;", "x"), "blockIdx.x");
}

TEST(BlockIndices, AStoreOfANewValue) {
  EXPECT_TRUE(StoresAnew("sums[tx] = partial[0];", 1));
  EXPECT_FALSE(StoresAnew("sums[tx] += partial[0];", 1));
  EXPECT_FALSE(StoresAnew("sums[tx] = sums[tx] + partial[0];", 1));
  const auto stored = [](const std::string& before) {
    return FindStoredElement(
               "__global__ void k(float* sums) {\n" + before + "\nif (tx == 0) sums[tx] = partial[0];\n}", 3)
        .value_or("");
  };
  EXPECT_EQ(stored(""), "sums[tx]");
  EXPECT_EQ(stored("sums += blockIdx.x;"), "");
  EXPECT_EQ(FindStoredElement(
                "__global__ void k(float* all) {\nfloat* sums = all + blockIdx.x;\nsums[tx] = 0;\n}", 3),
            std::nullopt)
      << "the pointer has the block's index";
}

}  // namespace
}  // namespace warplings
