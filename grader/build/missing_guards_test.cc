// SPDX-License-Identifier: Apache-2.0
#include "grader/build/missing_guards.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

const std::string kKernel =
    "__global__ void add(const float* a, float* c, int n) {\n"
    "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "c[i] = a[i];\n}\n";
const std::string kMain =
    "int main() { const int count = 1000; float *a, *c; size_t bytes = count * sizeof(float);\n"
    "for (int i = 0; i < count; ++i) h[i] = i;\n"
    "cudaMalloc(&a, bytes); cudaMalloc(&c, 4 * count);\n"
    "add<<<4, 256>>>(a, c, count); }\n";

/// The condition that the load lacks, or the store.
std::string GuardOf(const std::string& source, Access access = Access::kRead) {
  Finding finding;
  finding.kernel = "add";
  finding.where = {"add.cu", 3};
  finding.access = access;
  finding.object_bytes = finding.offset_bytes = 4000;
  finding.access_bytes = 4;
  const auto guard = FindMissingGuard(source, finding, access == Access::kRead ? 1 : 2);
  return guard ? guard->index + " < " + guard->length : "";
}

std::string With(std::string source, const std::string& old, const std::string& by) {
  return source.replace(source.find(old), old.size(), by);
}

TEST(MissingGuards, OfAnArrayWithOneElementForEachThread) {
  EXPECT_EQ(GuardOf(kKernel + kMain), "i < n");
  EXPECT_EQ(GuardOf(kKernel + kMain, Access::kWrite), "i < n");
  EXPECT_EQ(GuardOf(With(kKernel, "blockIdx.x * blockDim.x + ", "") + kMain), "i < n");
  EXPECT_EQ(GuardOf(With(kKernel, "c[i]", "if (i < n) c[i]") + kMain), "");
  EXPECT_EQ(GuardOf(With(kKernel, "c[i]", "if (i <= n) c[i]") + kMain), "");
  EXPECT_EQ(GuardOf(With(kKernel, "a[i]", "a[i + 1]") + kMain), "");
  EXPECT_EQ(GuardOf(With(kKernel, "c[i]", "i += n; c[i]") + kMain), "");
  EXPECT_EQ(GuardOf(With(kKernel, "blockDim.x", "32") + kMain), "") << "the index may be wrong";
}

TEST(MissingGuards, OnlyWhereTheArrayHasAsManyElements) {
  EXPECT_EQ(GuardOf(kKernel + With(kMain, "count * sizeof(float)", "count")), "") << "bytes are missing";
  EXPECT_EQ(GuardOf(kKernel + With(kMain, "4 * count", "2 * count"), Access::kWrite), "");
  EXPECT_EQ(GuardOf(kKernel + With(kMain, "c, count", "c, 3")), "");
  EXPECT_EQ(GuardOf(kKernel + With(kMain, "count * sizeof", "other * sizeof")), "");
}

}  // namespace
}  // namespace warplings
