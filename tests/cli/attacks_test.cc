// SPDX-License-Identifier: Apache-2.0
// Each file of tests/attacks/ says in its head what must become of it:
//   // exercise: NAME    which one it answers; left out: tiled_matmul
//   // verdict: NAME     the exercise's verdict, by its name in the JSON
//   // says: TEXT        words that the terminal report must hold; may be repeated
//   // finding: TEXT     words that the message of a finding must hold; may be repeated
//   // speed: MODE      the check is made with --speed MODE
//   // failing: N        so many tests fail and the others still pass; left out where it does not matter
// Those named timed_… attack the measurement of speed: where there is a card they meet a real one, too.
// `selftest --all` takes all of them, `selftest` some that each commit draws anew.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

struct Expectation {
  std::string verdict;
  std::vector<std::string> says, findings;
  std::string speed, exercise = "tiled_matmul";
  int failing = -1;
};

Expectation ReadExpectation(const std::filesystem::path& file) {
  std::istringstream lines(ReadText(file));
  Expectation expected;
  const auto value = [](const std::string& line, const std::string& key) {
    const std::string head = "// " + key + ": ";
    return line.starts_with(head) ? line.substr(head.size()) : "";
  };
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    if (const std::string text = value(line, "verdict"); !text.empty()) expected.verdict = text;
    if (const std::string text = value(line, "exercise"); !text.empty()) expected.exercise = text;
    if (const std::string text = value(line, "says"); !text.empty()) expected.says.push_back(text);
    if (const std::string text = value(line, "finding"); !text.empty()) expected.findings.push_back(text);
    if (const std::string text = value(line, "speed"); !text.empty()) expected.speed = text;
    if (const std::string text = value(line, "failing"); !text.empty()) expected.failing = std::stoi(text);
  }
  return expected;
}

/// The same words with one blank between them.
std::string OnOneLine(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

bool HasFinding(const ExerciseResult& result, const std::string& words) {
  return std::ranges::any_of(result.tests, [&](const TestResult& test) {
    return std::ranges::any_of(test.findings, [&](const Finding& finding) {
      return English(finding.message).find(words) != std::string::npos;
    });
  });
}

std::vector<std::string> AttacksThatBegin(const std::string& prefix) {
  std::vector<std::string> stems;
  for (const auto& entry : std::filesystem::directory_iterator(ThisLayout().root / "tests" / "attacks")) {
    const std::string stem = entry.path().stem();
    if (entry.path().extension() == ".cu" && stem.starts_with(prefix)) stems.push_back(stem);
  }
  std::sort(stems.begin(), stems.end());
  return stems;
}

class AttackTest : public CliFixture, public testing::WithParamInterface<std::string> {
 protected:
  std::filesystem::path File() const { return layout_.root / "tests" / "attacks" / (GetParam() + ".cu"); }
  void ExpectItsVerdict();
};

void AttackTest::ExpectItsVerdict() {
  const Expectation expected = ReadExpectation(File());
  ASSERT_NE(expected.verdict, "") << "no '// verdict:' in its head";
  std::vector<std::string> arguments = {expected.exercise, "--file", File()};
  if (!expected.speed.empty()) arguments.insert(arguments.end(), {"--verbose", "--speed", expected.speed});
  const CheckRun run = Check(arguments);
  EXPECT_EQ(run.program.status, expected.verdict == "passed" ? 0 : 1) << run.program.err;
  EXPECT_EQ(VerdictName(run.Only().verdict), expected.verdict) << run.program.out;
  // A report wraps its lines: a blank of the expected words may be a line's end there.
  const std::string said = OnOneLine(run.program.out);
  for (const std::string& words : expected.says) {
    EXPECT_NE(said.find(words), std::string::npos) << "not said: " << words << "\n" << run.program.out;
  }
  for (const std::string& words : expected.findings) {
    EXPECT_TRUE(HasFinding(run.Only(), words)) << "not found: " << words << "\n" << run.program.out;
  }
  if (expected.failing >= 0) {
    EXPECT_EQ(FailedTests(run.Only()).size(), static_cast<std::size_t>(expected.failing))
        << Joined(FailedTests(run.Only())) << "\n"
        << run.program.out;
    EXPECT_GT(run.Only().tests.size(), static_cast<std::size_t>(expected.failing))
        << "the others did not run";
  }
}

TEST_P(AttackTest, GetsItsVerdict) {
  ExpectItsVerdict();
}

INSTANTIATE_TEST_SUITE_P(Attacks, AttackTest, testing::ValuesIn(AttacksThatBegin("")),
                         [](const auto& test) { return test.param; });

class AttackSample : public AttackTest {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AttackSample);  // A commit may draw none.

TEST_P(AttackSample, GetsItsVerdict) {
  ExpectItsVerdict();
}

INSTANTIATE_TEST_SUITE_P(Attacks, AttackSample,
                         testing::ValuesIn(DrawnByTheCommit(AttacksThatBegin(""), OneIn(16, 4))),
                         [](const auto& test) { return test.param; });

/// The same on a card, at a width that is timed there instead of the rehearsal's.
class TimedAttackOnACardTest : public AttackTest {
 protected:
  void SetUp() override {
    if (const std::string why = WhyNoCard(); !why.empty()) GTEST_SKIP() << why;
  }

  std::filesystem::path FileForACard() const {
    std::string text = ReadText(File());
    const std::string rehearsed = "#define TIMED_WIDTH 48";
    if (const std::size_t at = text.find(rehearsed); at != std::string::npos)
      text.replace(at, rehearsed.size(), "#define TIMED_WIDTH 1024");
    const std::filesystem::path file = scratch() / (GetParam() + ".cu");
    std::ofstream(file) << text;
    return file;
  }
};

TEST_P(TimedAttackOnACardTest, GainsNothing) {
  constexpr double kGained = 1.1;  // Over the reference, whose kernel these files have too, or a slower one.
  const Expectation expected = ReadExpectation(File());
  const CheckRun run = Check({"tiled_matmul", "--device", "gpu", "--file", FileForACard()}, OnACard());
  EXPECT_EQ(VerdictName(run.Only().verdict), expected.verdict) << run.program.out;
  if (expected.verdict != "passed") return;
  const auto& speed = run.Only().speed;
  ASSERT_TRUE(speed && speed->over_reference) << run.program.out;
  EXPECT_LT(speed->over_reference->value, kGained) << run.program.out;
}

INSTANTIATE_TEST_SUITE_P(Attacks, TimedAttackOnACardTest, testing::ValuesIn(AttacksThatBegin("timed_")),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace warplings::cli_test
