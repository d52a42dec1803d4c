// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/typed_name.h"
#include "grader/core/layout.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/result_words.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr const char* kListFooter =
    "Shows the result of each file's last check. \"edited since\": it passed, then changed; check it "
    "again.\n\n"
    "Example:\n"
    "  warplings list";

std::string_view StateWords(ExerciseState state) {
  switch (state) {
    case ExerciseState::kOpen: return "to do";
    case ExerciseState::kPassed: return "passed";
    case ExerciseState::kChanged: return "edited since it passed";
  }
  return "";
}

std::string Points(double points) {
  return Words(points == 1 ? say::one_point() : say::points(PointsText(points)));
}

int List(const std::filesystem::path& root) {
  const Result<Workbook> workbook = LoadWorkbook(root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const Progress progress = LoadProgress(ProgressFile());

  for (const Chapter& chapter : workbook->chapters) {
    std::printf("%d  %s (%s)\n", chapter.number, chapter.title.c_str(), chapter.id.c_str());
    std::vector<std::vector<std::string>> rows;
    for (const Exercise& exercise : chapter.exercises) {
      rows.push_back({exercise.id, exercise.title, Points(exercise.points),
                      Translated(StateWords(StateOf(exercise, progress)))});
    }
    std::fputs(AlignColumns(rows, 3).c_str(), stdout);
  }
  if (const Exercise* next = NextUnsolved(*workbook, progress)) {
    if (ThisLayout().is_installed && root == ThisLayout().root) {
      std::printf("\n%s\n", Words(say::next_make_workbook()).c_str());
      return kExitPassed;
    }
    const Message what = say::next_edit(DisplayPath(next->starter), "warplings check " + next->id);
    std::printf("\n%s\n", AsTyped(Words(what)).c_str());
  } else {
    std::printf("\n%s\n", Translated("All exercises have passed.").c_str());
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
