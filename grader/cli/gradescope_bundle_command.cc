// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include "grader/base/csv.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/graded_class.h"
#include "grader/cli/gradescope_bundle.h"
#include "grader/core/layout.h"
#include "grader/core/student_identity.h"
#include "grader/gradebook/gather_grades.h"
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
    "This autograder gives the workbook's points: all of an exercise's, or none. It reads no course.toml, "
    "so\n"
    "there are no other points, no points per test, no rubric, no deduction and no extension.\n"
    "\n"
    "If you need these, or if the sandbox does not work there, grade on a machine of your own: export the\n"
    "submissions from Gradescope, grade them, upload a bundle with these results (--graded), and choose\n"
    "\"Regrade all submissions\".\n"
    "\n"
    "Examples:\n"
    "  warplings gradescope-bundle tiled_matmul --out autograder.zip\n"
    "  warplings gradescope-bundle --graded graded/ --out autograder.zip\n"
    "\n"
    "Exit status: 0 written; 1 written, but members of a group have different points: they are listed; 2 "
    "wrong\n"
    "usage; 3 the grader itself failed.";

struct BundleOptions {
  std::vector<std::string> what;
  fs::path out, graded;
};

int RunBundler(const Layout& layout, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {layout.PythonProgram().string(), "-B",
                                      (layout.root / "packaging" / "gradescope" / "make_bundle.py").string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::fflush(stdout);
  const Result<int> status = RunProgram(command, say::install_python3());
  if (!status) return ReportError(status.error());
  // Of a dry run that found changes; any other status is Python's.
  constexpr int kChanges = 10;
  if (*status == kChanges) return kExitNotPassed;
  if (*status == 0) return kExitPassed;
  return ReportError(GraderError(say::bundle_not_written(), say::reason_stands_above()));
}

int MakeBundle(const BundleOptions& options) {
  const Layout layout = ThisLayout();
  if (options.what.empty() == options.graded.empty()) {
    return ReportError(
        UsageError(say::name_exercises_or_graded(), say::see_command("warplings gradescope-bundle --help")));
  }
  const Result<Workbook> workbook = LoadWorkbook(layout.root);
  if (!workbook) return ReportError(workbook.error());
  if (!options.graded.empty()) {
    const auto opened = OpenGradedClass(options.graded);
    if (!opened) return ReportError(opened.error());
    if (const Status named = CheckHasNames(*opened); !named) return ReportError(named.error());
    const auto grades = GatherGrades(opened->gradebook, *workbook);
    if (!grades) return ReportError(grades.error());
    const int packed = PackGradedForGradescope(options.graded, options.out, false);
    if (packed != kExitPassed) return packed;
    std::fflush(stdout);
    return WarnOfUnequalGroups(*grades) ? kExitNotPassed : kExitPassed;
  }
  std::vector<std::string> exercises;
  for (const std::string& what : options.what) {
    const auto selected = SelectExercises(*workbook, what);
    if (!selected) return ReportError(selected.error());
    for (const Exercise* each : *selected) {
      if (std::ranges::count(exercises, each->id) == 0) exercises.push_back(each->id);
    }
  }
  // Of an installed tree PREFIX, which holds bin/, lib/ and share/.
  const fs::path tree = layout.is_installed ? layout.root.parent_path().parent_path() : layout.root;
  std::vector<std::string> arguments = {tree.string(), options.out.string()};
  arguments.insert(arguments.end(), options.what.begin(), options.what.end());
  const int status = RunBundler(layout, arguments);
  if (status == kExitPassed) PrintLine(say::bundle_grades(options.out.string(), Joined(exercises, ", ")));
  return status;
}

}  // namespace

int PackGradedForGradescope(const fs::path& out, const fs::path& file, bool dry_run) {
  std::error_code error;
  if (!fs::is_directory(GradeOutputs{out}.Gradescope(), error)) {
    return ReportError(UsageError(say::no_results_for_gradescope(out.string()), say::name_graded_folder()));
  }
  return RunBundler(ThisLayout(), {dry_run ? "--changes" : "--graded", out.string(), file.string()});
}

bool WarnOfUnequalGroups(const ClassGrades& grades) {
  std::map<std::string, std::vector<const StudentGrades*>> groups;
  for (const StudentGrades& each : grades.students) {
    if (!each.handed_in_as.empty()) groups[each.handed_in_as].push_back(&each);
  }
  bool is_one = false;
  for (const auto& [entry, members] : groups) {
    std::vector<std::string> names;
    for (const StudentGrades* each : members)
      names.push_back(Printable(NameAndLogin(*each)) + " " + CsvNumber(each->points));
    const auto differs = [&](const StudentGrades* each) { return each->points != members.front()->points; };
    if (std::ranges::none_of(members, differs)) continue;
    Warn(say::group_has_different_points(Joined(names, "; ")));
    is_one = true;
  }
  if (is_one) WarnFurther(say::enter_groups_by_hand());
  return is_one;
}

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
