// SPDX-License-Identifier: Apache-2.0
#include "grader/build/build_submission.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "grader/base/unique_fd.h"
#include "grader/build/cache_entry.h"
#include "grader/build/header_list.h"
#include "grader/build/source_file.h"
#include "grader/build/toolchain.h"
#include "grader/build/worker_cache.h"
#include "tests/support/drawn.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGood = R"(#include "tiled_matmul.h"
__global__ void kernel(const float* M, const float* N, float* P, int width) {
  P[threadIdx.x] = M[threadIdx.x] + N[threadIdx.x];
}
void tiled_matmul(const float* M, const float* N, float* P, int width) {
  kernel<<<1, width>>>(M, N, P, width);
}
)";

/// A folder of its own for each test, with a cache in it, and a built tree whose runtime is a fake.
class BuildTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-build-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    Layout built = ThisLayout();
    layout_ = {built.root, folder_ / "built"};
    fs::create_directories(Runtime().parent_path());
    fs::create_symlink(built.build / "grader" / "worker", layout_.build / "grader" / "worker");
    fs::create_symlink(FAKE_RUNTIME, Runtime());
    exercise_.chapter = "01_boundary_checks";
    exercise_.id = exercise_.entry = "tiled_matmul";
    exercise_.declaration = "void tiled_matmul(const float* M, const float* N, float* P, int width);";
    exercise_.contract = built.root / "chapters" / exercise_.chapter / "tiled_matmul.h";
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Of the CUDA that this tree was configured with.
  fs::path Runtime() const { return layout_.RuntimeArchive(ThisTreesToolchain().cuda_major); }

  fs::path Write(const std::string& text, const std::string& name = "answer.cu") {
    fs::create_directories(folder_ / "student");
    fs::path file = folder_ / "student" / name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  Result<BuildOutcome> Build(const fs::path& file, bool use_cache = false) {
    return BuildSubmission({.exercise = &exercise_,
                            .file = file,
                            .display_name = file.filename().string(),
                            .use_cache = use_cache},
                           layout_);
  }

  BuildOutcome MustBuild(const std::string& text, bool use_cache = false) {
    auto outcome = Build(Write(text), use_cache);
    EXPECT_TRUE(outcome) << outcome.error().message << '\n' << outcome.error().next_step;
    return outcome ? *outcome : BuildOutcome{Verdict::kGraderFault, "", "", {}, "", {}, {}, 0, false};
  }

  static bool Has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  fs::path folder_;
  Layout layout_;
  Exercise exercise_;
};

TEST_F(BuildTest, ACapabilityThatNvccDoesNotKnowIsWrongUsage) {
  auto outcome = BuildSubmission({.exercise = &exercise_,
                                  .file = Write(kGood),
                                  .display_name = "answer.cu",
                                  .sm = 10,
                                  .device = "virtual:g80",
                                  .use_cache = false},
                                 layout_);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().blame, Blame::kUsage);
  EXPECT_TRUE(Has(English(outcome.error().message), "virtual:g80 has compute capability 1.0"))
      << outcome.error().message;
  EXPECT_TRUE(Has(English(outcome.error().next_step), "8.0, ")) << outcome.error().next_step;
}

TEST_F(BuildTest, AnArchiveOfOursThatLacksSomethingIsNotTheSubmissionsFault) {
  RUN_ONE_IN(3);
  fs::remove(Runtime());
  std::ofstream(Runtime()) << "!<arch>\n";
  auto outcome = Build(Write(kGood));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().blame, Blame::kGrader);
  EXPECT_TRUE(Has(English(outcome.error().message), "is defined nowhere")) << outcome.error().message;
}

TEST_F(BuildTest, AGoodFileBecomesAWorker) {
  BuildOutcome outcome = MustBuild(kGood);
  EXPECT_EQ(outcome.verdict, Verdict::kPassed) << outcome.reason << '\n' << outcome.compiler_output;
  EXPECT_EQ(access(outcome.worker.file.c_str(), X_OK), 0);
  EXPECT_FALSE(outcome.from_cache);
  EXPECT_TRUE(outcome.diagnostics.empty());
}

TEST_F(BuildTest, NothingIsWrittenBesideTheFile) {
  MustBuild(kGood);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "student"), {}), 1);
}

TEST_F(BuildTest, AWorkerOutsideTheCacheLivesAsLongAsItsOutcome) {
  RUN_ONE_IN(3);
  fs::path worker;
  {
    BuildOutcome outcome = MustBuild(kGood);
    worker = outcome.worker.file;
    EXPECT_TRUE(fs::exists(worker));
  }
  EXPECT_FALSE(fs::exists(worker));
}

TEST_F(BuildTest, TheCacheAnswersTheSameTextOnly) {
  RUN_ONE_IN(3);
  EXPECT_FALSE(MustBuild(kGood, true).from_cache);
  BuildOutcome again = MustBuild(kGood, true);
  EXPECT_TRUE(again.from_cache);
  EXPECT_EQ(again.verdict, Verdict::kPassed);
  EXPECT_EQ(access(again.worker.file.c_str(), X_OK), 0);
  EXPECT_FALSE(MustBuild(std::string(kGood) + "\n", true).from_cache);
}

TEST_F(BuildTest, TheCacheRepeatsWarnings) {
  RUN_ONE_IN(3);
  std::string text = std::string(kGood) + "void f() { int unused; }\n";
  ASSERT_EQ(MustBuild(text, true).diagnostics.size(), 1u);
  BuildOutcome again = MustBuild(text, true);
  EXPECT_TRUE(again.from_cache);
  ASSERT_EQ(again.diagnostics.size(), 1u);
  EXPECT_EQ(again.diagnostics[0].severity, Severity::kWarning);
  EXPECT_EQ(again.diagnostics[0].where, (SourceLine{"answer.cu", 8}));
}

TEST_F(BuildTest, AnUnusableCacheIsDoneWithout) {
  RUN_ONE_IN(3);
  for (const char* place : {"/dev/null/x", "/proc/x", "relative"}) {
    setenv("XDG_CACHE_HOME", place, 1);
    setenv("HOME", "/dev/null", 1);
    BuildOutcome outcome = MustBuild(kGood, true);
    EXPECT_EQ(outcome.verdict, Verdict::kPassed) << place;
    EXPECT_TRUE(fs::exists(outcome.worker.file)) << place;
  }
}

TEST_F(BuildTest, ACompileErrorHasTheStudentsFileAndLine) {
  BuildOutcome outcome = MustBuild(std::string(kGood) + "int f() { return undefined_thing; }\n");
  EXPECT_EQ(outcome.verdict, Verdict::kCompileError);
  EXPECT_EQ(English(outcome.reason), "line 8: `undefined_thing` is not declared in `f`.");
  ASSERT_EQ(outcome.diagnostics.size(), 1u);
  EXPECT_EQ(outcome.diagnostics[0].where, (SourceLine{"answer.cu", 8}));
  EXPECT_TRUE(Has(outcome.compiler_output, "answer.cu(8)"));
  EXPECT_FALSE(Has(outcome.compiler_output, "/submission"));
  EXPECT_TRUE(outcome.worker.empty());
}

TEST_F(BuildTest, MistakesThatEverybodyMakesOnceAreSaidInPlainWords) {
  RUN_ONE_IN(3);
  const std::string launch = "void f(float* p, int n) { k<<<1, n>>>(p, n); }\n";
  const std::string kernel = "__global__ void k(float* p, int n) { *p = n; }\n";
  const std::string second = "__global__ void k2(float* p, int n)\n{\n  *p = n;\n}\n";
  struct Example {
    std::string source;
    const char *reason, *next_step;
  };
  for (const Example& each : {
           Example{"__global__ void k(float* p, int n) {\n  __shared__ float t[n];\n  t[0] = 1;\n  p[1] = "
                   "t[0];\n}\n",
                   "line 2: the shared array t has a size that is known only at run time",
                   "extern __shared__"},
           Example{"__global__ void k(float* p, int n) {\n  float t[n];\n  t[0] = 1;\n  p[1] = t[0];\n}\n",
                   "line 2: the array t has a size", "constant"},
           Example{"\nvoid k(float* p, int n) {\n  p[threadIdx.x] = n;\n}\n" + launch,
                   "line 2: k is launched as a kernel in line 5, but __global__ is missing here",
                   "Write __global__"},
           Example{"void k(float* p, int n) {\n  __shared__ float t;\n  t = n;\n  __syncthreads();\n  *p = "
                   "t;\n}\n" +
                       launch,
                   "line 1: k is launched as a kernel in line 7", "Write __global__"},
           Example{"template <int N>\nvoid k(float* p) {\n  *p = N;\n}\nvoid f(float* p) { k<16><<<1, "
                   "1>>>(p); }\n",
                   "line 2: k is launched as a kernel in line 5", "Write __global__"},
           Example{"__device__ void k(float* p, int n) {\n  *p = n;\n}\n" + launch,
                   "line 4: k is a __device__ function", "__global__ in place of __device__"},
           Example{"float k(float* p, int n) {\n  return *p + n;\n}\n" + launch,
                   "line 4: k is launched with <<<...>>>, but it is not a kernel", "__global__ void"},
           Example{"int k;\n" + launch, "line 2: a kernel's name belongs in front of <<<...>>>",
                   "__global__ void"},
           Example{launch, "line 1: the kernel k is not declared above", "spelling"},
           Example{"__global__ void k(float* p, int n) {\n  *p = n;\n}\nvoid f(float* p) { k(p, 1); }\n",
                   "line 4: a kernel is called like an ordinary function", "<<<blocks, threads>>>"},
           Example{"__global__ int k(float* p) {\n  return 1;\n}\n", "line 1: a kernel cannot return a value",
                   "void"},
           Example{"float twice(float x) { return 2 * x; }\n__global__ void k(float* p) {\n  *p = "
                   "twice(*p);\n}\n",
                   "line 3: device code calls twice, which is a host function",
                   "Write __device__ before twice"},
           Example{"void f() {\n  __syncthreads();\n}\n", "line 2: f is a host function, but calls",
                   "__global__"},
           Example{"void f() {\n  __shared__ int t;\n  t = 1;\n}\n",
                   "line 2: a host function declares __shared__", "__global__"},
           Example{"#include <span>\nvoid f(std::span<float> s) {}\n", "std::span needs C++20", "C++17"},
           Example{
               "#include <ranges>\n#include <vector>\n#include <algorithm>\nvoid f(std::vector<int>& v) {\n"
               "  std::ranges::sort(v);\n}\n",
               "line 5: std::ranges needs C++20 or later; submissions are compiled as C++17", "C++17"},
           Example{"template <class T> concept Any = true;\n", "line 1: concept needs C++20", "C++17"},
           Example{"consteval int f() { return 3; }\n", "line 1: consteval needs C++20", "C++17"},
           Example{"struct P {\n  int a;\n  auto operator<=>(const P&) const = default;\n};\n",
                   "line 3: operator<=> needs C++20", "C++17"},
           Example{"__global__ void k(float* p) {\n  int i = threadIdx.x  // mine\n\n  p[i] = 1;\n}\n",
                   "line 2: a semicolon is missing at the end of this line", "end of line 2"},
           Example{
               "__global__ void k(float* p, int n) {\n  if (n > 3) return\n\n  float x = 1;\n  *p = x;\n}\n",
               "line 2: a semicolon is missing at the end of this line", "end of line 2"},
           Example{"static int half(int n) {\n  n /= 2;\n}\nvoid f(int* p) { *p = half(4); }\n",
                   "line 3: half can reach its end without returning a value.", "return statement"},
           Example{"__device__ int half(int n) {\n  if (n > 1) return n / 2;\n}\n__global__ void k(int* p) { "
                   "*p = "
                   "half(4); }\n",
                   "line 3: half can reach its end without returning a value.", "return statement"},
           Example{"struct S {\n  int x;\n}\n__global__ void k(S* p) {}\n", "line 3: a semicolon is missing",
                   "end of line 3"},
           Example{kernel + "void f(float* p, dim3 g, dim3 b) { k<<<g, b>>(p, 1); }\n",
                   "line 2: a bracket is missing in the launch of k", "k<<<grid, block>>>"},
           Example{kernel + "void f(float* p, dim3 g, dim3 b) { k<<g, b>>(p, 1); }\n",
                   "line 2: a bracket is missing in the launch of k", "k<<<grid, block>>>"},
           Example{kernel + "void f(float* p) { k<<<16, 256>>(p, 1);\n  cudaDeviceSynchronize();\n}\n",
                   "line 2: a bracket is missing in the launch of k", "k<<<grid, block>>>"},
           Example{kernel + "void f(float* p, dim3 g, dim3 b) { k<<<g, 64, b>>>(p, 1); }\n",
                   "line 2: the third value in <<<...>>> is a number of bytes", "<<<grid, block, bytes>>>"},
           Example{kernel + "void f() {\n  k<<<1, 2>>>;\n  cudaDeviceSynchronize();\n}\n",
                   "line 3: the launch of k has no argument list", "in parentheses after >>>"},
           Example{kernel + "void f(float* p) {\n  k(p, 1)<<<1, 2>>>;\n}\n", "line 3: <<<...>>> comes after",
                   "kernel<<<blocks, threads>>>"},
           Example{"__global__ void k(float* p, int i) {\n  __shared__ float t[4][4];\n  t[i,i] = 1;\n}\n",
                   "line 3: t[i, i] has a comma", "write t[i][i]"},
           Example{"__global__ void k(float* p, int i) {\n  __shared__ float t[4,4];\n  t[i][i] = 1;\n}\n",
                   "line 2: t[4, 4] has a comma", "write t[4][4]"},
           Example{"__global__ void k(float* p, int n) {\n  for (int i = 0; i < n; ++i {\n    p[i] = 1;\n  "
                   "}\n}\n",
                   "line 2: the ( after for is not closed before the {", "from line 2 on"},
           Example{"__global__ void k(float* p, int n) {\n  p[(n + 1] = 2;\n}\n",
                   "line 2: the ( after [ is not closed before the ]", "Each ( needs its )"},
           Example{"__global__ void k(float* p, int n) {\n  if n < 3 {\n    p[n] = 2;\n  }\n}\n",
                   "line 2: the condition after if needs parentheses", "if (...)"},
           Example{"__global__ void k(float* p, int n) {\n  if (n < 3) {\n    p[n] = 2;\n}\n" + second,
                   "line 2: the opening brace in this line is not closed", "belongs to line 2"},
           Example{"__global__ void k(float* p, int n) {\n  p[n] = 2;\n",
                   "line 1: the opening brace in this line", "belongs to line 1"},
           Example{"__global__ void k(float* p, int n) {\n  if (n < 3)\n    p[n] = 2;\n  }\n  p[0] = 1;\n}\n",
                   "line 4: a closing brace is too many", "closing brace in line 4"},
           Example{"#define TILE 16;\n__global__ void k(float* p) {\n  __shared__ float t[TILE];\n  t[0] = "
                   "*p;\n}\n",
                   "line 1: the macro TILE ends with a semicolon", "a #define has none"},
           Example{"__global__ void k(float* p, int n) {\n  index = n;\n  p[index] = 2;\n}\n",
                   "line 2: index is not declared here as a variable", "int index"},
           Example{"__global__ void k(float* p, int n) {\n  for (int i = 0; i < n; ++i);\n    p[i] = 2;\n}\n",
                   "line 2: the for ends at the semicolon", "semicolon in line 2"},
           Example{"__global__ void k(float* p, int n) {\n  p[n][0] = blockIdx.x;\n}\n",
                   "line 2: p has one dimension, but two subscripts", "`p[n * (elements in a row) + 0]`"},
           Example{"__global__ void k(float* p, int n) {\n  int i = blockIdx * n;\n  p[i] = 2;\n}\n",
                   "line 2: blockIdx has the parts x, y and z", "blockIdx.x"},
           Example{"__global__ void k(int* p) {\n  __shared__ int t[];\n  t[0] = *p;\n  p[1] = t[0];\n}\n",
                   "line 2: the shared array t has no size", "extern __shared__"},
           Example{"void f(float* p) { printf(0); }\n", "line 1: printf is declared in <cstdio>", "#include"},
           Example{"__global__ void k(float* p, int n) {\n  if (n < 3 && n = 2) p[0] = 1;\n}\n",
                   "line 2: the = in this condition assigns", "write =="},
           Example{"__global__ void k(const float* p, int n) {\n  p[n] = 1;\n}\n", "line 2: p is const here",
                   "drop its const in line 1"},
           Example{"__global__ void k(floot* p, int n) {\n  p[n] = 1;\n}\n", "line 1: floot is not declared",
                   "Did you mean float?"},
           Example{"__global__ void k(const float* M, float* P, int n) {\n  if (n < width) P[n] = M[n];\n}\n"
                   "void f(float* P, int width) { k<<<1, 1>>>(P, P, width); }\n",
                   "line 2: width is unknown in k: it is a parameter of f, in line 4",
                   "give k a parameter width"},
           Example{kernel + "void f(float* p, int j) {\n  k<<<width, 1>>>(p, j);\n}\n",
                   "line 3: `width` is not declared in `f`", "the parameters of `f` are j."},
           Example{"__global__ void k(const float* M, float* P, int n, int m) { P[n] = M[m]; }\n"
                   "void f(float* P, int n) { k<<<1, 1>>>(P, n, n); }\n",
                   "line 2: k takes 4 arguments, and this call passes 3", "in this order: M, P, n, m"},
           Example{kernel + "void f(const float* p) { k<<<1, 1>>>(p, 1); }\n",
                   "line 2: p points to const elements, but k may store", "const float* p"},
           Example{kernel + "void f(float* d) { k<<<1, 1>>>(&d, 1); }\n",
                   "line 2: &d is the address of the pointer d", "Write d in place of &d"},
           Example{kernel + "void f(float* d) { k<<<1, 1>>>(*d, 1); }\n", "line 2: *d is one element",
                   "itself: d."},
           Example{"__global__ void k(float** P) { P[0][1] = 2; }\nvoid f(float* d) { k<<<1, 1>>>(d); }\n",
                   "line 2: d is one array, but the parameter P of k", "float* P"},
           Example{kernel + "void f(double* d) { k<<<1, 1>>>(d, 1); }\n", "line 2: d has the type double*",
                   "the same type"},
           Example{"#include <vector>\n" + kernel + "void f(std::vector<float> v) { k<<<1, 1>>>(v, 1); }\n",
                   "line 3: v is a std::vector, in host memory", "v.data()"},
           Example{"void f(float* d) { cudaMalloc(d, 4 * sizeof(float)); }\n",
                   "line 1: cudaMalloc sets the pointer d", "Write &d"},
           Example{"__global__ void k(float* P) { atomicAdd(P[0], 2.0f); }\n",
                   "line 1: atomicAdd takes the address", "&P[0]"},
           Example{"__global__ void k(const float* P) {\n  atomicAdd(&P[0], 2.0f);\n}\n",
                   "line 2: P is const here", "Store to the output"},
           Example{"__global__ void k(const float* P, int n) {\n  float* q = P + n;\n  q[0] = 2;\n}\n",
                   "line 2: q may store to elements that are const", "const float*"},
           Example{"__global__ void k(float* A, float* C) {\n  C = A[0];\n}\n",
                   "line 2: C is the whole array", "C[...]"},
           Example{"__global__ void k(float* A, float* B, float* C) {\n  C[0] = A + B;\n}\n",
                   "line 2: A is the whole array", "A[...]"},
           Example{"__global__ void k(float* P) {\n  P[0] = P[1] % 3;\n}\n", "line 2: % takes integers",
                   "fmodf"},
           Example{"float* f() {\n  float* d = cudaMalloc(&d, 12);\n  return d;\n}\n",
                   "line 2: cudaMalloc returns an error code", "cudaMalloc(&d, bytes)"},
           Example{"#include <cstdlib>\nfloat* f() {\n  float* h = malloc(12);\n  return h;\n}\n",
                   "line 3: malloc returns a void*", "(float*)malloc"},
           Example{kernel + "float f(float* d) {\n  float s = k<<<1, 1>>>(d, 3);\n  return s;\n}\n",
                   "line 3: a kernel cannot return a value", "through a pointer"},
           Example{"__global__ void k(float* P) {\n  return P[0];\n}\n",
                   "line 2: a kernel cannot return a value", "return; without a value"},
           Example{"__global__ void k(float* P) {\n  int i = 2;\n  int i = 3;\n  P[i] = 1;\n}\n",
                   "line 3: i is declared a second time; the first time is in line 2", "leave out the type"},
           Example{"__global__ void k(float* P) {\n  __shared__ float s = 0;\n  P[0] = s;\n}\n",
                   "line 2: the shared variable s is given a value", "without a value"},
           Example{"void f(float* d) {\n  __global__ void k(float* P) { P[0] = 3; }\n  k<<<1, 1>>>(d);\n}\n",
                   "line 2: the function k is defined inside of f", "Move k out of f"},
           Example{"#include <cstdio>\nvoid f() {\n  printf(\"hallo);\n}\n",
                   "line 3: the closing quote is missing", "\""},
           Example{"int f(int a) { return std::min({a, 3, 2}); }\n", "line 1: std::min of a list in braces",
                   "#include <algorithm>"},
           Example{"int f(int a) { return std::max(a, 3u); }\n",
                   "line 1: std::max takes two values of one type", "std::max<int>"},
           Example{"void f() { std::vector<int> v(3); }\n", "line 1: std::vector is declared in <vector>",
                   "<vector>"},
           Example{"void f(int n) { assert(n > 2); }\n", "line 1: assert is declared in <cassert>",
                   "<cassert>"},
           Example{"void f() { cout << 3; }\n", "line 1: cout is in the namespace std", "std::cout"},
           Example{"#include <iostream>\n__global__ void k(float* P) { std::cout << P[0]; }\n",
                   "line 2: device code uses std::cout", "printf"},
           Example{"__global__ void k(float* P) { P[0] = twice(P[1]); }\n"
                   "__device__ float twice(float x) { return 2 * x; }\n",
                   "line 1: twice is called here, but defined only below, in line 2", "Move twice"},
           Example{"__global__ void k(float* P, int n, m) { P[n] = m; }\n",
                   "line 1: the parameter m has no type", "int m"},
           Example{kernel + "void f(float* p) { k<<<1, 1>>>(p); }\n",
                   "line 2: k takes 2 arguments, and this call passes 1", "in this order: p, n"},
       }) {
    if (!IsDrawn(each.source, OneIn(4))) continue;
    const BuildOutcome outcome = MustBuild(each.source);
    EXPECT_EQ(outcome.verdict, Verdict::kCompileError) << each.source;
    EXPECT_TRUE(Has(English(outcome.reason), each.reason)) << outcome.reason << '\n'
                                                           << outcome.compiler_output;
    EXPECT_TRUE(Has(English(outcome.next_step), each.next_step)) << outcome.next_step;
  }
}

TEST_F(BuildTest, ALibraryOfKernelsIsNamedAndNotWhatItRefersTo) {
  RUN_ONE_IN(6);
  const BuildOutcome outcome = MustBuild("#include <cub/cub.cuh>\n" + std::string(kGood));
  EXPECT_EQ(outcome.verdict, Verdict::kForbiddenSymbol) << outcome.reason;
  EXPECT_TRUE(Has(English(outcome.reason), "line 1: the file includes CUB")) << outcome.reason;
}

TEST_F(BuildTest, AMissingHeaderIsACompileError) {
  BuildOutcome outcome = MustBuild("#include \"nothing.h\"\n");
  EXPECT_EQ(outcome.verdict, Verdict::kCompileError);
  EXPECT_EQ(English(outcome.reason), "line 1: the compiler finds no file nothing.h.");
  EXPECT_EQ(English(outcome.diagnostics.at(0).message), "nothing.h: No such file or directory");
  EXPECT_EQ(outcome.diagnostics.at(0).column, 10);
}

TEST_F(BuildTest, CodeThatOnlyPtxasRefusesIsACompileError) {
  RUN_ONE_IN(3);
  BuildOutcome outcome =
      MustBuild(std::string(kGood) +
                "__global__ void big(float* p) { __shared__ float a[60000];\n"
                "  a[threadIdx.x] = p[0]; __syncthreads(); p[1] = a[threadIdx.x ^ 1]; }\n");
  EXPECT_EQ(outcome.verdict, Verdict::kCompileError);
  EXPECT_EQ(
      English(outcome.reason),
      "line 8: the arrays of big take 240000 bytes of shared memory, but those of a constant size may take "
      "49,152 at most.");
  ASSERT_FALSE(outcome.diagnostics.empty());
  EXPECT_EQ(outcome.diagnostics[0].where, (SourceLine{"answer.cu", 8}));
  EXPECT_TRUE(Has(English(outcome.diagnostics[0].message), "too much shared data"))
      << outcome.diagnostics[0].message;
}

TEST_F(BuildTest, AMissingEntryIsNamedWithItsDeclaration) {
  BuildOutcome outcome = MustBuild("__global__ void kernel() {}\n");
  EXPECT_EQ(outcome.verdict, Verdict::kMissingEntry);
  EXPECT_EQ(English(outcome.reason), "The function tiled_matmul is not defined.");
  EXPECT_TRUE(Has(English(outcome.next_step), exercise_.declaration));
}

TEST_F(BuildTest, ADifferentEntryIsNamedAsFound) {
  BuildOutcome outcome =
      MustBuild("__global__ void k() {}\nvoid tiled_matmul(float* M, int width) { k<<<1, 1>>>(); }\n");
  EXPECT_EQ(outcome.verdict, Verdict::kMissingEntry);
  EXPECT_TRUE(English(outcome.reason).starts_with("line 2: tiled_matmul is not defined")) << outcome.reason;
  EXPECT_TRUE(Has(English(outcome.reason), "found tiled_matmul(float*, int)")) << outcome.reason;
  EXPECT_TRUE(Has(English(outcome.next_step), exercise_.declaration));
}

TEST_F(BuildTest, AnEntryInANamespaceIsNamedAsFound) {
  RUN_ONE_IN(3);
  BuildOutcome outcome = MustBuild(
      "__global__ void k() {}\nnamespace mine {\n"
      "void tiled_matmul(const float*, const float*, float*, int) { k<<<1, 1>>>(); }\n}\n");
  EXPECT_EQ(outcome.verdict, Verdict::kMissingEntry);
  EXPECT_TRUE(Has(English(outcome.reason), "mine::tiled_matmul(")) << outcome.reason;
}

TEST_F(BuildTest, AnotherResultTypeContradictsTheContract) {
  BuildOutcome outcome =
      MustBuild("int tiled_matmul(const float*, const float*, float*, int) { return 1; }\n");
  EXPECT_EQ(outcome.verdict, Verdict::kCompileError);
  EXPECT_TRUE(Has(English(outcome.reason), "line 1: cannot overload")) << outcome.reason;
  EXPECT_TRUE(Has(English(outcome.next_step), exercise_.declaration));
}

TEST_F(BuildTest, AMainIsRefusedWithAReason) {
  BuildOutcome outcome = MustBuild(std::string(kGood) + "int main() { return 0; }\n");
  EXPECT_EQ(outcome.verdict, Verdict::kCompileError);
  EXPECT_EQ(English(outcome.reason),
            "line 8: main() is defined here; the grader has its own, which calls tiled_matmul.");
}

TEST_F(BuildTest, ForbiddenFunctionsAreNamed) {
  BuildOutcome outcome =
      MustBuild("#include <unistd.h>\n#include <cstdlib>\n#include <thread>\n" + std::string(kGood) +
                "// system() is not here,\n"
                "void f() { fork();\n  system(\"ls\");\n  std::thread([] {}).join(); }\n");
  EXPECT_EQ(outcome.verdict, Verdict::kForbiddenSymbol);
  EXPECT_TRUE(English(outcome.reason).starts_with("line 12: submissions may not use fork, system (line 13)"))
      << outcome.reason;
  EXPECT_TRUE(Has(English(outcome.reason), "std::thread::join() (line 14)")) << outcome.reason;
  EXPECT_TRUE(outcome.worker.empty());
}

TEST_F(BuildTest, TheDriverApiIsNotForSubmissions) {
  RUN_ONE_IN(3);
  BuildOutcome outcome = MustBuild("#include <cuda.h>\n" + std::string(kGood) +
                                   "void f() { CUdeviceptr p; cuInit(0); cuMemAlloc(&p, 4); }\n");
  EXPECT_EQ(outcome.verdict, Verdict::kCompileError);
  EXPECT_TRUE(Has(English(outcome.reason), "cuInit")) << outcome.reason;
  EXPECT_TRUE(outcome.worker.empty());
}

TEST_F(BuildTest, WhatIsDefinedNowhereIsNamed) {
  RUN_ONE_IN(3);
  BuildOutcome outcome = MustBuild("void helper(int);\n" + std::string(kGood) + "void f() { helper(2); }\n");
  EXPECT_EQ(outcome.verdict, Verdict::kCompileError);
  EXPECT_EQ(English(outcome.reason), "line 9: used and declared, but defined nowhere: helper(int).");
}

TEST_F(BuildTest, ARuntimeFunctionThatIsNotThereIsNamed) {
  BuildOutcome outcome =
      MustBuild(std::string(kGood) + "void f() { cudaGraph_t g; cudaGraphCreate(&g, 0); }\n");
  EXPECT_EQ(outcome.verdict, Verdict::kCompileError);
  EXPECT_EQ(English(outcome.reason), "line 8: the grader's CUDA runtime does not have cudaGraphCreate.");
}

TEST_F(BuildTest, OrdinaryHelpersAreAllowed) {
  RUN_ONE_IN(3);
  BuildOutcome outcome = MustBuild(
      "#include <algorithm>\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n#include <iostream>\n"
      "#include <map>\n#include <memory>\n#include <random>\n#include <sstream>\n#include <string>\n"
      "#include <vector>\n#include <chrono>\n#include <stdexcept>\n#include <iomanip>\n" +
      std::string(kGood) +
      "void f(float* p) {\n"
      "  std::vector<float> v(100, 2.0f);\n  std::sort(v.begin(), v.end());\n"
      "  std::map<std::string, int> m;\n  m[std::to_string(std::sqrt(v[0]))] = 1;\n"
      "  std::cout << m.size() << std::setw(3) << std::endl;\n  printf(\"%f\\n\", std::pow(2.0, v[1]));\n"
      "  std::ostringstream s;\n  s << 1.5f << 'x' << \"y\" << std::string(\"z\");\n  "
      "std::puts(s.str().c_str());\n"
      "  std::mt19937 r(1);\n  p[0] = std::uniform_real_distribution<float>(0, 1)(r);\n"
      "  auto t = std::chrono::steady_clock::now().time_since_epoch().count();\n  if (t == 0) exit(1);\n"
      "  if (cudaMalloc(&p, 4) != cudaSuccess) throw "
      "std::runtime_error(cudaGetErrorString(cudaGetLastError()));\n"
      "  auto q = std::make_unique<int[]>(3);\n  auto z = std::make_shared<int>(3);\n  *z = q[0];\n}\n");
  EXPECT_EQ(outcome.verdict, Verdict::kPassed) << outcome.reason << '\n' << outcome.compiler_output;
}

TEST_F(BuildTest, NothingSecretCanBeIncluded) {
  std::string root = ThisLayout().root.string();
  for (const std::string& path :
       {std::string("/etc/passwd"), std::string("/proc/self/environ"),
        root + "/solutions/01_boundary_checks/tiled_matmul.cu",
        std::string("/submission/../") + root + "/README.md", folder_.string() + "/student/answer.cu"}) {
    BuildOutcome outcome = MustBuild("#include \"" + path + "\"\n");
    EXPECT_EQ(outcome.verdict, Verdict::kCompileError) << path;
    EXPECT_TRUE(Has(English(outcome.diagnostics.at(0).message), "No such file"))
        << path << ": " << outcome.reason;
  }
  for (const std::string& path : {root + "/solutions/01_boundary_checks/tiled_matmul.cu"}) {
    BuildOutcome outcome = MustBuild(std::string(kGood) + "asm(\".incbin \\\"" + path + "\\\"\");\n");
    EXPECT_EQ(outcome.verdict, Verdict::kCompileError) << path;
    EXPECT_TRUE(Has(English(outcome.reason) + outcome.compiler_output, "file not found") ||
                Has(outcome.compiler_output, "No such file"))
        << outcome.compiler_output;
  }
}

TEST_F(BuildTest, AnEndlessIncludeEnds) {
  BuildOutcome outcome = MustBuild("#include \"/dev/zero\"\n");
  EXPECT_EQ(outcome.verdict, Verdict::kCompileError);
  outcome = MustBuild("#include __FILE__\n");
  EXPECT_EQ(outcome.verdict, Verdict::kCompileError);
}

TEST_F(BuildTest, AHugeArrayInTheObjectIsStopped) {
  RUN_ONE_IN(3);
  BuildOutcome outcome = MustBuild(std::string(kGood) + "char big[1ul << 33] = {1};\n");
  EXPECT_NE(outcome.verdict, Verdict::kPassed);
  EXPECT_FALSE(outcome.reason.empty());
}

TEST_F(BuildTest, LineEndsAndAByteOrderMarkDoNotMatter) {
  std::string crlf = "\xEF\xBB\xBF";
  for (char c : std::string(kGood)) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  BuildOutcome outcome = MustBuild(crlf);
  EXPECT_EQ(outcome.verdict, Verdict::kPassed) << outcome.reason << outcome.compiler_output;
}

TEST_F(BuildTest, NamesThatShellsDislikeAreFine) {
  RUN_ONE_IN(3);
  for (const char* name : {"my answer (2);ls é.cu", "$(touch x)'\"`.cu", "-o.cu.txt"}) {
    auto outcome = Build(Write(kGood, name));
    ASSERT_TRUE(outcome) << name << ": " << outcome.error().message;
    EXPECT_EQ(outcome->verdict, Verdict::kPassed) << name << ": " << outcome->reason;
  }
}

TEST_F(BuildTest, AnArchiveThatIsMissingIsTheGradersFault) {
  layout_.build = folder_ / "nowhere";
  auto outcome = Build(Write(kGood));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().blame, Blame::kGrader);
}

TEST_F(BuildTest, ABrokenContractIsNotTheStudentsFault) {
  exercise_.contract = folder_ / "tiled_matmul.h";
  std::ofstream(exercise_.contract) << "#error this header is broken\n";
  auto outcome = Build(Write(kGood));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().blame, Blame::kGrader);
}

TEST_F(BuildTest, PathsThatAreNoFilesAreUsageErrors) {
  fs::create_directories(folder_ / "student");
  fs::path fifo = folder_ / "fifo.cu";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  for (const fs::path& path : {folder_ / "nothing.cu", folder_ / "student", fifo, fs::path("/dev/zero")}) {
    auto outcome = Build(path);
    ASSERT_FALSE(outcome) << path;
    EXPECT_EQ(outcome.error().blame, Blame::kUsage) << path;
  }
}

TEST_F(BuildTest, TextThatIsNoSourceIsRefused) {
  struct Case {
    std::string text, reason;
    Verdict verdict;
  };
  for (const Case& each :
       {Case{"", "is empty", Verdict::kMissingEntry}, Case{" \r\n\t", "is empty", Verdict::kMissingEntry},
        Case{"int a;\n// caf\xE9\n", "line 2", Verdict::kCompileError},
        Case{std::string("int a\0;", 7), "line 1", Verdict::kCompileError},
        Case{"\xFF\xFEi\0", "UTF-16", Verdict::kCompileError},
        Case{std::string(kMaxSourceBytes + 1, ' '), "1 MiB", Verdict::kCompileError}}) {
    BuildOutcome outcome = MustBuild(each.text);
    EXPECT_EQ(outcome.verdict, each.verdict);
    EXPECT_TRUE(Has(English(outcome.reason), each.reason)) << outcome.reason;
  }
}

TEST(WorkerCache, KeepsTheYoungestWithinItsBound) {
  std::string name = testing::TempDir() + "warplings-cache-XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  std::string file = name + "/file";
  std::ofstream(file) << std::string(1000, 'x');
  FILE* open_file = fopen(file.c_str(), "rb");
  ASSERT_NE(open_file, nullptr);
  WorkerCache cache(name + "/cache", 2500);
  for (const char* key : {"a", "b", "c"}) {
    EXPECT_TRUE(cache.Insert(key, {.fd = fileno(open_file), .bytes = 1000, .compiler_output = "text"}));
    usleep(20000);
  }
  fclose(open_file);
  EXPECT_FALSE(cache.Find("a"));
  EXPECT_TRUE(cache.Find("b"));
  ASSERT_TRUE(cache.Find("c"));
  EXPECT_EQ(cache.Find("c")->compiler_output, "text");
  EXPECT_EQ(fs::file_size(cache.Find("c")->worker.file), 1000u);
  fs::remove_all(name);
}

class DamagedCache : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "warplings-damaged-XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    header_ = folder_ + "/cuda_runtime.h";
    std::ofstream(header_) << "#pragma once";
    program_.reset(open((folder_ + "/program").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    ASSERT_EQ(write(program_.get(), kProgram.data(), kProgram.size()), static_cast<ssize_t>(kProgram.size()));
  }
  void TearDown() override { fs::remove_all(folder_); }

  bool Insert() {
    return cache()
        .Insert("key", {.fd = program_.get(),
                        .bytes = kProgram.size(),
                        .image = "an image's hash",
                        .headers = *DescribeHeaders(header_ + "\nrelative.h\n"),
                        .compiler_output = "a warning"})
        .has_value();
  }
  WorkerCache cache() const { return WorkerCache(folder_ + "/cache"); }
  std::string File(const char* name) const { return folder_ + "/cache/key/" + name; }
  /// After some damage: the entry is not used, and can be made anew.
  void ExpectMadeAnew(const std::string& damage) {
    EXPECT_FALSE(cache().Find("key")) << damage;
    EXPECT_TRUE(Insert()) << damage;
    const auto entry = cache().Find("key");
    ASSERT_TRUE(entry) << damage;
    EXPECT_EQ(entry->worker.image, "an image's hash");
    EXPECT_EQ(entry->compiler_output, "a warning");
    EXPECT_EQ(ReadCacheFile(entry->worker.file), kProgram);
  }

  const std::string kProgram = std::string(20'000, 'p') + "end";
  std::string folder_, header_;
  UniqueFd program_;
};

TEST_F(DamagedCache, IsMadeAnew) {
  ASSERT_TRUE(Insert());
  ASSERT_TRUE(cache().Find("key"));
  for (const char* name : {"worker", "image", "headers", "compiler_output", "checksums"}) {
    fs::resize_file(File(name), fs::file_size(File(name)) / 2);
    ExpectMadeAnew(std::string("cut off: ") + name);
    fs::resize_file(File(name), 0);
    ExpectMadeAnew(std::string("empty: ") + name);
    std::ofstream(File(name), std::ios::binary | std::ios::in | std::ios::out) << '?';
    ExpectMadeAnew(std::string("another first byte: ") + name);
    std::ofstream(File(name), std::ios::binary | std::ios::app) << "key 1";
    ExpectMadeAnew(std::string("more at its end: ") + name);
    fs::remove(File(name));
    ExpectMadeAnew(std::string("gone: ") + name);
  }
}

TEST_F(DamagedCache, AReplacedHeaderMakesAnEntryStale) {
  ASSERT_TRUE(Insert());
  std::ofstream(header_) << "#pragma once\n#define NEW 1";
  ExpectMadeAnew("a longer header");
  fs::last_write_time(header_, fs::file_time_type::clock::now() - std::chrono::hours(1));
  ExpectMadeAnew("a header of the same size");
  fs::remove(header_);
  ExpectMadeAnew("a header that is gone");
}

TEST(HeaderList, SkipsWhatIsNoFileOfOthers) {
  EXPECT_EQ(DescribeHeaders("<built-in>\n/submission/a.cu\n/contract/a.h\n\n"), "");
  EXPECT_TRUE(HeadersAreUnchanged(""));
  EXPECT_FALSE(HeadersAreUnchanged("/usr/include/stdio.h"));
  std::string many;
  for (int i = 0; i < 20'001; ++i) many += "/a\n";
  EXPECT_FALSE(DescribeHeaders(many)) << "a submission may have any number of #line";
}

TEST(WorkerCache, AFullDiskCostsNothingButTheEntry) {
  std::string name = testing::TempDir() + "warplings-full-XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  UniqueFd file(open((name + "/file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(write(file.get(), "0123456789", 10), 10);
  // A limit on file sizes makes a write fail midway, as a full disk does.
  rlimit old{}, small{4, RLIM_INFINITY};
  getrlimit(RLIMIT_FSIZE, &old);
  small.rlim_max = old.rlim_max;
  auto handler = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  WorkerCache cache(name + "/cache");
  auto entry = cache.Insert("key", {.fd = file.get(), .bytes = 10, .compiler_output = "text"});
  auto temporary = MakeTemporaryWorker(file.get(), 10);
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  EXPECT_FALSE(entry);
  EXPECT_FALSE(cache.Find("key"));
  EXPECT_TRUE(fs::is_empty(name + "/cache"));
  ASSERT_FALSE(temporary);
  EXPECT_EQ(temporary.error().blame, Blame::kGrader);
  fs::remove_all(name);
}

}  // namespace
}  // namespace warplings
