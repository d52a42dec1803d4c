// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/next_steps.h"

#include <algorithm>
#include <filesystem>

#include "grader/base/catalogue.h"
#include "grader/base/file_uri.h"
#include "grader/base/fit.h"
#include "grader/base/text.h"
#include "grader/cli/typed_name.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/workbook_history.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/result_words.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr const char* kReadOn =
    "All exercises have passed. To read on:\n"
    "  Hwu, Kirk, El Hajj: Programming Massively Parallel Processors, 4th edition, from chapter 7 on: "
    "convolution, stencils, histograms, scan, merge, sort, sparse matrices, graphs\n"
    "  NVIDIA: CUDA C++ Programming Guide and CUDA C++ Best Practices Guide, docs.nvidia.com/cuda\n"
    "  Your own programs: warplings run ./a.out shows what the virtual GPU sees in them";

std::string Lines(const std::string& text, std::size_t columns, std::size_t indent) {
  std::string out;
  for (const std::string& line : WrappedLines(text, columns, indent)) out += line + "\n";
  return out;
}

/// The exercises before `next` in the book's order that have not passed, as "a, b and c".
Message OpenBefore(const Workbook& workbook, const Progress& progress, const Exercise& next) {
  constexpr std::size_t kMost = 4;
  std::string names;
  std::size_t more = 0;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (&exercise == &next && names.empty()) return {};
      if (&exercise == &next)
        return more == 0 ? say::open_before(names) : say::open_before_and_more(names, more);
      if (StateOf(exercise, progress) != ExerciseState::kOpen) continue;
      const bool is_named =
          std::ranges::count(names, ',') + 1 < static_cast<std::ptrdiff_t>(kMost) || names.empty();
      if (is_named) names += (names.empty() ? "" : ", ") + exercise.id;
      more += is_named ? 0 : 1;
    }
  }
  return {};
}

/// From here or from "/", whichever is shorter.
std::string ShortestPath(const std::filesystem::path& path) {
  std::error_code fault;
  const std::string relative = std::filesystem::proximate(path, fault).string();
  return fault || relative.size() >= path.string().size() ? path.string() : relative;
}

/// Most terminals open it at a click.
std::string LinkTo(const std::filesystem::path& page) {
  std::error_code fault;
  return FileUri(std::filesystem::absolute(page, fault).lexically_normal().string());
}

/// "  edit     FILE", or FILE in a line of its own where that is too narrow. A path or a command is to be
/// copied, and stays whole.
std::string Labelled(const std::string& english, const std::string& text, std::size_t columns) {
  constexpr std::size_t kWidth = 9;
  const std::string label = Translated(english);
  const std::string blanks(kWidth - std::min(kWidth - 1, DisplayWidth(label)), ' ');
  const std::string line = "  " + label + blanks + text;
  if (DisplayWidth(line) <= columns) return line + "\n";
  return "  " + label + "\n    " + text + "\n";
}

}  // namespace

std::string HandoutOf(const Exercise& exercise, const Layout& layout, std::size_t columns) {
  const std::filesystem::path page = HandoutPageToRead(layout, exercise.chapter + ".html");
  std::error_code fault;
  if (std::filesystem::exists(page, fault))
    return Labelled("handout", LinkTo(page) + "#" + exercise.id, columns);
  const std::string command = AsTyped("warplings handouts --open"),
                    section = "# " + Translated("section") + " " + exercise.id;
  const std::string line = Labelled("handout", command + "   " + section, columns);
  if (line.find('\n') + 1 == line.size()) return line;
  return Labelled("handout", command, columns) + "    " + section + "\n";
}

Passed PassedOf(const Chapter& chapter, const Progress& progress) {
  Passed passed;
  for (const Exercise& exercise : chapter.exercises) {
    ++passed.of;
    passed.max_points += exercise.points;
    if (StateOf(exercise, progress) == ExerciseState::kOpen) continue;
    ++passed.exercises;
    const ProgressEntry& entry = progress.at(FullName(exercise));
    passed.points += entry.pass.value_or(entry.points);
  }
  return passed;
}

std::string ProgressBar(const Passed& passed) {
  constexpr std::size_t kWidth = 10;
  const std::size_t full = passed.of == 0 ? 0 : kWidth * passed.exercises / passed.of;
  return "[" + std::string(full, '#') + std::string(kWidth - full, '.') + "] " +
         Words(say::exercises_passed(passed.exercises, say::Count(passed.of, "exercise"),
                                     PointsText(passed.points), PointsText(passed.max_points)));
}

std::string ChapterLine(const Chapter& chapter, const Progress& progress) {
  return Words(say::chapter_is_at(chapter.number, chapter.title, ProgressBar(PassedOf(chapter, progress)))) +
         "\n";
}

std::string WhatComesNext(const Workbook& workbook, const Progress& progress, const Layout& layout,
                          std::size_t columns) {
  const WorkbookHistory history = LoadWorkbookHistory(WorkbookHistoryFile(layout.root));
  const Exercise* next = NextUnsolved(workbook, progress, history.last_checked);
  if (next == nullptr) {
    std::string out, text = AsTyped(Translated(kReadOn));
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      out += Lines(line, columns, line.starts_with("  ") ? 2 : 0);
    }
    return out;
  }
  std::string out = Lines(Words(say::next_exercise(next->id, next->title)), columns, 0);
  out += Labelled("edit", ShortestPath(next->starter), columns);
  out += Labelled("check", TypedName() + " check " + next->id, columns);
  out += HandoutOf(*next, layout, columns);
  const Message open = OpenBefore(workbook, progress, *next);
  return open.empty() ? out : out + Lines(Words(open), columns, 0);
}

}  // namespace warplings
