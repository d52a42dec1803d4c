// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "grader/base/catalogue.h"
#include "grader/cli/command.h"
#include "grader/cli/supervise.h"
#include "grader/core/layout.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/command_line.h"
#include "grader/messages/teaching_commands.h"
#include "grader/messages/workbook.h"
#include "grader/pipeline/run_program.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/student_edition.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPackageFooter =
    "Makes a folder with all that a student needs besides g++ and the CUDA toolkit: chapters, built\n"
    "tests, handouts and ./warplings. It holds no solutions and no mutants. Hints, advice and baselines\n"
    "are in one file that is covered, not encrypted: a student who takes the program apart can read them.\n"
    "\n"
    "The first run takes minutes, mostly for printing the handouts as PDF (--paper none leaves that out).\n"
    "The PDFs are kept for the next run.\n"
    "\n"
    "Examples:\n"
    "  warplings package --students ~/cuda-2027\n"
    "  warplings package --students ~/cuda-2027 --wheel ~/wheels    and a package for pip\n"
    "\n"
    "Exit status: 0 made; 2 wrong usage; 3 the grader itself failed.";

struct PackageOptions {
  fs::path students, wheel;
  std::string paper = "both";
  bool without_handouts = false;
};

/// What is being done, on a terminal: a line for each step, because the tools that it calls write lines of
/// their own.
class Steps {
 public:
  explicit Steps(const PackageOptions& options)
      : shows_(::isatty(STDERR_FILENO) != 0),
        most_(2 + std::size_t{!options.without_handouts} + std::size_t{!options.wheel.empty()}) {}

  void Begin(const Message& what) {
    ++begun_;
    if (shows_) std::fprintf(stderr, "%s\n", Words(say::step_of_steps(begun_, most_, what)).c_str());
  }

 private:
  bool shows_;
  std::size_t begun_ = 0, most_;
};

/// Without links, "..", or a "/" at its end; the folder need not exist.
fs::path PlainFolder(const fs::path& folder) {
  std::error_code fault;
  return (fs::weakly_canonical(fs::absolute(folder, fault), fault) / "").lexically_normal().parent_path();
}

/// Whether the folder `inner` is `outer` or below it.
bool IsFolderIn(const fs::path& inner, const fs::path& outer) {
  const fs::path below = PlainFolder(inner).lexically_relative(PlainFolder(outer));
  return !below.empty() && *below.begin() != "..";
}

Status RunOurTool(const std::vector<std::string>& command, const Message& what, const Message& next_step) {
  const Result<int> status = RunProgram(command, next_step);
  if (!status) return status.error();
  if (*status != 0) return GraderError(what, say::reason_stands_above());
  return Unit{};
}

/// Meson's tree of this build below `folder`, whatever prefix it was configured with.
Result<fs::path> InstallBelow(const fs::path& folder, const Layout& layout) {
  const Status installed = RunOurTool({"meson", "install", "-C", layout.build.string(), "--no-rebuild",
                                       "--quiet", "--tags", "runtime", "--destdir", folder.string()},
                                      say::programs_not_installed(), say::install_meson());
  if (!installed) return installed.error();
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename() == "installed" && entry.path().parent_path().filename() == "warplings")
      return entry.path().parent_path().parent_path().parent_path();
  }
  return GraderError(say::programs_not_installed_below(folder.string()));
}

/// Built here, with nobody's progress in their index, in `folder` and, if there is a wheel, for its readers
/// in `of_wheel`: pip puts the program on PATH, so these pages call it by its name alone. Both in one run,
/// which says how far it is of all.
Status BuildHandouts(const PackageOptions& options, const fs::path& folder, const fs::path& of_wheel,
                     const fs::path& temporary, const Layout& layout) {
  ::setenv("XDG_STATE_HOME", (temporary / "state").c_str(), 1);
  // Where the pages lie is of no use to anybody: they go into the edition.
  std::vector<std::string> command = {"sh",
                                      "-c",
                                      "exec \"$0\" \"$@\" >/dev/null",
                                      layout.TeachingProgram().string(),
                                      "handouts",
                                      "--strict",
                                      "--out",
                                      folder.string(),
                                      "--paper",
                                      options.paper,
                                      "--command",
                                      "./warplings"};
  if (!options.wheel.empty()) command.insert(command.end(), {"--for-pip", of_wheel.string()});
  return RunOurTool(command, say::handouts_not_built(), say::leave_handouts_out());
}

/// What `pip install` brings a student: the edition's program with its handouts, without the workbook, which
/// `init` makes.
Status MakeWheel(const fs::path& edition, const fs::path& handouts, const fs::path& out,
                 const Layout& layout) {
  std::vector<std::string> command = {(layout.root / "packaging" / "wheel").string(), "--tree",
                                      (edition / "program").string(), "--out", out.string()};
  if (!handouts.empty()) {
    command.push_back("--handouts");
    command.push_back(handouts.string());
  }
  return RunOurTool(command, say::wheel_not_made(), say::wheel_needs_tools());
}

int Package(const PackageOptions& options) {
  const Layout layout = ThisLayout();
  // Supervise gave us a temporary folder of our own.
  const fs::path temporary = fs::temp_directory_path();
  std::error_code fault;
  const fs::path folder = fs::absolute(options.students, fault);
  if (fs::exists(fs::symlink_status(folder, fault)) && !fs::is_empty(folder, fault)) {
    return ReportError(UsageError(say::there_already(options.students.string()), say::name_new_folder()));
  }
  if (!options.wheel.empty() && IsFolderIn(options.wheel, folder)) {
    const std::string example = DisplayPath(PlainFolder(folder).parent_path() / "wheels");
    return ReportError(
        UsageError(say::wheel_in_edition(options.wheel.string()), say::name_folder_of_wheel(example)));
  }
  Steps steps(options);
  steps.Begin(say::copying_programs());
  const auto prefix = layout.is_installed ? Result<fs::path>(layout.root.parent_path().parent_path())
                                          : InstallBelow(temporary / "install", layout);
  if (!prefix) return ReportError(prefix.error());
  fs::path handouts, of_wheel;
  if (!options.without_handouts) {
    steps.Begin(say::building_handouts());
    handouts = temporary / "pages";
    of_wheel = temporary / "pages of the wheel";
    const Status built = BuildHandouts(options, handouts, of_wheel, temporary, layout);
    if (!built) return ReportError(built.error());
  }
  steps.Begin(say::making_edition());
  const Status made = MakeStudentEdition(*prefix, handouts, folder, ProgramVersion());
  if (!made) return ReportError(made.error());
  if (!options.wheel.empty()) {
    steps.Begin(say::making_wheel());
    if (const Status packed = MakeWheel(folder, of_wheel, options.wheel, layout); !packed)
      return ReportError(packed.error());
  }
  const std::string shown = DisplayPath(options.students);
  PrintLine(handouts.empty() ? say::made_edition_without_handouts(shown) : say::made_edition(shown));
  if (!layout.is_installed) PrintLine(say::edition_of_this_machine());
  std::puts("");
  PrintLine(say::next_is("cd " + shown + " && ./warplings check 1"));
  return kExitPassed;
}

}  // namespace

Command MakePackageCommand() {
  auto options = std::make_shared<PackageOptions>();
  const std::vector<std::string> papers = {"A4", "Letter", "both", "none"};
  std::vector<Option> described = {
      {.name = "--students",
       .target = &options->students,
       .help = "Folder to make; it must not exist yet",
       .value_name = "DIR",
       .required = true},
      {"--wheel", &options->wheel, "Also pack it for pip, as a wheel in this folder", "DIR"},
      {"--paper", OneOf{papers, [papers, options](std::size_t number) { options->paper = papers[number]; }},
       "Handouts as PDF for A4, Letter, both (default) or none; needs Chromium", "P"},
      {"--without-handouts", &options->without_handouts, "Leave the handouts out"}};
  return {"package", TeachingHelp("package"), std::move(described), kPackageFooter,
          [options] { return Supervise([options] { return Package(*options); }); }};
}

}  // namespace warplings
