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

TEST(StrayedReads, HalfASource) {
  for (const char* source : {"", "}", "\n\n", "__global__ void k() {\nP[\nP["})
    EXPECT_FALSE(ReadsByMistake(source, 3, 2, "P")) << source;
  EXPECT_FALSE(ReadsByMistake("a[1];", 0, 1, "P"));
}

}  // namespace
}  // namespace warplings
