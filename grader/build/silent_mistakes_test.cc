// SPDX-License-Identifier: Apache-2.0
#include "grader/build/silent_mistakes.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "3: …" of a program whose third line is this one.
std::string SilentlyDone(const std::string& line, const std::string& before = "") {
  std::string told;
  const std::string source =
      "__constant__ float F[25]; __device__ int total; __device__ __managed__ int shared_total;\n"
      "int main() { int* d; float* f; char* bytes; " +
      before + "\n" + line + "\n}\n__global__ void k(int* P) { total = P[0]; }\n";
  for (const SilentMistake& each : FindSilentMistakes(source))
    told += std::to_string(each.line) + ": " + English(each.what) + " | " + English(each.remedy);
  return told;
}

TEST(SilentMistakes, AMemsetOfElements) {
  EXPECT_EQ(
      SilentlyDone("CHECK(cudaMemset(d, 1, n * sizeof(int)));"),
      "3: cudaMemset sets each byte to 1, so each element of `d` becomes 0x01010101 | Set elements in a "
      "kernel, or copy them from the host with cudaMemcpy.");
  EXPECT_NE(SilentlyDone("cudaMemsetAsync(f, 2, n * sizeof(float), s);"), "");
  for (const char* const fine :
       {"cudaMemset(d, 0, n);", "cudaMemset(d, -1, n);", "cudaMemset(d, 0xff, n);", "cudaMemset(d, 255, n);",
        "cudaMemset(d, 127, n);", "cudaMemset(bytes, 1, n);", "cudaMemset(unknown, 1, n);",
        "memset(d, 1, n);"})
    EXPECT_EQ(SilentlyDone(fine), "") << fine;
}

TEST(SilentMistakes, AStoreOfTheHostToAVariableOfTheDevice) {
  EXPECT_EQ(
      SilentlyDone("for (int i = 0; i < 25; ++i) F[i] = h[i];"),
      "3: host code stores to `F`, but kernels have a variable of their own under that name | Fill it with "
      "cudaMemcpyToSymbol(F, source, bytes).");
  EXPECT_NE(SilentlyDone("total = 0;"), "");
  EXPECT_NE(SilentlyDone("total = 0;", "f(&total);"), "");
  for (const char* const fine :
       {"shared_total = 0;", "x = F[0];", "mine.total = 0;", "if (total == 0) return 1;"})
    EXPECT_EQ(SilentlyDone(fine), "") << fine;
  for (const char* const own : {"int total;", "const Parts& total = parts;", "std::vector<int> total;"})
    EXPECT_EQ(SilentlyDone("total = 0;", own), "") << own;
}

TEST(SilentMistakes, ACopyOfAsManyBytesAsTheVariableHasElements) {
  EXPECT_EQ(
      SilentlyDone("cudaMemcpyToSymbol(F, h, 25);"),
      "3: cudaMemcpyToSymbol copies 25 bytes, and `F` has 25 elements | Sizes are in bytes: multiply the "
      "number of elements by the size of one, as in 25 * sizeof(F[0]).");
  for (const char* const fine : {"cudaMemcpyToSymbol(F, h, 25 * 4);", "cudaMemcpyToSymbol(F, h, sizeof(F));",
                                 "cudaMemcpyToSymbol(total, h, 4);", "cudaMemcpyToSymbol(F, h, 4);"})
    EXPECT_EQ(SilentlyDone(fine), "") << fine;
}

TEST(SilentMistakes, AConstantThatNothingFills) {
  const auto told = [](const std::string& host, const std::string& declared = "__constant__ float c[4];") {
    std::string all;
    const std::string source = declared + "\n__global__ void k(float* y) { y[0] = c[0]; }\nint main() { " +
                               host + " k<<<1, 1>>>(y); }\n";
    for (const SilentMistake& each : FindSilentMistakes(source))
      all += std::to_string(each.line) + ": " + English(each.what) + " | " + English(each.remedy);
    return all;
  };
  EXPECT_EQ(
      told(""),
      "1: a kernel reads `c`, but nothing fills this __constant__ memory: all of it is 0 | Copy its values "
      "there before the launch: cudaMemcpyToSymbol(c, values, sizeof(c)).");
  for (const char* const filled :
       {"cudaMemcpyToSymbol(c, h, sizeof h);", "cudaGetSymbolAddress(&p, c); fill(p);",
        "cuModuleGetGlobal(&p, &n, m, \"c\");"})
    EXPECT_EQ(told(filled), "") << filled;
  for (const char* const declared :
       {"__constant__ float c[4] = {1, 2, 3, 4};", "extern __constant__ float c[4];",
        "#define FILL cudaMemcpyToSymbol(c, h, 16)\n__constant__ float c[4];",
        "#include \"other.h\"\n__constant__ float c[4];", "__device__ float c[4];"})
    EXPECT_EQ(told("", declared), "") << declared;
}

TEST(SilentMistakes, TheHostsSideOfTheOnlyCopyInADirection) {
  const auto of = [](const std::string& source, bool is_read) {
    const auto side = OnlyHostSide(source, "cudaMemcpy", is_read);
    return side ? std::to_string(side->line) + " " + side->array + " " + std::to_string(side->element_bytes)
                : "";
  };
  const std::string both =
      "int main() { float* r = new float[n]; std::vector<double> g(n, 1.0), h(n);\n"
      "cudaMemcpy(d, h.data(), n, cudaMemcpyHostToDevice);\n"
      "cudaMemcpy(r, d, n, cudaMemcpyDeviceToHost); }\n";
  EXPECT_EQ(of(both, true), "2 h 8");
  EXPECT_EQ(of(both, false), "3 r 4");
  EXPECT_EQ(of(both + "void f() { cudaMemcpy(r, d, n, cudaMemcpyDeviceToHost); }", false), "")
      << "which one?";
  EXPECT_EQ(of(both + "void f() { cudaMemcpy(r, d, n, cudaMemcpyDefault); }", false), "");
  EXPECT_EQ(of("void f() { cudaMemcpy(r + 2, d, n, cudaMemcpyDeviceToHost); }", false), "1  0");
}

TEST(SilentMistakes, ACopyIntoAnArrayOfTheHostThatIsTooSmall) {
  const auto told = [](const std::string& array, const std::string& size, const std::string& before = "") {
    const auto found = FindHostOverflow(before + "\nint main() { " + array + "\ncudaMemcpy(h, d, " + size +
                                        ", cudaMemcpyDeviceToHost); }");
    return found ? std::to_string(found->line) + ": " + std::to_string(found->copied) + " into " +
                       std::to_string(found->bytes) + ", line " + std::to_string(found->array_line)
                 : "";
  };
  for (const char* const array : {"int* h = (int*)malloc(64 * sizeof(int));", "int h[64];",
                                  "int* h = new int[64];", "float h[32 + 32];"})
    EXPECT_EQ(told(array, "128 * sizeof(int)"), "3: 512 into 256, line 2") << array;
  EXPECT_EQ(told("const int n = 64; int h[n];", "2 * n * sizeof(int)"), "3: 512 into 256, line 2");
  EXPECT_EQ(told("int h[N];", "512", "#define N 64"), "3: 512 into 256, line 2");
  // The kernel's n is another one, and CHECK() passes the call on.
  const std::string kernel = "__global__ void k(int* a, int n) { if (n) a[0] = n; }";
  EXPECT_EQ(told("const int n = 128; int* h = new int[n / 2];", "n * sizeof(int)", kernel),
            "3: 512 into 256, line 2");
  EXPECT_EQ(told("int h[n];", "512", "const int n = 64;\n" + kernel), "4: 512 into 256, line 3");
  for (const char* const enough :
       {"int h[128];", "double h[64];", "int* h = (int*)malloc(n);",
        "int n = 64; n = 128; int* h = new int[n];", "int h[64][2];", "long int h[64];",
        "int* h = new int[64]; h = new int[128];", "int* h = f(64);", "const int n = 64 * 2; int h[n];",
        "int* h = new int[64]; std::swap(h, g);", "int* h; f(&h); h = new int[64];"})
    EXPECT_EQ(told(enough, "128 * sizeof(int)"), "") << enough;
  for (const char* const macros : {"#define N 64 * 2", "#ifndef N\n#define N 64\n#endif", "#define N 0x40"})
    EXPECT_EQ(told("int h[N];", "512", macros), "") << macros;
  EXPECT_EQ(told("int h[64];", "n * sizeof(int)"), "");
  EXPECT_EQ(told("int h[64];", "256"), "");
}

TEST(SilentMistakes, ACopyIntoOrFromAVectorThatIsTooSmall) {
  const auto told = [](const std::string& vector, const std::string& arguments) {
    const auto found =
        FindHostOverflow("int main() { const int n = 100; " + vector + "\ncudaMemcpy(" + arguments + "); }");
    return found ? std::string(found->is_read ? "from " : "into ") + found->array + ": " +
                       std::to_string(found->copied) + ", has " + std::to_string(found->bytes)
                 : "";
  };
  const std::string into = "h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost",
                    from = "d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice";
  for (const char* const small :
       {"std::vector<int> h(50);", "vector<int> h(50, 1);", "std::vector<float> g(n), h(n / 2);"}) {
    EXPECT_EQ(told(small, into), "into h: 400, has 200") << small;
    EXPECT_EQ(told(small, from), "from h: 400, has 200") << small;
  }
  EXPECT_EQ(told("std::vector<int> h(50); for (int i : h) f(i, h[0], h.size());", into),
            "into h: 400, has 200");
  EXPECT_EQ(told("std::vector<int> h(50);", "&h[0], d, 400, cudaMemcpyDeviceToHost"), "into h: 400, has 200");
  EXPECT_EQ(told("int h[50];", "d, h, 400, cudaMemcpyHostToDevice"), "from h: 400, has 200");
  for (const char* const enough : {"std::vector<int> h(100);", "std::vector<double> h(50);",
                                   "std::vector<int> h{50};", "std::vector<int> h(50); h.resize(n);",
                                   "std::vector<int> h(50); fill(h);", "std::vector<int> h(50); h = g;",
                                   "std::vector<int> h(f());", "std::vector<int> h(g.begin(), g.end());",
                                   "std::vector<int> h(50); fill(&h);", "std::array<int, 50> h;"}) {
    EXPECT_EQ(told(enough, into), "") << enough;
    EXPECT_EQ(told(enough, from), "") << enough;
  }
  // From another place on, fewer bytes may be enough, or more may be too many: nothing is said.
  EXPECT_EQ(told("std::vector<int> h(50);", "&h[1], d, 400, cudaMemcpyDeviceToHost"), "");
}

}  // namespace
}  // namespace warplings
