// SPDX-License-Identifier: Apache-2.0
#include "grader/build/thread_indices.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "use line, launch line" of a kernel with this body that is launched so.
std::string Flat(const std::string& body, const std::string& launch, char axis = 'y') {
  const std::string source = "__global__ void __launch_bounds__(256) k(float* p, int n) {\n" + body +
                             "\n}\nvoid f(float* p, int n) {\n" + launch + "\n}\n";
  const auto flat = FindFlatLaunch(source, "k", axis);
  return flat ? std::to_string(flat->use_line) + ", " + std::to_string(flat->block_line) : "";
}

constexpr const char* kUse = "const int ty = threadIdx.y;  const int row = blockIdx.y * 16 + ty; p[row] = 1;";
constexpr const char* kLaunch = "dim3 block(16);\nk<<<1, block>>>(p, n);";

TEST(ThreadIndices, ABlockWithoutItsSecondExtent) {
  EXPECT_EQ(Flat(kUse, kLaunch), "2, 5");
  EXPECT_EQ(Flat("p[blockIdx.y * 16 + threadIdx.y] = 1;", kLaunch), "2, 5");
  EXPECT_EQ(Flat(kUse, "\nk<<<1, 16>>>(p, n);"), "2, 6");
  for (const char* launch :
       {"k<<<1, 16>>>(p, n);", "k<<<dim3(2, 2), dim3(16)>>>(p, n);", "k<<<1, 4 * 4>>>(p, n);",
        "const int t = 16; k<<<1, t>>>(p, n);", "dim3 b(16, 1); k<<<1, b, 8>>>(p, n);",
        "dim3 b = 16; k<<<1, b>>>(p, n);", "dim3 b{16}; k<<<dim3((n + 15) / 16, 2), b>>>(p, n);"})
    EXPECT_EQ(Flat(kUse, launch), "2, 5") << launch;
  for (const char* launch :
       {"k<<<1, dim3(16, 16)>>>(p, n);", "dim3 b(16, ROWS); k<<<1, b>>>(p, n);",
        "dim3 b = {16, ROWS}; k<<<1, b>>>(p, n);", "dim3 b = Block(); k<<<1, b>>>(p, n);",
        "dim3 b(16); b.y = n; k<<<1, b>>>(p, n);", "other<<<1, 16>>>(p, n);",
        "k<<<1, 16>>>(p, n); k<<<1, dim3(16, 2)>>>(p, n);", "k<<<1", "k<<<"})
    EXPECT_EQ(Flat(kUse, launch), "") << launch;
}

TEST(ThreadIndices, AKernelThatDoesNotNeedSeveralRows) {
  for (const char* body :
       {"const int ty = threadIdx.y;", "if (threadIdx.x == 0 && threadIdx.y == 0) p[0] = 1;",
        "if (!threadIdx.y) p[0] = 1;", "p[threadIdx.y * 16 + threadIdx.x] = 1;",
        "p[threadIdx.x + 16 * threadIdx.y] = 1;", "p[threadIdx.x + threadIdx.y * 16] = 1;",
        "p[threadIdx.y * blockDim.x + threadIdx.x] = 1;",
        "int tx = threadIdx.x, ty = threadIdx.y; p[ty * TILE + tx] = 1;",
        "int tx(threadIdx.x); int ty{threadIdx.y}; p[tx + blockDim.x * ty] = 1;",
        "for (int y = threadIdx.y; y < n; y += blockDim.y) p[y] = 1;", "p[threadIdx.y] = blockDim.y;",
        "dim3 b = blockDim; p[threadIdx.y] = b.y;", "p[threadIdx.x] = 1;"})
    EXPECT_EQ(Flat(body, kLaunch), "") << body;
}

TEST(ThreadIndices, ABlockWithoutItsThirdExtent) {
  EXPECT_EQ(Flat("p[threadIdx.z * n] = 1;", "dim3 b(8, 8);\nk<<<1, b>>>(p, n);", 'z'), "2, 5");
  EXPECT_EQ(Flat("p[threadIdx.z * n] = 1;", "dim3 b(8, 8, 2); k<<<1, b>>>(p, n);", 'z'), "");
}

/// "name, line".
std::string Unshared(const std::string& body, int line) {
  const auto array = FindUnsharedArray("__global__ void k(float* p) {\n" + body + "\n}\n", line);
  return array ? array->name + ", " + std::to_string(array->line) : "";
}

TEST(ThreadIndices, AnArrayOfTheThreadThatOthersShouldRead) {
  EXPECT_EQ(Unshared("float t[8][8];\nt[threadIdx.y][threadIdx.x] = p[0];\np[1] = t[threadIdx.y][k];", 4),
            "t, 2");
  EXPECT_EQ(
      Unshared("int tx = threadIdx.x;\nfloat a[4], t[8];\nif (tx) t[tx] = 1; else t[tx] = 0;\np[1] = t[k];",
               5),
      "");
  EXPECT_EQ(
      Unshared("int tx = threadIdx.x;\nfloat t[8];\nif (tx) t[tx] = 1; else t[tx] = 0;\np[1] = t[k];", 5),
      "t, 3");
  EXPECT_EQ(Unshared("float t[8];\nfor (int i = threadIdx.x; i < 8; i += 4) t[i] = p[i];\np[1] = t[0];", 4),
            "t, 2");
  for (const char* body :
       {"__shared__ float t[8];\nt[threadIdx.x] = 1;\np[1] = t[k];",
        "static float t[8];\nt[threadIdx.x] = 1;\np[1] = t[k];",
        "float t[8];\nfor (int c = 0; c < 8; ++c) t[c] = 0;\np[1] = t[k];",
        "float t[8];\nt[threadIdx.x] = 1;\np[1] = t[threadIdx.x];",
        "float t[8];\nt[threadIdx.x] = 1;\nf(t); p[1] = t[k];", "float t[8];\n\np[1] = t[k];", "float t[8"})
    EXPECT_EQ(Unshared(body, 4), "") << body;
  EXPECT_EQ(Unshared("float t[8];\nt[threadIdx.x] = 1;\np[1] = t[k];", 5), "") << "another line reads";
}

/// "line, used, unused".
std::string Same(const std::string& product, char axis,
                 const std::string& names = "int tx = threadIdx.x, ty = threadIdx.y;") {
  const auto same = FindSameIndex(
      "__global__ void k(float* p, float* m) {\n" + names + "\nsum += " + product + ";\n}\n", axis);
  return same ? std::to_string(same->line) + ", " + same->used + ", " + same->unused : "";
}

TEST(ThreadIndices, TwoTilesAtOneIndex) {
  EXPECT_EQ(Same("a[tx][k] * b[k][tx]", 'x'), "3, tx, ty");
  EXPECT_EQ(Same("a[tx * 16 + k] * b[k * 16 + tx]", 'x'), "3, tx, ty");
  EXPECT_EQ(Same("a[ty][k] * b[k][ty]", 'y'), "3, ty, tx");
  EXPECT_EQ(Same("a[threadIdx.x][k] * b[k][threadIdx.x]", 'x', ""), "3, threadIdx.x, threadIdx.y");
  EXPECT_EQ(Same("a[tx][k] * b[k][tx]", 'y'), "");
  for (const char* product : {"a[ty][k] * b[k][tx]", "a[tx][ty] * b[k][tx]", "m[tx] * b[tx]", "a[tx] * a[tx]",
                              "a[k] * b[tx]", "a[tx][k] * b[k][tx] + a[ty][k] * b[k][tx]", "a[tx", "a[tx] *"})
    EXPECT_EQ(Same(product, 'x'), "") << product;
}

TEST(DiagonalLoad, RowAndColumnOfOneIndexOfTheThread) {
  const auto told = [](const std::string& row, const std::string& fill) {
    const auto found = FindDiagonalLoad(
        "__global__ void k(const float* M, const float* N, int width) {\nconst int tx = threadIdx.x, ty = "
        "threadIdx.y;\n"
        "const int row = " +
        row + ";\nconst int m_col = p * T + tx;\n" + fill + "\n}\n");
    if (!found) return std::string();
    return std::to_string(found->line) + " " + found->element + ", " + found->row + " " +
           std::to_string(found->row_line) + ", " + found->column + " " + std::to_string(found->column_line) +
           ": " + found->used + " " + found->unused;
  };
  const std::string fill = "Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0;";
  EXPECT_EQ(told("blockIdx.x * T + tx", fill), "5 M[row * width + m_col], row 3, m_col 4: tx ty");
  EXPECT_EQ(told("blockIdx.y * T + ty", fill), "");
  EXPECT_EQ(told("blockIdx.y * T + ty * 2 + tx", fill), "");
  EXPECT_EQ(told("blockIdx.x", fill), "") << "of no thread";
  EXPECT_EQ(told("first + tx", "int first = 4 * ty;\n" + fill), "") << "by way of another variable";
  EXPECT_EQ(told("blockIdx.x * T + tx", "Mds[tx] = M[row * width + m_col];"), "")
      << "each row has an element";
  EXPECT_EQ(told("blockIdx.x * T + tx", "row = ty; " + fill), "") << "it has two values";
}

TEST(DiagonalLoad, TwoOfThemHaveExchangedIndices) {
  const auto told = [](const std::string& row, const std::string& column, const std::string& more) {
    const auto found = FindExchangedThreadIndices(
        "__global__ void k(const float* M, const float* N, int width) {\nconst int tx = threadIdx.x, ty = "
        "threadIdx.y;\nconst int row = " +
        row + ";\nconst int col = " + column +
        ";\nconst int m_col = p * T + tx; const int n_row = p * T + ty;\n" + more + "\n}\n");
    if (!found) return std::string();
    return found->row + " " + std::to_string(found->row_line) + " " + found->x + ", " + found->column + " " +
           std::to_string(found->column_line) + " " + found->y + ": " + std::to_string(found->line);
  };
  const std::string of_m = "Mds[ty][tx] = M[row * width + m_col];\n",
                    of_n = "Nds[ty][tx] = N[n_row * width + col];\n";
  EXPECT_EQ(told("bx * T + tx", "by * T + ty", of_m + of_n), "row 3 tx, col 4 ty: 6");
  EXPECT_EQ(told("by * T + tx", "bx * T + ty", of_n + of_m), "row 3 tx, col 4 ty: 7");
  EXPECT_EQ(told("by * T + ty", "bx * T + tx", of_m + of_n), "");
  EXPECT_EQ(told("bx * T + tx", "bx * T + tx", of_m + of_n), "") << "one of them";
  EXPECT_EQ(told("bx * T + tx", "by * T + ty", "Mds[tx][ty] = M[row * width + m_col];\n" + of_n), "")
      << "a tile that is kept transposed";
  EXPECT_EQ(told("bx * T + tx", "by * T + ty", of_m + of_n + of_n), "") << "which two belong together?";
}

}  // namespace
}  // namespace warplings
