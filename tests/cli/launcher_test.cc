// SPDX-License-Identifier: Apache-2.0
// The launcher in a small tree of its own, with stand-ins for meson, ninja and nvcc that write down what
// they were asked: when does it build, when does it leave alone, what does it say when a step fails.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "tests/cli/cli_fixture.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {
namespace {

/// Stands in for a build: makes the program, which prints what it was called with.
const std::string kNinja =
    "mkdir -p \"$2/grader/cli\"; p=\"$2/grader/cli/warplings-cli\"\n"
    "printf '#!/bin/sh\\necho ran \"$@\"\\n' >\"$p\"; chmod +x \"$p\"; echo '[1/1] linking'";

class LauncherTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(tree_);
    std::filesystem::copy_file(ThisLayout().root / "warplings", tree_ / "warplings");
    for (const char* file :
         {"meson.build", "meson_options.txt", "grader/core/a.cc", "reference/r.cc", "tests/t.cc",
          "chapters/01_x/x.cu", "chapters/01_x/x.h", "chapters/01_x/chapter.toml", "handouts/facts.cc"}) {
      WriteText(tree_ / file, "\n");
    }
    Tool("meson", "shift; mkdir -p \"$1\"; touch \"$1/build.ninja\"");
    Tool("ninja", kNinja);
    Tool("nvcc", "echo 'Cuda compilation tools, release 13.0, V13.0.88'", "toolkit/bin");
    WriteText(scratch_.path() / "toolkit/include/cuda_runtime_api.h", "\n");
    for (const char* name : {"g++", "pkg-config", "bwrap", "python3"}) Tool(name, "exit 0");
  }

  /// A stand-in that notes its name in the log, then does `body`.
  void Tool(const std::string& name, const std::string& body, const std::string& folder = "bin") const {
    const std::filesystem::path file = scratch_.path() / folder / name;
    const bool noted = name == "meson" || name == "ninja" || name == "apt-get";
    // What ninja would do is asked for before each build, and changes nothing.
    const std::string plan =
        name == "ninja" ? "case \" $* \" in *' -n '*) " + plan_ + "; exit 0;; esac\n" : "";
    WriteText(file, "#!/bin/sh\n" + plan + (noted ? "echo " + name + " >>'" + Log().string() + "'\n" : "") +
                        body + "\n");
    ::chmod(file.c_str(), 0755);
  }

  ProgramRun Launch(const std::vector<std::string>& arguments = {"list"},
                    const std::string& path = {}) const {
    ProgramOptions options;
    const std::string tools =
        (scratch_.path() / "bin").string() + ":" + (scratch_.path() / "toolkit/bin").string();
    options.environment["PATH"] = path.empty() ? tools + ":/usr/bin:/bin" : path;
    std::vector<std::string> command = {tree_ / "warplings"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return RunProgram(command, options);
  }

  /// The tools that ran since the last question: "meson ninja ".
  std::string ToolsRun() const {
    std::string text = ReadText(Log());
    std::filesystem::remove(Log());
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  std::filesystem::path Log() const { return scratch_.path() / "log"; }

  ScratchFolder scratch_;
  std::string plan_ = "true";  ///< Of the stand-in for `ninja -n`, in shell.
  std::filesystem::path tree_ = scratch_.path() / "tree";
};

TEST_F(LauncherTest, SetsUpOnceAndThenOnlyRuns) {
  ProgramRun run = Launch({"check", "a b"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "ran check a b\n");
  EXPECT_EQ(ToolsRun(), "meson ninja ");
  run = Launch();
  EXPECT_EQ(run.out, "ran list\n");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(ToolsRun(), "");
}

TEST_F(LauncherTest, AChangedSourceIsBuilt) {
  Launch();
  ToolsRun();
  for (const char* file : {"grader/core/a.cc", "grader/core/new.cc", "reference/r.cc", "chapters/01_x/x.h",
                           "chapters/01_x/chapter.toml", "meson.build"}) {
    WriteText(tree_ / file, "// changed\n");
    Launch();
    EXPECT_EQ(ToolsRun(), "ninja ") << file;
  }
  std::filesystem::remove(tree_ / "grader/core/new.cc");
  Launch();
  EXPECT_EQ(ToolsRun(), "ninja ") << "a removed file";
  EXPECT_EQ(Launch().out, "ran list\n");
  EXPECT_EQ(ToolsRun(), "");
}

TEST_F(LauncherTest, AnOlderFileInPlaceOfANewerOneIsBuilt) {
  WriteText(scratch_.path() / "older.cc", "// older\n");
  std::filesystem::last_write_time(scratch_.path() / "older.cc",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(48));
  Launch();
  ToolsRun();
  std::filesystem::rename(scratch_.path() / "older.cc", tree_ / "grader/core/a.cc");
  Launch();
  EXPECT_EQ(ToolsRun(), "ninja ");
}

TEST_F(LauncherTest, AStudentsEditBuildsNothing) {
  Launch();
  ToolsRun();
  WriteText(tree_ / "chapters/01_x/x.cu", "// solved\n");
  WriteText(tree_ / "chapters/01_x/.x.cu.swp", "an editor's\n");
  Launch();
  EXPECT_EQ(ToolsRun(), "");
}

TEST_F(LauncherTest, AMovedTreeStartsAnew) {
  Launch();
  WriteText(tree_ / "build/left_over", "x");
  ToolsRun();
  std::filesystem::rename(tree_, scratch_.path() / "moved");
  tree_ = scratch_.path() / "moved";
  EXPECT_EQ(Launch().out, "ran list\n");
  EXPECT_EQ(ToolsRun(), "meson ninja ");
  EXPECT_FALSE(std::filesystem::exists(tree_ / "build/left_over"));
}

TEST_F(LauncherTest, AReplacedCompilerStartsAnew) {
  Launch();
  WriteText(tree_ / "build/left_over", "x");
  ToolsRun();
  Tool("nvcc", "echo 'Cuda compilation tools, release 12.4, V12.4.131'", "toolkit/bin");
  EXPECT_EQ(Launch().out, "ran list\n");
  EXPECT_EQ(ToolsRun(), "meson ninja ");
  EXPECT_FALSE(std::filesystem::exists(tree_ / "build/left_over"));
  EXPECT_EQ(Launch().out, "ran list\n");
  EXPECT_EQ(ToolsRun(), "");
}

TEST_F(LauncherTest, ACompilerThatChangesIsSaid) {
  EXPECT_EQ(Launch().err.find("building anew"), std::string::npos) << "the first time";
  Tool("nvcc", "echo 'Cuda compilation tools, release 12.4, V12.4.131'", "toolkit/bin");
  const std::string says = Launch().err;
  EXPECT_NE(says.find("its CUDA compiler is another one now: building anew"), std::string::npos) << says;
}

TEST_F(LauncherTest, AnotherPythonKeepsWhatIsBuilt) {
  Launch();
  WriteText(tree_ / "build/left_over", "x");
  ToolsRun();
  Tool("python3", "exit 0", "environment/bin");
  const std::string path = (scratch_.path() / "environment/bin").string() + ":" +
                           (scratch_.path() / "bin").string() + ":" +
                           (scratch_.path() / "toolkit/bin").string() + ":/usr/bin:/bin";
  WriteText(tree_ / "grader/core/a.cc", "// changed\n");
  EXPECT_EQ(Launch({"list"}, path).out, "ran list\n");
  EXPECT_EQ(ToolsRun(), "ninja ") << "the one that was found first still draws";
  std::filesystem::remove(scratch_.path() / "bin/python3");
  EXPECT_EQ(Launch({"list"}, path).out, "ran list\n");
  EXPECT_EQ(ToolsRun(), "meson ninja ") << "another one takes its place";
  EXPECT_TRUE(std::filesystem::exists(tree_ / "build/left_over"));
  EXPECT_EQ(Launch({"list"}, path).out, "ran list\n");
  EXPECT_EQ(ToolsRun(), "");
}

/// Debian 12's own nvidia-cuda-toolkit is CUDA 11.8. A CUDA of this machine's in /usr/local is hidden, and
/// the stand-in for python3 makes no .venv, so that nothing is installed.
TEST_F(LauncherTest, AnOldCompilerIsNamedAndNotTaken) {
  Tool("nvcc", "echo 'Cuda compilation tools, release 11.8, V11.8.89'", "toolkit/bin");
  ProgramOptions options;
  options.environment["PATH"] = (scratch_.path() / "bin").string() + ":" +
                                (scratch_.path() / "toolkit/bin").string() + ":/usr/bin:/bin";
  const ProgramRun run = RunProgram({"/usr/bin/bwrap", "--dev-bind", "/", "/", "--tmpfs", "/usr/local",
                                     (tree_ / "warplings").string(), "list"},
                                    options);
  const std::string nvcc = (scratch_.path() / "toolkit/bin/nvcc").string();
  EXPECT_EQ(run.status, 3) << run.err;
  EXPECT_NE(run.err.find("CUDA 11.8 in " + nvcc + " is too old"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("CUDA compiler could not be installed"), std::string::npos) << run.err;
}

TEST_F(LauncherTest, AFailedStepShowsTheLogAndIsTriedAgain) {
  Tool("ninja", "echo 'a.cc:1: error: it is broken'; exit 1");
  ProgramRun run = Launch();
  EXPECT_EQ(run.status, 3);
  EXPECT_NE(run.err.find("a.cc:1: error: it is broken"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("build/setup.log"), std::string::npos) << run.err;
  ToolsRun();
  run = Launch();
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(ToolsRun(), "ninja ") << "configured already, so only the failed step runs again";
}

/// g++ says first what is wrong, and then for a page which overloads it looked at.
TEST_F(LauncherTest, OfAFailedBuildTheFirstErrorIsShownAndNoCommand) {
  const auto expect_shown = [this](const std::string& log) -> std::string {
    WriteText(scratch_.path() / "said", log);
    Tool("ninja", "cat '" + (scratch_.path() / "said").string() + "'; exit 1");
    return Launch().err;
  };
  std::string log =
      "[1/3] Compiling C++ object b.o\nFAILED: a.o\nc++ -I. -DFLAG=1 -c a.cc\n"
      "a.cc: In function 'f':\na.cc:7:3: error: no matching function\n";
  for (int i = 1; i <= 40; ++i) log += "a.cc:7:3: note: candidate " + std::to_string(i) + "\n";
  log += "[2/3] Compiling C++ object c.o\nninja: build stopped\n";
  std::string shown = expect_shown(log);
  EXPECT_NE(shown.find("setup.log on ---\na.cc: In function 'f':\na.cc:7:3: error: no matching function\n"
                       "a.cc:7:3: note: candidate 1\n"),
            std::string::npos)
      << shown;
  EXPECT_NE(shown.find("candidate 23\n---\n"), std::string::npos) << "25 lines: " << shown;
  // Of a header's template, these lines alone name the source.
  const std::string of_template =
      "In file included from ../suite.h:9,\n                 from ../pixels_suite.cc:17:\n"
      "../array.h: In instantiation of 'int f(T) [with T = Pixel]':\n"
      "../array.h:99:5:   required from 'int g(T) [with T = Pixel]'\n"
      "../pixels_suite.cc:79:20:   required from here\n../array.h:87:68: error: no matching function\n";
  shown = expect_shown("FAILED: a.o\nc++ -c a.cc\n../b.h:1:1: warning: unused\n" + of_template);
  EXPECT_NE(shown.find("setup.log on ---\n" + of_template), std::string::npos) << shown;
  // A linker's last line has the word, too.
  shown = expect_shown(
      "FAILED: a\nc++ -DFLAG=1 -o a\na.cc:(.text+0x4): undefined reference to `f(int)'\n"
      "collect2: error: ld returned 1 exit status\n");
  EXPECT_NE(shown.find("on ---\na.cc:(.text+0x4): undefined reference to `f(int)'\ncollect2: "),
            std::string::npos)
      << shown;
  shown = expect_shown("FAILED: a\nc++ -DFLAG=1 -o a\nKilled\n");
  EXPECT_NE(shown.find("the end of "), std::string::npos) << shown;
  EXPECT_NE(shown.find("\nKilled\n---\n"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("FLAG"), std::string::npos) << shown;
}

/// Meson's log would say only that a script failed.
TEST_F(LauncherTest, AChapterFileThatIsNotTomlIsNamedByLineAndColumn) {
  const std::filesystem::path script = "grader/worker/list_exercises.py";
  WriteText(tree_ / script, ReadText(ThisLayout().root / script));
  WriteText(tree_ / "chapters/01_x/chapter.toml", "title = \"X\"\npoints = 20,\n");
  Tool("ninja", "echo 'a long log'; exit 1");
  Tool("python3", "case \"$1\" in *.py) exec /usr/bin/python3 \"$@\";; esac");
  const ProgramRun run = Launch();
  EXPECT_EQ(run.status, 2) << "as where the program reads the file";
  EXPECT_NE(run.err.find("chapters/01_x/chapter.toml:2:12: not TOML: "), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("a long log"), std::string::npos) << run.err;
}

/// Each would end as a fault in a generated file, or as a target that ninja does not know.
TEST_F(LauncherTest, WhatAnExerciseLacksIsNamedByLineOfItsChapter) {
  const std::filesystem::path script = "grader/worker/list_exercises.py";
  WriteText(tree_ / script, ReadText(ThisLayout().root / script));
  WriteText(tree_ / "chapters/01_x/chapter.toml",
            "title = \"X\"\n[[exercise]]\nid = \"one\"\nentry = \"one\"\n"
            "[[exercise]]\nid = \"two\"\nentry = \"tow\"\n");
  Tool("ninja", "echo 'a long log'; exit 1");
  Tool("python3", "case \"$1\" in *.py) exec /usr/bin/python3 \"$@\";; esac");
  const auto expect = [this](const std::string& words) {
    const ProgramRun run = Launch();
    EXPECT_EQ(run.status, 2) << "as where the program reads the file";
    EXPECT_NE(run.err.find("chapters/01_x/chapter.toml:" + words), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("a long log"), std::string::npos) << run.err;
  };
  WriteText(tree_ / "tests/suites/01_x/one_suite.cc", "");
  expect("3: exercise.id: there is no chapters/01_x/one.h, the contract of 'one': add it, or correct the id");
  WriteText(tree_ / "chapters/01_x/one.h", "// A comment (of one line).\nvoid one(int n);\n");
  WriteText(tree_ / "chapters/01_x/two.h", "float* two(const int* in,\n           int n);  // tow(in)\n");
  expect("6: exercise.id: there is no tests/suites/01_x/two_suite.cc, the suite of 'two'");
  WriteText(tree_ / "tests/suites/01_x/two_suite.cc", "");
  expect("7: exercise.entry: chapters/01_x/two.h does not declare 'tow'; did you mean two?");
}

/// The program that is there reads the chapters' files before a change in them builds anything.
TEST_F(LauncherTest, VerifySaysWhatIsWrongInAChaptersFileBeforeItBuilds) {
  Launch({"verify"});
  WriteText(tree_ / "chapters/01_x/chapter.toml", "no_such_key\n");
  WriteText(tree_ / "grader/workbook/starters.sha256", "0  chapters/01_x/x.cu\n");
  WriteText(tree_ / "tests/suites/01_x/x_suite.cc", "\n");
  ToolsRun();
  WriteText(tree_ / "build/grader/cli/warplings-cli",
            "#!/bin/sh\n[ -z \"$WARPLINGS_ONLY_READ\" ] || { echo \"$@: no_such_key\" >&2; exit 2; }\n");
  ProgramRun run = Launch({"verify", "x"});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err, "verify x: no_such_key\n");
  EXPECT_EQ(ToolsRun(), "");
  WriteText(tree_ / "grader/core/a.cc", "// A key that the program does not know yet.\n");
  run = Launch({"verify", "x"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(ToolsRun(), "ninja ");
}

TEST_F(LauncherTest, ASmallStackIsRaisedOrNamed) {
  const auto launch = [this](const std::string& limit) {
    const std::string path = (scratch_.path() / "bin").string() + ":" +
                             (scratch_.path() / "toolkit/bin").string() + ":/usr/bin:/bin";
    return RunProgram(
        {"/bin/sh", "-c", "ulimit " + limit + " && exec " + (tree_ / "warplings").string() + " list"},
        {.environment = {{"PATH", path}}});
  };
  const ProgramRun refused = launch("-s 64");
  EXPECT_EQ(refused.status, 3) << refused.out << refused.err;
  EXPECT_NE(refused.err.find("the stack is limited to 64 KiB"), std::string::npos) << refused.err;
  EXPECT_EQ(ToolsRun(), "");
  const ProgramRun raised = launch("-Ss 64");
  EXPECT_EQ(raised.status, 0) << raised.err;
  EXPECT_EQ(raised.out, "ran list\n");
}

TEST_F(LauncherTest, TestsAreBuiltWhenAskedFor) {
  Tool("ninja", kNinja + "\necho \"$@\" >>'" + Log().string() + "'");
  Tool("apt-get", "exit 0");  // Or this test would install a browser on whatever machine runs it as root.
  EXPECT_EQ(Launch({"selftest"}).out, "ran selftest\n");
  EXPECT_NE(ToolsRun().find("check_program"), std::string::npos) << "meson builds what the tests need";
  EXPECT_EQ(ToolsRun().find("meson-test-prereq"), std::string::npos);
  EXPECT_EQ(Launch({"selftest", "--all"}).out, "ran selftest --all\n");
  EXPECT_NE(ToolsRun().find("meson-test-prereq"), std::string::npos);
}

/// A student's first check waits for nothing that only a class or an author needs.
TEST_F(LauncherTest, OnlyWhatTheCommandNeedsIsBuilt) {
  Tool("ninja", kNinja + "\necho \"$3\" >>'" + Log().string() + "'");
  Launch({"check", "1"});
  EXPECT_EQ(ToolsRun(), "meson ninja check_program ");
  Launch({"doctor"});
  EXPECT_EQ(ToolsRun(), "");
  Launch({"run", "./a.out"});
  EXPECT_EQ(ToolsRun(), "ninja run ");
  Launch({"grade", "class", "--out", "graded"});
  EXPECT_EQ(ToolsRun(), "ninja teach ");
  Launch({"handouts"});
  Launch({"check", "1"});
  Launch({"selftest", "--help"});
  EXPECT_EQ(ToolsRun(), "");
}

/// A student edition has no command for a class: before it says so, nothing is installed.
TEST_F(LauncherTest, AStudentEditionInstallsNothingForAClass) {
  const std::filesystem::path prefix = scratch_.path() / "prefix", programs = prefix / "lib/warplings";
  std::filesystem::create_directories(prefix / "bin");
  std::filesystem::copy_file(tree_ / "warplings", prefix / "bin/warplings");
  WriteText(programs / "installed", "");
  WriteText(programs / "grader/cli/warplings-cli", "#!/bin/sh\necho \"ran $*\"\n");
  ::chmod((programs / "grader/cli/warplings-cli").c_str(), 0755);
  Tool("apt-get", "exit 0");
  Tool("python3", "exit 1");  // Without Jinja2.
  ProgramOptions options;
  options.environment = {{"PATH", (scratch_.path() / "bin").string() + ":/usr/bin:/bin"},
                         {"XDG_DATA_HOME", scratch_.path() / "data"}};
  for (const char* verb : {"grade", "gradescope-bundle", "handouts", "override", "package"}) {
    const ProgramRun run = RunProgram({prefix / "bin/warplings", verb, "x"}, options);
    EXPECT_EQ(run.out, std::string("ran ") + verb + " x\n") << run.err;
    EXPECT_EQ(ToolsRun(), "") << verb;
  }
}

/// What judges exercises, the handouts build themselves: only that of their samples. So does `verify`, which
/// another exercise's suite that does not compile must not stop.
TEST_F(LauncherTest, HandoutsAndVerifyWaitForTheirProgramAlone) {
  Tool("ninja", kNinja + "\necho \"$3\" >>'" + Log().string() + "'");
  Launch({"handouts", "5"});
  EXPECT_EQ(ToolsRun(), "meson ninja teach_program ");
  Launch({"verify", "vector_add"});
  EXPECT_EQ(ToolsRun(), "") << "it needs the same program";
  Launch({"check", "1"});
  EXPECT_EQ(ToolsRun(), "") << "its program is among what was built";
  EXPECT_FALSE(std::filesystem::exists(tree_ / "build/setup.stamp.suites"));
  Launch({"package", "--students", "out"});
  EXPECT_EQ(ToolsRun(), "ninja installed ");
  EXPECT_TRUE(std::filesystem::exists(tree_ / "build/setup.stamp.suites"));
}

/// The first steps compile the most: by their number alone, five times as much would seem to be left.
TEST_F(LauncherTest, TheTimeThatIsLeftIsByWhatTheStepsCost) {
  RUN_ONE_IN(3);
  const std::string compile = "Compiling C++ object a-unity0.cpp.o", link = "Linking target b";
  plan_ = "for i in 1 2 3; do echo \"[$i/30] " + compile + "\"; done; for i in $(seq 27); do echo \"[3/30] " +
          link + "\"; done";
  const std::string step = "/30] " + compile + "'; ";
  Tool("ninja", "echo '[1" + step + "sleep 6; echo '[2" + step + "echo '[3" + step + kNinja);
  // On a terminal it is told at once.
  const std::string path = (scratch_.path() / "bin").string() + ":" +
                           (scratch_.path() / "toolkit/bin").string() + ":/usr/bin:/bin";
  const ProgramRun run =
      RunProgram({"/usr/bin/script", "-qec", (tree_ / "warplings").string() + " list", "/dev/null"},
                 {.environment = {{"PATH", path}}});
  // After 6 s 27 of 54 parts are done; by number, 3 of 30 steps are.
  const std::size_t told = run.out.find("compiling, 3 of 30, about ");
  ASSERT_NE(told, std::string::npos) << run.out;
  EXPECT_LT(std::stoi(run.out.substr(told + 26)), 15) << run.out;
}

/// A busy machine may take twice as long as the first steps make one expect.
TEST_F(LauncherTest, AnEarlyEstimateIsARange) {
  RUN_ONE_IN(3);
  const std::string compile = "Compiling C++ object a-unity0.cpp.o";
  plan_ = "for i in $(seq 30); do echo \"[$i/30] " + compile + "\"; done";
  const std::string step = "/30] " + compile + "'; ";
  Tool("ninja", "echo '[1" + step + "sleep 8; echo '[2" + step + "echo '[3" + step + kNinja);
  const std::string path = (scratch_.path() / "bin").string() + ":" +
                           (scratch_.path() / "toolkit/bin").string() + ":/usr/bin:/bin";
  const ProgramRun run =
      RunProgram({"/usr/bin/script", "-qec", (tree_ / "warplings").string() + " list", "/dev/null"},
                 {.environment = {{"PATH", path}}});
  // After 8 s a tenth is done.
  EXPECT_NE(run.out.find("compiling, 3 of 30, about 1 to 2 min left"), std::string::npos) << run.out;
}

TEST_F(LauncherTest, ANewExerciseWaitsForNoCompiler) {
  const std::filesystem::path authoring = "grader/authoring";
  std::filesystem::copy(ThisLayout().root / authoring, tree_ / authoring,
                        std::filesystem::copy_options::recursive);
  const ProgramRun run = Launch({"new", "02_streams/overlap"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(ToolsRun(), "");
  EXPECT_NE(run.out.find("made     chapters/02_streams/overlap.cu\n"), std::string::npos) << run.out;
  EXPECT_NE(ReadText(tree_ / "tests/suites/02_streams/overlap_suite.cc").find("TEST_F(Overlap, OneElement)"),
            std::string::npos);
  // The handouts' test wants it of each exercise.
  EXPECT_NE(ReadText(tree_ / "chapters/02_streams/chapter.toml").find("\nminutes = 30 "), std::string::npos);
  // Of what belongs to a chapter and not to an exercise, `new` writes only a part.
  for (const char* part :
       {"reading_minutes", "chapters/02_streams/drills.toml\n", "handouts/text/LANGUAGE/02_streams.html.j2\n",
        "handouts/text/*/start.html.j2\n", "README.md\n"}) {
    EXPECT_NE(run.out.find(part, run.out.find("A new chapter also needs")), std::string::npos) << run.out;
  }
  EXPECT_EQ(Launch({"new", "02_streams/events"}).out.find("new chapter"), std::string::npos);
  EXPECT_EQ(Launch({"new", "overlap"}).status, 2);
  EXPECT_EQ(ToolsRun(), "");
}

/// Of a tree, the files and what they hold.
std::map<std::string, std::string> FilesOf(const std::filesystem::path& tree) {
  std::map<std::string, std::string> files;
  for (const char* const folder : {"chapters", "grader/workbook", "handouts", "solutions", "tests"}) {
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree / folder, none))
      files[entry.path().lexically_relative(tree)] = entry.is_regular_file() ? ReadText(entry.path()) : "";
  }
  return files;
}

TEST_F(LauncherTest, ANewExerciseIsTakenBackAsFarAsItIsUnchanged) {
  const std::filesystem::path authoring = "grader/authoring";
  std::filesystem::copy(ThisLayout().root / authoring, tree_ / authoring,
                        std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(tree_ / "chapters");
  ASSERT_EQ(Launch({"new", "01_streams/overlap"}).status, 0);
  WriteText(tree_ / "chapters/01_streams/chapter.zh_Hant.toml", "title = \"x\"\n");
  const auto before = FilesOf(tree_);
  for (const std::string name : {"01_streams/events", "02_graphs/events"}) {
    ASSERT_EQ(Launch({"new", name}).status, 0);
    const ProgramRun undone = Launch({"new", "--undo", name});
    EXPECT_EQ(undone.status, 0) << undone.out << undone.err;
    EXPECT_NE(undone.out.find("deleted  chapters/" + name + ".cu\n"), std::string::npos) << undone.out;
    EXPECT_EQ(FilesOf(tree_), before) << name;
  }
  ToolsRun();
  const ProgramRun unknown = Launch({"new", "--undo", "01_streams/events"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("there is no exercise 01_streams/events"), std::string::npos) << unknown.err;
  EXPECT_EQ(ToolsRun(), "") << "it waits for no compiler";

  ASSERT_EQ(Launch({"new", "01_streams/events"}).status, 0);
  const std::string suite = "tests/suites/01_streams/events_suite.cc",
                    entry = "chapters/01_streams/chapter.toml";
  WriteText(tree_ / suite, "// mine\n");
  std::string chapter = ReadText(tree_ / entry);
  chapter.replace(chapter.rfind("points = 10"), 11, "points = 15");
  WriteText(tree_ / entry, chapter);
  // What the author added beside them is named, too.
  const std::string mutant = "tests/mutants/01_streams/events.late.cu",
                    right = "tests/alternatives/events.two.cu", ways = "tests/attacks/four_ways.py",
                    page = "chapters/grading.md", handout = "handouts/text/en/01_streams.html.j2";
  WriteText(tree_ / mutant, "// mine\n");
  WriteText(tree_ / right, "// mine\n");
  WriteText(tree_ / "tests/alternatives/events_2.two.cu", "// another exercise's\n");
  WriteText(tree_ / ways, "{\"name\": \"events\", \"entry\": \"events\"}\n");
  WriteText(tree_ / page, "## overlap, events\n");
  WriteText(tree_ / handout, "{% block about_events %}\n");
  const ProgramRun left = Launch({"new", "--undo", "01_streams/events"});
  EXPECT_EQ(left.status, 1);
  const std::string of_events = ": the entry of events\n  ";
  EXPECT_NE(left.out.find("or were added, and are left. Delete them by hand:\n  " + suite + "\n  " + entry +
                          of_events + mutant + "\n  " + right + "\n  " + ways + of_events + page + of_events +
                          handout + ": the parts of events\n"),
            std::string::npos)
      << left.out;
  EXPECT_EQ(left.out.find("events_2"), std::string::npos) << left.out;
  EXPECT_EQ(ReadText(tree_ / suite), "// mine\n");
  EXPECT_EQ(ReadText(tree_ / entry), chapter);
  EXPECT_FALSE(std::filesystem::exists(tree_ / "chapters/01_streams/events.cu"));
  // Nobody is told to delete an exercise that `new` may not have made.
  const ProgramRun again = Launch({"new", "--undo", "01_streams/events"});
  EXPECT_EQ(again.status, 1);
  EXPECT_EQ(
      again.out.find("Nothing was deleted: no part of 01_streams/events is as `new` writes it. Perhaps it "
                     "was not made by `new`. It has:\n  " +
                     suite + "\n"),
      0u)
      << again.out;
  EXPECT_EQ(ReadText(tree_ / suite), "// mine\n");
}

/// Such an exercise would break the build of all others.
TEST_F(LauncherTest, ANameThatCannotBeAFunctionsIsRefused) {
  const std::filesystem::path authoring = "grader/authoring";
  std::filesystem::copy(ThisLayout().root / authoring, tree_ / authoring,
                        std::filesystem::copy_options::recursive);
  for (const std::string name : {"int", "class", "xor_eq", "dim3", "float4", "uint2", "main"}) {
    const ProgramRun run = Launch({"new", "02_words/" + name});
    EXPECT_EQ(run.status, 2) << name;
    EXPECT_NE(run.err.find("'" + name + "' is a word of C++ or CUDA"), std::string::npos) << run.err;
  }
  for (const std::string name : {"printf", "floor", "floorf", "index", "rsqrt", "min"}) {
    const ProgramRun run = Launch({"new", "02_words/" + name});
    EXPECT_EQ(run.status, 2) << name;
    EXPECT_NE(run.err.find("'" + name + "' is a function of C or CUDA"), std::string::npos) << run.err;
  }
  for (const std::string name : {"int_sum", "print", "float5"})
    EXPECT_EQ(Launch({"new", "02_words/" + name}).status, 0) << name;
}

TEST_F(LauncherTest, AChapterThatLeavesAGapIsRefused) {
  const std::filesystem::path authoring = "grader/authoring";
  std::filesystem::copy(ThisLayout().root / authoring, tree_ / authoring,
                        std::filesystem::copy_options::recursive);
  std::filesystem::remove_all(tree_ / "chapters");
  EXPECT_EQ(Launch({"new", "08_streams/overlap"}).status, 0);
  const ProgramRun run = Launch({"new", "10_gap/foo"});
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("chapter 10 leaves a gap: the last chapter is 08_streams\n  Give 09_gap/foo"),
            std::string::npos)
      << run.err;
  EXPECT_FALSE(std::filesystem::exists(tree_ / "chapters/10_gap"));
  EXPECT_EQ(Launch({"new", "09_gap/foo"}).status, 0);
}

TEST_F(LauncherTest, HelpWaitsForNoCompiler) {
  Launch({"check", "1"});
  ToolsRun();
  WriteText(tree_ / "grader/core/a.cc", "// changed\n");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"help"}, {"--help"}, {"check", "--help"}, {"run", "--help"}}) {
    EXPECT_EQ(Launch(words).out.substr(0, 4), "ran ");
    EXPECT_EQ(ToolsRun(), "") << words.front();
  }
  Launch({"handouts", "--help"});
  EXPECT_EQ(ToolsRun(), "") << "the program knows the text of the other one";
}

TEST_F(LauncherTest, HelpIsThereBeforeAnythingIsBuilt) {
  WriteText(tree_ / "packaging/help/en.txt", "=== warplings\nall commands\n\n=== check\nhow to check\n");
  EXPECT_EQ(Launch({"--help"}).out, "all commands\n\n");
  EXPECT_EQ(Launch({"help"}).out, "all commands\n\n");
  EXPECT_EQ(Launch({"help", "check"}).out, "how to check\n");
  EXPECT_EQ(Launch({"check", "--help"}).out, "how to check\n");
  EXPECT_EQ(ToolsRun(), "");
  EXPECT_EQ(Launch({"help", "czeck"}).out, "ran help czeck\n") << "the program says what was meant";
}

/// A clone of another user's: what it lacks has to be built by him.
TEST_F(LauncherTest, AnotherUsersCloneSaysWhatCannotBeWritten) {
  std::filesystem::permissions(scratch_.path(), std::filesystem::perms(0755));
  const auto launch_as_other = [this](const std::vector<std::string>& words) {
    ProgramOptions options;
    options.environment["PATH"] = (scratch_.path() / "bin").string() + ":" +
                                  (scratch_.path() / "toolkit/bin").string() + ":/usr/bin:/bin";
    std::vector<std::string> command = {tree_ / "warplings"};
    if (::geteuid() == 0) command = {"/usr/bin/setpriv", "--reuid=65534", "--clear-groups", command[0]};
    command.insert(command.end(), words.begin(), words.end());
    return RunProgram(command, options);
  };
  const auto forbid = [&](const std::filesystem::path& file) {
    if (::geteuid() != 0) std::filesystem::permissions(file, std::filesystem::perms(0555));
  };
  forbid(tree_);
  const ProgramRun nothing = launch_as_other({"check", "1"});
  EXPECT_EQ(nothing.status, 3) << nothing.err;
  EXPECT_NE(nothing.err.find("you may not write to " + tree_.string() + ", which belongs to "),
            std::string::npos)
      << nothing.err;
  EXPECT_NE(nothing.err.find("to run this once: ./warplings check 1\n"), std::string::npos) << nothing.err;
  std::filesystem::permissions(tree_, std::filesystem::perms(0755));
  Launch({"check", "1"});
  EXPECT_EQ(launch_as_other({"check", "1"}).out, "ran check 1\n") << "nothing is missing";
  WriteText(tree_ / "grader/core/a.cc", "// changed\n");
  // A group's folder, in which one of its members has built.
  std::filesystem::permissions(tree_ / "build", std::filesystem::perms(0777));
  forbid(tree_ / "build/setup.lock");
  const ProgramRun locked = launch_as_other({"check", "1"});
  EXPECT_EQ(locked.status, 3) << locked.err;
  EXPECT_NE(locked.err.find("you may not write to " + (tree_ / "build/setup.lock").string()),
            std::string::npos)
      << locked.err;
}

/// The program names the exercises that it is going to check, and what judges them is built then.
TEST_F(LauncherTest, WhatJudgesAnExerciseIsBuiltWhenItIsAskedFor) {
  Launch({"check", "1"});
  ToolsRun();
  WriteText(tree_ / "build/build.ninja", "build tests/suites/01_x_a_suite: cpp_LINKER\n");
  Tool("ninja", "shift 2; echo \"$@\" >>'" + Log().string() + "'");
  const ProgramRun run = Launch({"--build-suites", "01_x_a", "01_x_without_suite"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(ToolsRun(), "ninja tests/suites/01_x_a_suite grader/worker/entry_01_x_a.a ");
  EXPECT_TRUE(std::filesystem::exists(tree_ / "build/setup.stamp.suite.01_x_a"));
  EXPECT_FALSE(std::filesystem::exists(tree_ / "build/setup.stamp.suite.01_x_without_suite"));
  EXPECT_NE(run.err.find("compiling the tests of this exercise,"), std::string::npos) << run.err;
  const ProgramRun all = Launch({"--build-suites"});
  EXPECT_NE(all.err.find("compiling the tests of these exercises,"), std::string::npos) << all.err;
  EXPECT_EQ(ToolsRun(), "ninja suites ");
  EXPECT_TRUE(std::filesystem::exists(tree_ / "build/setup.stamp.suites"));
}

TEST_F(LauncherTest, AnExerciseWhoseSuiteDoesNotCompileIsTriedAgain) {
  Launch({"check", "1"});
  WriteText(tree_ / "build/build.ninja", "build tests/suites/01_x_a_suite: cpp_LINKER\n");
  Tool("ninja", "echo 'suite.cc:1: error: it is broken'; exit 1");
  const ProgramRun run = Launch({"--build-suites", "01_x_a"});
  EXPECT_EQ(run.status, 3);
  EXPECT_NE(run.err.find("suite.cc:1: error: it is broken"), std::string::npos) << run.err;
  EXPECT_FALSE(std::filesystem::exists(tree_ / "build/setup.stamp.suite.01_x_a"));
}

/// The interpreter is compiled for this processor. In a folder that another machine has built, this one's
/// level is added.
TEST_F(LauncherTest, AnotherProcessorsLevelIsAdded) {
  Launch();
  const std::string here = ReadText(tree_ / "build/setup.levels");
  EXPECT_TRUE(here == "v1\n" || here == "v3\n" || here == "v4\n") << here;
  ToolsRun();
  const std::string other = here == "v1\n" ? "v3" : "v1";
  WriteText(tree_ / "build/setup.levels", other + "\n");
  EXPECT_EQ(Launch().out, "ran list\n");
  EXPECT_EQ(ToolsRun(), "meson ninja ");
  EXPECT_EQ(ReadText(tree_ / "build/setup.levels"),
            other == "v1" ? "v1 " + here : here.substr(0, 2) + " v3\n");
  Launch();
  EXPECT_EQ(ToolsRun(), "");
}

TEST_F(LauncherTest, RunsFromAnyFolderAndThroughALink) {
  std::filesystem::create_symlink(tree_ / "warplings", scratch_.path() / "link");
  ProgramOptions options;
  options.folder = "/";
  options.environment["PATH"] = (scratch_.path() / "bin").string() + ":" +
                                (scratch_.path() / "toolkit/bin").string() + ":/usr/bin:/bin";
  EXPECT_EQ(RunProgram({scratch_.path() / "link", "list"}, options).out, "ran list\n");
  EXPECT_TRUE(std::filesystem::exists(tree_ / "build/setup.stamp.check"));
}

TEST_F(LauncherTest, ConcurrentLaunchesBuildOnce) {
  Tool("ninja", "sleep 0.5\n" + kNinja);
  const ProgramRun both = RunProgram({"sh", "-c",
                                      "PATH='" + (scratch_.path() / "bin").string() + ":" +
                                          (scratch_.path() / "toolkit/bin").string() + ":/usr/bin:/bin'; '" +
                                          (tree_ / "warplings").string() + "' list & '" +
                                          (tree_ / "warplings").string() + "' list; wait"});
  EXPECT_EQ(both.out, "ran list\nran list\n") << both.err;
  const std::string tools = ToolsRun();
  EXPECT_EQ(std::count(tools.begin(), tools.end(), 'j'), 1) << tools;
}

/// A PATH with what the launcher itself needs, but without sudo and packages, for an ordinary user.
TEST_F(LauncherTest, WithoutRightsItPrintsTheCommand) {
  const std::filesystem::path bin = scratch_.path() / "bare";
  std::filesystem::create_directories(bin);
  for (const char* tool :
       {"bash", "env", "readlink", "mkdir", "flock", "find", "cat", "sed", "dirname", "python3"}) {
    const ProgramRun where = RunProgram({"sh", "-c", std::string("command -v ") + tool});
    ASSERT_EQ(where.status, 0) << tool;
    std::filesystem::create_symlink(where.out.substr(0, where.out.size() - 1), bin / tool);
  }
  Tool("id", "echo 1000", "bare");
  Tool("apt-get", "exit 1", "bare");
  const ProgramRun run = Launch({"list"}, bin.string());
  EXPECT_EQ(run.status, 3) << run.err;
  EXPECT_NE(run.err.find("sudo apt-get update && sudo apt-get install -y --no-install-recommends g++ meson"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(ToolsRun(), "") << "nothing was installed";
}

}  // namespace
}  // namespace warplings::cli_test
