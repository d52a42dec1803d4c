// SPDX-License-Identifier: Apache-2.0
#include "grader/build/replaced_pointers.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

TEST(ReplacedPointers, AnAllocationOverAParameterIsNamed) {
  const auto found = FindReplacedPointer(
      "void f(const float* M, float* P, int width) {\n  const int bytes = width * width * 4;\n"
      "  cudaMalloc(&P, bytes);\n  kernel<<<1, 1>>>(M, P, width);\n}\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 3);
  EXPECT_EQ(English(found->what),
            "cudaMalloc in line 3 replaces `P`, so the kernel gets new memory instead of the caller's array. "
            "Remove "
            "that call: the caller has already allocated `P`.");
  for (const char* source :
       {"void f(int* __restrict__ P) { cudaMalloc((void**)&P, 4); }",
        "void f(const float *P) { if (g) { cudaMallocManaged(reinterpret_cast<void**>(&P), 4); } }",
        "namespace a { void f(float* P) { if (cudaMalloc((float**)&P, 4) != 0) return; } }"}) {
    EXPECT_TRUE(FindReplacedPointer(source)) << source;
  }
}

TEST(ReplacedPointers, OtherAllocationsAreInOrder) {
  for (const char* source :
       {"void f(float* P) { float* Q; cudaMalloc(&Q, 4); }",
        "void f(float*& P) { cudaMalloc(&P, 4); }",                   // For the caller.
        "void f(float** P) { cudaMalloc(P, 4); }",                    // The same.
        "void f(float** P) { cudaMalloc(&P, 4); }",                   // Unusual: no word about it.
        "void f(float* P) { float* out = P; cudaMalloc(&P, 4); }",    // The caller's is kept.
        "void f(float* P) { k<<<1, 1>>>(P); cudaMalloc(&P, 4); }",    // It has been used.
        "void f(float* P) { if (P == nullptr) cudaMalloc(&P, 4); }",  // Only where there is none.
        "void f(int P) { float* P; cudaMalloc(&P, 4); }", "void f(int n) { cudaMalloc(&n, 4); }",
        "void g(float* P); void f(int n) { cudaMalloc(&P, 4); }",
        "// void f(float* P) { cudaMalloc(&P, 4); }", "cudaMalloc(&P, 4);", "cudaMalloc(", "){cudaMalloc(&P,",
        "void f(float* P) { cudaMalloc(&a.P, 4); }"}) {
    EXPECT_FALSE(FindReplacedPointer(source)) << source;
  }
}

}  // namespace
}  // namespace warplings
