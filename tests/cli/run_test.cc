// SPDX-License-Identifier: Apache-2.0
// `warplings run`: programs of programs/, compiled by nvcc, from the command line to the exit status.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/cli/cli_fixture.h"
#include "tests/cli/terminal.h"
#include "tests/support/drawn.h"
#include "tests/support/schema_check.h"

namespace warplings::cli_test {
namespace {

const std::filesystem::path kPrograms = WARPLINGS_TEST_PROGRAMS;

class RunTest : public CliFixture {};

TEST_F(RunTest, AnOrdinaryProgramPrintsItsResult) {
  const ProgramRun run = Run({"run", kPrograms / "histogram", "5000"});
  EXPECT_EQ(run.out, "5000 values, 0 bins wrong, timed: yes\n");
  EXPECT_EQ(run.err, "warplings: no errors found in 1 launch\n");
  EXPECT_EQ(run.status, 0);
}

TEST_F(RunTest, OnAnotherCardToo) {
  const ProgramRun run = Run({"run", "--device", "virtual:h100", kPrograms / "histogram"});
  EXPECT_EQ(run.out, "1000 values, 0 bins wrong, timed: yes\n");
  EXPECT_EQ(run.status, 0) << run.err;
}

TEST_F(RunTest, AFindingIsToldOnStandardErrorAndFailsTheRun) {
  const ProgramRun run = Run({"run", kPrograms / "off_by_one"});
  EXPECT_EQ(run.out, "done\n");
  EXPECT_EQ(run.status, 1);
  for (const char* words :
       {"off_by_one.cu:7 | if (i <= n) numbers[i] = i;", "error: out of bounds write",
        "writes 4 bytes right past the end of", "kernel fill, block (0, 0), thread (40, 0)"}) {
    EXPECT_NE(run.err.find(words), std::string::npos) << "not said: " << words << "\n" << run.err;
  }
}

TEST_F(RunTest, FindingsAreTheSameEachTime) {
  EXPECT_EQ(Run({"run", kPrograms / "off_by_one"}).err, Run({"run", kPrograms / "off_by_one"}).err);
}

TEST_F(RunTest, WhatWasFoundBeforeAnInterruptIsTold) {
  ProgramOptions options;
  options.interrupt_when = scratch() / "running";
  const ProgramRun run = Run({"run", kPrograms / "interrupted", options.interrupt_when}, options);
  EXPECT_EQ(run.status, 128 + SIGINT);
  for (const char* words : {"interrupted.cu:9 | if (i <= n) numbers[i] = i;", "error: out of bounds write",
                            "warning: endless loop", "was still running here when the program was stopped",
                            "kernel wait_for_ever"}) {
    EXPECT_NE(run.err.find(words), std::string::npos) << "not said: " << words << "\n" << run.err;
  }
}

TEST_F(RunTest, DeviceCodeOfSeveralFilesIsLinked) {
  const ProgramRun run = Run({"run", kPrograms / "linked"});
  EXPECT_EQ(run.out, "total 95624, 4 calls, no error\n");
  EXPECT_EQ(run.err,
            "warplings: no errors found in 4 launches (what the host itself reads or writes in managed or "
            "pinned memory is not "
            "checked)\n");
  EXPECT_EQ(run.status, 0);
}

TEST_F(RunTest, FindingsNameTheFileOfSeveral) {
  const ProgramRun run = Run({"run", kPrograms / "linked", "out of bounds"});
  EXPECT_EQ(run.status, 1);
  for (const char* words :
       {"parts.cu:28 | products[i] = values[i] * factors[i % kThreads];", "error: out of bounds read",
        "right past the end of `values`, which has 16", "kernel sum, block (0, 0), thread (4, 0)"}) {
    EXPECT_NE(run.err.find(words), std::string::npos) << "not said: " << words << "\n" << run.err;
  }
}

class LongLaunchTest : public CliFixture {
 protected:
  std::vector<std::string> Command(const std::string& seconds) const {
    return {layout_.build / "grader/cli/warplings-cli", "run", kPrograms / "slow", seconds};
  }
  std::map<std::string, std::string> Environment(const std::string& locale) const {
    std::filesystem::create_directories(scratch() / "tmp");
    return {{"TMPDIR", scratch() / "tmp"}, {"TERM", "xterm"}, {"LC_ALL", locale}};
  }
};

TEST_F(LongLaunchTest, OnATerminalALineSaysHowFarItIsAndVanishes) {
  RUN_ONE_IN(3);
  Terminal terminal(Command("6"), Environment("C.UTF-8"));
  EXPECT_EQ(terminal.Wait(), 0);
  const std::string& seen = terminal.seen();
  const std::regex line(
      "begin\x1b\\[J\x1b"
      "D\x1b"
      "7\rwarplings: slow, launch [0-9]+: [0-9]+ of 200 blocks, about [0-9]+ s left\x1b"
      "8\x1b\\[A");
  EXPECT_TRUE(std::regex_search(seen, line)) << seen;
  EXPECT_NE(seen.find("left\x1b"
                      "8\x1b[A\x1b[J, end\r\nwarplings: no errors found in "),
            seen.npos)
      << "gone before the program prints again: " << seen;
}

TEST_F(LongLaunchTest, AfterAnInterruptTheLineIsGone) {
  RUN_ONE_IN(3);
  Terminal terminal(Command("100"), Environment("C.UTF-8"));
  ASSERT_TRUE(terminal.WaitFor("begin"));
  ASSERT_TRUE(terminal.WaitFor(" of 200 blocks, "));
  terminal.Type("\x03");
  EXPECT_EQ(WEXITSTATUS(terminal.Wait()), 128 + SIGINT);
  const std::string& seen = terminal.seen();
  const std::size_t gone = seen.rfind("\x1b[J"), finding = seen.find("endless loop");
  ASSERT_NE(finding, seen.npos) << seen;
  EXPECT_LT(gone, finding) << seen;
  EXPECT_EQ(seen.find(" of 200 blocks, ", gone), seen.npos) << seen;
}

TEST_F(LongLaunchTest, NothingIsSaidOfAFewSecondsInALog) {
  RUN_ONE_IN(3);
  const ProgramRun run = Run({"run", kPrograms / "slow", "3"});
  EXPECT_EQ(run.out, "begin, end\n");
  EXPECT_TRUE(run.err.starts_with("warplings: no errors found in ")) << run.err;
}

class CcTest : public CliFixture {
 protected:
  /// A program that prints what it was compiled for and ends with the number of its arguments.
  std::filesystem::path Source() const {
    const std::filesystem::path file = scratch() / "my programs" / "arch.cu";
    WriteText(file,
              "#include <cstdio>\n"
              "__global__ void arch(int* out) {\n"
              "#ifdef __CUDA_ARCH__\n"
              "  *out = __CUDA_ARCH__;\n"
              "#endif\n"
              "}\n"
              "int main(int argc, char**) {\n"
              "  int* out;\n"
              "  cudaMallocManaged(&out, sizeof *out);\n"
              "  arch<<<1, 1>>>(out);\n"
              "  cudaDeviceSynchronize();\n"
              "  std::printf(\"%d\\n\", *out);\n"
              "  return argc - 1;\n"
              "}\n");
    return file;
  }
};

TEST_F(CcTest, CompilesForTheCardThatWasChosen) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = Source();
  const ProgramRun t4 = Run({"cc", "--device", "virtual:t4", source});
  EXPECT_EQ(t4.out, "750\n") << t4.err;
  EXPECT_EQ(t4.status, 0);
  EXPECT_EQ(Run({"cc", "--device", "virtual:h100,t4", source}).out, "750\n") << "code for both";
  const ProgramRun chosen =
      Run({"cc", "--device", "virtual:h100", "--nvcc-options", "-O1  -arch=sm_80", source});
  EXPECT_EQ(chosen.out, "800\n") << chosen.err;
}

TEST_F(CcTest, WhatStandsBehindTheFileIsTheProgramsAndItsStatusIsOurs) {
  const ProgramRun run = Run({"cc", "--device", "virtual:h100", Source(), "--device", "x", "-O3"});
  EXPECT_EQ(run.out, "900\n") << run.err;
  EXPECT_EQ(run.status, 3);
}

TEST_F(CcTest, FurtherFilesAreLinked) {
  RUN_ONE_IN(3);
  const std::filesystem::path folder = layout_.root / "tests/cli/programs/linked";
  const ProgramRun run =
      Run({"cc", "--nvcc-options", "-rdc=true " + (folder / "parts.cu").string(), folder / "main.cu"});
  EXPECT_EQ(run.out, "total 95624, 4 calls, no error\n") << run.err;
  EXPECT_EQ(run.status, 0);
}

TEST_F(CcTest, FindingsNameTheLinesOfTheSource) {
  const ProgramRun run = Run({"cc", layout_.root / "tests/cli/programs/off_by_one.cu"});
  EXPECT_EQ(run.out, "done\n");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("off_by_one.cu:7 | if (i <= n) numbers[i] = i;"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("writes 4 bytes right past the end of `numbers`, which has 160 bytes"),
            std::string::npos)
      << run.err;
}

/// "total" and "right" are words of ours, too, which have translations.
TEST_F(CcTest, AVariableKeepsItsNameInEveryLanguage) {
  WriteText(scratch() / "names.cu",
            "__device__ int total[1];\n"
            "__global__ void add(int* right) {\n"
            "  total[0] = right[0];\n"
            "  right[4] = total[3];\n"
            "}\n"
            "int main() {\n"
            "  int* right;\n"
            "  cudaMalloc(&right, 16);\n"
            "  cudaMemset(right, 0, 16);\n"
            "  add<<<1, 1>>>(right);\n"
            "  cudaDeviceSynchronize();\n"
            "  cudaFree(right);\n"
            "}\n");
  const ProgramRun run = Run({"cc", "--lang", "zh_Hant", "names.cu"}, {.folder = scratch()});
  EXPECT_NE(run.err.find(" `right` "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("total"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("總計"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("正確"), std::string::npos) << run.err;
}

TEST_F(CcTest, AnArrayThatWasNeverFilledIsNamedAndHowToFillIt) {
  const std::filesystem::path source = scratch() / "unfilled.cu";
  WriteText(source,
            "__global__ void add(float* sum, const float* b) { sum[0] = b[0]; }\n"
            "int main() {\n"
            "  float *x, *y;\n"
            "  cudaMalloc(&x, 4);\n"
            "  cudaMalloc(&y, 4);\n"
            "  add<<<1, 1>>>(x, y);\n"
            "  return cudaDeviceSynchronize();\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_NE(run.err.find("reads 4 bytes of `b` before anything is written there"), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("    fill it before this launch, with cudaMemcpy or cudaMemset\n"),
            std::string::npos)
      << run.err;
}

TEST_F(CcTest, AMissingBarrierIsToldBeforeWhatFollowsFromIt) {
  const std::filesystem::path source = scratch() / "no_barrier.cu";
  WriteText(source,
            "__global__ void reverse(int* a) {\n"
            "  __shared__ int tile[256];\n"
            "  tile[threadIdx.x] = a[threadIdx.x];\n"
            "  a[threadIdx.x] = tile[255 - threadIdx.x];\n"
            "}\n"
            "int main() {\n"
            "  int* a;\n"
            "  cudaMalloc(&a, 1024);\n"
            "  cudaMemset(a, 0, 1024);\n"
            "  reverse<<<1, 256>>>(a);\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_LT(run.err.find("error: race"), run.err.find("error: uninitialised read")) << run.err;
  EXPECT_LT(run.err.find("error: uninitialised read"), run.err.find("warning: leak")) << run.err;
  EXPECT_NE(run.err.find("warning: leak"), std::string::npos) << run.err;
}

TEST_F(CcTest, AnAddressOutsideIsToldOfTheArrayThatTheLineNames) {
  const std::filesystem::path source = scratch() / "arrays.cu";
  WriteText(source,
            "__global__ void k(const int* first, const int* second, int* out, int back) {\n"
            "  __shared__ int tile[1024];\n"
            "  __shared__ int sums[256];\n"
            "  int mine[4];\n"
            "  int t = threadIdx.x;\n"
            "  tile[t] = first[t];\n"
            "  sums[t] = second[t];\n"
            "  for (int i = 0; i < back; ++i) mine[i + t / 255 * 2] = tile[i];\n"
            "  __syncthreads();\n"
            "  out[t] = sums[t - 1] + tile[t];\n"
            "  out[t] += mine[t % back];\n"
            "  out[t] += second[t - 20000];\n"
            "}\n"
            "int main() {\n"
            "  int *a, *b, *c;\n"
            "  cudaMalloc(&a, 1024);\n"
            "  cudaMalloc(&b, 1024);\n"
            "  cudaMalloc(&c, 1024);\n"
            "  cudaMemset(a, 0, 1024);\n"
            "  cudaMemset(b, 0, 1024);\n"
            "  k<<<1, 256>>>(a, b, c, 4);\n"
            "  cudaDeviceSynchronize();\n"
            "  cudaFree(a);\n"
            "  cudaFree(b);\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  for (const char* words : {"4 bytes before the start of shared array `sums`", "would write `mine[4]",
                            "bytes before the start of `second`", "arrays.cu:18 | cudaMalloc(&c, 1024);"})
    EXPECT_NE(run.err.find(words), std::string::npos) << "not said: " << words << "\n" << run.err;
}

TEST_F(CcTest, ABarrierThatIsMissingAtTheEndOfALoopIsToldThere) {
  const std::filesystem::path source = scratch() / "passes.cu";
  WriteText(source,
            "__global__ void k(const int* in, int* out) {\n"
            "  __shared__ int s[64];\n"
            "  int sum = 0;\n"
            "  for (int p = 0; p < 4; ++p) {\n"
            "    s[threadIdx.x] = in[p * 64 + threadIdx.x];\n"
            "    __syncthreads();\n"
            "    for (int k = 0; k < 64; ++k) sum += s[k];\n"
            "  }\n"
            "  out[threadIdx.x] = sum;\n"
            "}\n"
            "int main() {\n"
            "  int *a, *b;\n"
            "  cudaMalloc(&a, 1024);\n"
            "  cudaMalloc(&b, 256);\n"
            "  cudaMemset(a, 0, 1024);\n"
            "  k<<<1, 64>>>(a, b);\n"
            "  cudaDeviceSynchronize();\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_NE(run.err.find("next pass's write"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("no barrier in between"), std::string::npos) << run.err;
}

TEST_F(CcTest, AFileWithoutMainIsToldHowToBeChecked) {
  const std::filesystem::path source = scratch() / "kernel.cu";
  WriteText(source, "__global__ void k(int* a) { *a = 1; }\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_NE(run.err.find("there is no main(), so this file cannot run by itself"), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("check EXERCISE --file"), std::string::npos) << run.err;
}

TEST_F(RunTest, ResultsThatNothingWaitsForAreTold) {
  const std::pair<const char*, const char*> told[] = {
      {"no wait at all", "kernel set before its memory was freed"},
      {"no wait, its input is freed first", "kernel copy before its memory was freed"},
      {"no wait, and no free", "kernel set before the program ended"},
      {"no wait for a managed variable", "kernel add_to_total before the program ended"},
      {"no wait for a copy", "a copy to the host before its memory was freed"},
      {"no wait for a copy in the default stream", "a copy to the host before its memory was freed"},
      {"no wait but for another stream", "kernel set before its memory was freed"},
      {"no wait but for an earlier event", "kernel set before its memory was freed"},
      {"no wait for a non-blocking stream", "kernel set before its memory was freed"},
      {"no wait after the last pass", "kernel set before its memory was freed"},
  };
  for (const auto& [name, words] : told) {
    const ProgramRun run = Run({"run", kPrograms / "waiting", name});
    EXPECT_EQ(run.status, 0) << name;
    EXPECT_NE(run.err.find("warning: missing wait"), std::string::npos) << name << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << name << run.err;
  }
}

TEST_F(RunTest, WhoeverWaitsIsNotWarned) {
  for (const char* name :
       {"the device", "the stream", "an event", "a poll", "a stream that waits", "a copy of the result",
        "a copy of what follows", "managed memory that is only read", "only device memory",
        "a free of other memory", "the stream of a copy", "the default stream of a copy", "a copy that waits",
        "pinned input", "a host function", "a flag in pinned memory", "no time to wait"}) {
    const ProgramRun run = Run({"run", kPrograms / "waiting", name});
    EXPECT_EQ(run.status, std::string(name) == "no time to wait" ? 3 : 0) << name;
    EXPECT_EQ(run.err.find("missing wait"), std::string::npos) << name << run.err;
    EXPECT_EQ(run.err.find("error: "), std::string::npos) << name << run.err;
  }
}

TEST_F(RunTest, ATimeThatNobodyWaitedForIsNotReady) {
  const ProgramRun run = Run({"run", kPrograms / "waiting", "time of nothing that is awaited"});
  constexpr int kNotReady = 600 % 256;
  EXPECT_EQ(run.status, kNotReady);
  EXPECT_NE(run.err.find("cudaEventElapsedTime returned cudaErrorNotReady"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("call cudaEventSynchronize with that event first"), std::string::npos) << run.err;
  for (const char* name : {"time of an event that is awaited", "time of what the device has done",
                           "time of what a copy waits for", "time of a stream that is awaited",
                           "time of an event that is queried", "time of what a host function tells",
                           "time of an event that is polled"}) {
    const ProgramRun right = Run({"run", kPrograms / "waiting", name});
    EXPECT_EQ(right.status, 0) << name << right.err;
    EXPECT_EQ(right.err.find("missing wait"), std::string::npos) << name << right.err;
  }
}

TEST_F(CcTest, AMissingWaitNamesTheLaunchAndWhatToDo) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "too_early.cu";
  WriteText(source,
            "#include <cstdio>\n"
            "__global__ void set(int* a) { a[threadIdx.x] = 7; }\n"
            "int main() {\n"
            "  int* m;\n"
            "  cudaMallocManaged(&m, 128);\n"
            "  set<<<1, 32>>>(m);\n"
            "  std::printf(\"%d\\n\", m[0]);\n"
            "  cudaFree(m);\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 0);
  for (const char* words : {"too_early.cu:6 | set<<<1, 32>>>(m);\n  warning: missing wait\n",
                            "nothing waited for kernel set before its memory was freed",
                            "    call cudaDeviceSynchronize() before the host reads the result\n"}) {
    EXPECT_NE(run.err.find(words), std::string::npos) << "not said: " << words << "\n" << run.err;
  }
  EXPECT_EQ(run.err.find("no errors found"), std::string::npos) << run.err;
}

TEST_F(CcTest, WhatTheSourceShowsOfARefusedCopyAnIndexAndALink) {
  RUN_ONE_IN(3);
  const auto told = [&](const std::string& source) {
    const std::filesystem::path file = scratch() / "shown.cu";
    WriteText(file, source);
    std::string all;  // Lines are wrapped.
    std::istringstream text(Run({"cc", file}).err);
    for (std::string word; text >> word;) all += word + " ";
    return all;
  };
  const auto says = [&](const std::string& source, const std::string& words) {
    const std::string all = told(source);
    EXPECT_NE(all.find(words), std::string::npos) << all;
  };
  says(
      "#include <vector>\n"
      "int main(int argc, char**) {\n"
      "  int n = argc > 9 ? argc : 100;\n"
      "  std::vector<float> h(n);\n"
      "  float *a, *b;\n"
      "  cudaMalloc(&a, n);\n"
      "  cudaMalloc(&b, n * sizeof(float));\n"
      "  cudaMemcpy(b, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);\n"
      "  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);\n"
      "}\n",
      "`a` is allocated in line 6 with `n`, which has no sizeof. cudaMalloc counts bytes: multiply by "
      "sizeof(float).");
  says(
      "__global__ void k(const int* in, int* out, int w, int h) {\n"
      "  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
      "  if (x < w && y < h) out[y * w + x] = in[x * w + y];\n"
      "}\n"
      "int main() {\n"
      "  int *a, *b;\n"
      "  cudaMalloc(&a, 1500 * sizeof(int));\n"
      "  cudaMalloc(&b, 1500 * sizeof(int));\n"
      "  cudaMemset(a, 0, 1500 * sizeof(int));\n"
      "  k<<<dim3(4, 2), dim3(16, 16)>>>(a, b, 50, 30);\n"
      "  cudaDeviceSynchronize();\n"
      "}\n",
      "The index multiplies `x` by `w`, but `x` itself runs up to `w`. If a row has `w` elements, write `y * "
      "w "
      "+ x`; if it has `h`, write `x * h + y`.");
  says("int helper(int);\nint main() { return helper(3); }\n",
       "helper(int) is used, but no file that was linked defines it. If another file defines it, name that "
       "file, too");
}

TEST_F(CcTest, OnlyAProgramThatLaunchesIsToldThatAllIsWell) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "well.cu";
  WriteText(source,
            "__global__ void k() {}\n"
            "int main(int argc, char** words) {\n"
            "  for (int i = 1; i < argc; ++i) k<<<1, 1>>>();\n"
            "  cudaDeviceSynchronize();\n"
            "  return argc == 4 ? 5 : 0;\n"
            "}\n");
  EXPECT_EQ(Run({"cc", source}).err, "");
  EXPECT_EQ(Run({"cc", source, "1", "2"}).err, "warplings: no errors found in 2 launches\n");
  EXPECT_EQ(Run({"cc", source, "1", "2", "3"}).err,
            "warplings: no errors found in 3 launches; the program itself returned 5\n");
}

/// `c = a + b` for 1,000 elements, with this instead of the copies to a and from c, and the kernel's grid.
std::string AddProgram(const std::string& copy, const std::string& copy_back, const std::string& launch) {
  return "#include <vector>\n"
         "__global__ void add(const float* a, float* c, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i < n) c[i] = a[i] + 1;\n"
         "}\n"
         "int main() {\n"
         "  const int n = 1000;\n"
         "  std::vector<float> a(n), c(n);\n"
         "  float *da, *dc;\n"
         "  cudaMalloc(&da, n * sizeof(float));\n"
         "  cudaMalloc(&dc, n * sizeof(float));\n"
         "  cudaMemcpy(da, a.data(), " +
         copy + ", cudaMemcpyHostToDevice);\n  add<<<" + launch + ">>>(da, dc, n);\n  " + copy_back +
         "\n  cudaFree(da);\n  cudaFree(dc);\n}\n";
}

/// A beginner's program that checks its results and returns 1, too.
TEST_F(CcTest, AProgramThatReturnsAnotherStatusIsToldOfNotes) {
  const std::filesystem::path source = scratch() / "checked.cu";
  const std::string check =
      "cudaMemcpy(c.data(), dc, n * sizeof(float), cudaMemcpyDeviceToHost);\n"
      "  if (c[n - 1] != a[n - 1] + 1) return 1;";
  WriteText(source, AddProgram("n * sizeof(float)", check, "n / 256, 256"));
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 1);
  for (const char* words :
       {"checked.cu:14 | ", "note: copies elements 768 to 999 of `dc`", "Which thread should store them?",
        "no errors found in 1 launch, but 1 note; the program itself returned 1\n"})
    EXPECT_NE(run.err.find(words), std::string::npos) << words << "\n" << run.err;
  // What gives up early copies nothing home, and that is no news.
  WriteText(source, AddProgram("n * sizeof(float)", "cudaDeviceSynchronize(); return 1;", "4, 256"));
  EXPECT_EQ(Run({"cc", source}).err,
            "warplings: no errors found in 1 launch; the program itself returned 1\n");
}

/// n for n * sizeof(float): on the way back nobody refuses that.
TEST_F(CcTest, ACopyOfAsManyBytesAsThereAreElementsIsANote) {
  const std::filesystem::path source = scratch() / "elements.cu";
  WriteText(source, AddProgram("n * sizeof(float)", "cudaMemcpy(c.data(), dc, n, cudaMemcpyDeviceToHost);",
                               "4, 256"));
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 0);
  for (const char* words :
       {"elements.cu:14 | ", "note: copies only 1,000 of the 4,000 bytes of `dc` to the host",
        "Sizes of cudaMemcpy and cudaMemset are in bytes"})
    EXPECT_NE(run.err.find(words), std::string::npos) << words << "\n" << run.err;
  // Half of them, or the first one, may be all that is wanted.
  for (const char* size : {"n / 4 * sizeof(float)", "sizeof(float)"}) {
    WriteText(
        source,
        AddProgram("n * sizeof(float)",
                   std::string("cudaMemcpy(c.data(), dc, ") + size + ", cudaMemcpyDeviceToHost);", "4, 256"));
    EXPECT_EQ(Run({"cc", source}).err, "warplings: no errors found in 1 launch\n") << size;
  }
}

constexpr const char* kCopyBack = "cudaMemcpy(c.data(), dc, n * sizeof(float), cudaMemcpyDeviceToHost);";

TEST_F(CcTest, ResultsThatAreNeverCopiedToTheHostAreANote) {
  const std::filesystem::path source = scratch() / "add.cu";
  WriteText(source, AddProgram("n * sizeof(float)", "cudaDeviceSynchronize();", "4, 256"));
  const ProgramRun lost = Run({"cc", source});
  EXPECT_EQ(lost.status, 0);
  for (const char* words : {"add.cu:13 | add<<<4, 256>>>(da, dc, n);\n  note: the kernel add stored results "
                            "in `dc` (cudaMalloc in "
                            "line 11), and nothing copied them to\n",
                            "Copy the results with cudaMemcpy", "no errors found in 1 launch, but 1 note\n"})
    EXPECT_NE(lost.err.find(words), std::string::npos) << words << "\n" << lost.err;
  WriteText(source, AddProgram("n * sizeof(float)", kCopyBack, "4, 256"));
  EXPECT_EQ(Run({"cc", source}).err, "warplings: no errors found in 1 launch\n");
}

/// A kernel of 64 threads with the arrays in, scratch and out, each of 64 int.
std::string ScratchProgram(const std::string& kernel, const std::string& end) {
  return "#include <cstdio>\n#include <cooperative_groups.h>\n__global__ void k(int* in, int* scratch, int* "
         "out) {\n"
         "  int t = threadIdx.x;\n" +
         kernel +
         "\n}\nint main() {\n  int h[64] = {}, *in, *scratch, *out;\n"
         "  cudaMalloc(&in, sizeof h);\n  cudaMalloc(&scratch, sizeof h);\n  cudaMalloc(&out, sizeof h);\n"
         "  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);\n  k<<<1, 64>>>(in, scratch, out);\n  " +
         end + "\n  cudaFree(in);\n  cudaFree(out);\n}\n";
}

constexpr const char* kCopyOut = "cudaFree(scratch); cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);";

TEST_F(CcTest, ScratchMemoryIsNoLostResult) {
  const std::filesystem::path source = scratch() / "scratch.cu";
  for (const char* kernel : {"scratch[t] = in[t]; __syncthreads(); out[t] = scratch[63 - t];",
                             "scratch[t] = t; out[t] = in[t];"}) {
    WriteText(source, ScratchProgram(kernel, kCopyOut));
    EXPECT_EQ(Run({"cc", source}).err, "warplings: no errors found in 1 launch\n") << kernel;
  }
}

TEST_F(CcTest, AShuffleThatSomeLanesSkipIsAnError) {
  const std::filesystem::path source = scratch() / "shuffle.cu";
  WriteText(source,
            ScratchProgram("int v = in[t];\nif (t % 32 < 16) {\nv += __shfl_down_sync(0xffffffff, v, 8);\n}"
                           " else {\nv -= 1;\n}\nout[t] = v;",
                           kCopyOut));
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 1);
  for (const char* words :
       {"shuffle.cu:7 | ", "error: shuffle that some lanes skip",
        "the mask names all 32 lanes, but the condition in line 6 lets only lanes 0 to 15 of warp 0"})
    EXPECT_NE(run.err.find(words), std::string::npos) << words << "\n" << run.err;
  for (const char* kernel :
       {"int v = in[t]; if (t < 32) v += __shfl_down_sync(0xffffffff, v, 8); out[t] = v;",
        "int v = in[t]; if (t % 32 < 16) v += __shfl_xor_sync(0x0000ffff, v, 8); out[t] = v;",
        "int v = in[t]; if (t % 32 < 16) v += __shfl_xor_sync(__activemask(), v, 8); out[t] = v;"}) {
    WriteText(source, ScratchProgram(kernel, kCopyOut));
    EXPECT_EQ(Run({"cc", source}).err, "warplings: no errors found in 1 launch\n") << kernel;
  }
}

TEST_F(CcTest, ATreeOfSumsWithoutABarrierIsAskedForOne) {
  const std::filesystem::path source = scratch() / "tree.cu";
  const auto said = [&](const std::string& steps) {
    WriteText(source, ScratchProgram("__shared__ int s[64]; s[t] = in[t]; __syncthreads();\n" + steps +
                                         "\nout[t] = s[0];",
                                     kCopyOut));
    return Run({"cc", source}).err;
  };
  const std::string tree = said("for (int k = 32; k > 0; k /= 2) if (t < k) s[t] += s[t + k];");
  EXPECT_NE(tree.find("Put a __syncthreads() after each step"), tree.npos) << tree;
  EXPECT_EQ(tree.find("atomicAdd"), tree.npos) << tree;
  const std::string warp = said("if (t < 31)\ns[t] += s[t + 1];");
  EXPECT_NE(warp.find("Put a __syncwarp() between the loads"), warp.npos) << warp;
  EXPECT_EQ(warp.find("atomicAdd"), warp.npos) << warp;
  const std::string scan =
      said("for (int d = 1; d < 64; d *= 2) {\nif (t >= d) s[t] += s[t - d];\n__syncthreads();\n}");
  EXPECT_NE(scan.find("let all threads of"), scan.npos) << scan;
  EXPECT_EQ(scan.find("__syncwarp"), scan.npos) << scan;
  const std::string all = said("s[0] += in[t];");
  EXPECT_NE(all.find("atomicAdd()"), all.npos) << all;
  const std::string total =
      said("__shared__ int total; if (t == 0) total = 0; __syncthreads();\ntotal += in[t];");
  EXPECT_NE(total.find("atomicAdd()"), total.npos) << total;
}

TEST_F(CcTest, ABarrierDoesNotWaitForOtherBlocks) {
  const std::filesystem::path source = scratch() / "two.cu";
  WriteText(source,
            "__global__ void two(int* a, int* b, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  if (i < n) a[i] = i;\n  __syncthreads();\n  if (i < n) b[i] = a[n - 1 - i];\n}\n"
            "int main() {\n  int h[512], *a, *b;\n  cudaMalloc(&a, sizeof h);\n  cudaMalloc(&b, sizeof h);\n"
            "  two<<<2, 256>>>(a, b, 512);\n  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);\n"
            "  cudaFree(a);\n  cudaFree(b);\n}\n");
  const std::string said = Run({"cc", source}).err;
  const std::size_t race = said.find("error: race"), unset = said.find("error: uninitialised read");
  EXPECT_LT(race, unset) << said;
  EXPECT_NE(said.find("__syncthreads() waits only for the threads of its own block"), said.npos) << said;
  EXPECT_EQ(said.find("fill it before this launch"), said.npos) << said;
}

TEST_F(CcTest, TheBarrierOfAGridNeedsACooperativeLaunch) {
  const std::filesystem::path source = scratch() / "grid.cu";
  WriteText(source,
            ScratchProgram("auto g = cooperative_groups::this_grid();\ng.sync(); out[t] = in[t];", kCopyOut));
  const ProgramRun run = Run({"cc", source});
  EXPECT_NE(run.err.find("this_grid().sync() needs cudaLaunchCooperativeKernel"), std::string::npos)
      << run.err;
  WriteText(source, ScratchProgram("if (t == 3)\n__trap();\nout[t] = in[t];", kCopyOut));
  EXPECT_NE(Run({"cc", source}).err.find("the kernel stopped itself (trap)"), std::string::npos);
}

TEST_F(CcTest, ASumWithoutItsZeroIsAWarning) {
  const std::filesystem::path source = scratch() / "sum.cu";
  WriteText(source,
            ScratchProgram("int sum;\nfor (int i = 0; i < 4; ++i) sum += in[i];\nout[t] = sum;", kCopyOut));
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 0);
  for (const char* words : {"sum.cu:6 | ", "  warning: sum is read before it has a value"})
    EXPECT_NE(run.err.find(words), std::string::npos) << words << "\n" << run.err;
  EXPECT_EQ(run.err.find("no errors found"), std::string::npos) << run.err;
}

TEST_F(CcTest, ALoopPastAnArrayOfAThreadIsAWarning) {
  const std::filesystem::path source = scratch() / "past.cu";
  WriteText(
      source,
      ScratchProgram("int v[4] = {0, 0, 0, 0};\nfor (int i = 0; i <= 4; ++i) v[i] += in[i];\nout[t] = v[1];",
                     kCopyOut));
  const ProgramRun run = Run({"cc", source});
  for (const char* words : {"past.cu:6 | ", "The loop over `i` in line 6 goes too far: `v` has 4 elements"})
    EXPECT_NE(run.err.find(words), std::string::npos) << words << "\n" << run.err;
  EXPECT_EQ(run.err.find("no errors found"), std::string::npos) << run.err;
}

TEST_F(CcTest, ACopyPastTheEndOfAnArrayOfTheHostIsNamedAfterACrash) {
  const std::filesystem::path source = scratch() / "small.cu";
  WriteText(source, ScratchProgram("out[t] = in[t];",
                                   "int small[4];\n  cudaMemcpy(small, out, 64 * sizeof(int), "
                                   "cudaMemcpyDeviceToHost);\n  *(volatile int*)1 = 2;"));
  const ProgramRun run = Run({"cc", source});
  EXPECT_NE(run.err.find("cudaMemcpy in line 15 copies 256 bytes into `small`, which has 16"),
            std::string::npos)
      << run.err;
}

TEST_F(CcTest, ACopyWithSwappedPointersIsAskedAboutAndItsOtherRepairLosesTheResult) {
  const std::filesystem::path source = scratch() / "add.cu";
  const auto run = [&](const std::string& copy_back) {
    WriteText(source, AddProgram("n * sizeof(float)", copy_back, "4, 256"));
    return Run({"cc", source});
  };
  const ProgramRun swapped = run("cudaMemcpy(dc, c.data(), n * sizeof(float), cudaMemcpyDeviceToHost);");
  EXPECT_EQ(swapped.status, 1);
  for (const char* words : {"The direction says device to host, but the destination `dc` is device memory",
                            "The destination comes first: are the two swapped?"})
    EXPECT_NE(swapped.err.find(words), std::string::npos) << words << "\n" << swapped.err;
  const ProgramRun lost = run("cudaMemcpy(dc, c.data(), n * sizeof(float), cudaMemcpyHostToDevice);");
  for (const char* words :
       {"add.cu:14 | cudaMemcpy(dc, c.data(), n * sizeof(float), cudaMemcpyHostToDevice);\n  note: the "
        "kernel "
        "add stored results in `dc`, and a copy from the host overwrote them",
        "cudaMemcpy's first argument is the destination", "no errors found in 1 launch, but 1 note\n"})
    EXPECT_NE(lost.err.find(words), std::string::npos) << words << "\n" << lost.err;
}

/// The same program with the copy to the host in front of the launch.
std::string EarlyCopyProgram(const std::string& after_launch) {
  std::string program = AddProgram("n * sizeof(float)", after_launch, "4, 256");
  return program.insert(program.find("  add<<<"), std::string("  ") + kCopyBack + "\n");
}

TEST_F(CcTest, ACopyToTheHostBeforeTheLaunchIsTold) {
  const std::filesystem::path source = scratch() / "add.cu";
  const std::string note =
      std::string("add.cu:13 | ") + kCopyBack +
      "\n  note: copies `dc` to the host before kernel add (launched in line 14) stores there";
  WriteText(source, EarlyCopyProgram("cudaDeviceSynchronize();"));
  const ProgramRun early = Run({"cc", source});
  EXPECT_EQ(early.status, 0);
  for (const std::string& words : {note + "\n    Move the copy after the launch.\n",
                                   std::string("no errors found in 1 launch, but 1 note\n")})
    EXPECT_NE(early.err.find(words), std::string::npos) << words << "\n" << early.err;
  WriteText(source, EarlyCopyProgram(kCopyBack));
  const ProgramRun twice = Run({"cc", source});
  EXPECT_NE(twice.err.find(note + ", and again\n"), std::string::npos) << twice.err;
  EXPECT_NE(twice.err.find("Remove this one if nothing needs it."), std::string::npos) << twice.err;
}

TEST_F(CcTest, ManagedMemoryThatKernelsStoreInPartIsANote) {
  const std::filesystem::path source = scratch() / "managed.cu";
  const auto run = [&](const std::string& fill, const std::string& launch, const std::string& free,
                       const std::string& read = "c[999]") {
    WriteText(source,
              "#include <cstdio>\n"
              "__global__ void add(const float* a, float* c, int n) {\n"
              "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "  if (i < n) c[i] = a[i] + 1;\n"
              "}\n"
              "int main() {\n"
              "  const int n = 1000;\n"
              "  float *a, *c;\n"
              "  cudaMallocManaged(&a, n * sizeof(float));\n"
              "  cudaMallocManaged(&c, n * sizeof(float));\n"
              "  for (int i = 0; i < n; ++i) " +
                  fill + "\n  add<<<" + launch +
                  ">>>(a, c, n);\n"
                  "  cudaDeviceSynchronize();\n"
                  "  std::printf(\"%f\\n\", " +
                  read + ");\n" + free + "}\n");
    return Run({"cc", source});
  };
  const std::string free = "  cudaFree(a); cudaFree(c);\n";
  const std::string note =
      "managed.cu:12 | add<<<n / 256, 256>>>(a, c, n);\n"
      "  note: kernels stored only elements 0 to 767 of `c`, which has 1,000\n"
      "    Which thread should store the rest? Look at the launch's grid";
  const ProgramRun part = run("a[i] = i;", "n / 256, 256", free);
  EXPECT_EQ(part.status, 0);
  for (const std::string& words :
       {note, std::string("no errors found in 1 launch, but 1 note (what the host itself")})
    EXPECT_NE(part.err.find(words), std::string::npos) << words << "\n" << part.err;
  const ProgramRun leaked = run("a[i] = i;", "n / 256, 256", "");
  EXPECT_NE(leaked.err.find(note), std::string::npos) << leaked.err;
  for (const ProgramRun& other :
       {run("{ a[i] = i; c[i] = 0; }", "n / 256, 256", free),
        run("a[i] = i;", "n / 256, 256", free, "c[767]"), run("a[i] = i;", "(n + 255) / 256, 256", free)})
    EXPECT_EQ(other.err.find("note:"), std::string::npos) << other.err;
}

TEST_F(CcTest, ACopyWhoseSizeIsInElementsIsTold) {
  const std::filesystem::path source = scratch() / "add.cu";
  WriteText(source, AddProgram("n", kCopyBack, "4, 256"));
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 1);
  for (const char* words :
       {"only the first 1,000 of its 4,000 bytes", "Sizes of cudaMemcpy and cudaMemset are in bytes"})
    EXPECT_NE(run.err.find(words), std::string::npos) << words << "\n" << run.err;
}

TEST_F(CcTest, ALaunchWhoseErrorNobodyAsksForIsTold) {
  const std::filesystem::path source = scratch() / "add.cu";
  constexpr const char* kWords = "The program never asks for this error: call cudaGetLastError()";
  WriteText(source, AddProgram("n * sizeof(float)", kCopyBack, "1, 2000"));
  const ProgramRun silent = Run({"cc", source});
  EXPECT_NE(silent.err.find(kWords), std::string::npos) << silent.err;
  WriteText(source,
            AddProgram("n * sizeof(float)", std::string("cudaGetLastError();") + kCopyBack, "1, 2000"));
  const ProgramRun asked = Run({"cc", source});
  EXPECT_EQ(asked.err.find(kWords), std::string::npos) << asked.err;
  EXPECT_NE(asked.err.find("invalid launch"), std::string::npos) << asked.err;
}

TEST_F(CcTest, WhatDoesNotCompileIsNotRun) {
  const std::filesystem::path source = scratch() / "broken.cu";
  WriteText(source, "int main() { return undeclared; }\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE((run.out + run.err).find("\"undeclared\" is undefined"), std::string::npos) << run.err;
}

TEST_F(CcTest, AMistakeThatWeKnowIsExplainedBeforeTheCompilersWords) {
  const std::filesystem::path source = scratch() / "slip.cu";
  WriteText(source, "void fill(int* a) { *a = 1; }\nint main() { fill<<<1, 1>>>(nullptr); }\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 1);
  const std::size_t ours = run.err.find("slip.cu, line 1: fill is launched as a kernel in line 2");
  const std::size_t next_step = run.err.find("  Write __global__ in front of void.\n");
  const std::size_t theirs = run.err.find("error: a host function call cannot be configured");
  EXPECT_LT(ours, next_step) << run.err;
  EXPECT_LT(next_step, theirs) << run.err;
  EXPECT_NE(theirs, std::string::npos) << run.err;
}

TEST_F(CcTest, EachMistakeThatWeKnowIsExplained) {
  const std::filesystem::path source = scratch() / "slips.cu";
  WriteText(source,
            "#include <cstdio>\n"
            "__global__ void hello() { printf(\"hello from %d\\n\", threadIdx.x) }\n"
            "int main() {\n"
            "  hello<<<1, 4>>>();\n"
            "  cudaDeviceSyncronize();\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 1);
  for (const char* words :
       {"slips.cu, line 2: a semicolon is missing in front of the closing brace in this line",
        "  Add the semicolon in front of the closing brace in line 2.\n",
        "slips.cu, line 5: cudaDeviceSyncronize is not declared.\n  Did you mean "
        "cudaDeviceSynchronize? Write it exactly so.\n"})
    EXPECT_NE(run.err.find(words), std::string::npos) << words << "\n" << run.err;
}

TEST_F(CcTest, ACopyPastABlockOfTheHostsHeapDamagesNothing) {
  const auto source = [&](const std::string& memory, const std::string& copies) {
    const std::filesystem::path file = scratch() / "heap.cu";
    WriteText(file,
              "#include <cstdio>\n#include <cstdlib>\n#include <vector>\n"
              "__global__ void k(int* a, int n) { if (threadIdx.x < n) a[threadIdx.x] += 2; }\n"
              "int main(int argc, char**) {\n  const int n = 99 + argc;\n  int* d;\n  " +
                  memory + "\n  cudaMalloc(&d, n * sizeof(int));\n  cudaMemset(d, 0, n * sizeof(int));\n  " +
                  copies + "\n  printf(\"%d\\n\", cudaFree(d));\n}\n");
    return Run({"cc", file});
  };
  const std::string to_host =
      "k<<<1, 128>>>(d, n); cudaMemcpy(r, d, n * sizeof(int), cudaMemcpyDeviceToHost);";
  for (const std::string memory :
       {"int* r = new int[n / 2];", "int* r = (int*)malloc(2 * n);", "int* r = (int*)calloc(n / 2, 4);"}) {
    const ProgramRun run = source(memory, to_host + " if (n == 100) free(r);");
    EXPECT_EQ(run.status, 1) << run.err;
    EXPECT_EQ(run.out, "0\n") << memory;
    EXPECT_NE(run.err.find("heap.cu:11"), std::string::npos) << run.err;
    EXPECT_NE(
        run.err.find("cudaMemcpy copies 400 bytes into `r`, which has 200: 100 elements, and there are 50"),
        std::string::npos)
        << memory << run.err;
    EXPECT_EQ(run.err.find("leak"), std::string::npos) << run.err;
  }
  // Both sizes are in the source: a note would say it again.
  const ProgramRun fixed =
      source("int* r = new int[50];", "cudaMemcpy(r, d, 400, cudaMemcpyDeviceToHost); delete[] r;");
  EXPECT_EQ(fixed.status, 1);
  EXPECT_EQ(fixed.err.find("note:"), std::string::npos) << fixed.err;
  const ProgramRun inside = source("std::vector<int> r(n);",
                                   "k<<<1, 128>>>(d, n); cudaMemcpy(r.data() + 1, d, n * "
                                   "sizeof(int), cudaMemcpyDeviceToHost);");
  EXPECT_EQ(inside.status, 1);
  EXPECT_NE(inside.err.find("into a block of host memory that has 400, from byte 4 on"), std::string::npos)
      << inside.err;
  const ProgramRun read = source("std::vector<int> h(n / 2);",
                                 "cudaMemcpy(d, h.data(), n * sizeof(int), "
                                 "cudaMemcpyHostToDevice); k<<<1, 128>>>(d, n);");
  EXPECT_EQ(read.status, 1);
  EXPECT_NE(
      read.err.find("cudaMemcpy copies 400 bytes from `h`, which has 200: 100 elements, and there are 50"),
      std::string::npos)
      << read.err;
  for (const std::string memory : {"std::vector<int> r(n);", "std::vector<int> r; r.reserve(n);",
                                   "std::vector<int> all(1000); int* r = all.data() + 900;", "int r[200];",
                                   "int* r; cudaMallocHost(&r, 4 * n);"}) {
    const bool is_vector = memory.starts_with("std::vector<int> r");
    const ProgramRun run =
        source(memory, is_vector ? "k<<<1, 128>>>(d, n); cudaMemcpy(r.data(), d, n * sizeof(int), "
                                   "cudaMemcpyDeviceToHost);"
                                 : to_host + (memory.ends_with("n);") ? " cudaFreeHost(r);" : ""));
    EXPECT_EQ(run.status, 0) << memory << run.err;
    EXPECT_NE(run.err.find("no errors found"), std::string::npos) << memory << run.err;
  }
}

TEST_F(CcTest, ALaunchFromAKernelSaysWhatItNeeds) {
  const std::filesystem::path source = scratch() / "launches.cu";
  WriteText(source,
            "__global__ void child() {}\n"
            "__global__ void parent() { child<<<1, 1>>>(); }\n"
            "int main() { parent<<<1, 1>>>(); }\n");
  constexpr const char* kNeeds =
      "a kernel launches a kernel. That needs relocatable device code and the library cudadevrt.\n  Compile "
      "with both: --nvcc-options \"-rdc=true -lcudadevrt\", before the file.\n";
  const ProgramRun plain = Run({"cc", source});
  EXPECT_EQ(plain.status, 1);
  EXPECT_NE(plain.err.find(std::string("launches.cu, line 2: ") + kNeeds), std::string::npos) << plain.err;
  const ProgramRun relocatable = Run({"cc", "--nvcc-options", "-rdc=true", source});
  EXPECT_EQ(relocatable.status, 1);
  EXPECT_NE(relocatable.err.find(std::string("launches.cu, ") + kNeeds), std::string::npos)
      << relocatable.err;
}

TEST_F(CcTest, WarningsOfWhatCompilesAreShown) {
  const std::filesystem::path source = scratch() / "warned.cu";
  WriteText(source, "#warning mind the gap\nint main() { return 0; }\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.err.find("mind the gap"), std::string::npos) << run.err;
}

TEST_F(CcTest, ACrashOfHostCodeIsExplained) {
  RUN_ONE_IN(6);
  const std::filesystem::path source = scratch() / "crash.cu";
  WriteText(source,
            "#include <sys/wait.h>\n"
            "#include <unistd.h>\n"
            "#include <cstdlib>\n"
            "__attribute__((noinline)) int large() {\n"
            "  volatile char bytes[64 << 20];\n"
            "  bytes[0] = 1;\n"
            "  return bytes[0];\n"
            "}\n"
            "int main(int, char** words) {\n"
            "  int* array = nullptr;\n"
            "  volatile int zero = 0;\n"
            "  cudaMalloc(&array, 400);\n"
            "  switch (words[1][0]) {\n"
            "    case 'd': return array[0];\n"
            "    case 'n': array = nullptr; return array[3];\n"
            "    case 's': return large();\n"
            "    case 'a': std::abort();\n"
            "    case 'z': return 5 / zero;\n"
            "    case 't': raise(SIGTERM);\n"
            "    case 'c': if (fork() == 0) return *(volatile int*)8; wait(nullptr); std::abort();\n"
            "    case 'l': return 0;\n"
            "  }\n"
            "}\n");
  struct Case {
    const char* argument;
    int status;
    const char *reason, *next_step;
  };
  const Case cases[] = {
      {"d", 128 + SIGSEGV, "it uses an address of device memory.\n", "copy it with cudaMemcpy"},
      {"n", 128 + SIGSEGV, "it uses address 0xc, which is a null pointer plus",
       "Find the pointer that is null"},
      {"s", 128 + SIGSEGV, "its stack is full.\n", "large local arrays"},
      {"a", 128 + SIGABRT, "crashed with abort() (SIGABRT).\n", "an assert failed"},
      {"z", 128 + SIGFPE, "a division by zero (SIGFPE).\n", "is divided by `zero`, which is 0 there"},
      {"c", 128 + SIGABRT, "crashed with abort() (SIGABRT).\n", "an assert failed"},
  };
  for (const Case& each : cases) {
    if (!IsDrawn(each.argument, OneIn(3))) continue;
    const ProgramRun run = Run({"cc", source, each.argument});
    EXPECT_EQ(run.status, each.status) << each.argument;
    EXPECT_NE(run.err.find("warplings: The host code crashed with"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(each.reason), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(each.next_step), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("leak"), std::string::npos) << "what crashed freed nothing: " << run.err;
  }
  const ProgramRun stopped = Run({"cc", source, "t"});
  EXPECT_EQ(stopped.status, 128 + SIGTERM);
  EXPECT_EQ(stopped.err.find("crashed"), std::string::npos) << "it was asked to end: " << stopped.err;
  EXPECT_NE(Run({"cc", source, "l"}).err.find("leak"), std::string::npos);
}

TEST_F(CcTest, WhatAKernelPrintedAndNobodyWaitedForIsMentioned) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "hello.cu";
  WriteText(source,
            "#include <cstdio>\n"
            "__global__ void hello() { printf(\"hello %d\\n\", threadIdx.x); }\n"
            "int main(int argc, char**) {\n"
            "  hello<<<1, 2>>>();\n"
            "  if (argc > 1) cudaDeviceSynchronize();\n"
            "}\n");
  const ProgramRun lost = Run({"cc", source});
  EXPECT_EQ(lost.status, 0);
  EXPECT_EQ(lost.out, "");
  EXPECT_NE(lost.err.find("what a kernel printed never appeared"), std::string::npos) << lost.err;
  EXPECT_EQ(lost.err.find("no errors found"), std::string::npos) << lost.err;
  const ProgramRun waited = Run({"cc", source, "wait"});
  EXPECT_EQ(waited.out, "hello 0\nhello 1\n");
  EXPECT_EQ(waited.err, "warplings: no errors found in 1 launch\n");
}

TEST_F(CcTest, ACopyToPinnedMemoryThatNothingWaitedForIsMentioned) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "pinned.cu";
  WriteText(source,
            "#include <cstdio>\n"
            "__global__ void set(int* a) { a[threadIdx.x] = 7; }\n"
            "int main(int argc, char**) {\n"
            "  int *d, *h;\n"
            "  cudaStream_t s;\n"
            "  cudaStreamCreate(&s);\n"
            "  cudaMalloc(&d, 128);\n"
            "  cudaMallocHost(&h, 128);\n"
            "  set<<<1, 32, 0, s>>>(d);\n"
            "  cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, s);\n"
            "  if (argc > 1) cudaStreamSynchronize(s);\n"
            "  std::printf(\"%d\\n\", h[0]);\n"
            "  cudaStreamDestroy(s);\n"
            "  cudaFree(d);\n"
            "  cudaFreeHost(h);\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_NE(run.err.find("nothing waited for a copy to the host before its memory was freed"),
            std::string::npos)
      << run.err;
  const std::string unseen =
      "what the host itself reads or writes in managed or pinned memory is not checked)\n";
  EXPECT_EQ(Run({"cc", source, "wait"}).err, "warplings: no errors found in 1 launch (" + unseen);
  EXPECT_EQ(Run({"cc", "--checks", "fast", source, "wait"}).err,
            "warplings: no errors found in 1 launch (races and uninitialised reads not checked; " + unseen);
}

TEST_F(CcTest, AfterAnEndlessLoopNothingIsALeak) {
  const std::filesystem::path source = scratch() / "endless.cu";
  WriteText(source,
            "__global__ void loop(volatile int* a) { while (*a == 0) {} }\n"
            "int main() {\n"
            "  int* a;\n"
            "  cudaMalloc(&a, 4);\n"
            "  cudaMemset(a, 0, 4);\n"
            "  loop<<<1, 1>>>(a);\n"
            "  cudaDeviceSynchronize();\n"
            "  cudaFree(a);\n"
            "}\n");
  const ProgramRun run = Run({"cc", "--max-instructions", "10000", source});
  EXPECT_NE(run.err.find("endless loop"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("leak"), std::string::npos) << run.err;
}

TEST_F(CcTest, WhatARefusedCallLeavesBehindIsNoLeak) {
  const std::filesystem::path source = scratch() / "refused.cu";
  WriteText(source,
            "int main() {\n"
            "  int *a, *h;\n"
            "  cudaMalloc(&a, 4);\n"
            "  cudaMallocHost(&h, 4);\n"
            "  if (cudaMemset(a, 0, 8) != cudaSuccess) return 0;\n"
            "  cudaFree(a);\n"
            "  cudaFreeHost(h);\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_NE(run.err.find("error: invalid call"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("leak"), std::string::npos) << run.err;
}

TEST_F(CcTest, ACopyThatIsTooLargeNamesItsLine) {
  const std::filesystem::path source = scratch() / "too_large.cu";
  WriteText(source,
            "static float h[2000];\n"
            "int main() {\n"
            "  float* d;\n"
            "  cudaMalloc(&d, 4000);\n"
            "  cudaMemcpy(d, h, 4000, cudaMemcpyHostToDevice);\n"
            "  cudaMemcpy(h, d, 8000, cudaMemcpyDeviceToHost);\n"
            "  cudaFree(d);\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_NE(run.err.find("too_large.cu:6 | cudaMemcpy(h, d, 8000"), std::string::npos) << run.err;
}

/// Without the breaks of long lines, which each have a deeper indentation than a first line.
std::string Unwrapped(const std::string& text) {
  return std::regex_replace(text, std::regex("\n +"), " ");
}

TEST_F(CcTest, TheNameOfAVariableOfTheDeviceIsNoPointer) {
  const std::filesystem::path source = scratch() / "variables.cu";
  WriteText(source,
            "__constant__ float A[4], B[4], C[4], D[4];\n"
            "__device__ float G[4], total;\n"
            "namespace parts { __device__ float Z[4]; }\n"
            "__global__ void k(float* out) {\n"
            "  out[0] = A[0] + B[0] + C[0] + D[0] + G[0] + total + parts::Z[0];\n"
            "}\n"
            "int main(int, char** words) {\n"
            "  float h[4] = {1, 2, 3, 4}, *d;\n"
            "  cudaMalloc(&d, sizeof(h));\n"
            "  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);\n"
            "  switch (words[1][0]) {\n"
            "    case 'a': cudaMemcpy(A, h, sizeof(A), cudaMemcpyHostToDevice); break;\n"
            "    case 'b': cudaMemcpy(&B, d, sizeof(B), cudaMemcpyDeviceToDevice); break;\n"
            "    case 'c': cudaMemcpy(C, h, sizeof(C), cudaMemcpyDefault); break;\n"
            "    case 'd': cudaMemcpy(D + 1, h, sizeof(float), cudaMemcpyHostToDevice); break;\n"
            "    case 'g': cudaMemcpy(h, G, sizeof(G), cudaMemcpyDeviceToHost); break;\n"
            "    case 't': cudaMemset(&total, 0, sizeof(total)); break;\n"
            "    case 'z': cudaMemcpy(h, parts::Z, sizeof(h), cudaMemcpyDefault); break;\n"
            "    case '&': cudaMemcpyToSymbol(&A, h, sizeof(A)); break;\n"
            "    case 's': cudaMemcpyFromSymbol(d, A, sizeof(A)); break;\n"
            "    case 'h': A[0] = h[0]; cudaMemcpy(d, A, sizeof(A), cudaMemcpyHostToDevice); break;\n"
            "  }\n"
            "  k<<<1, 1>>>(d);\n"
            "  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);\n"
            "  cudaFree(d);\n"
            "}\n");
  struct Case {
    const char* argument;
    std::vector<const char*> told;
  };
  const Case cases[] = {
      {"a",
       {"variables.cu:12 | ", "`A` is a __constant__ variable, and its name is no pointer",
        "Write cudaMemcpyToSymbol(A, h, sizeof(A))."}},
      {"b",
       {"variables.cu:13 | ", "error: invalid call",
        "Write cudaMemcpyToSymbol(B, d, sizeof(B), 0, cudaMemcpyDeviceToDevice)."}},
      {"c", {"variables.cu:14 | ", "warning: invalid call", "Write cudaMemcpyToSymbol(C, h, sizeof(C))."}},
      {"d", {"variables.cu:15 | ", "Write cudaMemcpyToSymbol(D, h, sizeof(float), 1 * sizeof(D[0]))."}},
      {"g",
       {"variables.cu:16 | ", "`G` is a __device__ variable",
        "Write cudaMemcpyFromSymbol(h, G, sizeof(G))."}},
      {"t", {"variables.cu:17 | ", "error: invalid call", "cudaGetSymbolAddress(&p, total);"}},
      {"z", {"variables.cu:18 | ", "warning: invalid call", "`parts::Z` is a __device__ variable"}},
      {"&", {"variables.cu:19 | ", "write `A`, not `&A`"}},
      {"s", {"variables.cu:20 | ", "(if you write none, it is device to"}},
  };
  for (const Case& each : cases) {
    if (!IsDrawn(each.argument, OneIn(3))) continue;
    const ProgramRun run = Run({"cc", source, each.argument});
    const std::string told = Unwrapped(run.err);
    for (const char* const words : each.told)
      EXPECT_NE(told.find(words), std::string::npos) << each.argument << ": " << words << "\n" << run.err;
    EXPECT_EQ(told.find("direction must be"), std::string::npos) << run.err;
  }
  const std::string host = Unwrapped(Run({"cc", source, "h"}).err);
  EXPECT_EQ(host.find("invalid call"), std::string::npos) << "the host's own values were copied: " << host;
  EXPECT_NE(host.find("note: host code stores to `A`, but kernels have a variable"), std::string::npos)
      << host;
}

TEST_F(CcTest, AnIndexThatIsTheSameInSeveralBlocksIsNamed) {
  const std::filesystem::path source = scratch() / "index.cu";
  const auto told = [&](const std::string& index, const std::string& store) {
    WriteText(
        source,
        "__global__ void add(const float* a, float* c, int n) {\n  int i = " + index + ";\n  " + store +
            "\n}\nint main() {\n  const int n = 1000;\n  float h[n] = {}, *a, *c;\n"
            "  cudaMalloc(&a, sizeof(h));\n  cudaMalloc(&c, sizeof(h));\n"
            "  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);\n  add<<<4, 256>>>(a, c, n);\n"
            "  cudaMemcpy(h, c, sizeof(h), cudaMemcpyDeviceToHost);\n  cudaFree(a);\n  cudaFree(c);\n}\n");
    return Unwrapped(Run({"cc", source}).err);
  };
  const std::string without = told("threadIdx.x", "if (i < n) c[i] = a[i];");
  const char* const words =
      "`i` (line 2) does not contain blockIdx, so every block stores to the same elements.";
  const std::size_t first = without.find(words);
  ASSERT_NE(first, std::string::npos) << without;
  EXPECT_NE(without.find(words, first + 1), std::string::npos)
      << "of the elements that are left, too: " << without;
  EXPECT_EQ(without.find("Look at the launch's grid"), std::string::npos) << without;
  const std::string product = told("blockIdx.x * gridDim.x + threadIdx.x", "if (i < n) c[i] = a[i];");
  EXPECT_NE(product.find("`i` (line 2) multiplies blockIdx.x by gridDim.x, the number of blocks."),
            std::string::npos)
      << product;
  EXPECT_EQ(product.find("Look at the launch's grid"), std::string::npos) << product;
  const std::string plain =
      told("n", "for (int j = threadIdx.x; j < i; j += 256) i += a[j]; c[0] = n + blockIdx.x;");
  EXPECT_EQ(plain.find("atomicAdd"), std::string::npos) << plain;
}

TEST_F(CcTest, AnArrayThatIsTooSmallNamesItsAllocation) {
  const std::filesystem::path source = scratch() / "small.cu";
  WriteText(source,
            "#include <vector>\n"
            "__global__ void a(float* X, int n) { if (threadIdx.x < n) X[threadIdx.x] = 1; }\n"
            "__global__ void b(float* X, int n) { if (threadIdx.x < n) X[threadIdx.x] = 1; }\n"
            "__global__ void c(float* X, int n) { if (threadIdx.x < n) X[threadIdx.x] = 1; }\n"
            "int main() {\n"
            "  std::vector<float> h(100);\n"
            "  float *x, *y, *z, *never = nullptr;\n"
            "  cudaMalloc(&x, sizeof(h));\n"
            "  cudaMalloc(&y, sizeof(y));\n"
            "  cudaMalloc(&z, 99 * sizeof(float));\n"
            "  a<<<1, 128>>>(x, 100);\n"
            "  b<<<1, 128>>>(y, 100);\n"
            "  c<<<1, 128>>>(z, 100);\n"
            "  cudaMemset(never, 0, 4);\n"
            "  cudaMemcpy(h.data(), never, 4, cudaMemcpyDeviceToHost);\n"
            "  cudaMemcpy(h.data(), x, 4, cudaMemcpyDeviceToHost);\n"
            "  return 2;\n"
            "}\n");
  const std::string told = Unwrapped(Run({"cc", source, "--summary"}).err);
  for (const char* const words :
       {"`x` is allocated in line 8 with sizeof(h).", "write h.size() * sizeof(float).",
        "`y` is allocated in line 9 with sizeof(y), the size of a pointer.",
        "`z` is allocated in line 10: cudaMalloc(&z, 99 * sizeof(float)).", "small.cu:14 | cudaMemset(never",
        "small.cu:15 | cudaMemcpy(h.data(), never", "No line sets `never`", "--summary comes after "})
    EXPECT_NE(told.find(words), std::string::npos) << words << "\n" << told;
}

TEST_F(CcTest, WhatTheHostDoesInVainIsANote) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "in_vain.cu";
  WriteText(source,
            "__constant__ float F[25];\n"
            "__global__ void k(int* a) { a[threadIdx.x] += F[threadIdx.x]; }\n"
            "int main() {\n"
            "  float h[25] = {};\n"
            "  int* d;\n"
            "  cudaMalloc(&d, 100);\n"
            "  cudaMemset(d, 1, 100);\n"
            "  cudaMemcpyToSymbol(F, h, 25);\n"
            "  k<<<1, 25>>>(d);\n"
            "  cudaMemcpy(h, d, 100, cudaMemcpyDeviceToHost);\n"
            "  cudaFree(d);\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 0);
  for (const char* const words :
       {"in_vain.cu:7 | ", "each element of `d` becomes 0x01010101", "in_vain.cu:8 | ",
        "cudaMemcpyToSymbol copies 25 bytes, and `F` has 25 elements",
        "no errors found in 1 launch, but 2 notes"})
    EXPECT_NE(Unwrapped(run.err).find(words), std::string::npos) << words << "\n" << run.err;
}

TEST_F(CcTest, ARaceWithACopyIsToldBeforeWhatIsReadTooEarly) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "streams.cu";
  WriteText(source,
            "__global__ void twice(float* A) { A[threadIdx.x] *= 2; }\n"
            "int main() {\n"
            "  float *h, *A;\n"
            "  cudaMallocHost(&h, 128);\n"
            "  cudaMalloc(&A, 128);\n"
            "  cudaStream_t s;\n"
            "  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);\n"
            "  cudaMemcpyAsync(A, h, 128, cudaMemcpyHostToDevice, s);\n"
            "  twice<<<1, 32>>>(A);\n"
            "  cudaMemcpy(h, A, 128, cudaMemcpyDeviceToHost);\n"
            "  cudaFree(A);\n"
            "  cudaFreeHost(h);\n"
            "  cudaStreamDestroy(s);\n"
            "}\n");
  const std::string told = Run({"cc", source}).err;
  EXPECT_NE(told.find("error: race between streams"), std::string::npos) << told;
  EXPECT_EQ(told.find("fill it before this launch"), std::string::npos) << told;
}

TEST_F(CcTest, AnUnsignedIndexThatWentBelowZeroIsQuoted) {
  WriteText(scratch() / "below.cu",
            "__global__ void add_before(const float* totals, float* out) {\n"
            "  out[blockIdx.x] += totals[blockIdx.x - 1];\n"
            "}\n"
            "int main() {\n"
            "  float *totals, *out;\n"
            "  cudaMalloc(&totals, 16);\n"
            "  cudaMalloc(&out, 16);\n"
            "  cudaMemset(totals, 0, 16);\n"
            "  cudaMemset(out, 0, 16);\n"
            "  add_before<<<4, 1>>>(totals, out);\n"
            "  cudaDeviceSynchronize();\n"
            "  cudaFree(totals);\n"
            "  cudaFree(out);\n"
            "}\n");
  const ProgramRun run = Run({"cc", "below.cu"}, {.folder = scratch()});
  EXPECT_NE(run.err.find("reads `totals[4294967295]`: the index is an unsigned number that went below 0 "),
            std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("where `blockIdx.x` is 0)"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("\nbelow.cu:2 | out[blockIdx.x] += "), std::string::npos)
      << "as it was called: " << run.err;
  EXPECT_EQ(run.err.find("host pointer"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("leak"), std::string::npos) << run.err;
}

TEST_F(CcTest, DynamicSharedMemoryOfNoBytesNamesTheLaunch) {
  const std::filesystem::path source = scratch() / "dynamic.cu";
  WriteText(source,
            "__global__ void fill() {\n"
            "  extern __shared__ int s[];\n"
            "  s[threadIdx.x] = 1;\n"
            "}\n"
            "int main() {\n"
            "  fill<<<1, 32>>>();\n"
            "  cudaDeviceSynchronize();\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_NE(
      run.err.find("writes 4 bytes of shared array `s`, but the launch gives it 0 bytes: its size is the"),
      std::string::npos)
      << run.err;
}

TEST_F(CcTest, AWarningIsShownOnce) {
  const std::filesystem::path source = scratch() / "unused.cu";
  WriteText(source, "__global__ void k(int* p) { int unused = 3; *p = 1; }\nint main() {}\n");
  const ProgramRun run = Run({"cc", source});
  const std::size_t first = run.err.find("was declared but never referenced"),
                    remark = run.err.find("Remark");
  EXPECT_NE(first, std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("was declared but never referenced", first + 1), std::string::npos) << run.err;
  EXPECT_NE(remark, std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("Remark", remark + 1), std::string::npos) << run.err;
}

TEST_F(CcTest, AProgramThatGivesUpNeedNotFreeAnything) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "gives_up.cu";
  WriteText(source, "int main(int argc, char**) { int* a; cudaMalloc(&a, 4); return argc > 1 ? 3 : 0; }\n");
  const ProgramRun gave_up = Run({"cc", source, "--device", "virtual:t4"});
  EXPECT_EQ(gave_up.status, 3);
  EXPECT_EQ(gave_up.err.find("leak"), std::string::npos) << gave_up.err;
  EXPECT_NE(gave_up.err.find("--device comes after "), std::string::npos)
      << "likely meant for us: " << gave_up.err;
  EXPECT_NE(Run({"cc", source}).err.find("leak"), std::string::npos);
}

TEST_F(RunTest, WithoutLinesItSaysHowToGetThem) {
  const char* tip = "Compile with nvcc -lineinfo: then findings name lines of the source.";
  const ProgramRun run = Run({"run", kPrograms / "off_by_one_without_lines"});
  EXPECT_NE(run.err.find(tip), std::string::npos) << run.err;
  EXPECT_EQ(Run({"run", kPrograms / "off_by_one"}).err.find(tip), std::string::npos) << "it has lines";
  EXPECT_EQ(Run({"run", kPrograms / "histogram"}).err.find(tip), std::string::npos) << "it has no findings";
}

/// Machine code of the host has no line numbers, but each of these stands in the text once.
TEST_F(CcTest, LinesOfHostCodeAreNamed) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "lines.cu";
  WriteText(source,
            "#include <cstdlib>\n"
            "__global__ void k(int* p) { p[0] = 1; }\n"
            "int main(int, char** words) {\n"
            "  int *h = (int*)std::calloc(1, 4), *p;\n"
            "  cudaMalloc(&p, 4);\n"
            "  cudaMemcpy(p, h, 4, cudaMemcpyHostToDevice);\n"
            "  k<<<1, std::atoi(words[1])>>>(p);\n"
            "  cudaMemcpy(h, p, 4, cudaMemcpyHostToDevice);\n"
            "  if (words[1][0] == '1') return p[0];\n"
            "  return cudaFree(p);\n"
            "}\n");
  const ProgramRun refused = Run({"cc", source, "2000"}), crashed = Run({"cc", source, "1"});
  EXPECT_NE(refused.err.find("lines.cu:7 | k<<<1, std::atoi(words[1])>>>(p);\n  error: invalid launch"),
            std::string::npos)
      << refused.err;
  EXPECT_NE(
      refused.err.find("lines.cu:8 | cudaMemcpy(h, p, 4, cudaMemcpyHostToDevice);\n  error: invalid call"),
      std::string::npos)
      << refused.err;
  EXPECT_NE(crashed.err.find("Host code uses `p` in line 9, but `p` points to device memory"),
            std::string::npos)
      << crashed.err;
}

TEST_F(CcTest, AFreeOfDeviceMemoryNamesItsLine) {
  const std::filesystem::path source = scratch() / "free.cu";
  WriteText(source,
            "#include <cstdlib>\n"
            "int main() {\n"
            "  int* p;\n"
            "  cudaMalloc(&p, 4);\n"
            "  std::free(p);\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 128 + SIGSEGV);
  EXPECT_NE(run.err.find("free() in line 5 gets `p`, which points to device memory. Use cudaFree instead."),
            std::string::npos)
      << run.err;
}

TEST_F(CcTest, AFreeOfDeviceMemoryElsewhere) {
  const std::filesystem::path source = scratch() / "free.cu";
  const std::string begin =
      "#include <cstdlib>\nstruct Buffers { int *h, *d; };\nvoid end(int* x, int* y) {\n";
  const std::string rest =
      "}\nint main() {\n  Buffers b;\n  b.h = (int*)malloc(4);\n  cudaMalloc(&b.d, 4);\n  end(b.h, "
      "b.d);\n}\n";
  WriteText(source, begin + "  free(y);\n" + rest);
  const ProgramRun one = Run({"cc", source});
  EXPECT_NE(one.err.find("free() in line 4 gets `y`, which points to device memory."), std::string::npos)
      << one.err;
  WriteText(source, begin + "  free(x);\n  free(y);\n" + rest);
  const ProgramRun two = Run({"cc", source});
  EXPECT_EQ(two.status, 128 + SIGSEGV);
  EXPECT_NE(two.err.find("free() or delete gets a pointer to device memory. Use cudaFree instead."),
            std::string::npos)
      << two.err;
}

TEST_F(CcTest, OneCauseIsToldOnce) {
  const std::filesystem::path source = scratch() / "small.cu";
  WriteText(source,
            "__global__ void k(float* a) { a[threadIdx.x] += 1; }\n"
            "int main() {\n"
            "  float h[64] = {1}, *d, *other;\n"
            "  cudaMalloc(&d, 64);\n"
            "  cudaMalloc(&other, 128);\n"
            "  cudaMemset(d, 0, 64);\n"
            "  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n"
            "  k<<<1, 64>>>(d);\n"
            "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
            "  k<<<1, 32>>>(h);\n"
            "  cudaDeviceSynchronize();\n"
            "}\n");
  const ProgramRun run = Run({"cc", source});
  EXPECT_EQ(run.status, 1);
  const auto place = [&](const char* words) { return run.err.find(words); };
  EXPECT_LT(place("small.cu:7 | cudaMemcpy(d, h"),
            place("    Fix this first. Same cause: 3 more findings.\n"))
      << run.err;
  EXPECT_EQ(place("right past the end of a, which has"), std::string::npos) << run.err;
  const std::size_t host_pointer = place("4 bytes through the kernel's parameter `a`");
  ASSERT_NE(host_pointer, std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("4 bytes through the kernel's parameter", host_pointer + 1), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("    Fix this first. Same cause: 1 more finding.\n", host_pointer),
            std::string::npos)
      << run.err;
}

/// A program of the driver API; `get_ptx` is the body of a function that returns PTX with a kernel `fill`.
std::string DriverProgram(const std::string& get_ptx) {
  return "#include <cuda.h>\n"
         "#include <cstdio>\n"
         "#include <string>\n"
         "std::string Ptx() {\n" +
         get_ptx +
         "}\n"
         "int main(int argc, char**) {\n"
         "  CUmodule module;\n"
         "  CUfunction fill;\n"
         "  CUdeviceptr p;\n"
         "  CUcontext context;\n"
         "  int host[32];\n"
         "  cuInit(0);\n"
         "  cuDevicePrimaryCtxRetain(&context, 0);\n"
         "  cuCtxSetCurrent(context);\n"
         "  int failed = cuModuleLoadData(&module, Ptx().c_str());\n"
         "  if (failed == 0) failed = cuModuleGetFunction(&fill, module, \"fill\");\n"
         "  cuMemAlloc(&p, sizeof host);\n"
         "  void* arguments[] = {&p};\n"
         "  cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);\n"
         "  cuMemcpyDtoH(host, p, sizeof host);\n"
         "  cuMemFree(p);\n"
         "  if (argc > 1) (cuMemFree)(p);\n"
         "  std::printf(\"%d %d\\n\", failed, host[31]);\n"
         "}\n";
}

TEST_F(CcTest, TheDriverApiNeedsNoDriver) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "driver.cu";
  WriteText(source, DriverProgram("  return R\"(.version 7.0\n"
                                  ".target sm_75\n"
                                  ".address_size 64\n"
                                  ".visible .entry fill(.param .u64 out) {\n"
                                  "  .reg .u64 %rd<3>;\n"
                                  "  .reg .u32 %r<2>;\n"
                                  "  ld.param.u64 %rd0, [out];\n"
                                  "  cvta.to.global.u64 %rd0, %rd0;\n"
                                  "  mov.u32 %r0, %tid.x;\n"
                                  "  mul.wide.u32 %rd1, %r0, 4;\n"
                                  "  add.u64 %rd2, %rd0, %rd1;\n"
                                  "  st.global.u32 [%rd2], %r0;\n"
                                  "  ret;\n"
                                  "})\";\n"));
  const ProgramRun run = Run({"cc", "--nvcc-options", "-lcuda", source});
  EXPECT_EQ(run.out, "0 31\n") << run.err;
  EXPECT_EQ(run.err, "warplings: no errors found in 1 launch\n");
  EXPECT_EQ(run.status, 0);
  const ProgramRun wrong = Run({"cc", "--nvcc-options", "-lcuda", source, "twice"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.err.find("cuMemFree was refused: the address is not one that cudaMalloc returned"),
            std::string::npos)
      << wrong.err;
}

TEST_F(CcTest, NvrtcCompilesWhileTheProgramRuns) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "nvrtc.cu";
  WriteText(
      source,
      "#include <nvrtc.h>\n" +
          DriverProgram(
              "  const char* text =\n"
              "      \"extern \\\"C\\\" __global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }\";\n"
              "  const char* options[] = {\"-arch=compute_75\"};\n"
              "  nvrtcProgram program;\n"
              "  std::size_t bytes = 0;\n"
              "  nvrtcCreateProgram(&program, text, \"fill.cu\", 0, nullptr, nullptr);\n"
              "  nvrtcCompileProgram(program, 1, options);\n"
              "  nvrtcGetPTXSize(program, &bytes);\n"
              "  std::string ptx(bytes, ' ');\n"
              "  nvrtcGetPTX(program, ptx.data());\n"
              "  return ptx;\n"));
  const ProgramRun run = Run({"cc", "--nvcc-options", "-lcuda -lnvrtc", source});
  if (run.err.find("nvrtc.h") != std::string::npos ||
      run.err.find("cannot find -lnvrtc") != std::string::npos)
    GTEST_SKIP() << "this toolkit has no NVRTC";
  EXPECT_EQ(run.out, "0 31\n") << run.err;
  EXPECT_EQ(run.status, 0);
}

/// Programs of the host, which g++ links with libraries that are not there, or not those, when the program
/// runs.
class HostProgramTest : public RunTest {
 protected:
  void Compile(const std::string& text, const std::string& target, const std::vector<std::string>& options) {
    const std::filesystem::path source = scratch() / (target + ".cc");
    WriteText(source, text);
    std::vector<std::string> command = {"g++", source, "-o", scratch() / target, "-L", scratch()};
    command.insert(command.end(), options.begin(), options.end());
    EXPECT_EQ(RunProgram(command).status, 0) << target;
  }
  void CompileLibrary(const std::string& text, const std::string& target, const std::string& name) {
    Compile(text, target, {"-shared", "-fPIC", "-Wl,-soname," + name});
  }
};

TEST_F(HostProgramTest, TheDriverApiAloneIsEnough) {
  CompileLibrary(
      "extern \"C\" int cuInit(unsigned) { return 9; }\nextern \"C\" int cuDeviceGetCount(int*) { return 9; "
      "}\n",
      "libcuda.so", "libcuda.so.1");
  Compile(
      "#include <cstdio>\n"
      "extern \"C\" int cuInit(unsigned);\n"
      "extern \"C\" int cuDeviceGetCount(int*);\n"
      "int main() {\n"
      "  int count = 0, failed = cuInit(0) + cuDeviceGetCount(&count);\n"
      "  std::printf(\"%d %d\\n\", failed, count);\n"
      "}\n",
      "counts", {"-lcuda"});
  const ProgramRun run = Run({"run", "--device", "virtual:t4,t4", scratch() / "counts"});
  EXPECT_EQ(run.out, "0 2\n") << run.err;
  EXPECT_EQ(run.status, 0);
}

TEST_F(HostProgramTest, NvrtcThatIsNowhereIsNamed) {
  CompileLibrary("int nvrtc() { return 0; }\n", "libnvrtc.so", "libnvrtc.so.99");
  CompileLibrary("int driver() { return 0; }\n", "libcuda.so", "libcuda.so.1");
  Compile("int nvrtc();\nint driver();\nint main() { return nvrtc() + driver(); }\n", "compiles",
          {"-lnvrtc", "-lcuda"});
  const ProgramRun run = Run({"run", scratch() / "compiles"});
  EXPECT_EQ(run.status, 127);
  EXPECT_NE(run.err.find("The program needs libnvrtc.so.99, which was found neither in the CUDA toolkit nor"),
            std::string::npos)
      << run.err;
}

TEST_F(CcTest, WhatIsNoCudaFileIsNamed) {
  WriteText(scratch() / "a.out", "");
  const std::pair<std::vector<std::string>, const char*> calls[] = {
      {{"cc"}, "No CUDA file was given."},
      {{"cc", scratch() / "missing.cu"}, "missing.cu: there is no such file"},
      {{"cc", scratch()}, " is a folder."},
      {{"cc", scratch() / "a.out"}, "its name does not end in .cu.\n  A program that is compiled already: "},
  };
  for (const auto& [arguments, words] : calls) {
    const ProgramRun run = Run(arguments);
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_NE(run.err.find(words), std::string::npos) << "not said: " << words << "\n" << run.err;
  }
}

class RunProfileTest : public RunTest {
 protected:
  /// The profile that a run of the command wrote, which must be as the schema says.
  nlohmann::json ProfileOf(const std::vector<std::string>& program, int status,
                           const std::string& device = "virtual:a100") {
    const std::filesystem::path file = scratch() / "profile.json";
    std::filesystem::remove(file);
    std::vector<std::string> command = {"run", "--device", device, "--profile", file};
    command.insert(command.end(), program.begin(), program.end());
    const ProgramRun run = Run(command);
    EXPECT_EQ(run.status, status) << run.err;
    const auto schema = nlohmann::json::parse(ReadText(layout_.root / "docs" / "profile.schema.json"));
    auto profile = nlohmann::json::parse(ReadText(file), nullptr, /*allow_exceptions=*/false);
    EXPECT_FALSE(profile.is_discarded()) << run.err;
    EXPECT_EQ(report_test::SchemaFaults(schema, profile), "");
    return profile;
  }
};

TEST_F(RunProfileTest, HoldsCountsByKernelLineAndInstruction) {
  const auto profile = ProfileOf({kPrograms / "histogram", "5000"}, 0);
  EXPECT_EQ(profile["complete"], true);
  EXPECT_EQ(profile["devices"], nlohmann::json({"a100"}));
  ASSERT_EQ(profile["kernels"].size(), 1u);
  const auto& kernel = profile["kernels"][0];
  EXPECT_EQ(kernel["kernel"], "histogram");
  EXPECT_EQ(kernel["totals"]["atomics"], 5000 + kernel["grid"]["x"].get<int>() * 16);
  // What lines and instructions did is what the kernel did.
  std::map<std::string, std::uint64_t> by_line, by_instruction;
  for (const auto& line : kernel["lines"]) {
    for (const auto& [name, count] : line["counts"].items()) by_line[name] += count.get<std::uint64_t>();
  }
  for (const auto& instruction : kernel["instructions"]) {
    EXPECT_GT(instruction["counts"]["warp_instructions"], 0);
    for (const auto& [name, count] : instruction["counts"].items())
      by_instruction[name] += count.get<std::uint64_t>();
  }
  for (const auto& [name, count] : kernel["totals"].items()) {
    EXPECT_EQ(by_line[name], count.get<std::uint64_t>()) << name;
    EXPECT_EQ(by_instruction[name], count.get<std::uint64_t>()) << name;
  }
  const bool has_atomic = std::ranges::any_of(kernel["instructions"], [](const nlohmann::json& instruction) {
    // Some versions of nvcc write atom, others red: nobody asks for the old value.
    return instruction["opcode"].get<std::string>().ends_with(".shared.add.u32") &&
           instruction["where"]["line"] == 22;
  });
  EXPECT_TRUE(has_atomic) << kernel["instructions"].dump(1);
}

TEST_F(RunProfileTest, EstimatesTheTimeOfEachKernel) {
  const auto profile = ProfileOf({kPrograms / "histogram", "5000"}, 0, "virtual:h200");
  const auto& kernel = profile["kernels"][0];
  EXPECT_GT(kernel["estimated_seconds"], 1e-6);
  EXPECT_LT(kernel["estimated_seconds"], 1e-3);
  EXPECT_NE(kernel["estimated_bound"], "");
  EXPECT_FALSE(kernel.contains("sampled_blocks"));
}

TEST_F(RunProfileTest, ASampleOfTheBlocksIsScaledToAll) {
  const auto all = ProfileOf({kPrograms / "histogram", "5000"}, 0);
  const std::filesystem::path file = scratch() / "sample.json";
  // What the program computes from a sample is wrong, and it may say so.
  Run({"run", "--profile", file, "--sample-blocks", "2", kPrograms / "histogram", "5000"});
  const auto sample = nlohmann::json::parse(ReadText(file));
  const auto& kernel = sample["kernels"][0];
  ASSERT_GT(all["kernels"][0]["grid"]["x"], 2) << "nothing to take a sample of";
  EXPECT_EQ(kernel["sampled_blocks"], 2);
  const double ratio = kernel["totals"]["warp_instructions"].get<double>() /
                       all["kernels"][0]["totals"]["warp_instructions"].get<double>();
  EXPECT_NEAR(ratio, 1, 0.1);
}

TEST_F(RunProfileTest, ASampleWithoutAProfileIsWrongUsage) {
  EXPECT_EQ(Run({"run", "--sample-blocks", "2", kPrograms / "histogram"}).status, 2);
}

TEST_F(RunProfileTest, IsWrittenWhereTheProgramFailsToo) {
  const auto profile = ProfileOf({kPrograms / "off_by_one"}, 1);
  EXPECT_EQ(profile["kernels"].size(), 1u);
}

TEST_F(RunProfileTest, NamesEachDevice) {
  const auto profile = ProfileOf({kPrograms / "histogram"}, 0, "virtual:h100,a100");
  EXPECT_EQ(profile["devices"], nlohmann::json({"h100", "a100"}));
  EXPECT_EQ(profile["kernels"][0]["device"], 0);
}

TEST_F(CcTest, ChecksCanBeLeftOut) {
  RUN_ONE_IN(3);
  const std::filesystem::path source = scratch() / "faulty.cu";
  WriteText(source,
            "__global__ void race(int* a) { a[0] = threadIdx.x; }\n"
            "__global__ void half(int* a) { if (threadIdx.x < 16) __syncthreads(); }\n"
            "__global__ void outside(int* a) { a[1] = 1; }\n"
            "int main() {\n"
            "  int* a;\n"
            "  cudaMalloc(&a, 4);\n"
            "  race<<<1, 64>>>(a);\n"
            "  half<<<1, 64>>>(a);\n"
            "  cudaDeviceSynchronize();\n"
            "  outside<<<1, 1>>>(a);\n"
            "  cudaDeviceSynchronize();\n"
            "}\n");
  const auto finds = [&](const char* checks) {
    const std::string words = Run({"cc", "--checks", checks, source}).err;
    std::string found;
    for (const char* kernel : {"kernel race", "kernel half", "kernel outside", "never freed"})
      if (words.find(kernel) != std::string::npos) found += std::string(kernel) + "; ";
    return found;
  };
  EXPECT_EQ(finds("all"), "kernel race; kernel half; kernel outside; never freed; ");
  EXPECT_EQ(finds("fast"), "kernel half; kernel outside; never freed; ");
  EXPECT_EQ(finds("none"), "kernel outside; ");
  const ProgramRun right = Run({"run", "--checks", "fast", kPrograms / "histogram"});
  EXPECT_EQ(right.status, 0);
  EXPECT_EQ(right.err,
            "warplings: no errors found in 1 launch (races and uninitialised reads not checked)\n");
  EXPECT_EQ(
      Run({"run", "--checks", "none", kPrograms / "histogram"}).err,
      "warplings: no errors found in 1 launch (only invalid accesses, traps and endless loops checked)\n");
}

TEST_F(RunTest, ASummaryListsKernelsCopiesAndMemory) {
  const ProgramRun run =
      Run({"run", "--device", "virtual:h200,t4", "--summary", kPrograms / "histogram", "5000"});
  EXPECT_EQ(run.status, 0) << run.err;
  for (const char* part :
       {"Times are estimates for NVIDIA H200:\n", "    kernel ", "\n    histogram ", " 100.0 %\n",
        "    copies ", "\n    to the device ", "\n    to the host ", "\nMemory: ", "; all were freed.\n"})
    EXPECT_NE(run.err.find(part), std::string::npos) << part << "\n" << run.err;
  EXPECT_EQ(run.err.find("T4"), std::string::npos) << "nothing was done there\n" << run.err;
  EXPECT_EQ(Run({"run", kPrograms / "histogram", "5000"}).err.find("Memory:"), std::string::npos);
}

TEST_F(RunProfileTest, AFileThatCannotBeWrittenIsWrongUsage) {
  const ProgramRun run = Run({"run", "--profile", "/nowhere/p.json", kPrograms / "histogram"});
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("/nowhere"), std::string::npos) << run.err;
}

TEST_F(RunTest, AStaticRuntimeIsWrongUsageAndSaysHowToLink) {
  const ProgramRun run = Run({"run", kPrograms / "histogram_static"});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("is linked with the static CUDA runtime"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("nvcc -cudart shared"), std::string::npos) << run.err;
}

TEST_F(RunTest, WhatIsNoProgramIsNamed) {
  EXPECT_EQ(Run({"run", "/nowhere/a.out"}).status, 2);
  EXPECT_NE(Run({"run", "/nowhere/a.out"}).err.find("/nowhere/a.out"), std::string::npos);
  EXPECT_NE(Run({"run", "mine.cu"}).err.find(" cc mine.cu"), std::string::npos);
  EXPECT_NE(Run({"run", "/bin/true"}).err.find("uses neither the CUDA runtime nor the driver API"),
            std::string::npos);
  EXPECT_EQ(Run({"run"}).status, 2);
}

}  // namespace
}  // namespace warplings::cli_test
