// SPDX-License-Identifier: Apache-2.0
#include "grader/build/unset_variables.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "grader/core/layout.h"

namespace warplings {
namespace {

/// "3: sum" for each warning about the body of a kernel; its first line is line 1.
std::string Found(const std::string& body, const std::string& before = "") {
  std::string text;
  const std::string source = before + "__global__ void k(const float* x, float* y, int n) {" + body + "}\n";
  for (const Diagnostic& each : FindUnsetVariables(source, "a.cu")) {
    EXPECT_EQ(each.severity, Severity::kWarning);
    text += (text.empty() ? "" : ", ") + std::to_string(each.where.line) + ": " +
            English(each.message).substr(0, English(each.message).find(' '));
  }
  return text;
}

TEST(UnsetVariables, AccumulatorsWithoutAValue) {
  const char* bodies[] = {
      "float sum;\nfor (int i = 0; i < n; ++i) sum += x[i]; y[0] = sum;",
      "double sum;\nfor (int t = 0; t < n; ++t) { for (int k = 0; k < 16; ++k) { sum += x[k]; } } y[0] = "
      "sum;",
      "float sum;\nfor (int i = 0; i < n; ++i) sum = sum + x[i]; y[0] = sum;",
      "float sum;\nfor (int i = 0; i < n; ++i) sum = fmaf(x[i], x[i], sum); y[0] = sum;",
      "float sum;\nif (n > 3) { for (int i = 0; i < n; ++i) sum += x[i]; y[0] = sum; }",
      "float other = 1, sum;\nwhile (n-- > 0) sum -= x[n]; y[0] = sum * other;",
      "unsigned int sum;\nint i = 0; do { if (x[i] > 0) sum++; } while (++i < n); y[0] = sum;",
      "float sum[4];\nfor (int i = 0; i < n; ++i) for (int j = 0; j < 4; ++j) sum[j] += x[i]; y[0] = sum[0];",
      "float sum[2][2];\nfor (int a = 0; a < 2; ++a) for (int b = 0; b < 2; ++b) sum[a][b] += x[a]; y[0] = "
      "sum[0][1];",
      "float4 sum;\nfor (int i = 0; i < n; ++i) sum.x += x[i]; y[0] = sum.x;",
      "float sum;\nfor (int c = 0; c < n; ++c) { sum += x[c]; y[c] = sum; sum = 0; }",
      "float sum;\nfor (int i = 0; i < n; ++i) sum = fmaxf(sum, x[i]); y[0] = sum;",
      "float sum;\nfor (int i = 0; i < n; ++i) if (x[i] > sum) sum = x[i]; y[0] = sum;",
      "float total = 0; for (int t = 0; t < n; ++t) { float sum;\nfor (int k = 0; k < 8; ++k) sum += x[k]; "
      "total += sum; } y[0] = total;",
      "volatile float sum;\nfor (int i = 0; i < n; ++i) sum += x[i]; y[0] = sum;",
      "float sum;\n#pragma unroll\n\nfor (int i = 0; i < n; ++i) sum += x[i]; y[0] = sum;",
  };
  for (const char* body : bodies)
    EXPECT_TRUE(Found(body) == "2: sum" || Found(body) == "4: sum") << body << Found(body);
  // In a function of the device and of the host, and each variable once.
  EXPECT_EQ(Found("y[0] = dot(x, n);",
                  "__device__ float dot(const float* a, int n) {\n float s, t;\n for (int i = 0; i < n; "
                  "++i)\n { s += a[i]; t += s; }\n return s + t; }\n"),
            "4: s, 4: t");
}

TEST(UnsetVariables, ArraysOfWhichSomeElementsHaveAValue) {
  EXPECT_EQ(Found("float sum[4]; sum[0] = 0;\nfor (int j = 0; j < 4; ++j) sum[j] += x[j]; y[0] = sum[0];"),
            "2: sum");
  EXPECT_EQ(Found("float sum[TM]; sum[0] = 0; sum[1] = 0;\nfor (int j = 0; j < TM; ++j) sum[j] += x[j]; y[0] "
                  "= sum[0];",
                  "#define TM 3\n"),
            "3: sum");
  EXPECT_EQ(Found("float sum[2]; sum[0] = 0; sum[1] = 0;\nfor (int j = 0; j < 2; ++j) sum[j] += x[j]; y[0] = "
                  "sum[0];"),
            "");
  EXPECT_EQ(Found("float sum[4]; sum[0] = sum[1] = sum[2] = sum[3] = 0; for (int j = 0; j < 4; ++j) sum[j] "
                  "+= x[j]; y[0] = sum[0];"),
            "");
  EXPECT_EQ(Found("float sum[4]; sum[0] = 0; sum[0] += x[0]; y[0] = sum[0];"), "");
}

/// Only of a loop over all elements it is sure that it reads one without a value.
TEST(UnsetVariables, ALoopOverAnArrayOfWhichSomeElementsHaveAValue) {
  const auto told = [](const std::string& loop) {
    const auto found = FindUnsetVariables(
        "#define N 4\n__global__ void k(const float* x, float* y, int n) {\nfloat sum[N]; sum[0] = 0;\n" +
            loop + "\ny[0] = sum[0];\n}\n",
        "a.cu");
    return found.size() == 1 ? English(found[0].message) : std::to_string(found.size());
  };
  const std::string all =
      "sum has 4 elements, and a loop reads all of them here, but only 1 of them was set before. Set all of "
      "them "
      "first, in a loop of their own.";
  for (const char* const loop : {"for (int c = 0; c < N; ++c) sum[c] += x[c];",
                                 "for (int p = 0; p < n; ++p) { for (int c = 0; c < 4; c++) { for (int k = "
                                 "0; k < 8; ++k) sum[c] += x[k]; } "
                                 "}"})
    EXPECT_EQ(told(loop), all) << loop;
  for (const char* const loop :
       {"for (int c = 0; c < n; ++c) sum[c] += x[c];", "for (int c = 0; c < 1; ++c) sum[c] += x[c];",
        "for (int c = 0; c < N; ++c) if (c < n) sum[c] += x[c];",
        "for (int c = 0; c < N; ++c) { if (c == n) break; sum[c] += x[c]; }",
        "for (int c = 0; c < N; ++c) y[c] = c < n ? sum[c] : 0;", "while (n > 0) sum[n] += x[n--];"})
    EXPECT_TRUE(told(loop).starts_with("sum has 4 elements, but only 1 of them has a value")) << told(loop);
}

TEST(UnsetVariables, WhatHasAValueIsLeftAlone) {
  const char* bodies[] = {
      "float sum = 0; for (int i = 0; i < n; ++i) sum += x[i]; y[0] = sum;",
      "float sum{}; for (int i = 0; i < n; ++i) sum += x[i]; y[0] = sum;",
      "float sum(0); for (int i = 0; i < n; ++i) sum += x[i]; y[0] = sum;",
      "float sum; sum = 0; for (int i = 0; i < n; ++i) sum += x[i]; y[0] = sum;",
      "float a, b; a = b = 0; for (int i = 0; i < n; ++i) { a += x[i]; b -= x[i]; } y[0] = a * b;",
      "float sum; for (sum = 0; n > 0; --n) sum += x[n]; y[0] = sum;",
      "float sum[4] = {}; for (int j = 0; j < 4; ++j) sum[j] += x[j]; y[0] = sum[0];",
      "float sum[4]; for (int j = 0; j < 4; ++j) sum[j] = 0; for (int j = 0; j < 4; ++j) sum[j] += x[j]; "
      "y[0] = sum[0];",
      "float sum[4]; memset(sum, 0, sizeof(sum)); for (int j = 0; j < 4; ++j) sum[j] += x[j]; y[0] = sum[0];",
      "float sum[2][2]; clear(sum[0]); clear(sum[1]); sum[0][1] += 1; y[0] = sum[0][1];",
      "float sum; clear(&sum); sum += x[0]; y[0] = sum;",
      "float sum; clear(sum); sum += x[0]; y[0] = sum;",
      "float sum; load<float>(x, sum); sum += x[0]; y[0] = sum;",
      "float sum; asm volatile(\"mov.f32 %0, 0f00000000;\" : \"=f\"(sum)); sum += x[0]; y[0] = sum;",
      "float prev; for (int i = 0; i < n; ++i) { if (i > 0) y[i] = x[i] - prev; prev = x[i]; }",
      "float prev; for (int i = 0; i < n; ++i) { y[i] = i > 0 ? x[i] - prev : x[i]; prev = x[i]; }",
      "float sum; for (int i = 0; i < n; ++i) if (i > 0) sum += x[i]; else sum = x[i]; y[0] = sum;",
      "float sum; for (int i = 0; i < n; ++i) { if (i == 0) { sum = x[i]; } else { sum += x[i]; } } y[0] = "
      "sum;",
      "float last; for (int i = 0; i < n; ++i) { for (int j = 0; j < i; ++j) y[j] += last; last = x[i]; }",
      "float best; bool has = false; for (int i = 0; i < n; ++i) if (!has || x[i] > best) { best = x[i]; has "
      "= true; } y[0] = best;",
      "float sum; auto reset = [&] { sum = 0; }; reset(); for (int i = 0; i < n; ++i) sum += x[i]; y[0] = "
      "sum;",
      "__shared__ float sum; if (threadIdx.x == 0) sum = 0; __syncthreads(); atomicAdd(&sum, x[0]); y[0] = "
      "sum;",
      "__shared__ float tile[32]; tile[threadIdx.x] += x[0];",
      "extern __shared__ float tile[]; tile[threadIdx.x] += x[0];",
      "static int calls; calls++;",
      "float unused; (void)unused; y[0] = sizeof(unused);",
      "float sum; y[0] = sizeof sum; sum = 0; for (int i = 0; i < n; ++i) sum += x[i]; y[1] = sum;",
      "float part[4]; y[0] = sizeof part / sizeof part[0]; part[0] = 1; y[1] = part[0];",
      "float* p; p = y; p += 1; *p = x[0];",
      "constexpr int mode = 1; int a = get<int, mode, true>(x), b = n; y[0] = get<mode>(a) + b; y[1] = mode;",
      "float m[8]; *(float4*)&m[0] = *(float4*)&x[0]; *(float4*)&m[4] = *(float4*)&x[4]; for (int j = 0; j < "
      "8; ++j) y[j] += m[j];",
      "float sum; float& first = n > 1 ? sum : y[0]; first = 0; sum += x[0]; y[0] = sum;",
      "float sum; (is_first ? clear : keep)(x, sum); sum += x[0]; y[0] = sum;",
      "float sum; UNROLL() for (int i = 0; i < n; ++i) { sum = i == 0 ? x[i] : sum + x[i]; } y[0] = sum;",
      "int i; for (i = 0; i < n; ++i) y[i] = x[i];",
      "float a; switch (n) { case 0: a = 1; break; default: a = 2; } y[0] = a;",
      "float a; if (n > 1) a = 1; else a = 2; y[0] = a;",
      "float s, c; sincosf(x[0], &s, &c); y[0] = s + c;",
      "float sum; /* sum += 1; */ // sum += 1;\n sum = 0; sum += x[0]; y[0] = sum;",
      "struct Pair { float sum; void add(float v) { sum += v; } }; Pair p{0}; p.add(x[0]); y[0] = p.sum;",
      "float sum; CLEAR; for (int i = 0; i < n; ++i) sum += x[i]; y[0] = sum;",
      "int a, b; a = n, b = n; y[0] = a + b;",
      "float sum; if (n) goto end; sum += 1; end: sum = 0; y[0] = sum;",
      "float m; m = x[0]; for (int i = 1; i < n; ++i) m = fmaxf(m, x[i]); y[0] = m;",
      "half h; h = __float2half(x[0]); h += h; y[0] = h;",
      "int lane; { int lane = 3; lane += 1; y[lane] = 0; } lane = 4; y[lane] = 1;",
  };
  for (const char* body : bodies) EXPECT_EQ(Found(body, "#define CLEAR sum = 0\n"), "") << body;
  EXPECT_EQ(Found("y[0] = x[0];", "#if 0\nvoid old(int n) { float s;\n s += n; }\n#endif\n"), "");
  EXPECT_EQ(Found("y[0] = x[0];", "float total; struct S { float sum; };\nint table[4];\n"), "");
}

/// Right answers of many styles: a warning there would be false.
TEST(UnsetVariables, RightAnswersGetNoWarning) {
  namespace fs = std::filesystem;
  const fs::path root = ThisLayout().root;
  int files = 0;
  for (const char* const folder : {"solutions", "reference/baselines", "tests/alternatives"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".cu") continue;
      std::ifstream file(entry.path());
      const std::string source{std::istreambuf_iterator<char>(file), {}};
      for (const Diagnostic& each : FindUnsetVariables(source, entry.path()))
        ADD_FAILURE() << each.where.file << ':' << each.where.line << ": " << each.message;
      ++files;
    }
  }
  EXPECT_GT(files, 100);
}

TEST(UnsetVariables, AnyTextIsRead) {
  for (const char* text : {"",
                           "{",
                           "}",
                           ")) {",
                           "void f() {",
                           "void f() { float",
                           "void f() { float s",
                           "void f() { float s;",
                           "void f() { for (;;",
                           "void f() { if",
                           "void f() { do",
                           "void f() { float s[; s += 1; }",
                           "void f() { case",
                           "void f() { ) ] } float s; }",
                           "#if 0\n",
                           "#define A \\\n",
                           "void f() { float s; s",
                           "\"",
                           "'",
                           "/*"}) {
    FindUnsetVariables(text, "a.cu");
  }
  std::string deep = "void f() { float s; ";
  for (int i = 0; i < 20'000; ++i) deep += "{ if (s) for (;;) ";
  EXPECT_LE(FindUnsetVariables(deep, "a.cu").size(), 1u);
}

TEST(UnsetVariables, TheCompilersWordsAboutTheSameLineMakeRoom) {
  const std::string source = "void f(float* y) {\n float s;\n s += 1;\n *y = s;\n}\n";
  std::vector<Diagnostic> diagnostics(3);
  diagnostics[0].where = {"a.cu", 1};
  diagnostics[0].message = "variable \"t\" was declared but never referenced";
  diagnostics[1].where = {"a.cu", 3};
  diagnostics[1].message = "variable \"s\" is used before its value is set";
  diagnostics[2].where = {"a.cu", 9};
  diagnostics[2].message = "variable \"u\" is used before its value is set";
  AddUnsetVariables(source, "a.cu", diagnostics);
  ASSERT_EQ(diagnostics.size(), 3u);
  EXPECT_EQ(English(diagnostics[0].message),
            "s is read before it has a value: line 2 declares it without one. Write float s = 0; there: it "
            "does not always start at 0.");
  EXPECT_EQ(diagnostics[0].where.line, 3);
  EXPECT_EQ(English(diagnostics[2].message),
            "\"u\" is used before it has a value. Set it where it is declared.");
}

}  // namespace
}  // namespace warplings
