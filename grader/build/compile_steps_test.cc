// SPDX-License-Identifier: Apache-2.0
// Tests that running nvcc's steps one by one (compile_steps.h, prologue.h) gives the same as running nvcc.
#include "grader/build/compile_steps.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/cache_entry.h"
#include "grader/build/nvcc_dry_run.h"
#include "grader/build/prologue.h"
#include "grader/core/layout.h"
#include "grader/workbook/exercise.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

std::string ReadStepsFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Bytes(const CompileOutput& output) {
  std::string bytes(output.worker_bytes, '\0');
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t got =
        pread(output.worker.get(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (got <= 0) return {};
    at += static_cast<std::size_t>(got);
  }
  return bytes;
}

/// The worker without the one thing in it that differs from one run of nvcc to the next: in ptxas' line
/// table, after each file's name and folder, the second in which the file was written, which is when the
/// sandbox was made.
std::string WorkerOf(const CompileOutput& output, const CompileInput& input) {
  std::string bytes = Bytes(output);
  for (const fs::path path : {input.source_path, input.contract_path}) {
    const std::string entry = path.filename().string() + std::string("\0\1", 2);
    for (std::size_t at = bytes.find(entry); at != std::string::npos; at = bytes.find(entry, at + 1)) {
      for (std::size_t i = at + entry.size(); i < at + entry.size() + 5 && i < bytes.size(); ++i)
        bytes[i] = 0;
    }
  }
  return bytes;
}

/// nvcc names the files between its steps after the source, as it keeps them; the steps have a name of ours.
std::string WithoutTemporaryNames(const std::string& text) {
  static const std::regex names("tiled_matmul(?=[.](ptx|cudafe1[.]cpp))|warplings_steps");
  return std::regex_replace(text, names, "BETWEEN");
}

class StepsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-steps-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    auto toolchain = FindToolchain(ThisLayout().root);
    ASSERT_TRUE(toolchain) << toolchain.error().message;
    toolchain_ = *toolchain;
  }
  void TearDown() override { fs::remove_all(folder_); }

  CompileInput InputOf(const std::string& chapter, const std::string& exercise, const std::string& source,
                       const std::string& name = "") const {
    const Layout layout = ThisLayout();
    CompileInput input;
    input.source_path = "/submission/" + (name.empty() ? exercise + ".cu" : name);
    input.source = source;
    input.contract_path = "/contract/" + exercise + ".h";
    input.contract = ReadStepsFile(layout.root / "chapters" / chapter / (exercise + ".h"));
    EXPECT_FALSE(input.contract.empty()) << exercise;
    input.toolchain = toolchain_;
    input.entry_archive = layout.EntryObject(chapter, exercise);
    input.worker_archive = layout.WorkerArchive();
    input.runtime_archive = layout.RuntimeArchive(ThisTreesToolchain().cuda_major);
    return input;
  }

  /// Compiles both ways; what came out, after a comparison of everything in it.
  CompileOutput::Stage ExpectSame(CompileInput input, const std::string& what) const {
    input.prologue.reset();
    auto whole = RunCompile(input);
    input.prologue = FindPrologue(toolchain_, input.sm, folder_ / "prologues");
    EXPECT_TRUE(input.prologue) << "this nvcc's steps are not known: compiling takes longer than it must";
    auto stepwise = RunCompile(input);
    if (!whole || !stepwise) {
      ADD_FAILURE() << what << ": the sandbox failed";
      return CompileOutput::Stage::kCompile;
    }
    EXPECT_EQ(whole->failed_in, stepwise->failed_in) << what << ":\n" << stepwise->compiler_output;
    EXPECT_EQ(WithoutTemporaryNames(whole->compiler_output), WithoutTemporaryNames(stepwise->compiler_output))
        << what;
    EXPECT_EQ(WithoutTemporaryNames(whole->linker_output), WithoutTemporaryNames(stepwise->linker_output))
        << what;
    EXPECT_EQ(whole->symbols_of_entry, stepwise->symbols_of_entry) << what;
    EXPECT_EQ(whole->symbols_of_source, stepwise->symbols_of_source) << what;
    EXPECT_TRUE(WorkerOf(*whole, input) == WorkerOf(*stepwise, input)) << what << ": the workers differ";
    ExpectNoLocales(*stepwise, what);
    return whole->failed_in;
  }

  /// Streams and locales of the standard library would be 800 KB more to link at each save. A worker without
  /// them has about 1.6 MB, half of it the C library's.
  static void ExpectNoLocales(const CompileOutput& output, const std::string& what) {
    constexpr std::string_view kNameOfFacets = "NSt6locale5facetE";
    EXPECT_EQ(Bytes(output).find(kNameOfFacets), std::string::npos) << what;
    EXPECT_LT(output.worker_bytes, 1'800'000u) << what;
  }

  fs::path folder_;
  Toolchain toolchain_;
};

// One file a chapter of each tree, or all with WARPLINGS_LONG_TESTS: they are much alike, and each costs two
// compilations. What differs between files stands below.
TEST_F(StepsTest, StartersAndSolutionsBecomeTheSameWorkersToTheByte) {
  const bool all = std::getenv("WARPLINGS_LONG_TESTS") != nullptr;
  std::set<std::string> seen;
  int files = 0;
  for (const char* tree : {"chapters", "solutions"}) {
    for (const auto& entry : fs::recursive_directory_iterator(ThisLayout().root / tree)) {
      const fs::path& file = entry.path();
      if (file.extension() != ".cu") continue;
      const std::string chapter = file.parent_path().filename(), exercise = file.stem();
      if (!fs::exists(ThisLayout().EntryObject(chapter, exercise))) continue;
      if (!seen.insert(tree + chapter).second && !all) continue;
      // Wherever it becomes no worker, that is not for the compiler's sake.
      EXPECT_NE(ExpectSame(InputOf(chapter, exercise, ReadStepsFile(file)), file),
                CompileOutput::Stage::kCompile)
          << file;
      ++files;
    }
  }
  EXPECT_GE(files, all ? 40 : 12);
}

/// A good file, with something before or after it.
constexpr const char* kKernel = R"(#include "tiled_matmul.h"
__global__ void kernel(const float* M, const float* N, float* P, int width) {
  P[threadIdx.x] = M[threadIdx.x] + N[threadIdx.x];
}
void tiled_matmul(const float* M, const float* N, float* P, int width) {
  kernel<<<1, width>>>(M, N, P, width);
}
)";

struct Case {
  const char* name;
  std::string source;
  CompileOutput::Stage end;
};

TEST_F(StepsTest, WhatIsUnusualCompilesAlike) {
  using enum CompileOutput::Stage;
  const std::string good = kKernel;
  const std::vector<Case> cases{
      {"headers of the prologue again",
       "#include <cuda_runtime.h>\n#include <cmath>\n#include <cstdlib>\n" + good, kDone},
      {"headers that are not in it",
       "#include <vector>\n#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n" + good, kDone},
      {"names of its own file alone",
       good + "static __device__ float hidden[4];\nnamespace { __global__ void inner(float* p) { *p = "
              "hidden[1]; } }\n"
              "void other(float* p) { inner<<<1, 1>>>(p); }\n",
       kDone},
      {"the counter", good + "__device__ int counted = __COUNTER__ * 10 + __COUNTER__;\n", kDone},
      {"file names",
       good + "__device__ const char* named = __FILE__ __BASE_FILE__;\n__device__ int line = __LINE__;\n",
       kDone},
      {"another line",
       "#line 700 \"elsewhere.cu\"\n" + good + "__device__ int unused_one() { int x; return 1; }\n", kDone},
      {"constants and a printf",
       "#include <cstdio>\n__constant__ float c[3] = {1, 2, 3};\n__managed__ int m;\n" + good +
           "__global__ void say() { printf(\"%f %d\\n\", c[threadIdx.x], m); }\nvoid f() { say<<<1, 3>>>(); "
           "}\n",
       kDone},
      {"no new line at its end", good.substr(0, good.size() - 1), kDone},
      {"warnings",
       good +
           "__global__ void w(int* p) { int unused; unsigned a = 1; if (a < 0) *p = 1; return; *p = 2; }\n",
       kDone},
      {"a warning of the preprocessor's", "#warning look here\n" + good, kDone},
      {"a macro of the toolkit's again", "#define CUDART_VERSION 3\n#define M_PI 3\n" + good, kDone},
      {"once", "#pragma once\n" + good, kDone},
      {"a warning of g++'s", good + "inline int never();\nint g() { return never(); }\n", kLink},
  };
  for (const Case& each : cases)
    EXPECT_EQ(ExpectSame(InputOf("01_boundary_checks", "tiled_matmul", each.source), each.name), each.end)
        << each.name;
  EXPECT_EQ(
      ExpectSame(InputOf("01_boundary_checks", "tiled_matmul", good, "my answer (2);ls é.cu"), "odd name"),
      kDone);
}

TEST_F(StepsTest, WhatIsBrokenGetsTheSameWords) {
  const std::string good = kKernel;
  const std::vector<std::pair<const char*, std::string>> cases{
      {"a missing bracket", good + "void f( {\n"},
      {"an unknown name on the device", good + "__global__ void k(float* p) { *p = nothing; }\n"},
      {"an unknown name on the host", good + "int f() { return nothing; }\n"},
      {"a missing header", "#include \"not_there.h\"\n" + good},
      {"an #error", good + "#error no further\n"},
      {"an unfinished #if", "#if 1\n" + good},
      {"an unfinished comment", good + "/* and so on"},
      {"a host function called by a kernel",
       good + "int h() { return 1; }\n__global__ void k(int* p) { *p = h(); }\n"},
      {"errors on either side",
       "#ifdef __CUDA_ARCH__\nint a = device_only;\n#else\nint b = host_only;\n#endif\n" + good},
      {"an error on the device alone", "#ifdef __CUDA_ARCH__\nint a = device_only;\n#endif\n" + good},
      {"too much shared memory",
       good + "__global__ void k(float* p) { __shared__ float a[60000];\n"
              "  a[threadIdx.x] = p[0]; __syncthreads(); p[1] = a[threadIdx.x ^ 1]; }\n"},
      {"PTX that is none", good + "__global__ void k() { asm(\"nothing.of.the.kind;\"); }\n"},
      {"another result type", "int tiled_matmul(const float*, const float*, float*, int) { return 1; }\n"},
      {"an error that g++ finds", good + "__attribute__((alias(\"nowhere\"))) void f();\n"},
      {"an endless template", good + "template <int N> struct T { static constexpr int v = T<N + 1>::v; };\n"
                                     "int f() { return T<0>::v; }\n"},
  };
  for (const auto& [name, source] : cases) {
    EXPECT_EQ(ExpectSame(InputOf("01_boundary_checks", "tiled_matmul", source), name),
              CompileOutput::Stage::kCompile)
        << name;
  }
}

TEST_F(StepsTest, APrologueIsKeptAndFoundAgain) {
  const fs::path cache = folder_ / "prologues";
  const auto first = FindPrologue(toolchain_, 80, cache);
  ASSERT_TRUE(first);
  EXPECT_TRUE(fs::exists(first->folder / "host.h.gch"));
  const auto made = fs::last_write_time(first->folder / "host.ii");
  const auto second = FindPrologue(toolchain_, 80, cache);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->folder, first->folder);
  EXPECT_EQ(fs::last_write_time(second->folder / "host.ii"), made);
  EXPECT_NE(FindPrologue(toolchain_, 75, cache)->folder, first->folder);
  // Somebody has emptied the cache.
  fs::remove_all(cache);
  EXPECT_TRUE(FindPrologue(toolchain_, 80, cache));
  EXPECT_FALSE(FindPrologue(toolchain_, 80, ""));
  EXPECT_FALSE(FindPrologue(toolchain_, 80, "/dev/null/no_folder"));
}

TEST_F(StepsTest, ADamagedPrologueIsMadeAnew) {
  const auto genuine = FindPrologue(toolchain_, 80, folder_ / "prologues");
  ASSERT_TRUE(genuine);
  // In a cache folder of its own each, because a process remembers the prologues that it has found.
  const auto expect_made_anew = [&](const std::string& name, const auto& damage) {
    const fs::path cache = folder_ / name, folder = cache / genuine->folder.filename();
    fs::create_directory(cache);
    fs::copy(genuine->folder, folder);
    damage(folder);
    EXPECT_TRUE(FindPrologue(toolchain_, 80, cache)) << name;
    EXPECT_TRUE(CacheEntryIsWhole(folder)) << name;
    EXPECT_EQ(ReadCacheFile(folder / "headers"), ReadCacheFile(genuine->folder / "headers")) << name;
    EXPECT_GT(fs::file_size(folder / "host.h.gch"), 1u << 20) << name;
    EXPECT_NE(ReadCacheFile(folder / "dryrun"), "") << name;
  };
  expect_made_anew("cut", [](const fs::path& folder) { fs::resize_file(folder / "host.h.gch", 4096); });
  expect_made_anew("empty", [](const fs::path& folder) { fs::resize_file(folder / "dryrun", 0); });
  // The entry is whole, and one of the headers that it was made of is another one now.
  expect_made_anew("headers", [](const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(folder)) {
      if (file.path().filename() != "checksums") names.push_back(file.path().filename());
    }
    std::string headers = ReadCacheFile(folder / "headers");
    const std::size_t state = headers.find('\n') + 1;
    headers.replace(state, headers.find('\n', state) - state, "1 1.0");
    ASSERT_TRUE(WriteCacheFile(folder / "headers", headers) && SealCacheEntry(folder, names));
  });
}

TEST_F(StepsTest, APrologueThatFoundNoRoomIsMadeLater) {
  const fs::path cache = folder_ / "prologues";
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  // A limit on file sizes makes a write fail midway, as a full disk does: of the first file, and of a later
  // one.
  for (const rlim_t bytes : {100, 1 << 20}) {
    const rlimit small{bytes, old.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto found = FindPrologue(toolchain_, 80, cache);
    setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_FALSE(found) << bytes;
    EXPECT_TRUE(fs::is_empty(cache)) << bytes;
  }
  signal(SIGXFSZ, handler);
  EXPECT_TRUE(FindPrologue(toolchain_, 80, cache));
}

TEST_F(StepsTest, AQuickStepThatFailsIsDoneAsNvccDoesIt) {
  CompileInput input = InputOf("01_boundary_checks", "tiled_matmul", kKernel);
  auto whole = RunCompile(input);
  const auto prologue = FindPrologue(toolchain_, 80, folder_ / "prologues");
  ASSERT_TRUE(prologue);
  for (const char* name : {"host.macros", "device.macros", "host.h.gch", "host.h"}) {
    const fs::path damaged = folder_ / "damaged";
    fs::remove_all(damaged);
    fs::copy(prologue->folder, damaged);
    std::ofstream(damaged / name, std::ios::trunc) << "#error damaged\n";
    input.prologue = Prologue{damaged, prologue->steps};
    auto stepwise = RunCompile(input);
    ASSERT_TRUE(whole && stepwise);
    EXPECT_EQ(stepwise->failed_in, CompileOutput::Stage::kDone) << name << '\n' << stepwise->compiler_output;
    EXPECT_EQ(stepwise->compiler_output, whole->compiler_output) << name;
    EXPECT_TRUE(WorkerOf(*stepwise, input) == WorkerOf(*whole, input)) << name;
  }
}

TEST_F(StepsTest, AStepThatBreaksIsLeftToNvcc) {
  CompileInput input = InputOf("01_boundary_checks", "tiled_matmul", kKernel);
  const auto prologue = FindPrologue(toolchain_, 80, folder_ / "prologues");
  ASSERT_TRUE(prologue);
  for (auto step : {&NvccSteps::cudafe, &NvccSteps::cicc, &NvccSteps::compile_host}) {
    input.prologue = prologue;
    input.prologue->steps.*step = "sh -c 'kill -SEGV $$'";
    auto output = RunCompile(input);
    ASSERT_TRUE(output);
    EXPECT_EQ(output->failed_in, CompileOutput::Stage::kDone) << output->compiler_output;
  }
  // Not where its processor time is used up: that would be used up again.
  input.prologue = prologue;
  input.prologue->steps.cicc = "sh -c 'kill -XCPU $$'";
  auto output = RunCompile(input);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->failed_in, CompileOutput::Stage::kCompile);
  EXPECT_NE(output->compiler_output.find("'cicc' died due to signal 24"), std::string::npos)
      << output->compiler_output;
  // Nor where it computed for long before it broke.
  input.prologue->steps.cicc = "sh -c '(ulimit -t 6; while :; do :; done); kill -SEGV $$'";
  output = RunCompile(input);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->failed_in, CompileOutput::Stage::kCompile);
  EXPECT_NE(output->compiler_output.find("'cicc' died due to signal 11"), std::string::npos)
      << output->compiler_output;
}

/// g++ says itself what a signal has ended, and fails like any other: the long way would end alike.
TEST_F(StepsTest, AShortWayThatASignalEndedIsNotGoneTheLongWay) {
  const auto prologue = FindPrologue(toolchain_, 80, folder_ / "prologues");
  ASSERT_TRUE(prologue);
  const std::string words = "g++: internal compiler error: CPU time limit exceeded signal terminated program";
  for (auto step : {&NvccSteps::preprocess_host, &NvccSteps::preprocess_device, &NvccSteps::compile_host}) {
    CompileInput input = InputOf("01_boundary_checks", "tiled_matmul", kKernel);
    input.prologue = prologue;
    std::string& line = input.prologue->steps.*step;
    // Both ways are the same command with other words: this one counts how often it is called.
    line = "sh -c 'echo x >>calls; echo " + words +
           " cc1plus >&2; echo call $(grep -c x calls) >&2; exit 4' " + line;
    auto output = RunCompile(input);
    ASSERT_TRUE(output);
    EXPECT_EQ(output->failed_in, CompileOutput::Stage::kCompile);
    EXPECT_NE(output->compiler_output.find(words), std::string::npos) << output->compiler_output;
    EXPECT_NE(output->compiler_output.find("call 1\n"), std::string::npos) << output->compiler_output;
    EXPECT_EQ(output->compiler_output.find("call 2\n"), std::string::npos) << output->compiler_output;
  }
  // The words alone, in a message of the file's own, end nothing.
  const std::string source = std::string(kKernel) + "#warning signal terminated program\n";
  auto output = RunCompile([&] {
    CompileInput input = InputOf("01_boundary_checks", "tiled_matmul", source);
    input.prologue = prologue;
    return input;
  }());
  ASSERT_TRUE(output);
  EXPECT_EQ(output->failed_in, CompileOutput::Stage::kDone) << output->compiler_output;
}

TEST(ParseDryRun, StepsOfAnotherShapeAreNotGuessedAt) {
  EXPECT_FALSE(ParseDryRun(""));
  EXPECT_FALSE(ParseDryRun("nvcc fatal   : Unsupported gpu architecture 'compute_10'\n"));
  EXPECT_FALSE(ParseDryRun("#$ PATH=/bin\n#$ one\n#$ two\n#$ three\n#$ four\n#$ five\n#$ six\n#$ seven\n"));
}

}  // namespace
}  // namespace warplings
