// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>

#include "grader/authoring/handout_input.h"
#include "grader/authoring/verification.h"
#include "grader/base/read_file.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// As README.md writes small numbers.
std::string NumberWord(std::size_t number) {
  constexpr std::array kWords = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                 "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return number < kWords.size() ? kWords[number] : std::to_string(number);
}

/// The line that begins so; "" without one.
std::string LineOf(const std::string& text, const std::string& begin) {
  const std::string lines = "\n" + text;
  const std::size_t at = lines.find("\n" + begin);
  if (at == std::string::npos) return "";
  return lines.substr(at + 1, lines.find('\n', at + 1) - at - 1);
}

/// The row of README.md's table, "| 7 Where coarsening recurs | 5 | …": there, with the number of exercises.
void AddReadmeRow(const Chapter& chapter, const std::string& readme, std::vector<std::string>& missing) {
  const std::string begin = "| " + std::to_string(chapter.number) + " ";
  const std::string row = LineOf(readme, begin);
  const std::string count = std::to_string(chapter.exercises.size());
  if (row.empty()) {
    missing.push_back("README.md has no row of chapter " + std::to_string(chapter.number) +
                      " in the table of chapters");
  } else if (row.find(" | " + count + " |") == std::string::npos) {
    missing.push_back("README.md, row of chapter " + std::to_string(chapter.number) + ": the chapter has " +
                      Counted(chapter.exercises.size(), "exercise"));
  }
}

}  // namespace

std::vector<std::string> ChapterReminders(const Chapter& chapter, const Layout& layout) {
  std::vector<std::string> missing;
  const fs::path drills = fs::path("chapters") / chapter.id / "drills.toml";
  if (!fs::exists(layout.root / drills))
    missing.push_back(drills.string() + " is missing: ten short questions (handouts/README.md, \"Drills\")");
  for (const std::string& language : HandoutLanguages(layout)) {
    const fs::path folder = layout.HandoutFolder() / "text" / language;
    const fs::path page = folder / (chapter.id + ".html.j2");
    // That the English one is missing is a fault: MissingHandouts.
    if (language != kEnglish && !fs::exists(page))
      missing.push_back(page.lexically_relative(layout.root).string() + " is missing");
    const fs::path start = folder / "start.html.j2";
    const auto text = ReadFile(start);
    if (text && text->find("(\"" + chapter.id + "\",") == std::string::npos) {
      missing.push_back(start.lexically_relative(layout.root).string() + " has no row of " + chapter.id +
                        " in the table of the book");
    }
  }
  if (const auto readme = ReadFile(layout.root / "README.md")) AddReadmeRow(chapter, *readme, missing);
  return missing;
}

std::vector<std::string> WorkbookReminders(const Workbook& workbook, const Layout& layout) {
  std::vector<std::string> missing;
  const std::size_t chapters = workbook.chapters.size();
  std::size_t exercises = 0;
  for (const Chapter& chapter : workbook.chapters) exercises += chapter.exercises.size();
  const std::string counts =
      std::to_string(exercises) + " exercises in " + NumberWord(chapters) + " chapters";
  const auto readme = ReadFile(layout.root / "README.md");
  if (readme && readme->find(counts) == std::string::npos)
    missing.push_back("README.md does not say \"" + counts + "\"");
  std::error_code none;
  std::size_t examples = 0;
  const fs::path folder = layout.HandoutFolder() / "examples";
  for (const auto& entry : fs::directory_iterator(folder, none))
    examples += entry.path().extension() == ".cu";
  if (examples > 0 && examples != chapters) {
    missing.push_back("handouts/examples/ has " + Counted(examples, "worked example") + " for " +
                      Counted(chapters, "chapter") + "; tests/handouts/meson.build lists them");
  }
  return missing;
}

}  // namespace warplings
