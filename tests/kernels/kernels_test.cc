// SPDX-License-Identifier: Apache-2.0
// Every program below tests/kernels, as a student would run it: compiled by nvcc (several together:
// compile.h), with our runtime in the place of NVIDIA's, on the virtual GPU. It checks its values itself: it
// must end with status 0 and print nothing. Those below checks/ state the findings that they must give; all
// others must give none.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include "grader/base/replace.h"
#include "grader/core/layout.h"
#include "grader/device/client.h"
#include "tests/cli/run_program.h"
#include "tests/counters/trace.h"
#include "tests/kernels/compile.h"
#include "tests/kernels/expectation.h"

namespace warplings::kernels_test {
namespace {

namespace fs = std::filesystem;

constexpr int kCudaMajor = WARPLINGS_CUDA_MAJOR;  ///< Of the nvcc that was configured.
constexpr std::chrono::seconds kProgramLimit{60};
/// Warp instructions of one launch. The default serves long kernels; the longest here takes a million.
constexpr std::uint64_t kWatchdogBudget = 30'000'000;

fs::path KernelFolder() {
  return ThisLayout().root / "tests" / "kernels";
}

std::vector<fs::path> Sources() {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(KernelFolder())) {
    if (entry.path().extension() == ".cu") sources.push_back(entry.path());
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

/// "checks_race_read_after_write" for checks/race/read_after_write.cu.
std::string TestName(const fs::path& source) {
  std::string name = fs::relative(source, KernelFolder()).replace_extension().string();
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

/// Compiles what this run will need before the first test, so that it is done in parallel.
class Programs : public testing::Environment {
 public:
  void SetUp() override {
    ASSERT_EQ(::access(WARPLINGS_NVCC, X_OK), 0)
        << "There is no nvcc at " WARPLINGS_NVCC ": these tests cannot do without. Configure again.";
    const ProgramCache cache(WARPLINGS_NVCC, WARPLINGS_HOST_COMPILER, ThisLayout());
    std::vector<KernelSource> all;
    for (const fs::path& source : Sources()) all.push_back({source, TestName(source)});
    compiled_ = cache.Compile(all, Wanted());
  }
  const CompiledProgram& Find(const fs::path& source) { return compiled_[source]; }

 private:
  static std::set<fs::path> Wanted() {
    std::set<fs::path> wanted;
    const auto& all = *testing::UnitTest::GetInstance();
    for (const fs::path& source : Sources()) {
      for (int s = 0; s < all.total_test_suite_count(); ++s) {
        for (int t = 0; t < all.GetTestSuite(s)->total_test_count(); ++t) {
          const testing::TestInfo& info = *all.GetTestSuite(s)->GetTestInfo(t);
          if (info.should_run() && std::string_view(info.name()).ends_with("/" + TestName(source)))
            wanted.insert(source);
        }
      }
    }
    return wanted;
  }

  std::map<fs::path, CompiledProgram> compiled_;
};

Programs* const programs = static_cast<Programs*>(testing::AddGlobalTestEnvironment(new Programs));

/// What a run of a program on a virtual A100 of its own gave.
struct Outcome {
  cli_test::ProgramRun run;
  std::vector<Finding> findings;
  std::string device_trouble;  ///< Why the findings could not be had; normally empty.
};

Outcome RunOnVirtualGpu(const fs::path& program) {
  Outcome outcome;
  const Layout layout = ThisLayout();
  auto device = DeviceClient::StartProcess(layout.DeviceProgram(), "virtual:a100");
  if (!device) return {{}, {}, English(device.error().message)};
  ObservationOptions observation;
  observation.max_warp_instructions = kWatchdogBudget;
  (*device)->SetObservation(observation);
  ChannelPair pair = MakeChannelPair();
  auto client = (*device)->AttachClient(pair.second.get(), /*deliver_printed=*/true);
  if (!client) return {{}, {}, English(client.error().message)};
  pair.second.reset();
  ::fcntl(pair.first.get(), F_SETFD, 0);  // The program inherits it.
  cli_test::ProgramOptions options;
  options.environment = {{"LD_PRELOAD", layout.RuntimeLibrary(kCudaMajor).string()},
                         {"WARPLINGS_DEVICE_FD", std::to_string(pair.first.get())}};
  options.time_limit = kProgramLimit;
  outcome.run = cli_test::RunProgram({program.string()}, options);
  pair.first.reset();
  (*device)->SetDeadline(kProgramLimit);
  outcome.findings = (*device)->TakeFindings();
  if (!(*device)->alive()) outcome.device_trouble = "the device process did not tell what it found";
  return outcome;
}

/// A name as the source has it, without the namespace that its batch puts round it.
std::string WithoutBatch(const std::string& name, const fs::path& source) {
  return ReplaceAll(name, TestName(source) + "::", "");
}

class Kernels : public testing::TestWithParam<fs::path> {};

/// A program that the virtual GPU cannot run yet says so in its first line: "// refused: grid.sync". It must
/// be refused by that name; once it runs, the line has to go. Empty for all others.
std::string StatedRefusal(const fs::path& source) {
  constexpr std::string_view kStart = "// refused: ";
  const std::string text = cli_test::ReadText(source);
  if (!text.starts_with(kStart)) return "";
  return text.substr(kStart.size(), text.find('\n') - kStart.size());
}

void ExpectRefusal(const Outcome& outcome, const std::string& name) {
  const bool refused =
      std::any_of(outcome.findings.begin(), outcome.findings.end(), [&](const Finding& finding) {
        return finding.kind == FindingKind::kUnsupported &&
               English(finding.message).find(name) != std::string::npos;
      });
  EXPECT_TRUE(refused) << "it is to be refused for '" << name << "', and was not";
}

TEST_P(Kernels, MatchesItsExpectation) {
  const CompiledProgram& compiled = programs->Find(GetParam());
  ASSERT_FALSE(compiled.program.empty()) << compiled.complaint;
  std::vector<ExpectedFinding> expected;
  if (TestName(GetParam()).starts_with("checks_")) {
    auto stated = ParseExpectation(cli_test::ReadText(GetParam()));
    ASSERT_TRUE(stated) << stated.error().message;
    expected = *stated;
  }
  Outcome outcome = RunOnVirtualGpu(compiled.program);
  // Most programs here end without freeing anything, as programs of courses do; those below checks/leak are
  // about that.
  if (!TestName(GetParam()).starts_with("checks_leak_")) {
    std::erase_if(outcome.findings,
                  [](const Finding& finding) { return finding.kind == FindingKind::kLeak; });
  }
  EXPECT_EQ(outcome.device_trouble, "");
  if (const std::string refused = StatedRefusal(GetParam()); !refused.empty())
    return ExpectRefusal(outcome, refused);
  EXPECT_EQ(outcome.run.status, 0) << (outcome.run.status < 0 ? "it ran into the time limit" : "");
  EXPECT_EQ(outcome.run.out, "");
  EXPECT_EQ(outcome.run.err, "");
  for (Finding& finding : outcome.findings)
    finding.object = WithoutBatch(English(finding.object), GetParam());
  EXPECT_EQ(CompareFindings(expected, outcome.findings, GetParam()), "");
}

/// On one host thread or several (once each; the test host_threads runs a few programs again and again), and
/// with all accesses going the general way. Of the numbers of threads, 8 mix the blocks most; 2 are tried on
/// every program where the long tests are asked for, and in host_threads always.
TEST_P(Kernels, ShowsTheSameHoweverItIsRun) {
  const CompiledProgram& compiled = programs->Find(GetParam());
  ASSERT_FALSE(compiled.program.empty()) << compiled.complaint;
  const auto trace = [&](const VirtualGpuOptions& options) {
    return cli_test::TraceOf(compiled.program, options, kCudaMajor, kWatchdogBudget);
  };
  const std::string one = trace({.host_threads = 1});
  // It is this program that ran, and no other of its batch; a program that launches nothing has no kernels.
  if (one.find("\"launches\": []") == std::string::npos) {
    EXPECT_NE(one.find(TestName(GetParam()) + "::"), std::string::npos) << one;
  }
  // Nor did it fail for want of a device, which it would do in the same way each time.
  if (StatedRefusal(GetParam()).empty()) {
    ASSERT_NE(one.find("\"status\": 0"), std::string::npos) << one.substr(0, 2000);
  }
  if (std::getenv("WARPLINGS_LONG_TESTS") != nullptr) {
    EXPECT_EQ(trace({.host_threads = 2}), one);
  }
  EXPECT_EQ(trace({.host_threads = 8}), one);
  EXPECT_EQ(trace({.host_threads = 1, .recognise_patterns = false}), one);
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(Sources()),
                         [](const auto& test) { return TestName(test.param); });

/// The counts that are promised, so that a program which is lost is missed.
TEST(KernelCorpus, HasWhatIsPromised) {
  const std::map<std::string, std::size_t> promised = {{"matmul", 8},      {"basics", 12},
                                                       {"reductions", 10}, {"atomics", 8},
                                                       {"math", 10},       {"cooperative_groups", 5},
                                                       {"half", 3},        {"stencils", 6},
                                                       {"async", 3},       {"wmma", 3}};
  std::map<std::string, std::size_t> found;
  for (const fs::path& source : Sources()) ++found[fs::relative(source, KernelFolder()).begin()->string()];
  for (const auto& [topic, count] : promised) EXPECT_GE(found[topic], count) << topic;
}

/// Not two programs under one name, of which one would never run.
TEST(KernelCorpus, GivesEachProgramANameOfItsOwn) {
  std::set<std::string> names;
  for (const fs::path& source : Sources()) names.insert(TestName(source));
  EXPECT_EQ(names.size(), Sources().size());
  EXPECT_GE(names.size(), 207u);
}

TEST(KernelCorpus, ABatchKeepsProgramsApart) {
  const cli_test::ScratchFolder folder;
  const fs::path one = folder.path() / "one.cu", two = folder.path() / "two.cu";
  std::ofstream(one) << "#include <cassert>\n#define TILE 16\nint main() {}\n";
  std::ofstream(two) << "#include <cmath>\n#define PADDED(i) ((i) + 1)\nint main() {}\n";
  EXPECT_EQ(BatchText({{one, "one"}, {two, "two"}}),
            "#include <cassert>\n#include <cmath>\n#include <cstring>\n"
            "namespace one {\n#define main Main\n#include \"" +
                one.string() +
                "\"\n#undef main\n#undef TILE\n}\n"
                "namespace two {\n#define main Main\n#include \"" +
                two.string() +
                "\"\n#undef main\n#undef PADDED\n}\n"
                "int main(int, char** arguments) {\n"
                "  const char* name = std::strrchr(arguments[0], '/') + 1;\n"
                "  if (std::strncmp(name, \"one.\", sizeof(\"one.\") - 1) == 0) return one::Main();\n"
                "  if (std::strncmp(name, \"two.\", sizeof(\"two.\") - 1) == 0) return two::Main();\n"
                "  return 99;\n}\n");
}

TEST(KernelCorpus, HasAsManyNearMissesAsFindings) {
  std::map<std::string, std::pair<int, int>> counts;
  for (const fs::path& source : Sources()) {
    if (!TestName(source).starts_with("checks_")) continue;
    const auto expected = ParseExpectation(cli_test::ReadText(source));
    ASSERT_TRUE(expected) << source << ": " << expected.error().message;
    auto& [findings, clean] = counts[source.parent_path().filename().string()];
    ++(expected->empty() ? clean : findings);
  }
  for (const auto& [check, count] : counts) {
    EXPECT_GE(count.first, 1) << check;
    EXPECT_GE(count.second, count.first) << check;
  }
}

}  // namespace
}  // namespace warplings::kernels_test
