// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "grader/base/read_file.h"
#include "grader/cli/command.h"
#include "grader/cli/test_counts.h"
#include "grader/core/layout.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/run_program.h"

namespace warplings {
namespace {

constexpr const char* kSelftestFooter =
    "Builds what the tests need, runs them with meson and ends with one line of totals. To the tests belong "
    "the\n"
    "gates: format, includes, python, shell, spelling, tidy.\n"
    "\n"
    "Examples:\n"
    "  warplings selftest                 all tests and gates but the longest\n"
    "  warplings selftest --all           these, too: answers, the advice on 750 wrong answers,\n"
    "                                     unforeseen_attacks, 350 attacks on the grader,\n"
    "                                     sanitize_more, sanitizers over what needs no more than texts, and\n"
    "                                     verify_marked, verify with a mark in every message\n"
    "  warplings selftest --quick         what takes seconds each: unit tests and the first five gates\n"
    "  warplings selftest report cli      the tests of these names\n"
    "  warplings selftest --list          what tests there are\n"
    "  warplings selftest --no-rebuild --verbose\n"
    "\n"
    "Other arguments go to meson test unchanged. Exit status: 0 all passed, 1 a test failed, 3 the tests "
    "could not "
    "run.";

/// meson reads back a GoogleTest program's own NAME.xml. One that crashes writes none, and then last
/// time's would count in its place.
void RemoveOldResults(const std::filesystem::path& build, const std::filesystem::path& junit) {
  std::error_code ignored;
  std::filesystem::remove(junit, ignored);
  for (const auto& entry : std::filesystem::directory_iterator(build, ignored)) {
    if (entry.path().extension() == ".xml") std::filesystem::remove(entry.path(), ignored);
  }
}

int Selftest(const std::vector<std::string>& arguments) {
  if (Status needed = NeedSourceTree("selftest"); !needed) return ReportError(needed.error());
  const Layout layout = ThisLayout();
  const std::filesystem::path junit = layout.build / "meson-logs" / "testlog.junit.xml";
  RemoveOldResults(layout.build, junit);
  std::vector<std::string> command = {"meson", "test", "-C", layout.build.string(), "--print-errorlogs"};
  for (const std::string& argument : arguments) {
    if (argument == "--quick") {
      command.insert(command.end(), {"--suite", "quick"});
    } else if (argument == "--all") {
      command.insert(command.end(), {"--suite", "warplings"});  // The project: whatever suite a test is in.
    } else {
      // These are left out by default, even where they are named.
      const bool is_long = argument == "answers" || argument == "sanitize_more" ||
                           argument == "unforeseen_attacks" || argument == "verify_marked";
      if (is_long) command.insert(command.end(), {"--suite", "warplings"});
      command.push_back(argument);
    }
  }
  const Result<int> status =
      RunProgram(command, "Install meson and ninja; the launcher ./warplings does so on first use.");
  if (!status) return ReportError(status.error());
  const std::optional<TestCounts> counts = CountTests(ReadFile(junit).value_or(""));
  if (!counts) {
    const bool only_listed = std::find(arguments.begin(), arguments.end(), "--list") != arguments.end();
    if (*status == 0 && only_listed) return kExitPassed;
    if (*status == 0)
      return ReportError(
          UsageError(say::no_test_of_that_name(), say::see_command("warplings selftest --list")));
    return ReportError(GraderError(say::tests_did_not_run(), say::reason_stands_above()));
  }
  std::printf("\n%s\n", TestCountsLine(*counts).c_str());
  if (*status != 0 && counts->failed == 0) {
    return ReportError(GraderError(say::meson_failed_without_test(), say::reason_stands_above()));
  }
  return counts->failed == 0 ? kExitPassed : kExitNotPassed;
}

}  // namespace

Command MakeSelftestCommand() {
  auto arguments = std::make_shared<std::vector<std::string>>();
  return {.name = "selftest",
          .help = "Run the project's own tests",
          .options = {},
          .footer = kSelftestFooter,
          .run = [arguments] { return Selftest(*arguments); },
          .rest = Rest::kAnywhere,
          .rest_words = arguments.get(),
          .usage = "selftest [--quick | --all] [ARG...]"};
}

}  // namespace warplings
