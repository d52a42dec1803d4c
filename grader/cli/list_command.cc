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
#include "grader/cli/typed_name.h"
#include "grader/core/layout.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/original_file.h"
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
    "Example:\n"
    "  warplings list";

bool IsAsHandedOut(const Exercise& exercise, const std::filesystem::path& root) {
  const Result<std::string> present = ReadSubmission(exercise.starter),
                            original = OriginalText(root, exercise.starter);
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

/// A line for each exercise; where that is too wide, its title goes below.
std::string Rows(const Chapter& chapter, const Progress& progress, const std::filesystem::path& root,
                 std::size_t columns) {
  constexpr std::size_t kIndent = 3;
  std::vector<std::vector<std::string>> rows, without_title;
  for (const Exercise& exercise : chapter.exercises) {
    const std::string points = Points(exercise.points),
                      state = Translated(StateWords(exercise, progress, root));
    rows.push_back({exercise.id, exercise.title, points, state});
    without_title.push_back({exercise.id, points, state});
  }
  const std::string table = AlignColumns(rows, kIndent);
  const auto fits = [&](const std::string& line) { return DisplayWidth(line) <= columns; };
  if (std::ranges::all_of(Lines(table), fits)) return table;
  std::string out;
  const std::vector<std::string> lines = Lines(AlignColumns(without_title, kIndent));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += Fitted(lines[i], columns, kIndent);
    out += Fitted(std::string(kIndent + 2, ' ') + rows[i][1], columns, kIndent + 2);
  }
  return out;
}

int List(const std::filesystem::path& root) {
  const Result<Workbook> workbook = LoadWorkbook(root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const Progress progress = LoadProgress(ProgressFile());

  const std::size_t columns = DetectTerminalStyle(STDOUT_FILENO).columns;
  for (const Chapter& chapter : workbook->chapters) {
    const std::string heading =
        std::to_string(chapter.number) + "  " + chapter.title + " (" + chapter.id + ")";
    std::fputs(Fitted(heading, columns, 0).c_str(), stdout);
    std::fputs(Rows(chapter, progress, root, columns).c_str(), stdout);
  }
  std::puts("");
  const WorkbookHistory history = LoadWorkbookHistory(WorkbookHistoryFile(root));
  if (const Exercise* next = NextUnsolved(*workbook, progress, history.last_checked)) {
    if (ThisLayout().is_installed && root == ThisLayout().root) {
      PrintLine(say::next_make_workbook());
      return kExitPassed;
    }
    const std::string check = TypedName() + " check " + next->id;
    const Message what = say::next_edit(DisplayPath(next->starter), check);
    std::fputs(FittedAround(Words(what), check, columns).c_str(), stdout);
  } else {
    std::printf("%s\n", Translated("All exercises have passed.").c_str());
  }
  return kExitPassed;
}

}  // namespace

Command MakeListCommand() {
  auto root = std::make_shared<std::filesystem::path>(CurrentWorkbook());
  std::vector<Option> described = {
      WorkbookOption(*root, "Folder that holds chapters/; default: the workbook that you are in")};
  return {"list", "Show chapters and exercises, with progress", std::move(described), kListFooter,
          [root] { return List(*root); }};
}

}  // namespace warplings
