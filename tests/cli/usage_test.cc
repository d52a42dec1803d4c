// SPDX-License-Identifier: Apache-2.0
// Wrong usage, interruption, and what must never be written.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "grader/base/usable_memory.h"
#include "grader/workbook/exercise.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {
namespace {

class UsageTest : public CliFixture {
 protected:
  /// One clear line on standard error, at most one more for the next step, nothing on standard output.
  void ExpectUsageError(const std::vector<std::string>& arguments, const std::string& words) const {
    const ProgramRun run = Run(arguments);
    EXPECT_EQ(run.status, 2) << run.out << run.err;
    EXPECT_TRUE(run.err.starts_with("warplings: ")) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << "not said: " << words << "\n" << run.err;
    EXPECT_LE(std::count(run.err.begin(), run.err.end(), '\n'), 2) << run.err;
    EXPECT_EQ(run.out, "");
  }

  /// Path, size and time of every file and folder below `folder`.
  static std::string Snapshot(const std::filesystem::path& folder) {
    std::vector<std::string> lines;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      std::ostringstream line;
      line << entry.path().string() << " " << entry.last_write_time().time_since_epoch().count();
      if (entry.is_regular_file()) line << " " << entry.file_size();
      lines.push_back(line.str());
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }
};

TEST_F(UsageTest, HelpSaysWhatAKernelIs) {
  const ProgramRun english = Run({"help", "kernel"});
  EXPECT_EQ(english.status, 0) << english.err;
  for (const char* word :
       {"Kernel, grid, block, thread, warp", "__global__ void twice", "threadIdx", "32 threads"})
    EXPECT_NE(english.out.find(word), std::string::npos) << word;
  const ProgramRun chinese = Run({"help", "kernel", "--lang", "zh_Hant"});
  EXPECT_TRUE(chinese.out.starts_with("kernel、網格")) << chinese.out;
  EXPECT_NE(chinese.out.find("__global__ void twice"), std::string::npos);
  EXPECT_EQ(Run({"kernel"}).status, 2) << "it is no command";
}

TEST_F(UsageTest, AnUnknownExerciseIsNamed) {
  ExpectUsageError({"check", "no_such_exercise"}, "no_such_exercise");
  ExpectUsageError({"check", "99"}, "99");
  ExpectUsageError({"check", "../../etc"}, "../../etc");
}

TEST_F(UsageTest, AMissingFileIsNamed) {
  ExpectUsageError({"check", "tiled_matmul", "--file", "/nowhere/mine.cu"}, "/nowhere/mine.cu");
  ExpectUsageError({"check", "tiled_matmul", "--file", scratch()}, "not an ordinary file");
}

TEST_F(UsageTest, WrongOptionsAreNamed) {
  ExpectUsageError({"check", "1", "--no-such-option"}, "--no-such-option");
  ExpectUsageError({"check", "1", "--seed", "lots"}, "--seed");
  ExpectUsageError({"check", "1", "--seed", "-1"}, "--seed");
  ExpectUsageError({"check", "1", "--seed", "18446744073709551616"}, "--seed");
  ExpectUsageError({"check", "1", "--device", "virtual:c64"}, "c64");
  ExpectUsageError({"check", "1", "--device", "gpu"}, "gpu");
  ExpectUsageError({"check", "1", "--solution", "--file", "x.cu"}, "--file");
  ExpectUsageError({"no_such_verb"}, "no_such_verb");
}

/// Tests have the folders of our libraries on LD_LIBRARY_PATH, in any order: our libcuda is no card's driver.
TEST_F(UsageTest, OurOwnDriverLibraryIsNoDriver) {
  for (const char* const major : {"cuda12", "cuda13"}) {
    const std::string ours = layout_.build / "grader" / "runtime" / major;
    const ProgramRun run = Run({"check", "tiled_matmul", "--solution", "--device", "gpu"},
                               {.environment = {{"LD_LIBRARY_PATH", ours}, {"CUDA_VISIBLE_DEVICES", ""}}});
    EXPECT_EQ(run.status, 2) << run.err;
    EXPECT_EQ(run.err.find("warplings run PROGRAM"), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("too old"), std::string::npos) << run.err;
  }
}

TEST_F(UsageTest, AProfileThatTheCompilerIsTooNewForIsNamed) {
  const ProgramRun run = Run({"check", "1", "--solution", "--device", "virtual:v100"});
  if (run.status == 0) GTEST_SKIP() << "this CUDA compiler still knows compute capability 7.0";
  EXPECT_EQ(run.status, 2) << run.out << run.err;
  EXPECT_NE(run.err.find("virtual:v100 has compute capability 7.0"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("8.0"), std::string::npos) << run.err;
}

TEST_F(UsageTest, ABrokenChapterFileIsOneLineWithItsPlace) {
  const std::filesystem::path workbook = CopyWorkbook();
  for (const auto& chapter : std::filesystem::directory_iterator(workbook / "chapters")) {
    if (!chapter.is_directory()) continue;
    WriteText(chapter.path() / "chapter.toml", "title = \"no end of this string\n");
  }
  ExpectUsageError({"check", "1", "--workbook", workbook}, "chapter.toml");
  ExpectUsageError({"list", "--workbook", workbook}, "chapter.toml");
}

TEST_F(UsageTest, AMissingStarterIsNamed) {
  const std::filesystem::path workbook = CopyWorkbook();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(workbook)) {
    if (entry.path().extension() == ".cu") std::filesystem::remove(entry.path());
  }
  ExpectUsageError({"check", "1", "--workbook", workbook}, ".cu");
}

TEST_F(UsageTest, HelpIsNoError) {
  for (const char* verb : {"list", "check", "run", "grade", "doctor", "selftest"}) {
    const ProgramRun run = Run({verb, "--help"});
    EXPECT_EQ(run.status, 0) << verb;
    EXPECT_NE(run.out.find("warplings " + std::string(verb)), std::string::npos) << run.out;
  }
  const ProgramRun all = Run({"--help"});
  EXPECT_EQ(all.status, 0);
  EXPECT_NE(all.out.find("Exit status: 0 all passed"), std::string::npos) << all.out;
  EXPECT_EQ(Run({}).status, 2);
}

/// Both programs, and what help, lists and reports print by different ways.
TEST_F(UsageTest, OutputThatIsLostIsNoSuccess) {
  RUN_ONE_IN(3);
  const std::string cli = layout_.build / "grader" / "cli" / "warplings-cli";
  const std::string broken = scratch() / "broken.cu";
  WriteText(broken, "int x = ;\n");
  const std::string solution = layout_.root / "solutions/01_boundary_checks/tiled_matmul.cu";
  for (const std::string& words :
       {std::string("list"), std::string("--help"), std::string("help check"), std::string("check --help"),
        std::string("--version"), std::string("manual-page"), std::string("complete ''"),
        std::string("status"), std::string("doctor"), std::string("solution tiled_matmul --yes"),
        "check tiled_matmul --file " + solution, "check tiled_matmul --file " + broken + " --format gcc",
        std::string("grade --help"), std::string("course --help"), std::string("override --help")}) {
    if (!IsDrawn(words, OneIn(6))) continue;
    for (const auto& [redirection, why] : {std::pair<std::string, std::string>{">/dev/full", "No space left"},
                                           {">&-", "its reader has closed it"}}) {
      for (const char* const locale : {"C.UTF-8", "C"}) {
        if (words.starts_with("check t") && locale == std::string("C")) continue;
        const ProgramRun run = RunProgram({"/bin/sh", "-c", cli + " " + words + " " + redirection},
                                          {.environment = {{"XDG_STATE_HOME", scratch() / "state"},
                                                           {"XDG_CACHE_HOME", scratch() / "cache"},
                                                           {"CUDA_VISIBLE_DEVICES", ""},
                                                           {"LC_ALL", locale}}});
        EXPECT_EQ(run.status, 3) << words << redirection << locale << run.err;
        EXPECT_NE(run.err.find("standard output could not be written: " + why), std::string::npos)
            << words << redirection << locale << run.err;
        EXPECT_EQ(run.err.find("could not be written"), run.err.rfind("could not be written")) << run.err;
      }
    }
  }
  // What prints nothing there has lost nothing, and whoever has read enough is no fault.
  EXPECT_EQ(RunProgram({"/bin/sh", "-c", cli + " check nothing_of_this_name >&-"}).status, 2);
  EXPECT_EQ(RunProgram({"/bin/sh", "-c", cli + " list >/dev/null"}).status, 0);
}

TEST_F(UsageTest, AStackThatIsTooSmallIsSaidBeforeAnythingCrashes) {
  RUN_ONE_IN(3);
  const std::string cli = layout_.build / "grader" / "cli" / "warplings-cli";
  const std::string check = " check tiled_matmul --file " +
                            (layout_.root / "solutions/01_boundary_checks/tiled_matmul.cu").string();
  for (const std::string& words :
       {check, std::string(" doctor"), std::string(" status"), std::string(" grade .")}) {
    for (const char* const kib : {"64", "100", "512"}) {
      const ProgramRun run =
          RunProgram({"/bin/sh", "-c", "ulimit -s " + std::string(kib) + "; exec " + cli + words});
      EXPECT_EQ(run.status, 3) << words << kib << run.err;
      EXPECT_NE(run.err.find("the stack is limited to " + std::string(kib) + " KiB"), std::string::npos)
          << run.err;
      EXPECT_EQ(run.out, "");
    }
  }
  // A limit that may be raised is raised, for threads and for what is started, too.
  const ProgramRun raised = RunProgram({"/bin/sh", "-c", "ulimit -Ss 64; exec " + cli + check},
                                       {.environment = {{"XDG_STATE_HOME", scratch() / "state"},
                                                        {"XDG_CACHE_HOME", scratch() / "cache"},
                                                        {"CUDA_VISIBLE_DEVICES", ""}}});
  EXPECT_EQ(raised.status, 0) << raised.out << raised.err;
}

TEST_F(UsageTest, DoctorTellsHowMuchMemoryThereIsAndWhoLimitsIt) {
  RUN_ONE_IN(3);
  const ProgramRun run = Run({"doctor"}, {.time_limit = std::chrono::seconds(600)});
  const UsableMemory usable = FindUsableMemory();
  char size[32];
  std::snprintf(size, sizeof size, "%.1f GiB, ", static_cast<double>(usable.bytes) / (1u << 30));
  const std::string whose = usable.limit.empty() ? "all memory of this machine" : usable.limit.string();
  const std::size_t row = run.out.find("  memory  ");
  ASSERT_NE(row, std::string::npos) << run.out << run.err;
  const std::string line = run.out.substr(row, run.out.find('\n', row) - row);
  EXPECT_NE(line.find(size), std::string::npos) << line;
  EXPECT_NE(line.find(whose), std::string::npos) << line;
}

/// Bytes that a terminal without UTF-8 cannot show, with what is before them.
std::string NotAscii(const ProgramRun& run) {
  const std::string text = run.out + run.err;
  const auto found = std::ranges::find_if(text, [](unsigned char c) { return c >= 0x80; });
  if (found == text.end()) return "";
  const auto at = static_cast<std::size_t>(found - text.begin());
  return text.substr(at - std::min<std::size_t>(at, 60), 80);
}

TEST_F(UsageTest, WhereTheLocaleIsNotUtf8OnlyAsciiIsPrinted) {
  RUN_ONE_IN(3);
  const ProgramOptions ascii{.environment = {{"LC_ALL", "C"}}, .time_limit = std::chrono::seconds(900)};
  // Reports of starters, short and in full: chapter 1, whose sums have what is to be spelled, and some of the
  // others.
  const auto workbook = LoadWorkbook(layout_.root);
  ASSERT_TRUE(workbook.ok());
  std::vector<std::string> others;
  for (const Chapter& chapter : workbook->chapters) others.push_back(chapter.id);
  others.erase(others.begin());
  std::vector<std::string> starters = {"check", "--all", workbook->chapters.front().id};
  std::ranges::move(DrawnByTheCommit(std::move(others), OneIn(6, 3)), std::back_inserter(starters));
  const ProgramRun short_reports = Run(starters, ascii);
  EXPECT_EQ(short_reports.status, 1) << short_reports.err;
  EXPECT_EQ(NotAscii(short_reports), "");
  starters.push_back("--verbose");
  const ProgramRun full = Run(starters, ascii);
  EXPECT_EQ(NotAscii(full), "");
  EXPECT_NE(full.out.find("M[0][0]*N[0][0] + "), std::string::npos)
      << "the products' dots are spelled, not lost";
  // The search finds what is there.
  EXPECT_NE(NotAscii(Run({"check", "tiled_matmul", "--verbose"})), "");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"list"},
                                                {"status"},
                                                {"next"},
                                                {"help"},
                                                {"hint"},
                                                {"drill", "--list"},
                                                {"drill", "5"},
                                                {"grade"},
                                                {"check", "notyetmade"}})
    EXPECT_EQ(NotAscii(Run(words, ascii)), "") << words[0];
  for (const char* verb : {"list",     "check",    "profile", "hint",   "drill",    "next",  "status",
                           "reset",    "solution", "watch",   "init",   "update",   "run",   "doctor",
                           "selftest", "grade",    "package", "verify", "handouts", "kernel"})
    EXPECT_EQ(NotAscii(Run({"help", verb}, ascii)), "") << verb;
  // Chinese cannot be shown; who names it gets it all the same.
  const ProgramOptions chinese{.environment = {{"LC_ALL", "zh_TW.BIG5"}}};
  EXPECT_TRUE(Run({"list"}, chinese).out.starts_with("1  Boundary checks"));
  EXPECT_NE(NotAscii(Run({"list", "--lang", "zh_Hant"}, chinese)), "");
}

/// A file that somebody will use is not touched.
TEST_F(UsageTest, WhatIsNoMessageIsPrintedAsItIs) {
  RUN_ONE_IN(3);
  const ProgramRun ascii = Run({"solution", "tiled_matmul", "--yes"}, {.environment = {{"LC_ALL", "C"}}});
  EXPECT_EQ(ascii.out, ReadText(layout_.root / "solutions/01_boundary_checks/tiled_matmul.cu"));
  WriteText(scratch() / "schön.cu", "int x = ;\n");
  const ProgramRun gcc = Run({"check", "tiled_matmul", "--file", scratch() / "schön.cu", "--format", "gcc"},
                             {.environment = {{"LC_ALL", "C"}}});
  EXPECT_NE(gcc.out.find("schön.cu:1:"), std::string::npos) << gcc.out;
}

TEST_F(UsageTest, ThereAreThreeThirds) {
  ExpectUsageError({"selftest", "--third", "4"}, "`--third` takes 1, 2 or 3.");
  ExpectUsageError({"selftest", "--third"}, "`--third` takes 1, 2 or 3.");
}

TEST_F(UsageTest, TheLanguageIsTheOptionsOrTheLocales) {
  const auto title = [this](std::vector<std::string> arguments, std::map<std::string, std::string> locale) {
    locale.insert({"LC_ALL", ""});
    return Run(arguments, {.environment = locale}).out.substr(0, 40);
  };
  const char* const english = "1  Boundary checks (01_boundary_checks)";
  const char* const chinese = "1  邊界檢查 (01_boundary_checks)";
  EXPECT_TRUE(title({"list"}, {{"LANG", "C.UTF-8"}}).starts_with(english));
  EXPECT_TRUE(title({"list"}, {{"LANG", "zh_TW.UTF-8"}}).starts_with(chinese));
  EXPECT_TRUE(title({"list", "--lang", "zh_Hant"}, {{"LANG", "C.UTF-8"}}).starts_with(chinese));
  EXPECT_TRUE(title({"list", "--lang=zh_HK"}, {{"LANG", "de_DE"}}).starts_with(chinese));
  EXPECT_TRUE(title({"list", "--lang", "en"}, {{"LANG", "zh_TW.UTF-8"}}).starts_with(english));
  ExpectUsageError({"list", "--lang", "klingon"}, "there is no language 'klingon'");
  const ProgramRun unknown = Run({"check", "nothing", "--lang", "zh_Hant"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(unknown.err.starts_with("warplings: 沒有章或習題「nothing」")) << unknown.err;
}

TEST_F(UsageTest, TheLanguageMayComeBeforeTheVerb) {
  const std::string help = Run({"help", "check", "--lang", "zh_Hant"}).out;
  EXPECT_TRUE(help.starts_with("檢查")) << help.substr(0, 80);
  EXPECT_EQ(Run({"help", "--lang", "zh_Hant", "check"}).out, help);
  EXPECT_EQ(Run({"--lang", "zh_Hant", "help", "check"}).out, help);
  EXPECT_EQ(Run({"--lang=zh_Hant", "check", "--help"}).out, help);
  EXPECT_EQ(Run({"--lang", "zh_Hant", "--help"}).out, Run({"help", "--lang", "zh_Hant"}).out);
  EXPECT_TRUE(Run({"help", "--lang", "zh_Hant", "kernel"}).out.starts_with("kernel、網格"));
  const ProgramRun list = Run({"--lang", "zh_Hant", "list", "1"});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_EQ(list.out, Run({"list", "1", "--lang", "zh_Hant"}).out);
  EXPECT_EQ(Run({"--lang", "zh_Hant"}).status, 2);
  ExpectUsageError({"--lang", "klingon", "list"}, "there is no language 'klingon'");
}

/// What CLI11 says is English; ours is in the reader's language.
TEST_F(UsageTest, WrongUsageIsSaidInOneLanguage) {
  const auto said = [this](std::vector<std::string> words) {
    words.insert(words.end(), {"--lang", "zh_Hant"});
    const ProgramRun run = Run(words);
    EXPECT_EQ(run.status, 2) << words[0];
    return run.err.substr(0, run.err.find('\n'));
  };
  EXPECT_EQ(said({"status", "one", "two"}), "warplings: 多出的引數：one, two");
  EXPECT_EQ(said({"reset"}), "warplings: 必須給出 EXERCISE");
  EXPECT_EQ(said({"drill", "--list", "--answer", "row_start", "40"}),
            "warplings: --list 和 --answer 不能同時使用");
  EXPECT_EQ(said({"check", "1", "--seed", "x"}), "warplings: --seed: 「x」不是 0 到 2^64 - 1 的整數");
  EXPECT_EQ(said({"check", "8"}), "warplings: 沒有第 8 章；現有第 1 章到第 7 章");
  ExpectUsageError({"check", "1", "--file"}, "--file needs a value behind it");
  ExpectUsageError({"check", "8"}, "there are chapters 1 to 7");
}

TEST_F(UsageTest, ListShowsProgressAfterACheck) {
  RUN_ONE_IN(3);
  const std::filesystem::path workbook = CopyWorkbook();
  const ProgramRun before = Run({"list", "--workbook", workbook});
  EXPECT_EQ(before.status, 0) << before.err;
  EXPECT_NE(before.out.find("tiled_matmul"), std::string::npos) << before.out;
  EXPECT_NE(before.out.find("to do"), std::string::npos) << before.out;
  EXPECT_EQ(before.out.find("passed"), std::string::npos) << before.out;

  const std::filesystem::path file = workbook / "chapters" / "01_boundary_checks" / "tiled_matmul.cu";
  std::filesystem::copy_file(layout_.root / "solutions" / "01_boundary_checks" / "tiled_matmul.cu", file,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(Run({"check", "tiled_matmul", "--workbook", workbook}).status, 0);
  EXPECT_NE(Run({"list", "--workbook", workbook}).out.find("passed"), std::string::npos);
  std::ofstream(file, std::ios::app) << "// edited\n";
  EXPECT_NE(Run({"list", "--workbook", workbook}).out.find("edited since"), std::string::npos);
}

TEST_F(UsageTest, NothingIsWrittenToTheStudentsTree) {
  RUN_ONE_IN(3);
  const std::filesystem::path workbook = CopyWorkbook();
  const std::string before = Snapshot(workbook);
  ProgramOptions options;
  options.folder = workbook / "chapters" / "01_boundary_checks";
  EXPECT_EQ(Run({"check", "tiled_matmul", "--workbook", workbook}, options).status, 1);
  EXPECT_EQ(Run({"check", "tiled_matmul", "--file", "tiled_matmul.cu"}, options).status, 1);
  EXPECT_EQ(Run({"list", "--workbook", workbook}, options).status, 0);
  EXPECT_EQ(Snapshot(workbook), before);
}

TEST_F(UsageTest, NothingTemporaryIsLeft) {
  RUN_ONE_IN(3);
  EXPECT_EQ(Run({"check", "tiled_matmul", "--verbose"}).status, 1);
  EXPECT_TRUE(std::filesystem::is_empty(scratch() / "tmp"));
}

TEST_F(UsageTest, AnInterruptionLeavesNothing) {
  const std::filesystem::path temporary = scratch() / "tmp", started = scratch() / "started";
  // The folder of a run is there before anything is compiled; the watcher turns it into one known name.
  ProgramOptions options;
  options.environment["TMPDIR"] = temporary;
  options.interrupt_when = started;
  const std::string watcher = "(while [ -z \"$(ls -A '" + temporary.string() +
                              "')\" ]; do sleep 0.01; done; sleep 0.3; touch '" + started.string() +
                              "') & exec \"$@\"";
  std::filesystem::create_directories(temporary);
  options.environment["XDG_STATE_HOME"] = scratch() / "state";
  options.environment["XDG_CACHE_HOME"] = scratch() / "cache";  // Empty: it is interrupted while compiling.
  const ProgramRun run =
      RunProgram({"sh", "-c", watcher, "sh", layout_.build / "grader" / "cli" / "warplings-cli", "check",
                  "tiled_matmul", "--verbose"},
                 options);
  EXPECT_EQ(run.status, 130) << run.out << run.err;
  EXPECT_NE(run.err.find("interrupted"), std::string::npos) << run.err;
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
  // The words to look for come from a file elsewhere, or the search would find itself.
  const ScratchFolder elsewhere;
  WriteText(elsewhere.path() / "words", scratch().string() + "\n");
  const ProgramRun processes = RunProgram(
      {"sh", "-c", "grep -lsf '" + (elsewhere.path() / "words").string() + "' /proc/[0-9]*/cmdline"});
  EXPECT_EQ(processes.out, "") << "still running";
}

TEST_F(UsageTest, AReportThatCannotBeWrittenIsSaidSo) {
  const ProgramRun run = Run({"check", "tiled_matmul", "--solution", "--json", "/nowhere/r.json"});
  EXPECT_EQ(run.status, 2) << run.err;
  EXPECT_NE(run.err.find("/nowhere/r.json"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace warplings::cli_test
