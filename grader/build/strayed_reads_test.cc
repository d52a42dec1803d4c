// SPDX-License-Identifier: Apache-2.0
#include "grader/build/strayed_reads.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

/// Of a kernel that reads in line 2 and stores in line 3.
bool Reads(const std::string& reading, const std::string& storing = "P[i] = sum;",
           const std::string& more = "") {
  const std::string source = "__global__ void k(const float* N, float* P, int i) {\n" + reading + "\n" +
                             storing + "\n" + more + "}\nvoid f(float* P) { k<<<1, 1>>>(P, P, 1); }\n";
  return ReadsByMistake(source, 3, 2, "P");
}

TEST(StrayedReads, AStatementThatDoesNotNameTheArray) {
  EXPECT_TRUE(Reads("float sum = N[i * 4];"));
  EXPECT_TRUE(Reads("for (int e = 0; e < 4; ++e) { float sum = N[e]; }"));
  EXPECT_FALSE(Reads("float sum = P[i];"));
  EXPECT_FALSE(Reads("float sum = N[i] +", "P[i]; P[i] = sum;"));
  EXPECT_FALSE(Reads("sum = other(N);")) << "nothing is indexed there";
  EXPECT_FALSE(Reads("")) << "nothing is there";
}

TEST(StrayedReads, ASecondNameOfTheArray) {
  EXPECT_FALSE(Reads("float sum = N[i];", "P[i] = sum;", "float* other = P;"));
  EXPECT_FALSE(Reads("float sum = N[i];", "P[i] = sum;", "float* other = &P[1];"));
  EXPECT_FALSE(Reads("float sum = N[i];", "*(P + i) = sum;"));
  EXPECT_FALSE(Reads("float sum = N[i];", "out[i] = sum;")) << "the kernel calls it something else";
}

/// Of an access in line 3 of a kernel that was seen at Nds, or at another variable.
std::string Left(const std::string& access, const std::string& more = "",
                 const std::string& reached = "Nds") {
  return ArrayLeftIn(
      "__global__ void k(const float* M, float s) {\n__shared__ float Mds[16][16], Nds[16][16]; "
      "__shared__ float total;\n" +
          access + "\n" + more + "}\n",
      3, reached);
}

TEST(StrayedReads, AStatementThatNamesAnotherSharedArray) {
  EXPECT_EQ(Left("Mds[ty][tx] = r < n ? M[r * n + c] : 0;"), "Mds");
  EXPECT_EQ(Left("for (int k = 0; k < 16; ++k) s += Mds[ty][k];", "Nds[ty][tx] = 1;"), "Mds");
  EXPECT_EQ(Left("s += Mds[ty][tx];", "if (t == 0) atomicAdd(&total, s);", "total"), "Mds");
  EXPECT_EQ(Left("Nds[ty][tx] = 0;"), "") << "it names it";
  EXPECT_EQ(Left("s += Mds[ty][k] *\nNds[k][tx];"), "") << "in its second line";
  EXPECT_EQ(Left("s += total;"), "") << "a variable has no index";
  EXPECT_EQ(Left("s += M[0];"), "") << "no shared array";
  EXPECT_EQ(Left("s += Mds[0][0];", "", "other"), "") << "of another kernel";
}

TEST(StrayedReads, SharedMemoryThatHasPointers) {
  for (const char* more : {"float* p = Nds[0];", "float* p = &Nds[0][0];", "fill(Mds);",
                           "float* p = &Mds[1][1];", "__shared__ float Nds[4];"})
    EXPECT_EQ(Left("Mds[ty][tx] = 1;", more), "") << more;
  EXPECT_EQ(Left("Mds[ty][tx] = 1;", "\n#define N_TILE(i) Nds[i][0]\n"), "");
  EXPECT_EQ(Left("Mds[ty][tx] = 1;", "\n#define TILE 16\n"), "Mds");
}

TEST(StrayedReads, StoresThatTheCompilerMayMakeOne) {
  EXPECT_EQ(Left("if (a) Mds[ty][tx] = s;", "else Nds[ty][tx] = s;"), "");
  EXPECT_EQ(Left("Mds[ty][tx] = s;", "} else { Nds[ty][tx] = s;"), "");
  EXPECT_EQ(Left("if (a) Nds[ty][tx] = s; else {\n", "} "), "");
  EXPECT_EQ(
      ArrayLeftIn("__global__ void k() {\n__shared__ int a[4], b[4]; if (t) b[t] = 1; else {\na[t] = 1; }\n}",
                  3, "b"),
      "");
}

TEST(StrayedReads, HalfASource) {
  for (const char* source : {"", "}", "\n\n", "__global__ void k() {\nP[\nP["})
    EXPECT_FALSE(ReadsByMistake(source, 3, 2, "P")) << source;
  EXPECT_FALSE(ReadsByMistake("a[1];", 0, 1, "P"));
  for (const char* source : {"", "__shared__", "__shared__ int a[", "\n\n__shared__ int a[4], b; a["})
    EXPECT_EQ(ArrayLeftIn(source, 3, "b"), "") << source;
}

}  // namespace
}  // namespace warplings
