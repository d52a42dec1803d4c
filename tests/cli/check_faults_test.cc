// SPDX-License-Identifier: Apache-2.0
// Whole checks during which the system refuses the device processes one request: the first mapping, then the
// second, and so on, until a check asks for fewer; likewise allocations, descriptors and threads. Whatever is
// refused, the check ends in time with the result that it would have had, and no file is left behind.
//
// Everyday runs take a few requests of each kind, spread over the check. With WARPLINGS_LONG_TESTS=1 each is
// refused once, of allocations some hundreds: they are asked for from few places, over and over.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>

#include "grader/base/unique_fd.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/fail_nth.h"

namespace warplings::cli_test {
namespace {

struct Case {
  FaultKind kind;
  bool is_right;  ///< The solution is checked; otherwise a mutant.
};

class CheckFaults : public CliFixture, public testing::WithParamInterface<Case> {
 protected:
  void SetUp() override {
    const std::filesystem::path file = scratch() / "fail_nth";
    const UniqueFd opened(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    ASSERT_EQ(ftruncate(opened.get(), sizeof(FailNth)), 0);
    void* mapped = mmap(nullptr, sizeof(FailNth), PROT_READ | PROT_WRITE, MAP_SHARED, opened.get(), 0);
    ASSERT_NE(mapped, MAP_FAILED);
    page_ = static_cast<FailNth*>(mapped);
    environment_ = {{FailNth::kVariable, file}, {"LD_PRELOAD", FAIL_NTH_LIBRARY}};
  }

  void TearDown() override {
    if (page_) munmap(page_, sizeof(FailNth));
  }

  std::vector<std::string> Arguments() const {
    const std::string mutant =
        layout_.MutantFolder("01_boundary_checks") / "tiled_matmul.grid_rounded_down.cu";
    std::vector<std::string> arguments = {"tiled_matmul", "--seed", "7"};
    if (GetParam().is_right) {
      arguments.emplace_back("--solution");
    } else {
      arguments.insert(arguments.end(), {"--file", mutant});
    }
    return arguments;
  }

  /// A check during which the `n`-th request of the kind is refused; 0: none is.
  CheckRun CheckWith(unsigned long n) {
    new (page_) FailNth;
    page_->kind = GetParam().kind;
    page_->n = n;
    constexpr std::chrono::seconds kLimit{120};
    return Check(Arguments(), {.environment = environment_, .time_limit = kLimit});
  }

  unsigned long Count() const { return page_->counts[static_cast<int>(GetParam().kind)]; }

  /// Temporary files that the last check left.
  std::vector<std::string> LeftFiles() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(scratch() / "tmp"))
      names.push_back(entry.path().filename());
    return names;
  }

  FailNth* page_ = nullptr;
  std::map<std::string, std::string> environment_;
};

/// One refused request changes no verdict, neither for nor against a submission: what the device process told
/// without having the memory for it is not believed, and the tests run again.
void ExpectSameResult(const CheckRun& refused, const CheckRun& usual) {
  const std::string said = refused.program.out + refused.program.err;
  ASSERT_EQ(refused.program.status, usual.program.status) << said;
  ASSERT_EQ(refused.results.size(), 1u) << said;
  const ExerciseResult &result = refused.Only(), &expected = usual.Only();
  EXPECT_EQ(VerdictName(result.verdict), VerdictName(expected.verdict)) << said;
  EXPECT_EQ(result.points, expected.points);
  ASSERT_EQ(result.tests.size(), expected.tests.size()) << said;
  for (std::size_t i = 0; i < result.tests.size(); ++i) {
    EXPECT_EQ(VerdictName(result.tests[i].verdict), VerdictName(expected.tests[i].verdict))
        << result.tests[i].name << ": " << result.tests[i].reason;
  }
  EXPECT_EQ(refused.program.err.find("terminate called"), std::string::npos) << said;
}

TEST_P(CheckFaults, EachLeavesTheResultAsItIs) {
  using Clock = std::chrono::steady_clock;
  // Compiles, so that only the checks themselves meet faults.
  ASSERT_EQ(Check(Arguments()).results.size(), 1u);
  const CheckRun usual = CheckWith(0);
  ASSERT_EQ(usual.Only().verdict == Verdict::kPassed, GetParam().is_right) << usual.program.out;
  const unsigned long requests = Count();
  ASSERT_GT(requests, 0u) << "nothing of this kind is asked for: the library is not in the process";

  // Modules are loaded early: a stride through the whole check passes that over.
  for (unsigned long early : {239ul, 313ul, 596ul}) {
    if (early >= requests) break;
    SCOPED_TRACE("request " + std::to_string(early) + " of " + std::to_string(requests));
    ExpectSameResult(CheckWith(early), usual);
  }

  const bool is_long = std::getenv("WARPLINGS_LONG_TESTS") != nullptr;
  const unsigned long most = is_long ? 400 : 3;
  const unsigned long stride = std::max(1ul, (requests + most - 1) / most);
  const auto start = Clock::now();
  std::map<std::string, int> outcomes;
  double longest = 0;
  unsigned long checks = 0;
  // Until a check asks for fewer, which no request of its meets.
  for (unsigned long n = 1;; n += stride, ++checks) {
    SCOPED_TRACE("request " + std::to_string(n) + " of " + std::to_string(requests));
    const auto begin = Clock::now();
    const CheckRun run = CheckWith(n);
    longest = std::max(longest, std::chrono::duration<double>(Clock::now() - begin).count());
    ExpectSameResult(run, usual);
    EXPECT_EQ(LeftFiles(), std::vector<std::string>{});
    const bool fired = page_->fired;
    if (run.results.size() == 1) ++outcomes[fired ? std::string(VerdictName(run.Only().verdict)) : "not met"];
    if (!fired || HasFatalFailure()) break;
  }
  std::printf("%lu requests, each %luth refused, %lu checks in %.0f s, the longest %.1f s:", requests, stride,
              checks, std::chrono::duration<double>(Clock::now() - start).count(), longest);
  for (const auto& [outcome, count] : outcomes) std::printf(" %s %d", outcome.c_str(), count);
  std::printf("\n");
}

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  constexpr const char* kNames[] = {"Allocations", "Mappings", "Descriptors", "Threads"};
  return kNames[static_cast<int>(info.param.kind)] +
         std::string(info.param.is_right ? "OfTheSolution" : "OfAMutant");
}
INSTANTIATE_TEST_SUITE_P(All, CheckFaults,
                         testing::Values(Case{FaultKind::kAllocation, true},
                                         Case{FaultKind::kAllocation, false}, Case{FaultKind::kMapping, true},
                                         Case{FaultKind::kMapping, false}, Case{FaultKind::kDescriptor, true},
                                         Case{FaultKind::kDescriptor, false}, Case{FaultKind::kThread, true},
                                         Case{FaultKind::kThread, false}),
                         NameOf);

}  // namespace
}  // namespace warplings::cli_test
