// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "grader/base/atomic_file.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/graded_class.h"
#include "grader/cli/supervise.h"
#include "grader/gradebook/gather_grades.h"
#include "grader/report/term_statistics.h"
#include "grader/report/terminal_report.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStatisticsFooter =
    "Compares graded classes, for example from term to term. For each exercise: how many students passed,\n"
    "which tests failed, and which misconceptions were met. Nobody is named. Each OUT is a folder that\n"
    "`warplings grade` wrote, and appears under the folder's name.\n"
    "\n"
    "Examples:\n"
    "  warplings statistics 2025-autumn/ 2026-autumn/\n"
    "  warplings statistics 2025-autumn/ 2026-autumn/ --csv statistics.csv\n"
    "\n"
    "Exit status: 0 printed; 2 wrong usage; 3 the grader itself failed.";

struct StatisticsOptions {
  std::vector<std::string> outs;
  fs::path csv;
  Layout layout = ThisLayout();
};

std::string TermName(const fs::path& out) {
  const fs::path whole = fs::absolute(out).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

int Statistics(const StatisticsOptions& options) {
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root);
  if (!workbook) return ReportError(workbook.error());
  std::vector<TermRates> rates;
  std::vector<std::string> terms;
  for (const std::string& out : options.outs) {
    const auto opened = OpenGradedClass(out);
    if (!opened) return ReportError(opened.error());
    const auto grades = GatherGrades(opened->gradebook, *workbook);
    if (!grades) return ReportError(grades.error());
    const std::string term = TermName(out);
    terms.push_back(std::ranges::count(terms, term) == 0 ? term : out);
    AddTermRates(terms.back(), *grades, rates);
  }
  std::vector<std::string> exercises;
  for (const Chapter& chapter : workbook->chapters) {
    for (const Exercise& each : chapter.exercises) exercises.push_back(each.chapter + "/" + each.id);
  }
  SortByExercise(exercises, rates);
  if (!options.csv.empty()) {
    const Status written = WriteFileAtomically(options.csv, StatisticsCsv(rates));
    if (!written) return ReportError(written.error());
  }
  std::printf("%s", StatisticsText(terms, rates, DetectTerminalStyle(STDOUT_FILENO).columns).c_str());
  return kExitPassed;
}

}  // namespace

Command MakeStatisticsCommand() {
  auto options = std::make_shared<StatisticsOptions>();
  std::vector<Option> described = {
      {.name = "OUT", .target = &options->outs, .help = kGradedClassHelp, .required = true},
      {"--csv", &options->csv, "Also write all figures to this file", "FILE"},
      {"--workbook", &options->layout.root, "Folder that holds chapters/; default: this workbook",
       "WORKBOOK"},
  };
  return {"statistics", TeachingHelp("statistics"), std::move(described), kStatisticsFooter,
          [options] { return Supervise([options] { return Statistics(*options); }); }};
}

}  // namespace warplings
