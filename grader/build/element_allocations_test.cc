// SPDX-License-Identifier: Apache-2.0
#include "grader/build/element_allocations.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "LINE pointer: size of type" of what is allocated in line 2; "" if it is bytes, or in doubt.
std::string AllocationIn(const std::string& allocation, const std::string& before = "float *dM, *dN;") {
  const auto found = FindElementAllocation("void f(const float* M, float* P, int j, int k, int size) { " +
                                           before + "\n" + allocation + "\n}");
  if (!found) return "";
  return std::to_string(found->line) + " " + found->pointer + ": " + found->size + " of " + found->type;
}

TEST(ElementAllocations, ASizeWithoutTheSizeOfAnElement) {
  EXPECT_EQ(AllocationIn("cudaMalloc(&dM, j * k);"), "2 dM: j * k of float");
  EXPECT_EQ(AllocationIn("cudaMalloc((void**)&dN, j);"), "2 dN: j of float");
  EXPECT_EQ(AllocationIn("cudaMallocManaged(&dM, j * k + 1);"), "2 dM: j * k + 1 of float");
  EXPECT_EQ(AllocationIn("cudaMalloc(&dM, count);", "int count = j * k; float* dM;"), "2 dM: count of float");
  EXPECT_EQ(AllocationIn("cudaMalloc(&a, (j + 31) / 32);", "int* a;"), "2 a: (j + 31) / 32 of int");
}

TEST(ElementAllocations, ANumberOfPiecesIsOneOfElements) {
  const auto size = [](const std::string& code) {
    const auto found =
        FindElementAllocation("#define TILE 8\n__global__ void k(int* a, int* totals);\n" + code);
    return found ? found->pointer + ": " + found->size : "";
  };
  EXPECT_EQ(size("void f(int n) { const int blocks = (n + TILE - 1) / TILE; int* totals; cudaMalloc(&totals, "
                 "blocks); }"),
            "totals: blocks");
  EXPECT_EQ(size("void f(int n) { const int bytes_of = (n + 8 - 1) / TILE; int* totals; cudaMalloc(&totals, "
                 "bytes_of); }"),
            "");
}

TEST(ElementAllocations, ALaunchWithElementsInPlaceOfBytes) {
  const auto launch = [](const std::string& launches) {
    const auto found = FindElementLaunch(
        "__global__ void k(int n) { extern __shared__ int copy[]; }\n"
        "void f(int bins, int bytes) {\n" +
            launches + "\n}",
        "copy");
    return found ? std::to_string(found->line) + " " + found->size + " of " + found->type : "";
  };
  EXPECT_EQ(launch("k<<<n, 256, bins>>>(1);"), "3 bins of int");
  EXPECT_EQ(launch("k<<<dim3(1, 2), 256, bins + 1, stream>>>(1);"), "3 bins + 1 of int");
  for (const char* other :
       {"k<<<n, 256, bins * sizeof(int)>>>(1);", "k<<<n, 256, 4 * bins>>>(1);", "k<<<n, 256, bytes>>>(1);",
        "k<<<n, 256>>>(1);", "k<<<n, 256, 0>>>(1);", "k<<<n, 256, bins>>>(1);\nk<<<n, 256, 4 * bins>>>(1);"})
    EXPECT_EQ(launch(other), "") << other;
}

TEST(ElementAllocations, ASizeInBytesOrInDoubt) {
  EXPECT_EQ(AllocationIn("cudaMalloc(&dM, j * k * sizeof(float));"), "");
  EXPECT_EQ(AllocationIn("cudaMalloc(&dM, 4 * j);"), "");
  EXPECT_EQ(AllocationIn("cudaMalloc(&dM, j << 2);"), "");
  EXPECT_EQ(AllocationIn("cudaMalloc(&dM, count);", "size_t count = j * k * sizeof(float); float* dM;"), "");
  EXPECT_EQ(AllocationIn("cudaMalloc(&dM, size);"), "") << "a size may be in bytes";
  EXPECT_EQ(AllocationIn("cudaMalloc(&dM, BYTES);"), "");
  EXPECT_EQ(AllocationIn("cudaMalloc(&flags, j);", "char* flags;"), "") << "an element has one byte";
  EXPECT_EQ(AllocationIn("cudaMalloc(&flags, j);", "unsigned char* flags;"), "");
  EXPECT_EQ(AllocationIn("cudaMalloc(&points, j);", "struct Point* points;"), "");
}

TEST(ElementAllocations, TheOnlyOneWithoutSizeof) {
  const auto found = [](const std::string& body, std::int64_t bytes = 4) {
    const auto one =
        FindAllocationWithoutSizeof("int main(int argc, char** argv) {\n" + body + "\n}\n", bytes);
    return one ? std::to_string(one->line) + " " + one->pointer + ": " + one->size : "";
  };
  const std::string begin =
      "int n = argc > 1 ? atoi(argv[1]) : 9; size_t all = n * sizeof(float); float *a, *b;\n";
  EXPECT_EQ(found(begin + "cudaMalloc(&a, n); cudaMalloc(&b, all);"), "3 a: n");
  EXPECT_EQ(found(begin + "cudaMalloc(&a, n); cudaMalloc(&b, all);", 8), "") << "a float has 4 bytes";
  EXPECT_EQ(found(begin + "cudaMalloc(&a, n); cudaMalloc(&b, n);"), "") << "which of the two?";
  EXPECT_EQ(found(begin + "cudaMalloc(&a, all); cudaMalloc(&b, n * sizeof(float));"), "");
  EXPECT_EQ(found(begin + "cudaMalloc(&a, n * 4); cudaMalloc(&b, all);"), "");
  EXPECT_EQ(found(begin + "cudaMalloc(&a, bytes); cudaMalloc(&b, all);"), "");
  EXPECT_EQ(found(begin + "cudaMalloc(&a, n); cudaMallocAsync(&b, all, s);"), "");
}

}  // namespace
}  // namespace warplings
