// SPDX-License-Identifier: Apache-2.0
// Each file of tests/attacks/ says in its head what must become of it:
//   // verdict: NAME     the exercise's verdict, by its name in the JSON
//   // says: TEXT        words that the terminal report must hold; may be repeated
//   // speed: MODE      the check is made with --speed MODE
//   // failing: N        so many tests fail and the others still pass; left out where it does not matter
#include <algorithm>
#include <sstream>

#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

struct Expectation {
  std::string verdict;
  std::vector<std::string> says;
  std::string speed;
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
    if (const std::string text = value(line, "says"); !text.empty()) expected.says.push_back(text);
    if (const std::string text = value(line, "speed"); !text.empty()) expected.speed = text;
    if (const std::string text = value(line, "failing"); !text.empty()) expected.failing = std::stoi(text);
  }
  return expected;
}

std::vector<std::string> AllAttacks() {
  std::vector<std::string> stems;
  for (const auto& entry : std::filesystem::directory_iterator(ThisLayout().root / "tests" / "attacks")) {
    if (entry.path().extension() == ".cu") stems.push_back(entry.path().stem());
  }
  std::sort(stems.begin(), stems.end());
  return stems;
}

class AttackTest : public CliFixture, public testing::WithParamInterface<std::string> {};

TEST_P(AttackTest, GetsItsVerdict) {
  const std::filesystem::path file = layout_.root / "tests" / "attacks" / (GetParam() + ".cu");
  const Expectation expected = ReadExpectation(file);
  ASSERT_NE(expected.verdict, "") << "no '// verdict:' in its head";
  std::vector<std::string> arguments = {"tiled_matmul", "--file", file};
  if (!expected.speed.empty()) arguments.insert(arguments.end(), {"--speed", expected.speed});
  const CheckRun run = Check(arguments);
  EXPECT_EQ(run.program.status, expected.verdict == "passed" ? 0 : 1) << run.program.err;
  EXPECT_EQ(VerdictName(run.Only().verdict), expected.verdict) << run.program.out;
  for (const std::string& words : expected.says) {
    EXPECT_NE(run.program.out.find(words), std::string::npos) << "not said: " << words << "\n"
                                                              << run.program.out;
  }
  if (expected.failing >= 0) {
    EXPECT_EQ(FailedTests(run.Only()).size(), static_cast<std::size_t>(expected.failing))
        << Joined(FailedTests(run.Only())) << "\n"
        << run.program.out;
    EXPECT_GT(run.Only().tests.size(), static_cast<std::size_t>(expected.failing))
        << "the others did not run";
  }
}

INSTANTIATE_TEST_SUITE_P(Attacks, AttackTest, testing::ValuesIn(AllAttacks()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace warplings::cli_test
