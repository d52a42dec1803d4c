// SPDX-License-Identifier: Apache-2.0
#include "grader/build/host_divisions.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "2 unit, 5": the lines of divisions, and their divisors.
std::string DivisionsIn(const std::string& source) {
  std::string all;
  for (const HostDivision& each : FindHostDivisions(source)) {
    all += (all.empty() ? "" : ", ") + std::to_string(each.line);
    if (!each.divisor.empty()) all += " " + each.divisor;
  }
  return all;
}

std::string InFunction(const std::string& code) {
  return DivisionsIn("double f(Sm sm, int n, int warps) {\n" + code + "\n}\n");
}

TEST(HostDivisions, TheDivisorIsNamed) {
  EXPECT_EQ(InFunction("return sm.shared / unit;"), "2 unit");
  EXPECT_EQ(InFunction("return n % sm.unit + 1;"), "2 sm.unit");
  EXPECT_EQ(InFunction("n /= p->sizes[1];"), "2 p->sizes[1]");
  EXPECT_EQ(InFunction("return n / round_up(sm.unit + 1, n) * n;"), "2 round_up(...)");
  EXPECT_EQ(InFunction("return n /\n(sm.a - n);"), "2");
  EXPECT_EQ(InFunction("return n / 0;"), "2");
  EXPECT_EQ(InFunction("return n / warps / (int)n;"), "2 warps, 2");
  EXPECT_EQ(InFunction("result.share = result.blocks * warps / n;"), "2 n");
}

TEST(HostDivisions, WhatCannotBeZeroIsLeftOut) {
  for (const char* code : {"return n / 32;", "return n % sizeof(int);", "return n / kTile + n / TILE_WIDTH;",
                           "// n / warps", "constexpr int lanes = 32; return n / lanes;"})
    EXPECT_EQ(InFunction(code), "") << code;
  EXPECT_EQ(InFunction("int rest = 32; return n / rest;"), "2 rest") << "it may be changed";
  EXPECT_EQ(DivisionsIn("#define NONE 0\nint f(int n) { return n / NONE; }"), "2 NONE");
}

TEST(HostDivisions, WhatIsComparedBeforeIsLeftOut) {
  for (const char* code :
       {"if (n == 0) return 1; return 5 / n;", "return sm.unit > 0 ? 5 / sm.unit : 0;",
        "if (!n) return 1; return 5 / n;", "if (size(n) < 1) return 0; return 5 / size(n);"})
    EXPECT_EQ(InFunction(code), "") << code;
  EXPECT_EQ(InFunction("if (n == 4) return 1; return 5 / n;"), "2 n");
  EXPECT_EQ(InFunction("const int x = 5 / n; if (n == 0) return 1; return x;"), "2 n");
  EXPECT_EQ(DivisionsIn("int f(int n) { return n == 0; }\nint g(int n) { return 5 / n; }"), "2 n")
      << "another function";
}

TEST(HostDivisions, FloatsAreLeftOut) {
  for (const char* code :
       {"return (double)warps / n;", "return static_cast<double>(warps) / n;", "return 1.0 * warps / n;",
        "return double(warps) / n;", "return warps / (double)n;", "return warps / double(n);",
        "double part = 3; return part / n;", "return (warps * 1.0f) / n;",
        "return warps / static_cast<float>(n);"})
    EXPECT_EQ(InFunction(code), "") << code;
  EXPECT_EQ(InFunction("return static_cast<int>(warps) / n;"), "2 n");
}

TEST(HostDivisions, KernelsDoNotCrash) {
  EXPECT_EQ(DivisionsIn("__global__ void k(int n) { n / n; }\n__device__ int d(int n) { return n % n; }\n"
                        "__host__ __device__ int h(int n) { return n / n; }\n"
                        "namespace { struct S { int f() const { return 1 % n; } }; }"),
            "3 n, 4 n");
  EXPECT_EQ(DivisionsIn("int f(int n) {\n  if (n > 4) {\n    k<<<n / n, 1>>>();\n  }\n}"), "3 n");
}

TEST(HostDivisions, HalfASource) {
  for (const char* source : {"", "/", "int f() { return 1 /", "int f() { 1 / (", ") { /", "f) { ) / ("})
    EXPECT_LE(FindHostDivisions(source).size(), 1u) << source;
  std::string chain = "int f(int a) { return a";
  for (int i = 0; i < 100'000; ++i) chain += "/a";
  EXPECT_EQ(FindHostDivisions(chain).size(), 1000u);
}

}  // namespace
}  // namespace warplings
