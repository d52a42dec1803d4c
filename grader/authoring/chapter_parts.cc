// SPDX-License-Identifier: Apache-2.0
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>

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

/// The ids of the tables of that name.
std::vector<std::string> IdsOfTables(const toml::table& table, const char* name) {
  std::vector<std::string> ids;
  const toml::array* tables = table[name].as_array();
  for (std::size_t i = 0; tables != nullptr && i < tables->size(); ++i) {
    if (const toml::table* each = tables->get(i)->as_table()) ids.push_back((*each)["id"].value_or(""));
  }
  return ids;
}

/// "it lacks a, b; it has c, which chapter.toml does not"; "" if they are the same.
std::string Difference(const std::vector<std::string>& english, const std::vector<std::string>& translated) {
  const auto without = [](const std::vector<std::string>& all, const std::vector<std::string>& known) {
    std::vector<std::string> rest;
    std::ranges::copy_if(all, std::back_inserter(rest),
                         [&](const std::string& each) { return std::ranges::count(known, each) == 0; });
    return Joined(rest, ", ");
  };
  const std::string lacks = without(english, translated), has = without(translated, english);
  std::string words = lacks.empty() ? "" : "it lacks " + lacks;
  if (!has.empty()) words += (words.empty() ? "it has " : "; it has ") + has + ", which chapter.toml lacks";
  return words;
}

/// What does not fit chapter.toml in a translation of it, one sentence an exercise.
void AddTranslation(const Chapter& chapter, const fs::path& file, const std::string& name,
                    std::vector<std::string>& missing) {
  toml::table table;
  try {
    table = toml::parse(ReadFile(file).value_or(""));
  } catch (const toml::parse_error&) {
    return;  // That it is not TOML is said when it is read in its language.
  }
  constexpr const char* kWhatToRun = ". `python3 tests/translations/chapters.py` names each text";
  std::vector<std::string> exercises;
  for (const Exercise& exercise : chapter.exercises) exercises.push_back(exercise.id);
  const std::string of_chapter = Difference(exercises, IdsOfTables(table, "exercise"));
  if (!of_chapter.empty()) missing.push_back(name + " does not fit the chapter: " + of_chapter + kWhatToRun);
  for (const Exercise& exercise : chapter.exercises) {
    const toml::array* tables = table["exercise"].as_array();
    for (std::size_t i = 0; tables != nullptr && i < tables->size(); ++i) {
      const toml::table* its = tables->get(i)->as_table();
      if (its == nullptr || (*its)["id"].value_or(std::string()) != exercise.id) continue;
      std::vector<std::string> english;
      for (const MisconceptionText& text : exercise.misconceptions) english.push_back(text.id);
      std::string words = Difference(english, IdsOfTables(*its, "misconception"));
      const toml::array* hints = (*its)["hints"].as_array();
      const std::size_t count = hints == nullptr ? 0 : hints->size();
      if (count != exercise.hints.size()) {
        words += (words.empty() ? "" : "; ") + ("it has " + Counted(count, "hint")) + ", chapter.toml " +
                 std::to_string(exercise.hints.size());
      }
      if (!words.empty())
        missing.push_back(name + " does not fit " + exercise.id + ": " + words + kWhatToRun);
    }
  }
}

/// Each figure of a page is a slide, with what the call of h.say() behind it gives the instructor.
void AddFigures(const fs::path& page, const std::string& name, std::vector<std::string>& missing) {
  constexpr std::size_t kLeast = 3;
  const auto text = ReadFile(page);
  if (!text) return;
  std::size_t figures = 0;
  for (std::size_t at = text->find("h.say("); at != std::string::npos; at = text->find("h.say(", at + 1))
    ++figures;
  if (figures >= kLeast) return;
  missing.push_back(name + " has " + Counted(figures, "figure") +
                    " with an h.say(…) behind it; a chapter needs " + std::to_string(kLeast) +
                    " or more (handouts/README.md, \"Figures and slides\")");
}

/// Sentences that `new` has written into a page for the author to replace.
void AddPlaceholders(const fs::path& page, const std::string& name, const Layout& layout,
                     std::vector<std::string>& missing) {
  const auto text = ReadFile(page);
  const auto written = ReadFile(layout.root / "grader/authoring/template/handout.html.j2");
  if (!text || !written) return;
  std::vector<std::string> placeholders;
  std::istringstream lines(*written);
  for (std::string line; std::getline(lines, line);) {
    const bool is_prose = line.starts_with("<p>") || line.starts_with("<li>") || line.starts_with("{{ ") ||
                          line.starts_with("{% call h.answer()");
    if (is_prose && std::ranges::count(placeholders, line) == 0) placeholders.push_back(line);
  }
  std::size_t found = 0;
  int number = 0, first = 0;
  std::istringstream own(*text);
  for (std::string line; std::getline(own, line);) {
    ++number;
    if (std::ranges::count(placeholders, line) == 0) continue;
    if (found++ == 0) first = number;
  }
  if (found == 0) return;
  missing.push_back(name + ":" + std::to_string(first) + ": " + Counted(found, "line") +
                    " as `new` wrote it, the first of them here; write your own");
}

/// drills.LANGUAGE.toml, in each language that has a page or a chapter.LANGUAGE.toml.
void AddDrills(const Chapter& chapter, const Layout& layout, std::vector<std::string>& missing) {
  const fs::path folder = fs::path("chapters") / chapter.id;
  const fs::path drills = folder / "drills.toml";
  if (!fs::exists(layout.root / drills)) {
    missing.push_back(drills.string() + " is missing: ten short questions (handouts/README.md, \"Drills\")");
    return;
  }
  constexpr std::size_t kWanted = 10;
  try {
    const toml::table table = toml::parse(ReadFile(layout.root / drills).value_or(""));
    const toml::array* questions = table["drill"].as_array();
    if (questions != nullptr && questions->size() < kWanted) {
      missing.push_back(drills.string() + " has " + Counted(questions->size(), "question") +
                        "; a chapter has ten (handouts/README.md, \"Drills\")");
    }
  } catch (const toml::parse_error&) {
    // That it is not TOML is said when it is read.
  }
  const std::vector<std::string> of_handouts = HandoutLanguages(layout);
  for (const std::string& language : Languages()) {
    const bool is_used = std::ranges::count(of_handouts, language) > 0 ||
                         fs::exists(layout.root / folder / ("chapter." + language + ".toml"));
    const fs::path translation = folder / ("drills." + language + ".toml");
    if (language == kEnglish || !is_used || fs::exists(layout.root / translation)) continue;
    missing.push_back(translation.string() + " is missing: `python3 tests/translations/chapters.py --add " +
                      translation.string() + "` makes it, and its drills are then shown in English");
  }
}

/// Of all languages.
void AddTranslations(const Chapter& chapter, const Layout& layout, std::vector<std::string>& missing) {
  const fs::path folder = layout.root / "chapters" / chapter.id;
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("chapter.") && name.ends_with(".toml") && name != "chapter.toml")
      names.push_back(name);
  }
  std::ranges::sort(names);
  for (const std::string& name : names)
    AddTranslation(chapter, folder / name, "chapters/" + chapter.id + "/" + name, missing);
}

/// Times that chapter.toml lacks. It may leave them out; the handouts' index shows one of each exercise, and
/// their sum.
void AddTimes(const Chapter& chapter, const Layout& layout, std::vector<std::string>& missing) {
  const std::string name = "chapters/" + chapter.id + "/chapter.toml";
  toml::table table;
  try {
    table = toml::parse(ReadFile(layout.root / name).value_or(""));
  } catch (const toml::parse_error&) {
    return;  // Said when the workbook is loaded.
  }
  constexpr const char* kShown = ": the handouts' index shows it";
  if (!table.contains("reading_minutes"))
    missing.push_back(name + " gives the chapter no reading_minutes" + kShown);
  const toml::array* tables = table["exercise"].as_array();
  for (std::size_t i = 0; tables != nullptr && i < tables->size(); ++i) {
    const toml::table* each = tables->get(i)->as_table();
    if (each == nullptr || each->contains("minutes")) continue;
    missing.push_back(name + " gives " + (*each)["id"].value_or(std::string()) + " no minutes" + kShown);
  }
}

}  // namespace

std::vector<std::string> ChapterReminders(const Chapter& chapter, const Layout& layout) {
  std::vector<std::string> missing;
  AddTimes(chapter, layout, missing);
  AddDrills(chapter, layout, missing);
  for (const std::string& language : HandoutLanguages(layout)) {
    const fs::path folder = layout.HandoutFolder() / "text" / language;
    const fs::path page = folder / (chapter.id + ".html.j2");
    const std::string name = page.lexically_relative(layout.root).string();
    // That the English one is missing is a fault: MissingHandouts.
    if (language != kEnglish && !fs::exists(page)) missing.push_back(name + " is missing");
    // A block that another language lacks is taken from the English page.
    if (language == kEnglish) {
      AddFigures(page, name, missing);
      AddPlaceholders(page, name, layout, missing);
    }
    const fs::path start = folder / "start.html.j2";
    const auto text = ReadFile(start);
    if (text && text->find("(\"" + chapter.id + "\",") == std::string::npos) {
      missing.push_back(start.lexically_relative(layout.root).string() + " has no row of " + chapter.id +
                        " in the table of the book");
    }
  }
  if (const auto readme = ReadFile(layout.root / "README.md")) AddReadmeRow(chapter, *readme, missing);
  AddTranslations(chapter, layout, missing);
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
