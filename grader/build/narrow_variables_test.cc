// SPDX-License-Identifier: Apache-2.0
#include "grader/build/narrow_variables.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "unsigned short, 65535: a b"; "" if there are none.
std::string NarrowIn(const std::string& source) {
  const auto found = FindNarrowVariables(source);
  if (!found) return "";
  std::string text = found->type + ", " + std::to_string(found->most) + ":";
  for (const std::string& name : found->names) text += " " + name;
  return text;
}

TEST(NarrowVariables, MembersParametersAndVariables) {
  EXPECT_EQ(NarrowIn("struct Plan {\n  int length;\n  unsigned short bins;\n  unsigned short per_block;\n};"),
            "unsigned short, 65535: bins per_block");
  EXPECT_EQ(NarrowIn("__global__ void k(int* p, unsigned short segment, int n) {}"),
            "unsigned short, 65535: segment");
  EXPECT_EQ(NarrowIn("void f() { short int a = g(1, 2), b; char c; }"), "short, 32767: a b");
  EXPECT_EQ(NarrowIn("void f() { const uint8_t n = 3; }"), "uint8_t, 255: n");
  EXPECT_EQ(NarrowIn("void f(signed char n) {}"), "signed char, 127: n");
}

TEST(NarrowVariables, NoNumberOfItsOwn) {
  EXPECT_EQ(NarrowIn("void f(const char* text) { int a = (short)b; unsigned c = 3; }"), "");
  EXPECT_EQ(NarrowIn("__shared__ unsigned char flags[256];"), "") << "an array";
  EXPECT_EQ(NarrowIn("unsigned short next(int n);"), "") << "a function";
}

}  // namespace
}  // namespace warplings
