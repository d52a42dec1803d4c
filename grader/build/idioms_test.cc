// SPDX-License-Identifier: Apache-2.0
#include "grader/build/idioms.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warplings {
namespace {

bool Holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

std::vector<int> LinesWarned(const std::string& source) {
  std::vector<int> lines;
  for (const Diagnostic& each : FindRoundedQuotients(source, "mine.cu")) {
    EXPECT_EQ(each.severity, Severity::kWarning);
    EXPECT_EQ(each.where.file, "mine.cu");
    lines.push_back(each.where.line);
  }
  return lines;
}

TEST(Idioms, CeilAfterADivisionOfWholeNumbers) {
  EXPECT_EQ(LinesWarned("#define TILE_WIDTH 16\nint tiles = ceil(width / TILE_WIDTH);\n"), std::vector{2});
  EXPECT_EQ(LinesWarned("dim3 grid(ceil(cols / 16), std::ceil((rows) / 16));\n"), std::vector{1});
  EXPECT_EQ(LinesWarned("\nint n = ceilf (\n  n / (TILE * 2));\n"), std::vector{2});
  EXPECT_EQ(LinesWarned("void f(const float* M, float* P, int width) {\n  float sum = M[width], b = width;\n"
                        "  int n = ceil(width / 16);\n}"),
            std::vector{3});
  EXPECT_TRUE(Holds(English(FindRoundedQuotients("ceil(n\n /  16)", "").front().message),
                    "n / 16 has already rounded down"));
}

TEST(Idioms, CeilOfAFloatIsNobodysMistake) {
  for (const char* source :
       {"int t = ceil(width / (float)TILE_WIDTH);", "int t = ceil(width / 16.0);",
        "int t = ceil(1.f * n / 16);", "int t = ceil(n / 16e0);",
        "int t = ceil(static_cast<double>(n) / 16);", "int t = ceil(n * 0.5 / x);",
        "float width = n;\nint t = ceil(width / 16);", "void f(int n, double w) { t = ceil(n / w); }",
        "const double a = 1,\n  w = 2;\nint t = ceil(n / w);", "#define TILE 16.0f\nint t = ceil(n / TILE);",
        "int t = ceil(n);", "int t = my_ceil(n / 16);", "int t = ceil_div(n / 16);",
        "// ceil(n / 16)\n/* ceil(n / 16) */ const char* s = \"ceil(n / 16)\";"}) {
    EXPECT_TRUE(LinesWarned(source).empty()) << source;
  }
}

TEST(Idioms, AnySourceIsReadToItsEnd) {
  for (const char* source :
       {"ceil(", "ceil", "/* ceil(n / 16)", "\"ceil(n / 16)", "ceil((((n / 16)", "'\\", "ceil()"}) {
    EXPECT_TRUE(LinesWarned(source).empty()) << source;
  }
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "x = ceil(n / 16);\n";
  EXPECT_EQ(LinesWarned(many).size(), 8u);
  // As long as a source may be, and without an end to its declaration.
  EXPECT_TRUE(LinesWarned("double " + std::string(250'000, 'x') + "ceil(n / 16)").empty());
}

std::string SlipIn(const std::string& source) {
  const auto slip = FindSlip(source);
  return slip ? std::to_string(slip->line) + ": " + English(slip->what) : "";
}

TEST(Slips, ABarrierWithoutParentheses) {
  EXPECT_EQ(
      SlipIn("__global__ void k() {\n  a[0] = 1;\n  __syncthreads;\n}\n"),
      "3: __syncthreads in line 3 has no parentheses, so the function is not called: threads do not wait "
      "there. Write __syncthreads();");
  EXPECT_NE(SlipIn("if (a) __syncwarp;"), "");
  EXPECT_NE(SlipIn("else __syncthreads ;"), "");
  for (const char* source : {"__syncthreads();", "// __syncthreads;\n", "auto f = __syncthreads;",
                             "x = __syncthreads_count(y);", "__syncthreads", "\"; __syncthreads;\""}) {
    EXPECT_EQ(SlipIn(source), "") << source;
  }
}

TEST(Slips, AGridInThePlaceOfTheBlock) {
  EXPECT_TRUE(Holds(SlipIn("\nkernel<<<block, grid>>>(M);"), "in line 2. The first argument"));
  EXPECT_TRUE(Holds(SlipIn("kernel<<<block, grid>>>(M);"), "Write <<<grid, block>>>."));
  for (const char* source :
       {"k<float><<<dimBlock, dimGrid, bytes>>>(x);", "k<<<threadsPerBlock, blocks>>>(x);",
        "k<<<blockSize, numBlocks>>>(x);", "k<<<BLOCK_SIZE, blocks, 0, stream>>>(x);"}) {
    EXPECT_NE(SlipIn(source), "") << source;
  }
  for (const char* source :
       {"k<<<grid, block>>>(x);", "k<<<blocks, threads>>>(x);", "k<<<numBlocks, blockSize>>>(x);",
        "k<<<blocks, BLOCK_SIZE>>>(x);", "k<<<block_count, block>>>(x);", "k<<<n_block, blocks>>>(x);",
        "k<<<nblock, grid_block>>>(x);", "k<<<block(2), grid>>>(x);", "k<<<a, b>>>(x);",
        "k<<<block + 1, grid>>>(x);", "x << block, grid >> 3;", "k<<<block,", "k<<<"}) {
    EXPECT_EQ(SlipIn(source), "") << source;
  }
}

TEST(Slips, AGridThatIsDividedByWhatStandsInItsPlace) {
  const auto told = [](const std::string& value, const std::string& launch) {
    return SlipIn("void f(int n, int piece) {\n" + value + "\nk<<<" + launch + ">>>(x);\n}\n");
  };
  EXPECT_TRUE(Holds(told("const int blocks = (n + piece - 1) / piece;", "piece, blocks, piece * sizeof(int)"),
                    "swapped in the launch in line 3. The first argument is the grid"));
  EXPECT_TRUE(Holds(told("int blocks = (n + 255) / 256;", "256, blocks"), "Write <<<blocks, 256>>>."));
  EXPECT_NE(told("dim3 grid((n + TILE - 1) / TILE);", "TILE, grid"), "");
  // A grid divided by what a block is for, a block that has a name of its own, and what nobody can know.
  EXPECT_EQ(told("int blocks = (n + piece - 1) / piece;", "blocks, piece"), "");
  EXPECT_EQ(told("int threads = (n + blocks - 1) / blocks;", "blocks, threads"), "");
  EXPECT_EQ(told("int blocks = (n + piece - 1) / piece;", "tiles, blocks"), "");
  EXPECT_EQ(told("int blocks = 4;", "piece, blocks"), "");
  EXPECT_EQ(told("int blocks = n / piece; blocks = 256;", "piece, blocks"), "");
  EXPECT_EQ(told("int blocks = n / (piece * 2);", "piece, blocks"), "");
  EXPECT_EQ(told("int blocks = (n", "piece, blocks"), "");
}

TEST(Slips, ANumberOfPiecesInThePlaceOfTheBlock) {
  const auto told = [](const std::string& value, const std::string& launch) {
    return SlipIn("void f(int n) {\n" + value + "\nk<<<" + launch + ">>>(x);\n}\n");
  };
  EXPECT_TRUE(Holds(told("const int segments = (n + piece - 1) / piece;", "BLOCK_SIZE, segments"),
                    "Write <<<segments, BLOCK_SIZE>>>."));
  EXPECT_EQ(told("const int segments = (n + piece - 1) / piece;", "segments, BLOCK_SIZE"), "");
  EXPECT_EQ(told("const int segments = (n + piece - 1) / piece;", "tiles, segments"), "");
  EXPECT_EQ(told("const int half = n / 2;", "BLOCK_SIZE, half"), "") << "nothing is rounded up";
  EXPECT_EQ(told("int threads = (n + 3 - 1) / 3;", "block, threads"), "") << "a block's name, too";
  EXPECT_EQ(told("int pieces = (n + 3 - 1) / 3; pieces = 64;", "BLOCK_SIZE, pieces"), "");
}

TEST(Slips, APointerInPlaceOfTheSharedArray) {
  EXPECT_EQ(
      SlipIn("__global__ void k() {\n  extern __shared__ unsigned int *tile;\n}\n"),
      "2: `tile` in line 2 is a pointer that points nowhere, not an array. Write: extern __shared__ unsigned "
      "int tile[];");
  for (const char* source :
       {"extern __shared__ int tile[];", "extern __shared__ float* rows[];", "__shared__ float* row;",
        "extern __shared__ int", "extern __shared__ int*", "extern float* other;"}) {
    EXPECT_EQ(SlipIn(source), "") << source;
  }
}

std::string SlipInKernel(const std::string& body) {
  return SlipIn("__global__ void k(int n, float* p, volatile int* f) {\n" + body + "\n}\n");
}

TEST(Slips, AConditionThatGuardsNothing) {
  EXPECT_EQ(SlipIn("void k(int n) {\n  if (n < 3);\n  {\n    n = 1;\n  }\n}\n"),
            "2: The if in line 2 has a semicolon right after its condition, so it guards nothing: the next "
            "statement "
            "always runs. Remove that semicolon.");
  EXPECT_NE(SlipIn("void k(int n) {\n  if (n < 3);\n    n = 1;\n}\n").find("Remove that semicolon."),
            std::string::npos);
  // What follows does not look like the body.
  const std::string missing =
      "2: The if in line 2 has a semicolon right after its condition, so it guards nothing. Put the "
      "statement "
      "that it should guard in place of the semicolon, or remove the if.";
  EXPECT_EQ(SlipIn("void k(int n) {\n  if (n < 3) ;\n  n = 1;\n}\n"), missing);
  EXPECT_EQ(SlipIn("void k(int n) {\n  if (n < 3) ;\n    __syncthreads();\n}\n"), missing);
  EXPECT_NE(SlipIn("void k(int n) {\n  for (int i = 0; i < n; ++i) ;\n  n = 1;\n}\n")
                .find("Put the statement that it should repeat in place of the semicolon."),
            std::string::npos);
  EXPECT_NE(SlipIn("void k(int n, float* p) { if (n < 3 && p[n] > min(n, 2)); p[n] = 1; }"), "");
  EXPECT_NE(SlipIn("void k(int n, float* p) { if (f(n)); { p[n] = 1; } }"), "");
  EXPECT_NE(SlipIn("void k(int n) { while (n < 3) { if (n); n += 1; } }"), "");
  for (const char* body : {"if (n) p[0] = 1;", "if (n) { } p[0] = 1;", "if (scanf(p)); p[0] = 1;",
                           "if (n) ; else p[0] = 1;", "if (n < 3);", "if (n) p[0] = 1; else ; ",
                           "if (int got = read()) ; p[0] = 1;", "if (n == 2) continue; n = 1;",
                           "// if (n);\n n = 1;", "switch (n); n = 1;", ";;", "if (n) {;} n = 1;"}) {
    EXPECT_EQ(SlipInKernel(body), "") << body;
  }
}

TEST(Slips, ALoopThatRepeatsNothing) {
  EXPECT_TRUE(Holds(SlipIn("void k(int n) {\n for (int i = 0; i < n; ++i);\n {\n n = 1; } }"),
                    "The for in line 2 has a semicolon right after its parentheses, so it repeats nothing."));
  EXPECT_NE(SlipIn("void k(int n) { for (int s = 1; s < n; s *= 2); n = 1; }"), "");
  EXPECT_NE(SlipIn("void k(int n) { for (int i = 0; i < n; i++); n = 1; }"), "");
  EXPECT_TRUE(Holds(SlipIn("void k(int n, int i) { while (i < n); { i = 1; } }"), "The while in line 1"));
  for (const char* body :
       {"int s; for (s = 1; s < n; s *= 2); p[s] = 1;", "for (int i = 0; i < n; p[i++] = 0); n = 1;",
        "for (int i = 0; f[i] == 0; ++i); n = 1;", "for (int i = 0; g(i); ++i); n = 1;",
        "for (volatile int i = 0; i < n; ++i); { n = 1; }", "for (float* q = p; q < p + n; *q++ = 0); n = 1;",
        "while (*f == 0); p[0] = 1;", "while (f[0] == 0); { p[0] = 1; }",
        "while (atomicCAS(f, 0, 1) != 0); { p[0] = 1; }", "while (n < 3); n = 1;",
        "do { n = 1; } while (n < 3); n = 2;", "do n = 1; while (n < 3); { n = 2; }", "for (;;) ;",
        "for (int i = 0; i < n; ++i) ;", "for (int i = 0; i < n; ++i) {} n = 1;"}) {
    EXPECT_EQ(SlipInKernel(body), "") << body;
  }
}

TEST(Slips, AnIndexThatACommaDrops) {
  EXPECT_EQ(SlipIn("sum += M[row, k];"),
            "1: M[row, k] in line 1 has a comma inside one pair of brackets, so only the part after it "
            "counts. If `M` has one dimension, write one index: `M[row * (elements in a row) + k]`.");
  EXPECT_TRUE(Holds(SlipIn("__shared__ float t[4][4];\nf(t[y, x]);"), "write t[y][x]."));
  EXPECT_EQ(SlipIn("M[i++, k] = N[f(a, b)];"), "");
}

TEST(Slips, TwoComparisonsInARow) {
  EXPECT_EQ(
      SlipInKernel("if (0 <= n < 3) p[n] = 1;"),
      "2: A condition in line 2 compares twice in a row. C++ compares the result of the first comparison, "
      "which is 0 or 1, with the second limit. Join two comparisons with &&: 0 <= x && x < n.");
  for (const char* body : {"bool inside = 0 <= row + 1 < width;", "if (a && 0 < p[n] < n) f();",
                           "if (row < n < m) f();", "while (n >= row >= 0) f();",
                           "x = (0 <= f(a, b) < n) ? 1 : 2;", "for (int i = 0; 0 <= i < n; ++i) f();"}) {
    EXPECT_NE(SlipInKernel(body), "") << body;
  }
  for (const char* body : {"if (0 <= n && n < 3) p[n] = 1;",
                           "std::vector<std::vector<int>> v;",
                           "A<B<int>> x; C<D<4>, 5> y;",
                           "if (static_cast<int>(n) < 3) f();",
                           "k<<<(n + 3) / 4, 256>>>(p);",
                           "f<a < b>(c);",
                           "if (a < b == c < d) f();",
                           "x = a < b ? c < d : e < g;",
                           "if ((a < b) < c) f();",
                           "x = n << 3 << 2;",
                           "f(a < b, c < d);",
                           "if (p->n < 3 || q->n < 2) f();",
                           "for (int i = 0; i < n; ++i) if (i < 3) f();",
                           "x = v[a < b] < 3;",
                           "if (n < max<int>(a, b)) f();",
                           "x = 0 < max<int>(a, b);",
                           "if (n <= Semaphore<a, b>::max()) f();",
                           "if (a < b and c < d or e < g) f();",
                           "if (static_cast<int>(n) >= 3) f();",
                           "if (a <= 0 || static_cast<int>(b) > c) f();",
                           "using T = If<sizeof(A) <= sizeof(B), int, char>;",
                           "template <class T, int N = 3 < 4> struct A;"}) {
    EXPECT_EQ(SlipInKernel(body), "") << body;
  }
}

TEST(Slips, AnAssignmentInThePlaceOfAComparison) {
  EXPECT_EQ(SlipInKernel("if (n = 3 * 2) p[n] = 1;"),
            "2: The if in line 2 assigns to n with = instead of comparing with ==. Write == there.");
  EXPECT_NE(SlipInKernel("if (tx = 0 && ty == 0) p[n] = 1;"), "");
  for (const char* body : {"if (n == 3) p[n] = 1;", "if (int got = n) f();", "if ((e = n) != 0) f();",
                           "if (e = cudaMalloc(&p, n)) f();", "if (n = n / 2) f();",
                           "if (done = i >= n) f();", "if (auto x = n) f();", "if (int i = 0; i < n) f();",
                           "while (n = m) f();", "if (n = {3}) f();", "if (n =", "if (n <= 3) f();"}) {
    EXPECT_EQ(SlipInKernel(body), "") << body;
  }
}

TEST(Slips, AComparisonThatIsNeverTrue) {
  const auto slip = [](const std::string& body) {
    return SlipIn(
        "__global__ void k(float* p, int w, int h) {\nconst int x = 8 * blockIdx.x + threadIdx.x;\n" + body +
        "\n}\n");
  };
  const std::string text =
      " is never true: the condition in line 3 lets only `x < w` come here. The last value is `w - 1`: "
      "compare with "
      "that.";
  EXPECT_EQ(slip("if (x < w && h > 0) {\nif (x == 0 || x == w) p[x] = 0;\n}"),
            "4: `x == w` in line 4" + text);
  EXPECT_EQ(slip("if (x >= w || h < 2) return;\nif (x == w) p[x] = 0;"), "4: `x == w` in line 4" + text);
  EXPECT_EQ(slip("if (x >= w) { return; }\nconst bool last = x == w;"), "4: `x == w` in line 4" + text);
  EXPECT_NE(slip("const bool exists = x < w && h > 0;\nif (exists) p[x] = x == 0 || h == 1;\n"
                 "if (exists) { if (x == 0 || x == w) p[x] = 0; }"),
            "");
  for (const char* body :
       {"if (x < w) p[x] = 1; else if (x == w) p[x] = 0;", "if (x < w || h > 3) if (x == w) p[x] = 0;",
        "if (x < w) { if (x == w - 1) p[x] = 0; }", "if (x < w) p[x] = 1;\nif (x == w) p[0] = 0;",
        "if (x >= w && h > 1) return;\nif (x == w) p[x] = 0;", "if (x <= w) if (x == w) p[x] = 0;",
        "int y = x; if (y < w) { ++y; if (y == w) p[0] = 0; }", "if (!(x < w)) if (x == w) p[x] = 0;",
        "if (x >= w) p[0] = 1;\nif (x == w) p[x] = 0;", "if (x < w) { --w; if (x == w) p[x] = 0; }"})
    EXPECT_EQ(slip(body), "") << body;
}

TEST(Slips, ADivisionOfTheLastPart) {
  EXPECT_EQ(SlipIn("void f(int n) {\nint blocks = n + T - 1 / T;\n}\n"),
            "2: In `n + T - 1 / T` in line 2, / comes before +, so only `1 / T` is divided. Write `(n + T - "
            "1) / T`.");
  EXPECT_EQ(
      SlipIn("void f(int n) {\nk<<<n + (256 - 1) / 256, 256>>>(n);\n}\n"),
      "2: In `n + (256 - 1) / 256` in line 2, / comes before +, so only `(256 - 1) / 256` is divided. Write "
      "`(n + 256 - 1) / 256`.");
  for (const char* code : {"dim3 grid(w + block.x - 1 / block.x, 2);", "return n * m + T - 1 / T;"})
    EXPECT_NE(SlipIn(std::string("int f(int n) {\n") + code + "\n}\n"), "") << code;
  for (const char* code :
       {"int b = (n + T - 1) / T;", "int b = (n + T - 1 / T;", "int b = n + T - 1 / S;",
        "int b = n / T + T - 1 / T;", "float h = 2; float b = n + h - 1 / h;", "int b = n + (T - 1) / T * T;",
        "int b = n + (T - 2) / T;", "int b = n / T + (n % T + T - 1) / T;", "float b = n + 2.5 - 1 / 2.5;",
        "int b = s[n + T - 1 / T];"})
    EXPECT_EQ(SlipIn(std::string("void f(int n) {\n") + code + "\n}\n"), "") << code;
}

std::string LoopIn(const std::string& array, const std::string& loop, const std::string& head = "") {
  return SlipIn(head + "__global__ void k(float* P, int width) {\n" + array + "\n" + loop + "\n}\n");
}

TEST(Slips, ALoopPastAnArrayOfItsOwn) {
  EXPECT_EQ(
      LoopIn("float sum[kSums];", "for (int c = 0; c <= kSums; ++c) P[c] = sum[c];"),
      "3: The loop over `c` in line 3 goes too far: `sum` has kSums elements, up to `sum[kSums - 1]`, but "
      "`c` runs to kSums. Should its condition be `c < kSums`?");
  EXPECT_EQ(
      LoopIn("float sum[N] = {};",
             "for (int c = 0; c <= N; ++c) {\nconst int col = first + c * T;\n"
             "if (row < width && col < width) P[col] = sum[c];\n}",
             "#define N 4\n"),
      "4: The loop over `c` in line 4 goes too far: `sum` has 4 elements, up to `sum[3]`, but `c` runs to "
      "4. Should its condition be `c < N`?");
  EXPECT_EQ(
      LoopIn("float sum[N - 1];", "for (int c = 0; c < N; ++c) sum[c] = 0;", "#define N 4\n"),
      "4: The loop over `c` in line 4 goes past the end of `sum`: that has 3 elements, up to `sum[2]`, but "
      "`c` runs to 3. Should `sum` have one element for each round?");
  EXPECT_EQ(
      LoopIn("float sum[2 * N - 1];", "for (int c = 0; c <= 2 * N - 2; ++c) sum[c] = 0;", "#define N 4\n"),
      "");
  const std::string nested =
      "for (int c = 0; c < 4; ++c) {\nfor (int k = 0; k < 32; ++k) {\nsum[k] += a[k];\n} }";
  EXPECT_EQ(
      LoopIn("float sum[4];", nested),
      "5: `sum[k]` in line 5 goes past the end: `sum` has 4 elements, up to `sum[3]`, but the loop over `k` "
      "in line 4 runs to 31. Should the index be `c`?");
  EXPECT_EQ(
      LoopIn("float sum[3];", nested),
      "5: `sum[k]` in line 5 goes past the end: `sum` has 3 elements, up to `sum[2]`, but the loop over `k` "
      "in line 4 runs to 31. Which is wrong: the size of `sum`, the index or the loop?");
  EXPECT_NE(
      LoopIn("float sum[32];", "for (int r = 0; r < 32; ++r)\nfor (int c = 0; c <= 32; ++c) sum[c] += r;")
          .find("Should its condition be `c < 32`?"),
      std::string::npos);
  const std::string four = "float sum[4];";
  for (const char* loop : {"for (int c = 0; c <= 4; c++) for (int k = 0; k < T; ++k) sum[c] += k;",
                           "for (int c = 0; c < 5; ++c) { __syncthreads(); sum[c] = 0; }",
                           "for (unsigned int c = 1; c <= 4; ++c) { if (row < width) sum[c] = 0; }"})
    EXPECT_NE(LoopIn(four, loop), "") << loop;
  EXPECT_NE(LoopIn("int a = 1; float one[2], sum[4];", "for (int c = 0; c <= 4; ++c) sum[c] = 0;"), "");
  for (const char* loop :
       {"for (int c = 0; c < 4; ++c) sum[c] = 0;",
        "for (int c = 0; c <= 3; ++c) sum[c] = 0;",
        "for (int c = 1; c <= 4; ++c) sum[c - 1] = 0;",
        "for (int c = 0; c <= 4; ++c) if (c < 4) sum[c] = 0;",
        "for (int c = 0; c <= 4; ++c) x = c < 4 ? sum[c] : 0;",
        "for (int c = 0; c <= 4; ++c) { if (c == 4) break; sum[c] = 0; }",
        "for (int c = 0; c <= 4; ++c) { const bool last = c == 4; if (!last) sum[c] = 0; }",
        "for (int c = 0; c <= 4; ++c) { const int e = c; if (e < 4) sum[c] = 0; }",
        "for (int c = 0; c <= 4; ++c) { const int e{c}; if (e < n) sum[c] = 0; }",
        "for (int c = 0; c <= 4; ++c) for (int k = c; k < 4; ++k) sum[c] = 0;",
        "for (int c = 0; c <= 4 && c < width; ++c) sum[c] = 0;",
        "for (int c = 0; c <= 4; c += 4) sum[c] = 0;",
        "for (int c = 0; c <= 4; ++c) { float sum[5]; sum[c] = 0; }",
        "for (int c = 0; c <= 4; ++c) { int c = 0; sum[c] = 0; }",
        "for (int c = 0; c <= 4; ++c) { --c; sum[c] = 0; ++c; }",
        "for (int c = 0; c <= 4; ++c) P[c] = p.sum[c];",
        "for (int c = 0; c <= width; ++c) sum[c] = 0;",
        "for (int c = 0; c <= N; ++c) sum[c] = 0;",
        "for (int c = 0; c <= 4; ++c) end = &sum[c];",
        "for (int c = 0; c <= 4;",
        "for ("})
    EXPECT_EQ(LoopIn(four, loop), "") << loop;
  const std::string loop = "for (int c = 0; c <= N; ++c) sum[c] = 0;";
  for (const char* array : {"float sum[N + 1];", "__shared__ float sum[N];", "float sum[N][2];",
                            "float* sum = P;", "float sum[M];", "float sum[n];"})
    EXPECT_EQ(LoopIn(array, loop), "") << array;
  EXPECT_EQ(LoopIn("float sum[N];", loop, "#if A\n#define N 4\n#else\n#define N 3\n#endif\n"), "");
  EXPECT_EQ(LoopIn("float sum[8];", loop, "#define N 4\n"), "");
  EXPECT_EQ(LoopIn("float sum[4];", loop, "#define N 4\n#undef N\n#define N 2\n"), "");
}

TEST(Slips, TheFirstOneIsSaid) {
  const std::string empty = "void k(int n) {\n if (n);\n n = 1;\n", barrier = " __syncthreads;\n}\n";
  EXPECT_TRUE(SlipIn(empty + barrier).starts_with("2: The if"));
}

}  // namespace
TEST(Slips, BytesInThePlaceOfThreads) {
  EXPECT_EQ(SlipIn("k<<<n / piece, piece * sizeof(int), piece>>>(p);"),
            "1: The second and third arguments of the launch in line 1 are swapped. The second is the number "
            "of threads "
            "in a block, the third the bytes of dynamic shared memory. Write `<<<n / piece, piece, piece * "
            "sizeof(int)>>>`.");
  for (const char* source : {"k<<<b, sizeof(x) / sizeof(x[0]), n>>>(p);", "k<<<b, t, t * sizeof(int)>>>(p);",
                             "k<<<b, sizeof(Row), 0>>>(p);", "k<<<b, sizeof(Row)>>>(p);",
                             "k<<<b, sizeof(Row), 2 * sizeof(int)>>>();"})
    EXPECT_EQ(SlipIn(source), "") << source;
}

TEST(Slips, ACommaThatDropsAnExtent) {
  EXPECT_EQ(SlipIn("dim3 grid = ((n + 15) / 16, f(m, 2));"),
            "1: `grid` in line 1 has only one extent, `f(m, 2)`: a comma in parentheses keeps the last value "
            "alone. "
            "Write `dim3 grid(...)`, without the `=`.");
  for (const char* source : {"dim3 grid = dim3(1, 2);", "dim3 grid(1, 2);", "dim3 grid = (f(1, 2));",
                             "dim3 grid = {1, 2};", "dim3 grid = (1, 2).x;"})
    EXPECT_EQ(SlipIn(source), "") << source;
}

}  // namespace warplings
