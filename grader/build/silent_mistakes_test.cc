// SPDX-License-Identifier: Apache-2.0
#include "grader/build/silent_mistakes.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "3: …" of a program whose third line is this one.
std::string SilentlyDone(const std::string& line, const std::string& before = "") {
  std::string told;
  const std::string source =
      "__constant__ float F[25]; __device__ int total; __device__ __managed__ int shared_total;\n"
      "int main() { int* d; float* f; char* bytes; " +
      before + "\n" + line + "\n}\n__global__ void k(int* P) { total = P[0]; }\n";
  for (const SilentMistake& each : FindSilentMistakes(source))
    told += std::to_string(each.line) + ": " + English(each.what) + " | " + English(each.remedy);
  return told;
}

TEST(SilentMistakes, AMemsetOfElements) {
  EXPECT_EQ(
      SilentlyDone("CHECK(cudaMemset(d, 1, n * sizeof(int)));"),
      "3: cudaMemset sets each byte to 1, so each element of `d` becomes 0x01010101 | Set elements in a "
      "kernel, or copy them from the host with cudaMemcpy.");
  EXPECT_NE(SilentlyDone("cudaMemsetAsync(f, 2, n * sizeof(float), s);"), "");
  for (const char* const fine :
       {"cudaMemset(d, 0, n);", "cudaMemset(d, -1, n);", "cudaMemset(d, 0xff, n);", "cudaMemset(d, 255, n);",
        "cudaMemset(d, 127, n);", "cudaMemset(bytes, 1, n);", "cudaMemset(unknown, 1, n);",
        "memset(d, 1, n);"})
    EXPECT_EQ(SilentlyDone(fine), "") << fine;
}

TEST(SilentMistakes, AStoreOfTheHostToAVariableOfTheDevice) {
  EXPECT_EQ(
      SilentlyDone("for (int i = 0; i < 25; ++i) F[i] = h[i];"),
      "3: host code stores to `F`, but kernels have a variable of their own under that name | Fill it with "
      "cudaMemcpyToSymbol(F, source, bytes).");
  EXPECT_NE(SilentlyDone("total = 0;"), "");
  EXPECT_NE(SilentlyDone("total = 0;", "f(&total);"), "");
  for (const char* const fine :
       {"shared_total = 0;", "x = F[0];", "mine.total = 0;", "if (total == 0) return 1;"})
    EXPECT_EQ(SilentlyDone(fine), "") << fine;
  for (const char* const own : {"int total;", "const Parts& total = parts;", "std::vector<int> total;"})
    EXPECT_EQ(SilentlyDone("total = 0;", own), "") << own;
}

TEST(SilentMistakes, ACopyOfAsManyBytesAsTheVariableHasElements) {
  EXPECT_EQ(
      SilentlyDone("cudaMemcpyToSymbol(F, h, 25);"),
      "3: cudaMemcpyToSymbol copies 25 bytes, and `F` has 25 elements | Sizes are in bytes: multiply the "
      "number of elements by the size of one, as in 25 * sizeof(F[0]).");
  for (const char* const fine : {"cudaMemcpyToSymbol(F, h, 25 * 4);", "cudaMemcpyToSymbol(F, h, sizeof(F));",
                                 "cudaMemcpyToSymbol(total, h, 4);", "cudaMemcpyToSymbol(F, h, 4);"})
    EXPECT_EQ(SilentlyDone(fine), "") << fine;
}

}  // namespace
}  // namespace warplings
