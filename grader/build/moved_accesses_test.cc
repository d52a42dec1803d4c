// SPDX-License-Identifier: Apache-2.0
#include "grader/build/moved_accesses.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

/// Of a kernel whose third line was seen to read `x`.
int MovedFrom(const std::string& third, const std::string& after = "  s += v[k] * x[row];") {
  return LineOfMovedAccess("namespace {\n__global__ void k(const float* x, float* y, int n) {\n" + third +
                               "\n  for (int k = 0; k < n; ++k)\n" + after +
                               "\n  y[row] = s;\n}\n}\nfloat f(float* x) {\n  return x[0];\n}\n",
                           3, "x");
}

TEST(MovedAccesses, TheNextLineOfTheFunctionThatIndexesTheArray) {
  EXPECT_EQ(MovedFrom("  const int row = blockIdx.x * blockDim.x + threadIdx.x;"), 5);
  EXPECT_EQ(MovedFrom("  if (row < n) {", "  s += x[row];\n  s += x[row]; }"), 5);
  EXPECT_EQ(MovedFrom("  const int row = f(2) * 3;", "  s += v[k];"), 0) << "x[0] is another function's";
}

TEST(MovedAccesses, ALineThatMayAccessMemoryHasItsOwn) {
  for (const char* own :
       {"  const int row = x[0];", "  const int row = rows[0];", "  const int row = get(x);",
        "  const int row = *p;", "  const int row = 2 * *p;", "  const int row = p->row;", "", "  // x"})
    EXPECT_EQ(MovedFrom(own), 0) << own;
}

TEST(MovedAccesses, AMacroMayStandForTheAccess) {
  const std::string rest = "__global__ void k(const float* x) {\n  float s = AT(1);\n  s += x[2];\n}\n";
  EXPECT_EQ(LineOfMovedAccess("#define AT(i) x[i]\n" + rest, 3, "x"), 0);
  EXPECT_EQ(LineOfMovedAccess("#define TO(i) x[i]\n" + rest, 3, "x"), 4);
}

TEST(MovedAccesses, HalfASource) {
  for (const char* source : {"", "}", "\n\n{", "__global__ void k() {\nint a;\nx["})
    EXPECT_LE(LineOfMovedAccess(source, 2, "x"), 3) << source;
  EXPECT_EQ(LineOfMovedAccess("int a;\nx[1];", 1, "x"), 0) << "no function";
  EXPECT_EQ(LineOfMovedAccess("x[1];", 0, "x"), 0);
}

}  // namespace
}  // namespace warplings
