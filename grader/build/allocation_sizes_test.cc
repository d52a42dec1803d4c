// SPDX-License-Identifier: Apache-2.0
#include "grader/build/allocation_sizes.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

std::string FoundSize(const std::string& size, const std::string& more = "") {
  const auto found = FindAllocationOf(
      "__global__ void k(int n, float* a) {}\nint main() { std::vector<float> h(9); float *d, "
      "*e;\ncudaMalloc(&d, " +
          size + ");\n" + more + "k<<<1, 2>>>(9, d);\n}",
      "k", 2);
  if (!found) return "";
  const char* const sizes[] = {"other", "vector", "pointer"};
  return found->pointer + " in line " + std::to_string(found->line) + ", " + found->written + ": " +
         sizes[static_cast<int>(found->size)] + found->element_type;
}

TEST(AllocationSizes, TheSizeOfAnObjectIsNotThatOfItsElements) {
  EXPECT_EQ(FoundSize("sizeof(h)"), "d in line 3, sizeof(h): vectorfloat");
  EXPECT_EQ(FoundSize("sizeof d"), "d in line 3, sizeof d: pointer");
  EXPECT_EQ(FoundSize("9 * sizeof(float)"), "d in line 3, 9 * sizeof(float): other");
  EXPECT_EQ(FoundSize("sizeof(float)"), "d in line 3, sizeof(float): other");
}

TEST(AllocationSizes, OnlyOneLaunchAndOneAllocation) {
  EXPECT_EQ(FoundSize("9", "cudaMalloc(&d, 8);\n"), "");
  EXPECT_EQ(FoundSize("9", "k<<<1, 2>>>(9, d);\n"), "");
  EXPECT_EQ(FoundSize("9", "cudaMalloc(&e, 8);\n"), "d in line 3, 9: other");
  EXPECT_FALSE(FindAllocationOf("k<<<1, 2>>>(9, d + 1); cudaMalloc(&d, 8);", "k", 2));
}

}  // namespace
}  // namespace warplings
