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
    "which tests failed, and which misconceptions were met. Nobody is named. Each OUT is a column, under\n"
    "the folder's name. The weeks of a term's folder share a column; a week that grades an exercise once\n"
    "more has one of its own.\n"
    "\n"
    "Examples:\n"
    "  warplings statistics graded/                              a term: its weeks' exercises\n"
    "  warplings statistics graded/ --short                      who passed, and the misconceptions\n"
    "  warplings statistics 2025-autumn/ 2026-autumn/\n"
    "  warplings statistics 2025-autumn/ 2026-autumn/ --csv statistics.csv\n"
    "\n"
    "Exit status: 0 printed; 2 wrong usage; 3 the grader itself failed.";

struct StatisticsOptions {
  std::vector<std::string> outs;
  fs::path csv;
  bool is_short = false;
  Layout layout = ThisLayout();
};

std::string TermName(const fs::path& out) {
  const fs::path whole = fs::absolute(out).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

/// What is compared, and the columns' names.
struct Terms {
  std::vector<TermRates> rates;
  std::vector<std::string> names;

  bool HasExerciseOf(const std::string& term, const std::vector<TermRates>& others) const {
    return std::ranges::any_of(others, [&](const TermRates& other) {
      return std::ranges::any_of(
          rates, [&](const TermRates& each) { return each.term == term && each.exercise == other.exercise; });
    });
  }

  void Add(const std::string& term, const ClassGrades& grades) {
    if (std::ranges::count(names, term) == 0) names.push_back(term);
    AddTermRates(term, grades, rates);
  }
};

Status AddFolders(const std::string& out, const Workbook& workbook, Terms& terms) {
  const auto folders = FindGradedFolders(out);
  if (!folders) return folders.error();
  WarnOfGradedFoldersIn(out);
  const std::string term = std::ranges::count(terms.names, TermName(out)) == 0 ? TermName(out) : out;
  for (const fs::path& folder : *folders) {
    const auto opened = OpenGradedClass(folder);
    if (!opened) return opened.error();
    const auto grades = GatherGrades(opened->gradebook, workbook);
    if (!grades) return grades.error();
    WarnIfUnfinished(*opened, *grades);
    std::vector<TermRates> own;
    AddTermRates(term, *grades, own);
    terms.Add(terms.HasExerciseOf(term, own) ? term + "/" + TermName(folder) : term, *grades);
  }
  return Unit{};
}

int Statistics(const StatisticsOptions& options) {
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root);
  if (!workbook) return ReportError(workbook.error());
  Terms terms;
  for (const std::string& out : options.outs) {
    if (const Status added = AddFolders(out, *workbook, terms); !added) return ReportError(added.error());
  }
  std::vector<TermRates>& rates = terms.rates;
  std::vector<std::string> exercises;
  for (const Chapter& chapter : workbook->chapters) {
    for (const Exercise& each : chapter.exercises) exercises.push_back(each.chapter + "/" + each.id);
  }
  SortByExercise(exercises, rates);
  if (!options.csv.empty()) {
    const Status written = WriteFileAtomically(options.csv, StatisticsCsv(rates));
    if (!written) return ReportError(written.error());
  }
  if (options.is_short) {
    std::erase_if(rates, [](const TermRates& each) { return each.kind == TermRates::Kind::kTest; });
  }
  std::printf("%s", StatisticsText(terms.names, rates, DetectTerminalStyle(STDOUT_FILENO).columns).c_str());
  return kExitPassed;
}

}  // namespace

Command MakeStatisticsCommand() {
  auto options = std::make_shared<StatisticsOptions>();
  std::vector<Option> described = {
      {.name = "OUT", .target = &options->outs, .help = kGradedFoldersHelp, .required = true},
      {"--csv", &options->csv, "Also write all figures to this file", "FILE"},
      {"--short", &options->is_short, "Leave out the single tests"},
      {"--workbook", &options->layout.root, "Folder that holds chapters/; default: this workbook",
       "WORKBOOK"},
  };
  return {"statistics", TeachingHelp("statistics"), std::move(described), kStatisticsFooter,
          [options] { return Supervise([options] { return Statistics(*options); }); }};
}

}  // namespace warplings
