// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "grader/base/atomic_file.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/graded_class.h"
#include "grader/cli/supervise.h"
#include "grader/gradebook/gather_grades.h"
#include "grader/messages/command_line.h"
#include "grader/messages/teaching_commands.h"
#include "grader/report/lms_gradebook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExportFooter =
    "Fills one column of a gradebook that Canvas or Moodle exported with the final points in OUT, and\n"
    "writes a file that you import there. Students are found by the roster's ids, else by name. A grade\n"
    "that was entered there by hand stays if this class has none for that student.\n"
    "\n"
    "  Canvas   Grades, Export, Export Entire Gradebook; create the assignment there first\n"
    "  Moodle   Grades, Export, Plain text file; or an assignment's grading worksheet\n"
    "\n"
    "Examples:\n"
    "  warplings export graded/ --canvas Grades-CS101.csv --column \"Week 1\"\n"
    "  warplings export graded/ --moodle \"CS101 Grades.csv\" --column \"Assignment: Week 1 (Real)\"\n"
    "\n"
    "Exit status: 0 the file has every student of the class; 1 some are missing, or it is unclear which\n"
    "line is theirs: they are listed; 2 wrong usage, and no file is written; 3 the grader itself failed.";

struct ExportOptions {
  fs::path out, canvas, moodle, to;
  std::string column;
  bool scale = false;
  Layout layout = ThisLayout();
};

template <class Row>
void WarnOfEach(const Row& row, const std::vector<std::string>& names) {
  for (const std::string& name : names) Warn(row(Printable(name)));
}

int Export(const ExportOptions& options) {
  if (options.canvas.empty() == options.moodle.empty()) {
    return ReportError(UsageError(say::name_lms_gradebook(), say::see_command("warplings export --help")));
  }
  const bool is_canvas = !options.canvas.empty();
  const auto exported = ReadNamedFile(is_canvas ? options.canvas : options.moodle);
  if (!exported) return ReportError(exported.error());
  const auto opened = OpenGradedClass(options.out);
  if (!opened) return ReportError(opened.error());
  if (const Status named = CheckHasNames(*opened); !named) return ReportError(named.error());
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root);
  if (!workbook) return ReportError(workbook.error());
  const auto grades = GatherGrades(opened->gradebook, *workbook);
  if (!grades) return ReportError(grades.error());
  const LmsRequest request{*exported, options.column, options.scale};
  const auto filled = is_canvas ? FillCanvas(*grades, request) : FillMoodle(*grades, request);
  if (!filled) {
    const int status = ReportError(filled.error());
    WarnFurther(say::no_file_was_written());
    return status;
  }
  const fs::path file =
      !options.to.empty() ? options.to : options.out / (is_canvas ? "canvas.csv" : "moodle.csv");
  if (const Status written = WriteFileAtomically(file, filled->text); !written) {
    return ReportError(written.error());
  }
  PrintLine(say::filled_for(file.string(), Printable(filled->column),
                            say::Count(filled->filled.size(), "student"), grades->students.size()));
  std::fflush(stdout);
  WarnOfEach(say::stays_as_it_was, filled->left);
  WarnOfEach(say::stays_as_it_is_not_clear, filled->doubtful);
  WarnOfEach(say::not_in_export, filled->not_in_export);
  if (filled->not_in_export.empty() && filled->doubtful.empty()) return kExitPassed;
  WarnFurther(say::enter_these_by_hand());
  return kExitNotPassed;
}

std::vector<Option> DescribeExport(ExportOptions& options) {
  return {
      {.name = "OUT", .target = &options.out, .help = kGradedClassHelp, .required = true},
      {.name = "--canvas",
       .target = &options.canvas,
       .help = "Gradebook exported from Canvas",
       .value_name = "FILE",
       .excludes = "--moodle"},
      {"--moodle", &options.moodle, "Gradebook or grading worksheet exported from Moodle", "FILE"},
      {"--column", &options.column, "Column to fill; for Canvas also the assignment's id", "NAME"},
      {"--scale", &options.scale,
       "Convert points in proportion if the assignment is worth another number there"},
      {"--to", &options.to, "File to write; default: OUT/canvas.csv or OUT/moodle.csv", "FILE"},
      {"--workbook", &options.layout.root, "Folder that holds chapters/; default: this workbook", "WORKBOOK"},
  };
}

}  // namespace

Command MakeExportCommand() {
  auto options = std::make_shared<ExportOptions>();
  return {"export", TeachingHelp("export"), DescribeExport(*options), kExportFooter,
          [options] { return Supervise([options] { return Export(*options); }); }};
}

}  // namespace warplings
