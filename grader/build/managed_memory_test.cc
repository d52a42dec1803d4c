// SPDX-License-Identifier: Apache-2.0
#include "grader/build/managed_memory.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// A program with this before its launch and this after it.
std::string Program(const std::string& before, const std::string& after) {
  return "__global__ void __launch_bounds__(256) add(const float* a, float* c, int n) { c[n] = a[n]; }\n"
         "int main() {\n"
         "  float *a, *c = nullptr; cudaMallocManaged(&a, 64); CHECK(cudaMallocManaged((void**)&c, 64));\n" +
         before +
         "\n  add<<<1, 256>>>(a, c, n);\n"
         "  cudaDeviceSynchronize();\n" +
         after + "\n  cudaFree(a); CHECK(cudaFree(c));\n}\n";
}

bool IsOnlyRead(const std::string& before, const std::string& after, std::size_t argument = 2) {
  return ArrayThatHostOnlyReads(Program(before, after), "add", argument).has_value();
}

TEST(ManagedMemory, AnArrayThatTheHostOnlyReads) {
  const auto found = ArrayThatHostOnlyReads(
      Program("for (int i = 0; i < n; ++i) a[i] = i;", "for (int i = 0; i < n; ++i) s += c[i];"), "add", 2);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pointer, "c");
  EXPECT_EQ(found->element_bytes, 4);
  EXPECT_EQ(found->launch, 5);
  for (const char* const read :
       {"printf(\"%f\\n\", c[999]);", "if (c[i] != 3) return 1;", "std::cout << c[i] << c[i + 1];",
        "float e = std::fabs(c[i] - 3); e = fmax(e, fabs(c[2]));", "double d = static_cast<double>(c[1]);",
        "s += 2 * c[i];", "s += 0.5f * c[i] * c[i];"})
    EXPECT_TRUE(IsOnlyRead("", read)) << read;
  EXPECT_FALSE(IsOnlyRead("", "")) << "nobody reads it";
  EXPECT_EQ(found->read_elements, std::nullopt);
  const auto few = ArrayThatHostOnlyReads(Program("", "s = c[7] + c[3];"), "add", 2);
  ASSERT_TRUE(few);
  EXPECT_EQ(few->read_elements, 8);
  EXPECT_FALSE(ArrayThatHostOnlyReads("int main() { k<<<1, 1>>>(c); c[", "k", 1));
  const auto unknown = ArrayThatHostOnlyReads(Program("", "s = c[7] + c[n - 1] + c[3];"), "add", 2);
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->read_elements, std::nullopt);
}

TEST(ManagedMemory, WhereTheHostMayStoreNothingIsSaid) {
  const std::string read = "s += c[i];";
  ASSERT_TRUE(IsOnlyRead("", read));
  for (const char* const store :
       {"for (int i = 0; i < n; ++i) c[i] = 0;", "c[i] += 1;", "c[3]++;", "--c[3];", "float* p = c;",
        "*c = 0;", "fill(c, n);", "std::fill(c, c + n, 0);", "memset(c, 0, 64);", "std::cin >> c[0];",
        "float& r = f(c[0]);", "set(1, c[1]);", "float* q = &c[1];", "scanf(\"%f\", &c[1]);", "c = other;",
        "cudaMemset(c, 0, 64);"})
    EXPECT_FALSE(IsOnlyRead(store, read)) << store;
  EXPECT_FALSE(IsOnlyRead("", "a[i] = 1; s += a[i];", 1));
  EXPECT_FALSE(IsOnlyRead("", read, 3)) << "no array";
  EXPECT_FALSE(IsOnlyRead("add<<<1, 256>>>(a, c, n);", read)) << "launched twice";
  EXPECT_FALSE(ArrayThatHostOnlyReads("#define ZERO c[0] = 0\n" + Program("", read), "add", 2));
}

}  // namespace
}  // namespace warplings
