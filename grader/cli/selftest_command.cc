// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

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
    "Builds what the tests need, runs them with meson and ends with one line of totals.\n"
    "\n"
    "Examples:\n"
    "  warplings selftest            does it work here? Unit tests, whole programs, and a sample of the\n"
    "                                workbook\n"
    "  warplings selftest --all      then the gates, sanitizers, clang-tidy, browsers, packaging, Slurm, and "
    "the\n"
    "                                whole workbook in place of the sample\n"
    "  warplings selftest --third 2  what CI runs for a commit: a plain selftest, the gates, and a third\n"
    "                                of what --all adds: 1, 2 or 3\n"
    "  warplings selftest --nightly  then answers, the advice on 900 wrong answers; unforeseen_attacks, 350\n"
    "                                attacks on the grader; sanitize_more, the other unit tests with\n"
    "                                sanitizers; verify_all, all mutants of chapter 7, too; verify_marked,\n"
    "                                the workbook with a mark in every message\n"
    "  warplings selftest --quick    what takes seconds each: unit tests and most gates\n"
    "  warplings selftest report cli the tests of these names\n"
    "  warplings selftest --list     the names of the tests\n"
    "  warplings selftest --no-rebuild --verbose\n"
    "\n"
    "Other arguments go to meson test unchanged. Exit status: 0 all passed, 1 a test failed, 3 the tests "
    "could not run.";

/// meson reads back a GoogleTest program's own NAME.xml. One that crashes writes none, and then last
/// time's would count in its place.
void RemoveOldResults(const std::filesystem::path& build, const std::filesystem::path& junit) {
  std::error_code ignored;
  std::filesystem::remove(junit, ignored);
  for (const auto& entry : std::filesystem::directory_iterator(build, ignored)) {
    if (entry.path().extension() == ".xml") std::filesystem::remove(entry.path(), ignored);
  }
}

/// One call of `meson test`. tests/meson.build says which suite a test is in, and what each setup leaves out;
/// the default leaves out `commit`, `long` and `nightly`.
struct Part {
  std::vector<std::string> suite;  ///< "--suite" or "--setup", and its name; empty for meson's default.
  std::optional<Message> title;
  std::string log = "testlog";  ///< Meson appends a setup's name.
};

/// Tests of the whole program wait about as long as they compute. But some use all processors themselves, so
/// on a large machine not two for each.
unsigned TestsAtOnce() {
  const unsigned processors = std::max(std::thread::hardware_concurrency(), 1u);
  return std::min(2 * processors, processors + 2);
}

/// The tests that are named. Words behind these options of meson's are none.
std::vector<std::string> NamedTests(const std::vector<std::string>& arguments) {
  constexpr std::string_view kWithValue[] = {
      "--repeat",  "--num-processes", "-j",          "--timeout-multiplier",
      "-t",        "--suite",         "--no-suite",  "--wrapper",
      "--setup",   "--logbase",       "--test-args", "--maxfail",
      "--gdb-path"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool is_value = i > 0 && std::ranges::count(kWithValue, arguments[i - 1]) > 0;
    if (!is_value && !arguments[i].starts_with("-")) names.push_back(arguments[i]);
  }
  return names;
}

/// Meson runs the tests it knows of those that are named, and says nothing of the others.
Status CheckNames(const Layout& layout, const std::vector<std::string>& arguments) {
  const auto file = ReadFile(layout.build / "meson-info" / "intro-tests.json");
  const std::vector<std::string> known = file ? ReadTestNames(*file) : std::vector<std::string>();
  if (known.empty()) return Unit{};
  for (const std::string& name : NamedTests(arguments)) {
    if (name.find_first_of("*?[:") != name.npos) continue;  // Meson's patterns, and "project:test".
    if (std::ranges::count(known, name) == 0)
      return UsageError(say::no_test_called(name), say::see_command("warplings selftest --list"));
  }
  return Unit{};
}

/// Before it runs tests of which none needs anything built, meson would build the whole project.
void SkipNeedlessBuild(const Layout& layout, std::vector<std::string>& arguments) {
  const std::vector<std::string> names = NamedTests(arguments);
  const auto file = ReadFile(layout.build / "meson-info" / "intro-tests.json");
  if (names.empty() || !file || NeedBuild(*file, names)) return;
  if (std::ranges::count(arguments, "--no-rebuild") == 0) arguments.emplace_back("--no-rebuild");
}

/// What is asked for, and what is left of the arguments.
Result<std::vector<Part>> ChooseParts(std::vector<std::string>& arguments) {
  const auto take = [&](const char* option) { return std::erase(arguments, option) > 0; };
  const bool nightly = take("--nightly"), all = take("--all") || nightly;
  if (const auto third = std::ranges::find(arguments, "--third"); third != arguments.end()) {
    const std::string number = third + 1 == arguments.end() ? "" : third[1];
    if (number != "1" && number != "2" && number != "3")
      return UsageError(say::no_such_third(), say::see_command("warplings help selftest"));
    arguments.erase(third, third + 2);
    const std::string setup = "third_" + number;
    return std::vector<Part>{{{"--setup", setup}, say::part_third(number), "testlog-" + setup}};
  }
  if (take("--quick")) return std::vector<Part>{{{"--suite", "quick"}, {}}};
  // The project: whatever suite the test is in.
  if (!NamedTests(arguments).empty()) return std::vector<Part>{{{"--suite", "warplings"}, {}}};
  if (!all) return std::vector<Part>{{}};
  // All of the workbook is in `long`: a sample of it would add nothing. In one call of meson, so that the
  // tests of `long` that wait for a browser run beside those that compute.
  std::vector<Part> parts = {{{"--setup", "all"}, {}, "testlog-all"}};
  if (nightly) parts.push_back({{"--suite", "nightly"}, say::part_nightly()});
  return parts;
}

void PrintSlowest(const std::vector<TestTime>& times) {
  constexpr std::size_t kMost = 10;
  if (times.size() < 2) return;
  PrintLine(say::slowest_tests(say::Count(times.size(), "test")));
  for (const TestTime& test : Slowest(times, kMost))
    std::printf("%7.1f s  %s\n", test.seconds, test.name.c_str());
  std::puts("");
}

int Selftest(std::vector<std::string> arguments) {
  if (Status needed = NeedSourceTree("selftest"); !needed) return ReportError(needed.error());
  const Layout layout = ThisLayout();
  const std::filesystem::path logs = layout.build / "meson-logs";
  const bool only_listed = std::ranges::count(arguments, "--list") > 0;
  std::optional<TestCounts> total;
  std::vector<TestTime> times;
  bool meson_failed = false;
  const auto parts = ChooseParts(arguments);
  if (!parts) return ReportError(parts.error());
  if (Status names = CheckNames(layout, arguments); !names) return ReportError(names.error());
  SkipNeedlessBuild(layout, arguments);
  for (const Part& part : *parts) {
    if (part.title) PrintLine(*part.title);
    std::fflush(stdout);
    const std::filesystem::path junit = logs / (part.log + ".junit.xml");
    RemoveOldResults(layout.build, junit);
    std::vector<std::string> command = {"meson", "test", "-C", layout.build.string(), "--print-errorlogs"};
    command.insert(command.end(), part.suite.begin(), part.suite.end());
    command.insert(command.end(), {"--num-processes", std::to_string(TestsAtOnce())});
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Result<int> status =
        RunProgram(command, "Install meson and ninja; the launcher ./warplings does so on first use.");
    if (!status) return ReportError(status.error());
    meson_failed |= *status != 0;
    const std::optional<TestCounts> counts = CountTests(ReadFile(junit).value_or(""));
    if (!counts && *status == 0 && only_listed) continue;
    if (!counts && *status == 0)
      return ReportError(
          UsageError(say::no_test_of_that_name(), say::see_command("warplings selftest --list")));
    if (!counts) return ReportError(GraderError(say::tests_did_not_run(), say::reason_stands_above()));
    if (!total) total.emplace();
    Add(*total, *counts);
    std::ranges::move(ReadTestTimes(ReadFile(logs / (part.log + ".json")).value_or("")),
                      std::back_inserter(times));
  }
  if (!total) return kExitPassed;
  std::puts("");
  PrintSlowest(times);
  // Meson counts programs, this line what they test.
  if (!times.empty()) PrintLine(say::cases_of_tests(say::Count(times.size(), "test")));
  std::printf("%s\n", TestCountsLine(*total).c_str());
  if (meson_failed && total->failed == 0)
    return ReportError(GraderError(say::meson_failed_without_test(), say::reason_stands_above()));
  return total->failed == 0 ? kExitPassed : kExitNotPassed;
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
          .usage = "selftest [--quick | --all | --third N | --nightly] [ARG...]"};
}

}  // namespace warplings
