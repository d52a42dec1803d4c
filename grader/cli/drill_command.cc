// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "grader/base/catalogue.h"
#include "grader/base/fit.h"
#include "grader/base/spelling.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/typed_name.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/workbook_history.h"
#include "grader/report/terminal_report.h"
#include "grader/workbook/drills.h"
#include "grader/workbook/exercise.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr const char* kDrillFooter =
    "A drill is a short question that you work out on paper in one to three minutes. Drills earn no points.\n"
    "After a wrong answer you may try once more. Enter alone shows the answer, ? helps, and q ends.\n"
    "Drills that you have not answered correctly yet come first. Without CHAPTER: the first chapter with "
    "such "
    "a\n"
    "drill.\n"
    "\n"
    "Examples:\n"
    "  warplings drill                        go on where you are\n"
    "  warplings drill 5                      the drills of chapter 5\n"
    "  warplings drill --list                 all drills, and which you have answered\n"
    "  warplings drill --answer row_start 40  one answer, for scripts\n"
    "\n"
    "Exit status: 0 every answer was right, also if q or the end of the input came before the last drill;\n"
    "1 some answer was wrong, or Enter alone gave it up; 2 wrong usage.";

struct DrillOptions {
  std::string chapter;
  bool list = false;
  std::vector<std::string> answer;  ///< An id and a value.
  std::filesystem::path root = CurrentWorkbook();
};

/// A chapter that has drills.
struct DrilledChapter {
  const Chapter* chapter = nullptr;
  std::vector<Drill> drills;
};

/// What one call works with. History is read anew for each answer that is kept: a check may run meanwhile.
struct Desk {
  std::filesystem::path history_file;
  std::size_t columns = 80;

  void Keep(const Drill& drill) const {
    WorkbookHistory history = LoadWorkbookHistory(history_file);
    if (!history.drills.insert(drill.id).second) return;
    const Status saved = SaveWorkbookHistory(history_file, history);
    if (!saved) Warn(say::not_remembered(saved.error().message));
  }
  void Print(const std::string& text, std::size_t indent = 0) const {
    for (const std::string& line : WrappedLines(Printable(JoinLines(text)), columns, indent)) {
      std::printf("%s\n", line.c_str());
    }
  }
};

Result<std::vector<DrilledChapter>> DrilledChapters(const Workbook& workbook, const DrillOptions& options) {
  std::vector<DrilledChapter> chapters;
  for (const Chapter& chapter : workbook.chapters) {
    auto drills = LoadDrills(options.root, chapter.id, ChosenLanguage());
    if (!drills) return drills.error();
    if (!drills->empty()) chapters.push_back({&chapter, std::move(*drills)});
  }
  if (chapters.empty()) return UsageError(say::no_drills_here());
  return chapters;
}

/// The chapter that was named; an exercise names its chapter.
Result<const DrilledChapter*> NamedChapter(const Workbook& workbook,
                                           const std::vector<DrilledChapter>& chapters,
                                           const std::string& name) {
  const auto exercises = SelectExercises(workbook, name);
  if (!exercises) return exercises.error();
  const std::string& id = exercises->front()->chapter;
  for (const DrilledChapter& each : chapters) {
    if (each.chapter->id == id) return &each;
  }
  return UsageError(say::chapter_without_drills(id), say::list_of_drills());
}

std::size_t CountAnswered(const DrilledChapter& chapter, const Desk& desk) {
  const auto drills = LoadWorkbookHistory(desk.history_file).drills;
  return static_cast<std::size_t>(
      std::ranges::count_if(chapter.drills, [&](const Drill& drill) { return drills.contains(drill.id); }));
}

const DrilledChapter& FirstUnfinished(const std::vector<DrilledChapter>& chapters, const Desk& desk) {
  const auto found = std::ranges::find_if(
      chapters, [&](const DrilledChapter& each) { return CountAnswered(each, desk) < each.drills.size(); });
  return found == chapters.end() ? chapters.front() : *found;
}

void PrintCount(const DrilledChapter& chapter, const Desk& desk) {
  PrintLine(say::drills_answered(chapter.chapter->number, chapter.chapter->title,
                                 CountAnswered(chapter, desk), chapter.drills.size()));
}

void ListChapter(const DrilledChapter& chapter, const Desk& desk) {
  PrintCount(chapter, desk);
  const auto answered = LoadWorkbookHistory(desk.history_file).drills;
  std::vector<std::vector<std::string>> rows = {{"", Translated("drill"), Translated("question")}};
  for (const Drill& drill : chapter.drills) {
    rows.push_back({answered.contains(drill.id) ? Translated("done") : Translated("open"), drill.id,
                    Printable(JoinLines(drill.question))});
  }
  std::fputs(AlignWithin(rows, 2, desk.columns).c_str(), stdout);
}

int List(const std::vector<DrilledChapter>& chapters, const DrilledChapter* named, const Desk& desk) {
  for (const DrilledChapter& each : chapters) {
    if (named != nullptr && named != &each) continue;
    ListChapter(each, desk);
    std::puts("");
  }
  PrintLine(say::drills_earn_no_points());
  return kExitPassed;
}

void PrintQuestion(const Drill& drill, const Desk& desk) {
  desk.Print(drill.question, 2);
  for (std::size_t i = 0; i < drill.choices.size(); ++i) {
    desk.Print(DrillLetter(i) + ") " + drill.choices[i], 4);
  }
}

/// What is said about an answer, except the right one.
void PrintJudgement(const Drill& drill, const DrillJudgement& judgement, const Desk& desk) {
  const std::string answer = DrillAnswerText(drill, judgement.answer);
  if (judgement.verdict == DrillVerdict::kRight) {
    PrintLine(say::drill_right(answer));
    desk.Print(drill.why, 2);
    return;
  }
  PrintLine(say::drill_wrong(answer));
  if (judgement.mistake != nullptr) desk.Print(judgement.mistake->why, 2);
}

Message WhatIsExpected(const Drill& drill) {
  if (drill.choices.empty()) return say::drill_needs_number();
  return say::drill_needs_letter(DrillLetter(drill.choices.size() - 1));
}

/// How to answer, and where it is explained; nothing of the answer.
void PrintHelp(const Drill& drill, const Chapter& chapter, const Desk& desk) {
  if (drill.choices.empty() && !drill.unit.empty()) PrintLine(say::drill_needs_number_of(drill.unit));
  PrintLine(WhatIsExpected(drill));
  desk.Print(AsTyped(Words(say::drill_help(chapter.number, chapter.title))));
  PrintQuestion(drill, desk);
}

enum class Asked { kRight, kNotRight, kEnded };

/// One line of the input; nothing at its end, or if it ends the session.
std::optional<std::string> ReadLine(const Drill& drill) {
  const Message prompt = !drill.choices.empty() ? say::drill_prompt_letter()
                         : drill.unit.empty()   ? say::drill_prompt()
                                                : say::drill_prompt_unit(drill.unit);
  std::printf("%s ", Words(prompt).c_str());
  std::fflush(stdout);
  std::string line;
  const bool was_read = static_cast<bool>(std::getline(std::cin, line));
  // A terminal has shown the answer and its end of line.
  if (::isatty(STDIN_FILENO) == 0 || !was_read) std::puts("");
  if (!was_read || line == "q" || line == "quit") return std::nullopt;
  return line;
}

void PrintAnswer(const Drill& drill, const Desk& desk) {
  PrintLine(say::drill_answer_is(DrillAnswerText(drill, drill.answer)));
  desk.Print(drill.why, 2);
}

Asked Ask(const Drill& drill, const Chapter& chapter, const Desk& desk) {
  constexpr int kTries = 2;
  PrintQuestion(drill, desk);
  for (int tries = 0; tries < kTries;) {
    const std::optional<std::string> line = ReadLine(drill);
    if (!line) return Asked::kEnded;
    if (line->find_first_not_of(" \t\r") == std::string::npos) break;
    if (*line == "?" || *line == "help") {
      PrintHelp(drill, chapter, desk);
      continue;
    }
    const DrillJudgement judgement = JudgeDrill(drill, *line);
    if (judgement.verdict == DrillVerdict::kNotUnderstood) {
      PrintLine(WhatIsExpected(drill));
      continue;
    }
    PrintJudgement(drill, judgement, desk);
    if (judgement.verdict == DrillVerdict::kRight) {
      desk.Keep(drill);
      return Asked::kRight;
    }
    if (++tries < kTries) PrintLine(say::drill_try_again());
  }
  PrintAnswer(drill, desk);
  return Asked::kNotRight;
}

/// Those that have not been answered correctly yet come first.
std::vector<const Drill*> InOrder(const DrilledChapter& chapter, const Desk& desk) {
  std::vector<const Drill*> order;
  for (const Drill& drill : chapter.drills) order.push_back(&drill);
  const auto answered = LoadWorkbookHistory(desk.history_file).drills;
  std::ranges::stable_partition(order, [&](const Drill* drill) { return !answered.contains(drill->id); });
  return order;
}

int AskAll(const DrilledChapter& chapter, const Desk& desk) {
  PrintCount(chapter, desk);
  PrintLine(say::how_drills_go());
  const std::size_t open = chapter.drills.size() - CountAnswered(chapter, desk);
  bool all_right = true;
  std::size_t number = 0;
  for (const Drill* drill : InOrder(chapter, desk)) {
    std::puts("");
    if (number == open) PrintLine(say::drills_again());
    PrintLine(say::drill_number(++number, chapter.drills.size(), drill->id));
    const Asked asked = Ask(*drill, *chapter.chapter, desk);
    if (asked == Asked::kEnded) break;
    all_right = all_right && asked == Asked::kRight;
  }
  std::puts("");
  PrintCount(chapter, desk);
  PrintLine(say::drills_earn_no_points());
  return all_right ? kExitPassed : kExitNotPassed;
}

int Answer(const std::vector<DrilledChapter>& chapters, const std::vector<std::string>& given,
           const Desk& desk) {
  if (given.size() != 2) return ReportError(UsageError(say::answer_needs_two(), say::list_of_drills()));
  std::vector<std::string> ids;
  for (const DrilledChapter& chapter : chapters) {
    for (const Drill& drill : chapter.drills) {
      ids.push_back(drill.id);
      if (drill.id != given[0]) continue;
      const DrillJudgement judgement = JudgeDrill(drill, given[1]);
      if (judgement.verdict == DrillVerdict::kNotUnderstood) {
        return ReportError(UsageError(say::no_such_drill_answer(given[1]), WhatIsExpected(drill)));
      }
      PrintJudgement(drill, judgement, desk);
      if (judgement.verdict != DrillVerdict::kRight) {
        PrintQuestion(drill, desk);
        return kExitNotPassed;
      }
      desk.Keep(drill);
      return kExitPassed;
    }
  }
  return ReportError(
      UsageError(WithClosest(say::no_such_drill(given[0]), given[0], ids), say::list_of_drills()));
}

int RunDrill(const DrillOptions& options) {
  const Result<Workbook> workbook = LoadWorkbook(options.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const auto chapters = DrilledChapters(*workbook, options);
  if (!chapters) return ReportError(chapters.error());
  const Desk desk{WorkbookHistoryFile(options.root), DetectTerminalStyle(STDOUT_FILENO).columns};
  if (!options.answer.empty()) return Answer(*chapters, options.answer, desk);
  const DrilledChapter* named = nullptr;
  if (!options.chapter.empty()) {
    const auto found = NamedChapter(*workbook, *chapters, options.chapter);
    if (!found) return ReportError(found.error());
    named = *found;
  }
  if (options.list) return List(*chapters, named, desk);
  return AskAll(named != nullptr ? *named : FirstUnfinished(*chapters, desk), desk);
}

}  // namespace

Command MakeDrillCommand() {
  auto options = std::make_shared<DrillOptions>();
  std::vector<Option> described = {
      {"CHAPTER", &options->chapter, "Number or name of a chapter; default: the first with an open drill"},
      {"--list", &options->list, "List the drills, and which you have answered correctly"},
      {.name = "--answer",
       .target = &options->answer,
       .help = "Judge one answer and ask nothing",
       .value_name = "ID VALUE",
       .excludes = "--list"},
      WorkbookOption(options->root)};
  return {"drill", "Ask the short questions of a chapter", std::move(described), kDrillFooter,
          [options] { return RunDrill(*options); }};
}

}  // namespace warplings
