// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

#include "grader/base/catalogue.h"
#include "grader/base/fit.h"
#include "grader/base/replace.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/supervise.h"
#include "grader/cli/typed_name.h"
#include "grader/cli/workbook_command.h"
#include "grader/core/layout.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/suite_programs.h"
#include "grader/pipeline/test_names.h"
#include "grader/pipeline/workbook_history.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/result_words.h"
#include "grader/report/terminal_report.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr const char* kListFooter =
    "Shows the result of each file's last check. \"edited since\": it passed, then changed; check it\n"
    "again. An exercise that has passed stays passed in your progress.\n\n"
    "--tests runs the exercise as it was handed out, and lists its tests: their names, as check --test and\n"
    "course.toml take them, their titles, and which of them the unchanged file passes. Numbers in titles\n"
    "differ from check to check.\n"
    "\n"
    "Examples:\n"
    "  warplings list\n"
    "  warplings list 7\n"
    "  warplings list tiled_matmul --tests";

struct ListOptions {
  std::vector<std::string> what;
  bool tests = false;
  Layout layout = LayoutOfCurrentWorkbook();
};

bool IsAsHandedOut(const Exercise& exercise, const std::filesystem::path& root) {
  const Result<std::string> present = ReadSubmission(exercise.starter),
                            original = HandedOutText(root, exercise.starter);
  return present && original && *present == *original;
}

std::string_view StateWords(const Exercise& exercise, const Progress& progress,
                            const std::filesystem::path& root) {
  const ExerciseState state = StateOf(exercise, progress);
  if (state == ExerciseState::kChanged && IsAsHandedOut(exercise, root)) return "passed before; reset since";
  switch (state) {
    case ExerciseState::kOpen: return "to do";
    case ExerciseState::kPassed: return "passed";
    case ExerciseState::kChanged: return "passed before; edited since";
    case ExerciseState::kBroken: return "passed before; now it fails";
  }
  return "";
}

std::string Points(double points) {
  return Words(points == 1 ? say::one_point() : say::points(PointsText(points)));
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// `line` if it fits, spaces and all; otherwise broken into lines.
std::string Fitted(const std::string& line, std::size_t columns, std::size_t indent) {
  if (DisplayWidth(line) <= columns) return line + "\n";
  std::string out;
  for (const std::string& part : WrappedLines(std::string_view(line).substr(indent), columns, indent))
    out += part + "\n";
  return out;
}

/// As Fitted, but never breaks a line within `command`, which is to be copied.
std::string FittedAround(const std::string& line, const std::string& command, std::size_t columns) {
  constexpr std::string_view kNoBreak = "\u00a0";
  if (DisplayWidth(command) > columns) return Fitted(line, columns, 0);  // There it would be cut.
  const std::string whole = ReplaceAll(line, command, ReplaceAll(command, " ", kNoBreak));
  return ReplaceAll(Fitted(whole, columns, 0), kNoBreak, " ");
}

using Table = std::vector<std::vector<std::string>>;
using Chosen = std::vector<const Exercise*>;
constexpr std::size_t kIndent = 3;

/// A row for each exercise that was chosen, with its title in the second column. Outside of a workbook
/// nothing has a state: "to do" would say that the points are lost.
Table RowsOf(const Chapter& chapter, const Chosen& chosen, const Progress& progress,
             const std::filesystem::path& root) {
  Table rows;
  for (const Exercise& exercise : chapter.exercises) {
    if (std::ranges::count(chosen, &exercise) == 0) continue;
    rows.push_back({exercise.id, exercise.title, Points(exercise.points)});
    if (NeedWorkbook(root)) rows.back().push_back(Translated(StateWords(exercise, progress, root)));
  }
  return rows;
}

bool FitsInOneLineEach(const Table& rows, std::size_t columns) {
  return std::ranges::all_of(Lines(AlignColumns(rows, kIndent)),
                             [&](const std::string& line) { return DisplayWidth(line) <= columns; });
}

/// The title goes below.
std::string InTwoLinesEach(const Table& rows, std::size_t columns) {
  Table without_title = rows;
  for (std::vector<std::string>& row : without_title) row.erase(row.begin() + 1);
  std::string out;
  const std::vector<std::string> lines = Lines(AlignColumns(without_title, kIndent));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += Fitted(lines[i], columns, kIndent);
    out += Fitted(std::string(kIndent + 2, ' ') + rows[i][1], columns, kIndent + 2);
  }
  return out;
}

void PrintRows(const Table& rows, bool in_one_line_each, std::size_t columns) {
  const std::string text = in_one_line_each ? AlignColumns(rows, kIndent) : InTwoLinesEach(rows, columns);
  std::fputs(text.c_str(), stdout);
}

/// The exercises that were named; all if none was.
Result<Chosen> ChosenOf(const Workbook& workbook, const std::vector<std::string>& what) {
  Chosen chosen;
  for (const std::string& name : what) {
    const auto found = SelectExercises(workbook, name);
    if (!found) return found.error();
    chosen.insert(chosen.end(), found->begin(), found->end());
  }
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (what.empty()) chosen.push_back(&exercise);
    }
  }
  return chosen;
}

int PrintNext(const Workbook& workbook, const Progress& progress, const std::filesystem::path& root,
              std::size_t columns) {
  std::puts("");
  const WorkbookHistory history = LoadWorkbookHistory(WorkbookHistoryFile(root));
  if (const Exercise* next = NextUnsolved(workbook, progress, history.last_checked)) {
    const std::string check = TypedName() + " check " + next->id;
    const Message what = say::next_edit(DisplayPath(next->starter), check);
    std::fputs(FittedAround(Words(what), check, columns).c_str(), stdout);
  } else {
    std::printf("%s\n", Translated("All exercises have passed.").c_str());
  }
  return kExitPassed;
}

/// In a child process, which gets a temporary folder.
int ListTestsOf(const Exercise& exercise, const Layout& layout, std::size_t columns) {
  if (const Status built = BuildSuites({&exercise}, layout); !built) return ReportError(built.error());
  const auto tests = TestsWithTitles(exercise, layout);
  if (!tests) return ReportError(tests.error());
  Table rows;
  for (const NamedTest& each : *tests) {
    const bool fails = std::ranges::count(exercise.starter_fails, each.name) > 0;
    rows.push_back({each.name, each.title, fails ? "" : Translated("passes as handed out")});
  }
  PrintLine(say::tests_listed(FullName(exercise), say::Count(rows.size(), "test")));
  PrintRows(rows, FitsInOneLineEach(rows, columns), columns);
  return kExitPassed;
}

int List(const ListOptions& options) {
  const std::filesystem::path& root = options.layout.root;
  const Result<Workbook> workbook = LoadWorkbook(root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const auto chosen = ChosenOf(*workbook, options.what);
  if (!chosen) return ReportError(chosen.error());
  const std::size_t columns = DetectTerminalStyle(STDOUT_FILENO).columns;
  if (options.tests) {
    if (chosen->size() != 1)
      return ReportError(UsageError(say::tests_of_one_exercise(), say::name_its_exercise()));
    const Exercise& exercise = *chosen->front();
    return Supervise([&] { return ListTestsOf(exercise, options.layout, columns); });
  }
  const Progress progress = LoadProgress(ProgressFile());
  std::vector<Table> tables;
  for (const Chapter& chapter : workbook->chapters)
    tables.push_back(RowsOf(chapter, *chosen, progress, root));
  const bool fit =
      std::ranges::all_of(tables, [&](const Table& rows) { return FitsInOneLineEach(rows, columns); });
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].empty()) continue;
    const Chapter& chapter = workbook->chapters[i];
    const std::string heading =
        std::to_string(chapter.number) + "  " + chapter.title + " (" + chapter.id + ")";
    std::fputs(Fitted(heading, columns, 0).c_str(), stdout);
    PrintRows(tables[i], fit, columns);
  }
  if (const Status mine = NeedWorkbook(root); !mine) {
    // No error: whoever looks at what there is need have no workbook yet.
    std::puts("");
    PrintLine(say::listed_outside_of_workbook());
    PrintLine(mine.error().next_step);
    return kExitPassed;
  }
  return options.what.empty() ? PrintNext(*workbook, progress, root, columns) : kExitPassed;
}

}  // namespace

Command MakeListCommand() {
  auto options = std::make_shared<ListOptions>();
  std::vector<Option> described = {
      {"WHAT", &options->what, "Chapters and exercises; default: all"},
      {"--tests", &options->tests, "List the tests of one exercise"},
      WorkbookOption(options->layout.root,
                     "Folder that holds chapters/; default: the workbook that you are in")};
  return {"list", "Show chapters and exercises, with progress", std::move(described), kListFooter,
          [options] { return List(*options); }};
}

}  // namespace warplings
