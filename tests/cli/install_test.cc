// SPDX-License-Identifier: Apache-2.0
// A tree that `meson install` made, moved to another place: it finds its parts and this machine's compilers,
// makes a student's workbook, checks what is in it, and updates it without touching what the student wrote.
#include <algorithm>
#include <cstdlib>
#include <regex>

#include "grader/base/replace.h"
#include "grader/base/shell.h"
#include "grader/workbook/student_workbook.h"
#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExercise = "chapters/01_boundary_checks/tiled_matmul.cu";
constexpr const char* kOther = "chapters/01_boundary_checks/out_of_range_loads.cu";

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class InstallTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = new ScratchFolder;
    const ProgramRun run =
        RunProgram({"meson", "install", "-C", ThisLayout().build, "--no-rebuild", "--quiet", "--tags",
                    "runtime,solutions", "--destdir", shared_->path() / "destination"});
    ASSERT_EQ(run.status, 0) << run.out << run.err;
    // A space, because a student's folder may have one.
    fs::rename((shared_->path() / "destination").string() + INSTALL_PREFIX, Tree());
  }
  static void TearDownTestSuite() {
    delete shared_;
    shared_ = nullptr;
  }

  static fs::path Tree() { return shared_->path() / "moved tree"; }
  static fs::path Chapters() { return Tree() / "share" / "warplings"; }
  fs::path Workbook() const { return scratch_.path() / "workbook"; }
  /// A text of the tree as `init` writes it: with the command that is there, whose path has a space.
  static std::string AsLaidDown(const std::string& text) {
    return ReplaceAll(text, "./warplings ", ShellWord((Tree() / "bin" / "warplings").string()) + " ");
  }

  /// The installed command, as a student would type it.
  ProgramRun Run(const std::vector<std::string>& arguments, ProgramOptions options = {}) const {
    return RunWrapped({}, arguments, std::move(options));
  }
  /// The same, started by a program that changes what it sees.
  ProgramRun RunWrapped(std::vector<std::string> command, const std::vector<std::string>& arguments,
                        ProgramOptions options = {}) const {
    command.push_back(Tree() / "bin" / "warplings");
    command.insert(command.end(), arguments.begin(), arguments.end());
    if (options.folder.empty()) options.folder = scratch_.path();
    options.environment.try_emplace("XDG_STATE_HOME", scratch_.path() / "state");
    options.environment.try_emplace("XDG_DATA_HOME", scratch_.path() / "data");
    options.environment.try_emplace("XDG_CACHE_HOME", shared_->path() / "cache");
    options.environment.try_emplace("CUDA_VISIBLE_DEVICES", "");
    return RunProgram(command, options);
  }
  ProgramRun InWorkbook(const std::vector<std::string>& arguments) const {
    return Run(arguments, {.folder = Workbook() / "chapters" / "01_boundary_checks"});
  }
  void Init() const {
    const ProgramRun run = Run({"init", Workbook()});
    ASSERT_EQ(run.status, 0) << run.err;
  }

  /// Another version of the program, in which this starter is another one.
  class NewStarter {
   public:
    explicit NewStarter(const std::string& path) : file_(Chapters() / path), text_(ReadText(file_)) {
      WriteText(file_, New());
    }
    ~NewStarter() { WriteText(file_, text_); }
    NewStarter(const NewStarter&) = delete;
    NewStarter& operator=(const NewStarter&) = delete;
    std::string New() const { return "// better\n" + text_; }

   private:
    fs::path file_;
    std::string text_;
  };

  ScratchFolder scratch_;

 private:
  static ScratchFolder* shared_;
};

ScratchFolder* InstallTest::shared_ = nullptr;

TEST_F(InstallTest, AMovedTreeChecksWhatIsInAWorkbook) {
  const ProgramRun made = Run({"init", Workbook()});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(Has(made.out, AsLaidDown("Next: cd workbook && ./warplings check 1"))) << made.out;
  EXPECT_EQ(ReadText(Workbook() / kExercise), AsLaidDown(ReadText(ThisLayout().root / kExercise)));
  EXPECT_FALSE(fs::exists(Workbook() / "chapters" / "01_boundary_checks" / "chapter.toml"))
      << "hints, and what wrong answers are told, are not laid down";

  EXPECT_TRUE(Has(InWorkbook({"check", "tiled_matmul"}).out, "begin at TODO 1, line 24"));
  const ProgramRun starter = InWorkbook({"check", "tiled_matmul", "--speed", "off", "--verbose"});
  EXPECT_EQ(starter.status, 1) << starter.out << starter.err;
  EXPECT_TRUE(Has(starter.out, "tiled_matmul.cu, on virtual")) << starter.out;
  EXPECT_TRUE(fs::is_regular_file(Tree() / "lib/warplings/setup/tools")) << "for everybody on this machine";
  // A student's own solution, and the header is the program's whatever became of the workbook's.
  WriteText(Workbook() / kExercise, ReadText(Chapters() / "solutions/01_boundary_checks/tiled_matmul.cu"));
  WriteText(Workbook() / "chapters/01_boundary_checks/tiled_matmul.h", "#error \"not this one\"\n");
  const ProgramRun solved = InWorkbook({"check", "tiled_matmul", "--speed", "off"});
  EXPECT_EQ(solved.status, 0) << solved.out << solved.err;
  EXPECT_TRUE(Has(InWorkbook({"list"}).out, "passed"));
  // What is to be typed next is what was typed: the name alone where it is on PATH.
  const fs::path bin = Tree() / "bin";
  EXPECT_TRUE(Has(solved.out, (bin / "warplings").string() + " check repair_tiled_matmul")) << solved.out;
  const std::string path = bin.string() + ":" + std::getenv("PATH");
  const ProgramRun next = Run({"next"}, {.environment = {{"PATH", path}}, .folder = Workbook()});
  EXPECT_TRUE(Has(next.out, " warplings check repair_tiled_matmul\n")) << next.out;
  // Once the handouts are there, they are opened and not built again; from a folder below, too.
  fs::create_directories(Workbook() / "handouts" / "students");
  WriteText(Workbook() / "handouts" / "students" / "01_boundary_checks.html", "");
  const std::string page = "handouts/students/01_boundary_checks.html#repair_tiled_matmul\n";
  const ProgramRun below = InWorkbook({"next"});
  EXPECT_TRUE(Has(below.out, "  file:///")) << below.out;
  EXPECT_TRUE(Has(below.out, page)) << below.out;
  EXPECT_EQ(InWorkbook({"check", "tiled_matmul", "--solution", "--speed", "off"}).status, 0);
}

/// Installed by an administrator: what is found on the machine goes to the student's own folder.
/// Of what the tree does not have, a guide says the words without a link.
TEST_F(InstallTest, ItsGuidesLinkToWhatItHasAndItsHelpNamesThem) {
  const std::regex link(R"((^|[^!`])\[[^\]]+\]\(([^)\s:#]+)(#[^)]*)?\))");
  int links = 0;
  for (const auto& entry : fs::recursive_directory_iterator(Chapters())) {
    if (entry.path().extension() != ".md") continue;
    const std::string text = ReadText(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at, ++links)
      EXPECT_TRUE(fs::exists(entry.path().parent_path() / (*at)[2].str()))
          << entry.path() << ": " << (*at)[0];
  }
  EXPECT_GT(links, 20);
  const std::string guides = (Chapters() / "docs").string() + "/";
  EXPECT_TRUE(Has(Run({"help"}).out, "Instructors: begin with " + guides + "instructor.md."));
  EXPECT_TRUE(Has(Run({"--lang", "zh_Hant", "help"}).out, guides + "instructor.md"));
  for (const auto& [verb, guide] :
       std::initializer_list<std::pair<const char*, const char*>>{{"grade", "course.md"},
                                                                  {"grade", "cluster.md"},
                                                                  {"course", "course.md"},
                                                                  {"check", "result.schema.json"}}) {
    const std::string help = Run({"help", verb}).out;
    EXPECT_TRUE(Has(help, guides + guide)) << help;
    EXPECT_FALSE(std::regex_search(help, std::regex("[ (]docs/"))) << help;
  }
}

TEST_F(InstallTest, ATreeThatCannotBeWrittenChecksToo) {
  Init();
  const fs::path setup = Tree() / "lib" / "warplings" / "setup";
  fs::remove_all(setup);
  const ProgramRun run =
      RunWrapped({"/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", Tree(), Tree()},
                 {"check", "tiled_matmul", "--solution", "--speed", "off"}, {.folder = Workbook()});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_TRUE(fs::is_regular_file(scratch_.path() / "data/warplings/tools"));
  EXPECT_FALSE(fs::exists(setup));
}

/// A stand-in for python3 makes no environment, so that nothing is installed.
TEST_F(InstallTest, WithoutACompilerItSaysSoAndLaysOutWorkbooksAllTheSame) {
  const fs::path setup = Tree() / "lib" / "warplings" / "setup";
  fs::remove_all(setup);
  WriteText(scratch_.path() / "bin" / "python3", "#!/bin/sh\nexit 0\n");
  fs::permissions(scratch_.path() / "bin" / "python3", fs::perms::owner_all);
  ProgramOptions options;
  options.environment = {{"PATH", (scratch_.path() / "bin").string() + ":/usr/bin:/bin"}, {"CUDA_HOME", ""}};
  const std::vector<std::string> without = {"/usr/bin/bwrap", "--dev-bind", "/", "/",
                                            "--tmpfs",        "/usr/local"};
  EXPECT_EQ(RunWrapped(without, {"init", Workbook()}, options).status, 0);
  EXPECT_EQ(RunWrapped(without, {"list"}, options).status, 0);
  const ProgramRun run = RunWrapped(without, {"check", "1"}, options);
  EXPECT_EQ(run.status, 3) << run.out;
  EXPECT_TRUE(Has(run.err, "no CUDA compiler (12 or later) found")) << run.err;
  EXPECT_FALSE(fs::exists(setup / "tools"));
  fs::remove_all(setup);
}

TEST_F(InstallTest, OutsideAWorkbookItSaysHowToMakeOne) {
  const std::vector<std::vector<std::string>> commands = {{"check"},
                                                          {"update"},
                                                          {"status"},
                                                          {"next"},
                                                          {"hint"},
                                                          {"hint", "tiled_matmul"},
                                                          {"reset", "tiled_matmul"},
                                                          {"watch"}};
  for (const std::vector<std::string>& command : commands) {
    const ProgramRun run = Run(command);
    EXPECT_EQ(run.status, 2) << command[0];
    EXPECT_EQ(run.out, "") << command[0];
    EXPECT_TRUE(Has(run.err, "not in a workbook") && Has(run.err, "warplings init DIR")) << run.err;
  }
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"list"}, {"list", "1"}}) {
    const ProgramRun run = Run(command);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_TRUE(Has(run.out, "tiled_matmul") && !Has(run.out, "to do") && !Has(run.out, Chapters()))
        << run.out;
    EXPECT_TRUE(Has(run.out, "not in a workbook") && Has(run.out, "warplings init DIR")) << run.out;
    EXPECT_EQ(run.err, "");
  }
  Init();
  EXPECT_EQ(InWorkbook({"status"}).status, 0);
  EXPECT_TRUE(Has(InWorkbook({"list"}).out, "to do"));
  for (const char* command : {"selftest", "verify"}) {
    const ProgramRun run = Run({command});
    EXPECT_EQ(run.status, 2) << command;
    EXPECT_TRUE(Has(run.err, "works only in the source tree")) << run.err;
  }
}

TEST_F(InstallTest, HandoutsSayWhatIsTypedHereAndWhatIsSolved) {
  Init();
  WriteText(Workbook() / "chapters/03_dynamic_shared_memory/tile_for_device.cu",
            ReadText(ThisLayout().root / "solutions/03_dynamic_shared_memory/tile_for_device.cu"));
  ASSERT_EQ(InWorkbook({"check", "tile_for_device", "--speed", "off"}).status, 0);
  const auto has_passed = [&] {
    return Has(ReadText(Workbook() / "handouts/students/index.html"), "<li class=\"passed\">");
  };
  // Pages for others show nobody's progress.
  const std::vector<std::string> build = {"handouts", "3", "--paper", "none", "--lang", "en"};
  std::vector<std::string> for_others = build;
  for_others.insert(for_others.end(), {"--command", "warplings"});
  ASSERT_EQ(InWorkbook(for_others).status, 0);
  EXPECT_FALSE(has_passed());
  const ProgramRun run = InWorkbook(build);
  EXPECT_TRUE(has_passed());
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string page = ReadText(Workbook() / "handouts" / "students" / "03_dynamic_shared_memory.html");
  EXPECT_TRUE(Has(page, "moved tree/bin/warplings&#39; drill 3<")) << page.size();
  EXPECT_FALSE(Has(page, "./warplings"));
}

TEST_F(InstallTest, UpdateBringsStartersAndKeepsWhatWasEdited) {
  Init();
  WriteText(Workbook() / kExercise, "// mine\n");
  EXPECT_TRUE(Has(InWorkbook({"update"}).out, "up to date"));
  const NewStarter edited(kExercise), unedited(kOther);
  const ProgramRun run = InWorkbook({"update"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(Has(run.out, "updated  out_of_range_loads.cu")) << run.out;
  EXPECT_TRUE(
      Has(run.out, "yours    tiled_matmul.cu keeps your changes; the new version is tiled_matmul.cu.new"))
      << run.out;
  EXPECT_EQ(ReadText(Workbook() / kOther), AsLaidDown(unedited.New()));
  EXPECT_EQ(ReadText(Workbook() / kExercise), "// mine\n");
  EXPECT_EQ(ReadText((Workbook() / kExercise).string() + ".new"), AsLaidDown(edited.New()));
  EXPECT_TRUE(Has(InWorkbook({"update"}).out, "up to date"));
  EXPECT_EQ(InWorkbook({"list"}).status, 0) << "the file beside is no exercise";
}

TEST_F(InstallTest, KilledInTheMiddleItLeavesWholeFiles) {
  const std::string starter = AsLaidDown(ReadText(Chapters() / kExercise));
  int killed = 0;
  for (int milliseconds = 5; milliseconds <= 200; milliseconds += 15) {
    fs::remove_all(Workbook());
    const ProgramRun run = Run({"init", Workbook()}, {.kill_after = std::chrono::milliseconds(milliseconds)});
    killed += run.status != 0;
    const std::string left = ReadText(Workbook() / kExercise);
    EXPECT_TRUE(left.empty() || left == starter) << milliseconds;
    // The launcher is what was killed; what it had become may need a moment to be gone.
    ProgramRun again = Run({"init", Workbook()});
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(ReadText(Workbook() / kExercise), starter) << milliseconds;
    EXPECT_FALSE(fs::exists(Workbook() / kWorkbookMarker / "incoming")) << milliseconds;
  }
  EXPECT_GT(killed, 0);
}

TEST_F(InstallTest, AFolderThatCannotBeWrittenIsNamedAndLeftAlone) {
  Init();
  const std::string before = ReadText(LaidDownFile(Workbook()));
  const NewStarter better(kExercise);
  const ProgramRun run =
      RunWrapped({"/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", Workbook(), Workbook()}, {"update"},
                 {.folder = Workbook()});
  EXPECT_EQ(run.status, 2) << run.out;
  EXPECT_TRUE(Has(run.err, "cannot write " + Workbook().string()) && Has(run.err, "Read-only file system"))
      << run.err;
  EXPECT_EQ(ReadText(LaidDownFile(Workbook())), before);
  fs::create_directory(scratch_.path() / "locked");
  const fs::path locked = scratch_.path() / "locked";
  const ProgramRun made = RunWrapped({"/usr/bin/bwrap", "--dev-bind", "/", "/", "--ro-bind", locked, locked},
                                     {"init", locked / "book"});
  EXPECT_EQ(made.status, 2) << made.out;
  EXPECT_TRUE(Has(made.err, "Read-only file system")) << made.err;
  const ProgramRun occupied = Run({"init", scratch_.path()});
  EXPECT_EQ(occupied.status, 2);
  EXPECT_TRUE(Has(occupied.err, "is neither empty nor a workbook")) << occupied.err;
}

/// A file system of 32 KiB: not all starters find room, and then none is laid down.
TEST_F(InstallTest, AFullDiskIsNamedAndLeavesNoPieces) {
  const fs::path small = scratch_.path() / "small";
  fs::create_directory(small);
  const ProgramRun run =
      RunProgram({"/usr/bin/bwrap", "--dev-bind", "/", "/", "--size", "32768", "--tmpfs", small, "/bin/sh",
                  "-c", "\"$0\" init \"$1\"; echo status $?; find \"$1\" -type f",
                  Tree() / "bin" / "warplings", small / "book"});
  EXPECT_EQ(run.out, "status 2\n") << run.out;
  EXPECT_TRUE(Has(run.err, "No space left on device") && Has(run.err, "Free some space")) << run.err;
}

}  // namespace
}  // namespace warplings::cli_test
