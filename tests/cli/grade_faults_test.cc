// SPDX-License-Identifier: Apache-2.0
// A class is graded while the system refuses the grader itself one request: the first allocation, and later
// ones. Whatever is refused, the grader says so and does not crash; no student loses a point; and the same
// command, started again, makes the grades that there would have been.
//
// Everyday runs take a few requests of each kind, spread over the grading; with WARPLINGS_LONG_TESTS=1 they
// are many.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>

#include "grader/base/unique_fd.h"
#include "tests/cli/grade_fixture.h"
#include "tests/support/fail_nth.h"

namespace warplings::cli_test {
namespace {

namespace fs = std::filesystem;

/// Where memory is short, it is large allocations that fail. Small ones are spared because the destructor of
/// nlohmann's JSON makes some, which may not throw.
constexpr unsigned long kLeastBytes = 8 << 10;

class GradeFaults : public GradeFixture, public testing::WithParamInterface<FaultKind> {
 protected:
  void SetUp() override {
    const fs::path file = scratch() / "fail_nth";
    const UniqueFd opened(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    ASSERT_EQ(ftruncate(opened.get(), sizeof(FailNth)), 0);
    void* mapped = mmap(nullptr, sizeof(FailNth), PROT_READ | PROT_WRITE, MAP_SHARED, opened.get(), 0);
    ASSERT_NE(mapped, MAP_FAILED);
    page_ = static_cast<FailNth*>(mapped);
    options_.environment = {{FailNth::kVariable, file},
                            {FailNth::kProgramVariable, "warplings-teach"},
                            {"LD_PRELOAD", FAIL_NTH_LIBRARY}};
    HandIn("ada/tiled_matmul.cu", Solution("01_boundary_checks/tiled_matmul"));
    HandIn("bob/tiled_matmul.cu", Mutant("01_boundary_checks/tiled_matmul.grid_rounded_down"));
    HandIn("eve/tiled_matmul.cu", Solution("01_boundary_checks/tiled_matmul") + "// eve's\n");
  }

  void TearDown() override {
    if (page_) munmap(page_, sizeof(FailNth));
  }

  /// Grades the class anew while the `n`-th request of the kind is refused; 0: none is.
  ProgramRun GradeWith(unsigned long n) {
    fs::remove_all(Out());
    new (page_) FailNth;
    page_->kind = GetParam();
    page_->n = n;
    page_->least_bytes = kLeastBytes;
    return Grade({"tiled_matmul", "--jobs", "2"}, options_);
  }

  /// Each student's points, or "not graded".
  std::map<std::string, std::string> Points() const {
    std::map<std::string, std::string> points;
    if (!fs::exists(Out() / "grades.csv")) return points;
    for (const auto& [student, line] : ReadCsv()) points[student] = line.at("Points");
    return points;
  }

  FailNth* page_ = nullptr;
  ProgramOptions options_;
};

TEST_P(GradeFaults, NobodyLosesAPointAndTheNextRunMakesUpForIt) {
  ASSERT_EQ(GradeWith(0).status, 0);  // Compiles, so that only the grading itself meets faults.
  ASSERT_EQ(GradeWith(0).status, 0);
  const std::map<std::string, std::string> usual = Points();
  ASSERT_EQ(usual.at("ada"), "10");
  const unsigned long requests = page_->counts[static_cast<int>(GetParam())];
  ASSERT_GT(requests, 0u) << "nothing of this kind is asked for: the library is not in the process";

  const bool is_long = std::getenv("WARPLINGS_LONG_TESTS") != nullptr;
  const unsigned long runs = std::min(requests, is_long ? 200ul : 5ul);
  int faults = 0;
  for (unsigned long run = 0; run < runs; ++run) {
    const unsigned long n = 1 + run * requests / runs;
    SCOPED_TRACE("request " + std::to_string(n) + " of " + std::to_string(requests));
    const ProgramRun refused = GradeWith(n);
    const std::string said = refused.out + refused.err;
    EXPECT_TRUE(refused.status == 0 || refused.status == 3) << refused.status << "\n" << said;
    EXPECT_EQ(said.find("terminate called"), std::string::npos) << said;
    EXPECT_EQ(said.find("itself crashed"), std::string::npos) << said;
    for (const auto& [student, points] : Points()) {
      EXPECT_TRUE(points == usual.at(student) || points == "not graded") << student << ": " << points << said;
    }
    if (refused.status == 0) {
      EXPECT_EQ(Points(), usual) << said;
      continue;
    }
    ++faults;
    EXPECT_NE(refused.err, "") << "a fault is said";
    const ProgramRun again = Grade({"tiled_matmul", "--jobs", "2"});
    EXPECT_EQ(again.status, 0) << again.out << again.err;
    EXPECT_EQ(Points(), usual) << again.out << again.err;
  }
  std::printf("%lu requests, %lu of them refused, %d gradings ended with a fault\n", requests, runs, faults);
}

std::string NameOf(const testing::TestParamInfo<FaultKind>& info) {
  constexpr const char* kNames[] = {"Allocations", "Mappings", "Descriptors", "Threads"};
  return kNames[static_cast<int>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(All, GradeFaults, testing::Values(FaultKind::kAllocation, FaultKind::kThread),
                         NameOf);

}  // namespace
}  // namespace warplings::cli_test
