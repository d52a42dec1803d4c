// SPDX-License-Identifier: Apache-2.0
#include "grader/build/unchecked_sums.h"

#include <gtest/gtest.h>

#include <string>

#include "grader/build/access_checks.h"

namespace warplings {
namespace {

/// What is found of the access to x in line 3: "other LINE checked | used" and the like; "" if it is nothing.
std::string Told(const std::string& body, bool is_load = true, const std::set<std::string>& zero = {}) {
  const auto check = CheckOfAccess("__global__ void k(float* x, int rows, int width) {\n" + body + "\n}", 3,
                                   is_load, "x", zero);
  if (!check || !check->sums) return "";
  const SumCheck& sums = *check->sums;
  const std::string line = std::to_string(sums.line);
  switch (sums.kind) {
    case SumCheck::Kind::kOther: {
      const std::string bound = sums.bound.empty() ? "" : " < " + sums.bound;
      const std::string element = sums.element.empty() ? "" : " by " + sums.element;
      using Part = SumCheck::Part;
      const std::string part = sums.part == Part::kRow      ? " row of "
                               : sums.part == Part::kColumn ? " column of "
                                                            : " element of ";
      return "other " + line + " " + sums.checked + " | " + sums.used +
             (sums.is.empty() ? "" : " = " + sums.is) + bound + (sums.is_alone ? " alone" : "") +
             (sums.is_in_loop ? " in loop" : "") + element +
             (sums.accessed.empty() ? "" : part + sums.accessed);
    }
    case SumCheck::Kind::kComputedLimit:
      return "limit " + line + " " + sums.checked + " | " + sums.limit + " " +
             std::to_string(sums.limit_line);
    case SumCheck::Kind::kComputedIndex: {
      std::string names;
      for (const std::string& name : sums.computed) names += " " + name;
      if (sums.has_other_rows) names += " by " + sums.bound + ", rows of " + sums.limit;
      return "computed " + line + names;
    }
    case SumCheck::Kind::kUnchecked:
      return "unchecked " + line + " " + sums.used + (sums.part == SumCheck::Part::kRow ? ", the row" : "") +
             (sums.checked.empty() ? "" : " for " + sums.checked);
    case SumCheck::Kind::kChecked: break;
  }
  return "checked " + line;
}

TEST(UncheckedSums, AConditionChecksLessThanTheIndexHas) {
  EXPECT_EQ(Told("if (i < rows)\ns = x[i + 16];"), "other 2 i | i + 16 < rows alone");
  EXPECT_EQ(Told("\ns = row < rows && c < width ? x[row * width + c + T] : 0;"),
            "other 3 c | c + T < width alone");
  EXPECT_EQ(Told("\ns = row < rows && c < width ? x[(row + T) * width + c] : 0;"),
            "other 3 row | row + T < rows alone");
  EXPECT_EQ(Told("if (row >= rows || c >= width) return;\nx[row * width + c + 2 * T] = s;", false),
            "other 2 c | c + 2 * T < width");
  EXPECT_EQ(
      Told("if (rows > row && width > c) { float* y = x + row * width + c; for (int r = 0; r < 4; ++r)\n"
           "y[r * STEP * width] = s; }",
           false),
      "other 2 row | row + r * STEP < rows in loop row of y[r * STEP * width]");
  EXPECT_EQ(Told("const bool ok = p + ty < rows && c < width; for (int r = 0; r < 32; r += 8)\n"
                 "s += ok ? x[(p + ty + r) * width + c] : 0;"),
            "other 2 p + ty | p + ty + r < rows in loop");
  EXPECT_EQ(Told("int i = b * T + t; if (i < rows)\ns = x[b * T + t + T];"),
            "other 2 i | b * T + t + T < rows alone");
}

TEST(UncheckedSums, AValueFromMemoryIsNotWhatAConditionLeavesOut) {
  const std::string guard = "if (i >= rows) return; const int from = index[i];";
  EXPECT_EQ(Told(guard + "\ns = x[from];"), "");
  EXPECT_FALSE(
      CheckOfAccess("__global__ void k(float* x, int rows) {\n" + guard + "\ns = x[from];\n}", 3, true, "x"))
      << "nor does the condition look at all of the index";
  EXPECT_EQ(Told(guard + "\ns = x[from * width + c];"), "unchecked 2 c") << "the column is the kernel's own";
  EXPECT_EQ(Told("if (c >= width) return; const int from = index[c];\ns = x[from * width + c];"), "");
}

TEST(UncheckedSums, AVariableThatAnotherLineKeepsInARangeIsNamed) {
  const std::string head = "if (i >= rows) return; const int sy = map[i], below = min(sy + 1, width - 1);";
  EXPECT_EQ(Told(head + "\ns = x[below * width + sy];"), "computed 2 below");
  EXPECT_EQ(Told(head + " int at = below * width + sy;\ns = x[at];"), "computed 2 below");
  EXPECT_EQ(
      Told(head +
           " const int above = sy > 0 ? sy - 1 : 0;\ns = x[above * width + sy] + x[below * width + sy];"),
      "computed 2 above below");
  EXPECT_EQ(Told("if (i >= rows) return; const int sy = map[i], below = min(sy + 1, width - 1); s = x[sy] +\n"
                 "x[below * width + sy];"),
            "computed 2 below")
      << "only this line is meant";
  EXPECT_EQ(Told("int low = t + 1; if (low >= rows) low = rows - 1; if (t >= width) return;\ns = x[low * "
                 "width + t];"),
            "computed 2 low");
  EXPECT_EQ(Told("int low = min(t + 1, rows);\ns = x[low];"), "computed 2 low") << "without any condition";
  EXPECT_EQ(Told(head + "\ns = x[below * width + c];"), "unchecked 2 c") << "the column has no check at all";
}

TEST(UncheckedSums, AVariableIsInARangeThroughOthers) {
  const std::string clamped =
      "if (r >= rows || c >= width) return; float v = (c + 0.5f) * 2; "
      "v = fminf(fmaxf(v, 0), width - 1); const int x0 = static_cast<int>(v);";
  EXPECT_EQ(Told(clamped + "\ns = x[r * width + x0];"), "computed 2 x0");
  EXPECT_EQ(Told(clamped + " const int at = x0 + 1;\ns = x[r * width + at];"), "computed 2 x0");
  EXPECT_EQ(Told("if (r >= rows) return; int x0 = c; x0 = min(x0, width - 1);\ns = x[r * width + x0];"),
            "computed 2 x0");
  EXPECT_EQ(Told("if (r >= rows) return; int x0 = c; x0 += d;\ns = x[r * width + x0];"), "unchecked 2 x0")
      << "nothing limits it";
  EXPECT_EQ(Told("if (r >= rows) return; int cc = t % 16; cc += k0;\ns = x[r * width + cc];"),
            "unchecked 2 cc")
      << "a thread's column is not limited";
  EXPECT_EQ(Told("if (r >= rows) return; for (int p = 0; p < 4; ++p) s += min(p, 2);\n"
                 "s = x[r * width + c];"),
            "unchecked 2 c");
}

TEST(UncheckedSums, AColumnIsLimitedByAnotherLengthThanTheRowsHave) {
  const std::string clamped =
      "if (r >= rows || c >= width) return; float v = (c + 0.5f) * width / rows; "
      "v = fminf(fmaxf(v, 0), rows - 1); const int x0 = static_cast<int>(v), "
      "y0 = min(r, rows - 1), x1 = min(c, width - 1);";
  EXPECT_EQ(Told(clamped + "\ns = x[y0 * width + x0];"), "computed 2 x0 by rows, rows of width");
  EXPECT_EQ(Told(clamped + "\ns = x[x1 * width + y0];"), "computed 2 y0 by rows, rows of width")
      << "exchanged";
  EXPECT_EQ(Told(clamped + "\ns = x[x1 * rows + y0];"), "computed 2 x1") << "by the same parameter";
  EXPECT_EQ(Told(clamped + "\ns = x[y0 * width + x0 + 1];"), "computed 2 y0")
      << "it is not all of the column";
  EXPECT_EQ(Told("int low = min(t, rows - width);\ns = x[low * width + low];"), "computed 2 low")
      << "by both parameters";
}

TEST(UncheckedSums, AVariableThatIntrinsicFunctionsComputeIsNamed) {
  const std::string place =
      "int place = places[b] + __popc(above); for (int w = 0; w < warp; ++w) place += n[w]; ";
  EXPECT_EQ(Told(place + "if (own > 0)\nx[place] = own;", false), "computed 2 place");
  EXPECT_EQ(Told("if (own > 0) { int at = atomicAdd(count, 1);\nx[at] = own; }", false), "computed 2 at");
  EXPECT_EQ(
      Told("int me = atomicAdd(ticket, 1); const int i = me * 512 + t; if (own > 0)\nx[i] = own;", false),
      "unchecked 2 i")
      << "the grid may be rounded up";
  EXPECT_EQ(Told("if (own > 0) { int at = b * T + t;\nx[at] = own; }", false), "unchecked 2 at");
}

TEST(UncheckedSums, HowTheLineComesToTheSum) {
  EXPECT_EQ(Told("if (row < rows) { float* y = x + row * width + c;\ny[16 * width] = s; }", false),
            "other 2 row | row + 16 < rows row of y[16 * width]");
  EXPECT_EQ(Told("if (row < rows && c < width) { float* y = x + row * width + c;\ny[32] = s; }", false),
            "other 2 c | c + 32 < width column of y[32]");
  EXPECT_EQ(Told("if (i < rows) { float* y = x + i;\ny[T] = s; }", false),
            "other 2 i | i + T < rows element of y[T]");
  EXPECT_EQ(Told("const int i1 = i + T; if (i < rows)\ns = x[i1];"), "other 2 i | i1 = i + T < rows alone");
  EXPECT_EQ(Told("const int c1 = c + T; if (c < width)\ns = x[r * width + c1];"),
            "other 2 c | c1 = c + T < width alone");
  EXPECT_EQ(Told("int cc = c + T; float* y = x + cc; if (c < width)\ns = y[d];"),
            "other 2 c | cc + d < width alone element of y[d]")
      << "`c` is a part of a name only";
  EXPECT_EQ(Told("const bool ok = i0 < rows; for (int r = 0; r < 4; ++r) { const int i = i0 + r * 8;\n"
                 "s += ok ? x[i * width + c] : 0; }"),
            "other 2 i0 | i = i0 + 8 * r < rows in loop");
}

TEST(UncheckedSums, AnotherLoopMayHaveAVariableOfTheSameName) {
  const std::string first =
      "for (int r = 0; r < 4; ++r) { const int i = i0 + r * 8; if (i0 < rows)\ns = x[i]; }\n";
  EXPECT_EQ(Told(first + "for (int i = 0; i < 9; ++i) s += i;"), "other 2 i0 | i = i0 + 8 * r < rows alone");
  EXPECT_EQ(Told(first + "for (i = 0; i < 9; ++i) s += i;"), "unchecked 2 i")
      << "it may be the same variable, with another value";
}

TEST(UncheckedSums, WhatElseAConditionGuards) {
  EXPECT_EQ(Told("if (i < rows)\ns = x[i] + x[i + 16];"), "other 2 i | i + 16 < rows by x[i + 16]");
  EXPECT_EQ(Told("if (i < rows) { x[i] = s;\nx[i + T] = t; }", false), "other 2 i | i + T < rows");
  EXPECT_EQ(Told("__shared__ float tile[T]; if (i < rows)\ntile[i] = x[i + T];"),
            "other 2 i | i + T < rows alone")
      << "shared memory has its own limits";
  EXPECT_EQ(Told("if (i < rows)\ny[i] = x[i + T];"), "other 2 i | i + T < rows by x[i + T]");
  EXPECT_EQ(Told("if (i < rows)\ns = w[k] * x[i + T];"), "other 2 i | i + T < rows alone");
  EXPECT_EQ(Told("if (i < rows) for (int h = 0; h < 2; ++h)\ns = x[i + h];"),
            "other 2 i | i + h < rows in loop");
  EXPECT_EQ(Told("if (i >= rows) return;\ns = x[i + T];"), "other 2 i | i + T < rows");
  EXPECT_EQ(Told("if (i <= rows)\ns = x[i + T];"), "other 2 i | i + T alone") << "the limit is none";
  EXPECT_EQ(Told("if (i < T)\ns = x[p * T + i];"), "other 2 i | p * T + i alone") << "T is no parameter";
}

TEST(UncheckedSums, AConditionChecksAnotherSum) {
  const std::string rows = "int row = r0 + t, m = r0 + u; ";
  EXPECT_EQ(Told(rows + "\ns = row < rows && c < width ? x[m * width + c] : 0;"),
            "other 3 row | m < rows alone");
  EXPECT_EQ(Told(rows + "if (m < rows && c < width)\nx[row * width + c] = s;", false),
            "other 2 m | row < rows alone");
  EXPECT_EQ(Told(rows + "if (m < rows && row < rows && c < width)\nx[row * width + c] = s;", false),
            "checked 2");
  EXPECT_EQ(Told("if (i + 1 < rows)\ns = x[i + d];"), "") << "d may be 1";
  EXPECT_EQ(Told(rows + "if (row <= rows)\ns = x[m];"), "") << "which limit x has is not known";
}

TEST(UncheckedSums, ALimitThatIsComputed) {
  EXPECT_EQ(
      Told("int n = c0 + 4 <= width ? 4 : width % 4; for (int c = 0; c < 4; ++c) if (c < n && r < rows)\n"
           "s += x[r * width + c0 + c];"),
      "limit 2 c | n 2");
  EXPECT_EQ(Told("int n = 7; if (c < n)\ns += x[c0 + c];"), "other 2 c | c0 + c alone")
      << "n has nothing of c0";
  EXPECT_EQ(Told("if (c < width - c0)\ns += x[c0 + c];"), "checked 2");
}

TEST(UncheckedSums, APartThatNoConditionChecks) {
  EXPECT_EQ(Told("if (c < width)\ns += x[(p * T + ty) * width + c];"), "unchecked 2 p * T + ty, the row");
  EXPECT_EQ(Told("for (int p = 0; p < n; ++p) if (c < width)\ns += x[(p * T + ty) * width + c];"),
            "unchecked 2 p * T + ty, the row")
      << "the loop limits p alone";
  EXPECT_EQ(Told("if (c < width)\ns += x[blockIdx.y * width + c];"), "") << "the grid may limit it";
  EXPECT_EQ(Told("if (c < width)\ns += x[blockIdx.y * width + c + 1];"), "other 2 c | c + 1 < width alone");
}

TEST(UncheckedSums, AConditionChecksWhatTheIndexHasNot) {
  const std::string known =
      "const int r = blockIdx.y; const int col = threadIdx.x; const int row = threadIdx.y; ";
  EXPECT_EQ(Told(known + "if (r < rows && row < rows)\ns = x[r * width + col];"), "unchecked 2 col for row");
  EXPECT_EQ(Told(known + "if (r < rows && r + row < rows)\ns = x[r * width + col];"), "unchecked 2 col");
  EXPECT_EQ(Told(known + "if (r < rows && row < rows) {\ns = x[r * width + col];\ny[row] = s; }"),
            "unchecked 2 col")
      << "it guards another access, too";
  EXPECT_EQ(Told("if (r < rows && row < rows)\ns = x[r * width + col];"), "unchecked 2 col")
      << "r may be computed from row";
}

TEST(UncheckedSums, AllIsChecked) {
  EXPECT_EQ(Told("for (int i = 0; i < rows; ++i) if (c < width)\ns += x[i * width + c];"), "checked 2");
  EXPECT_EQ(Told("int row = b * T + t; if (row < rows && c < width)\ns += x[(b * T + t) * width + c];"),
            "checked 2");
  EXPECT_EQ(Told("if (i + 16 < rows)\ns = x[i + 16];"), "checked 2");
  EXPECT_EQ(Told("if (row < rows && c < width)\ns = x[(row + ty) * width + c];", true, {"ty"}), "checked 2");
  EXPECT_EQ(Told("if (c < width)\ns = x[ty * width + c];", true, {"ty"}), "") << "ty is 0, and not checked";
}

TEST(UncheckedSums, APointerMayPointPastTheFirstElement) {
  const auto is_said = [](const std::string& rest, const std::string& head = "__global__ void k") {
    const auto check =
        CheckOfAccess(head + "(float* x, int n) {\nif (i < n)\ns = x[i];\n}\n" + rest, 3, true, "x");
    return check && check->sums;
  };
  EXPECT_TRUE(is_said("void f(float* x, int n) { k<<<(n + 31) / 32, 32>>>(x, n); }"));
  EXPECT_FALSE(is_said("void f(float* x, int n) { k<<<n, 32>>>(x + n, n); }"));
  EXPECT_FALSE(is_said("void f(float* x, int n) { k<<<n, 32>>>(&x[n], n); }"));
  EXPECT_FALSE(is_said("", "__device__ void k")) << "it is called with a pointer";
}

TEST(UncheckedSums, NothingInDoubt) {
  EXPECT_EQ(Told("if (i < rows || c < width)\ns = x[i + 16];"), "");
  EXPECT_EQ(Told("if (i < rows && flag)\ns = x[i + 16];"), "");
  EXPECT_EQ(Told("if (i / 2 < rows)\ns = x[i + 16];"), "");
  EXPECT_EQ(Told("if (i < rows) while (true) {\ns = x[i + 16]; i += 2; }"), "") << "i changes";
  EXPECT_EQ(Told("if (i < rows) { x += 4;\ns = x[i + 16]; }"), "") << "the pointer changes";
  EXPECT_EQ(Told("if (i < rows && z < width)\ns = x[z * rows * width + i + 4];"), "") << "three dimensions";
  EXPECT_EQ(Told("for (int i = rows - 1; i >= 0; --i) if (c < width)\ns += x[i * width + c];"), "")
      << "it begins inside";
  EXPECT_EQ(Told("if (i < rows)\ns = x[at(i)];"), "");
  EXPECT_EQ(Told("if (i < rows)\ns = x[i - 1];"), "checked 2");
  EXPECT_EQ(Told("if (i * width + c < rows * width)\ns = x[i * width + c];"), "")
      << "the whole index may be checked";
}

/// Sources are hostile: sums of sums must not grow without end.
TEST(UncheckedSums, LongSumsEnd) {
  std::string body = "int a0 = i + t;";
  for (int n = 1; n < 40; ++n) {
    const std::string before = "a" + std::to_string(n - 1);
    body += " int a" + std::to_string(n) + " = " + before + " * " + before + " + " + before + " * b" +
            std::to_string(n) + ";";
  }
  EXPECT_EQ(Told("if (i < rows) " + body + "\ns = x[a39];"), "");
  EXPECT_EQ(Told("if (i < rows)\ns = x[" + std::string(500, '(') + "i" + std::string(500, ')') + "];"), "");
}

}  // namespace
}  // namespace warplings
