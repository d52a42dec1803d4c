// SPDX-License-Identifier: Apache-2.0
#include "grader/build/kept_variables.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "2 counter+, 3 sums[]": + for one that is only counted up, [] for an array, * for a pointer, == for an
/// address that is compared, @ for one that only atomic operations change.
std::string KeptIn(const std::string& source) {
  std::string found;
  for (const KeptVariable& each : FindKeptVariables(source)) {
    found += (found.empty() ? "" : ", ") + std::to_string(each.line) + " " + each.name;
    found += each.is_array ? "[]" : "";
    found += each.is_only_counted_up ? "+" : "";
    found += each.is_pointer ? "*" : "";
    found += each.is_compared_address ? "==" : "";
    found += each.is_only_atomic && !each.is_only_counted_up ? "@" : "";
  }
  return found;
}

TEST(KeptVariables, WhatOutlivesACall) {
  EXPECT_EQ(KeptIn("__device__ float sums[4 * N];  // 0 at the start\n__device__ unsigned int done = 0;\n"
                   "void f() { done = 0; }"),
            "1 sums[], 2 done");
  EXPECT_EQ(KeptIn("namespace {\nstatic float *a = nullptr, *b = nullptr;\nint room{};\n}\nvoid f() {}"),
            "2 a*, 2 b*");
  EXPECT_EQ(
      KeptIn("void f() {\n  static const float* last = nullptr;\n  if (last) {\n static bool is_set;\n}\n}"),
      "2 last, 4 is_set");
  EXPECT_EQ(KeptIn("__device__ volatile int ready[MAX];\nstd::vector<int> buffer;"), "1 ready[], 2 buffer");
}

TEST(KeptVariables, AnAddressThatACallIsComparedWith) {
  const std::string last = "void f(const float* filter) {\n  static const float* last = nullptr;\n";
  EXPECT_EQ(KeptIn(last + "if (filter != last) copy();\n}"), "2 last==");
  EXPECT_EQ(KeptIn(last + "if (last == filter) return;\n}"), "2 last==");
  EXPECT_EQ(KeptIn(last + "use(last);\n}"), "2 last");
}

TEST(KeptVariables, WhatDoesNot) {
  EXPECT_EQ(
      KeptIn("#define TILE 32\nconstexpr int kTile = 32;\nconst int n = 3;\nusing T = float;\n"
             "__constant__ float F[25];\nstruct P { int a; float b; };\nextern __shared__ float s[];\n"
             "__device__ int add(int a, int b) { int c = a + b; return c; }\n"
             "template <int N>\n__global__ void k(float* out) { __shared__ float tile[N]; out[0] = 1; }\n"
             "void f(float* out) { const dim3 grid(1, 2); for (int i = 0; i < 3; ++i) { k<3><<<grid, "
             "1>>>(out); } }"),
      "");
}

TEST(KeptVariables, CountersThatNothingSetsBack) {
  const std::string counter = "__device__ int next = 0;\n";
  EXPECT_EQ(KeptIn(counter + "__global__ void k() { int tile = atomicAdd(&next, 1); if (next > 3) return; }"),
            "1 next+");
  EXPECT_EQ(KeptIn(counter + "void f() { next++; }"), "1 next+");
  EXPECT_EQ(KeptIn(counter + "__global__ void k() { atomicAdd(&next, 1); next = 0; }"), "1 next");
  EXPECT_EQ(KeptIn(counter + "__global__ void k() { atomicAdd(&next, 1); atomicExch(&next, 0); }"), "1 next");
  EXPECT_EQ(KeptIn(counter + "__global__ void k() { atomicInc(&next, 7); }"), "1 next@")
      << "begins again at 0, but perhaps too late";
  EXPECT_EQ(KeptIn(counter + "__global__ void k() { atomicInc(&next, gridDim.x - 1); }"), "1 next");
  EXPECT_EQ(KeptIn(counter + "__global__ void k() { atomicInc(&next, 7); next = 0; }"), "1 next");
  EXPECT_EQ(KeptIn(counter + "__global__ void k() { atomicAdd(&next, 1); }\n"
                             "void f() { int zero = 0; cudaMemcpyToSymbol(next, &zero, 4); }"),
            "1 next");
  EXPECT_EQ(KeptIn(counter + "__global__ void k() { next -= 1; next += 1; }"), "1 next");
  EXPECT_EQ(KeptIn(counter + "int f() { return next; }"), "1 next") << "nobody adds";
}

TEST(KeptVariables, MemoryThatEachCallSets) {
  const auto is_set = [](const std::string& body) {
    const auto found =
        FindKeptVariables("namespace n {\nvoid f() { static int* done = nullptr; " + body + " }\n}\n");
    return found.size() == 1 && found[0].is_set_in_each_call;
  };
  EXPECT_TRUE(is_set("cudaMemset(done, 0, 4);"));
  EXPECT_TRUE(is_set("if (n > 0) { k(); } cudaMemsetAsync(done, 0, 4, s);"));
  EXPECT_FALSE(is_set("if (done == nullptr) { cudaMemset(done, 0, 4); }"));
  EXPECT_FALSE(is_set("if (done == nullptr) cudaMemset(done, 0, 4);"));
  EXPECT_FALSE(is_set("cudaMemset(other, 0, 4);"));
  EXPECT_TRUE(FindKeptVariables("cudaMemset(p, 0, 4); static int* p;").size() == 1)
      << "where no token is before it";
}

}  // namespace
}  // namespace warplings
