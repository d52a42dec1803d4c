// SPDX-License-Identifier: Apache-2.0
#include "grader/build/known_mistakes.h"

#include <gtest/gtest.h>

#include <string>

#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings::known_mistakes_test {
namespace {

// build_submission_test.cc has the same mistakes with a compiler. Here is what that one does not say.

bool Holds(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

Diagnostic ErrorIn(int line, const std::string& words) {
  return {Severity::kError, {"mine.cu", line}, 0, words};
}

std::string ReasonFor(const std::string& words, const std::string& source) {
  const auto found = RecogniseMistake({ErrorIn(1, words)}, source);
  return found ? English(found->reason) : "";
}

std::string AdviceOn(const std::string& words) {
  const auto found = RecogniseMistake({ErrorIn(1, words)}, "");
  return found ? English(found->next_step) : "";
}

TEST(KnownMistakes, HostFunctionsByTheirNames) {
  const auto message = [](const std::string& function) {
    return "calling a constexpr __host__ function(\"" + function +
           "\") from a __global__ function(\"kernel\") is not allowed. The experimental flag "
           "'--expt-relaxed-constexpr' can be used to allow this.";
  };
  EXPECT_TRUE(Holds(AdviceOn(message("ceil")), "17 / 16 is 1"));
  EXPECT_TRUE(Holds(AdviceOn(message("std::max<int>(const int &, const int &)")), "Device code has max"));
  EXPECT_TRUE(Holds(AdviceOn(message("std::pow")), "1 << n"));
  EXPECT_TRUE(Holds(AdviceOn(message("tiles_of(int)")), "Write __device__ before tiles_of"));
  EXPECT_TRUE(Holds(AdviceOn("identifier \"kWidth\" is undefined in device code"), "argument of the kernel"));
  EXPECT_EQ(AdviceOn("identifier \"kWidth\" is undefined"), "");
}

TEST(KnownMistakes, NamesOfCudaThatAreMisspelled) {
  const auto reason = [](const std::string& name) {
    return ReasonFor("identifier \"" + name + "\" is undefined", "");
  };
  EXPECT_EQ(reason("__syncthread"), "line 1: __syncthread is not declared; did you mean __syncthreads?");
  for (const char* name : {"__synchthreads", "_syncthreads", "syncthreads", "__syncThreads"})
    EXPECT_TRUE(reason(name).ends_with("did you mean __syncthreads?")) << name << ": " << reason(name);
  EXPECT_TRUE(Holds(reason("threadidx"), "threadIdx"));
  EXPECT_TRUE(Holds(reason("blockidx"), "blockIdx"));
  EXPECT_TRUE(Holds(reason("blockdim"), "blockDim"));
  EXPECT_TRUE(Holds(reason("cudamalloc"), "cudaMalloc?"));
  EXPECT_TRUE(Holds(reason("cudaMemCpy"), "cudaMemcpy?"));
  EXPECT_TRUE(Holds(reason("atomicadd"), "atomicAdd"));
  EXPECT_TRUE(Holds(AdviceOn("identifier \"atomicadd\" is undefined"), "If you meant atomicAdd"));
  for (const char* name : {"grid", "block", "thread", "row", "tile", "width", "cuda"})
    EXPECT_EQ(reason(name), "") << name << " may be a variable";
}

TEST(KnownMistakes, SharedArraysInTheWordsOfOtherHostCompilers) {
  const std::string words = "expression must have a constant value";
  EXPECT_TRUE(Holds(ReasonFor(words, "__shared__ float tile[n];"), "line 1: the shared array tile"));
  EXPECT_TRUE(Holds(ReasonFor(words, "float sums[n];"), "the array sums"));
  EXPECT_EQ(ReasonFor(words, "case n: x[i] = 3;"), "");
}

TEST(KnownMistakes, WordsThatNobodyKnowsStandAlone) {
  for (const char* words :
       {"", "something new", "calling a __host__ function", "identifier \"",
        "class \"std::", "from a __host__ function(\"", ": No such file", "no such file"}) {
    EXPECT_EQ(ReasonFor(words, "k<<<1, 1>>>();"), "") << words;
    EXPECT_EQ(ReasonFor(words, ""), "") << words;
  }
  EXPECT_FALSE(RecogniseMistake({}, ""));
}

TEST(KnownMistakes, OnlyWhatIsNewInTheStandardIsCalledNew) {
  EXPECT_TRUE(Holds(ReasonFor("namespace \"std\" has no member \"span\"", ""), "std::span needs C++20"));
  EXPECT_EQ(ReasonFor("namespace \"std\" has no member \"vectr\"", ""), "");
  EXPECT_TRUE(Holds(ReasonFor("format: No such file or directory", ""), "<format> needs C++20"));
  EXPECT_EQ(ReasonFor("mine.h: No such file or directory", ""), "");
}

TEST(KnownMistakes, LibrariesAreFoundByTheirIncludes) {
  const auto reason = [](const char* source) {
    const auto found = FindKernelLibrary(source);
    return found ? English(found->reason) : "";
  };
  EXPECT_TRUE(Holds(reason("\n#include <cub/cub.cuh>\n"), "line 2: the file includes CUB"));
  EXPECT_TRUE(Holds(reason("# include \"thrust/sort.h\""), "Thrust"));
  for (const char* source : {"// #include <cub/cub.cuh>", "#include <cuda_runtime.h>", "#include", "cub::Sum",
                             "#include <cubic.h>"}) {
    EXPECT_EQ(reason(source), "") << source;
  }
}

}  // namespace
}  // namespace warplings::known_mistakes_test
