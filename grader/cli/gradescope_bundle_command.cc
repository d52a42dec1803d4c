// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "grader/cli/command.h"
#include "grader/cli/graded_class.h"
#include "grader/core/layout.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/command_line.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/grade_outputs.h"
#include "grader/pipeline/run_program.h"
#include "grader/workbook/exercise.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGradescopeBundleFooter =
    "Writes the zip file that Gradescope takes as an autograder. Gradescope builds an image from it once,\n"
    "and grades each submission as soon as it is handed in. The sandbox must work in that image; the log\n"
    "of the build shows what `warplings doctor` found.\n"
    "\n"
    "If it does not work there, grade on a machine of your own: export the submissions from Gradescope,\n"
    "grade them, upload a bundle with these results (--graded), and choose \"Regrade all submissions\".\n"
    "\n"
    "Examples:\n"
    "  warplings gradescope-bundle tiled_matmul --out autograder.zip\n"
    "  warplings gradescope-bundle --graded graded/ --out autograder.zip\n"
    "\n"
    "Exit status: 0 written; 2 wrong usage; 3 the grader itself failed.";

struct BundleOptions {
  std::vector<std::string> what;
  fs::path out, graded;
};

int MakeBundle(const BundleOptions& options) {
  const Layout layout = ThisLayout();
  if (options.what.empty() == options.graded.empty()) {
    return ReportError(
        UsageError(say::name_exercises_or_graded(), say::see_command("warplings gradescope-bundle --help")));
  }
  std::vector<std::string> command = {layout.PythonProgram().string(), "-B",
                                      (layout.root / "packaging" / "gradescope" / "make_bundle.py").string()};
  if (options.graded.empty()) {
    const Result<Workbook> workbook = LoadWorkbook(layout.root);
    if (!workbook) return ReportError(workbook.error());
    for (const std::string& what : options.what) {
      if (const auto selected = SelectExercises(*workbook, what); !selected)
        return ReportError(selected.error());
    }
    // Of an installed tree PREFIX, which holds bin/, lib/ and share/.
    const fs::path tree = layout.is_installed ? layout.root.parent_path().parent_path() : layout.root;
    command.insert(command.end(), {tree.string(), options.out.string()});
    command.insert(command.end(), options.what.begin(), options.what.end());
  } else {
    std::error_code error;
    if (!fs::is_directory(GradeOutputs{options.graded}.Gradescope(), error)) {
      return ReportError(
          UsageError(say::no_results_for_gradescope(options.graded.string()), say::name_graded_folder()));
    }
    const auto opened = OpenGradedClass(options.graded);
    if (!opened) return ReportError(opened.error());
    if (const Status named = CheckHasNames(*opened); !named) return ReportError(named.error());
    command.insert(command.end(), {"--graded", options.graded.string(), options.out.string()});
  }
  const Result<int> status = RunProgram(command, say::install_python3());
  if (!status) return ReportError(status.error());
  if (*status == 0) return kExitPassed;
  return ReportError(GraderError(say::bundle_not_written(), say::reason_stands_above()));
}

}  // namespace

Command MakeGradescopeBundleCommand() {
  auto options = std::make_shared<BundleOptions>();
  std::vector<Option> described = {
      {"WHAT", &options->what, "Exercises or chapters, as for check"},
      {.name = "--out",
       .target = &options->out,
       .help = "File to write",
       .value_name = "autograder.zip",
       .required = true},
      {"--graded", &options->graded,
       "Hand out the results of this graded folder, instead of grading on Gradescope", "OUT"},
  };
  return {"gradescope-bundle", TeachingHelp("gradescope-bundle"), std::move(described),
          kGradescopeBundleFooter, [options] { return MakeBundle(*options); }};
}

}  // namespace warplings
