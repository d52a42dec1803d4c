// SPDX-License-Identifier: Apache-2.0
#include "grader/messages/workbook.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <system_error>

#include "grader/base/spelling.h"
#include "grader/base/thrown.h"
#include "grader/core/layout.h"
#include "grader/messages/toml.h"
#include "grader/workbook/chapter_file.h"
#include "grader/workbook/contract.h"
#include "grader/workbook/covered_texts.h"
#include "grader/workbook/exercise.h"
#include "grader/workbook/student_workbook.h"
#include "grader/workbook/translation.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// Returns 1 for "01_boundary_checks", and nothing for a folder that is not a chapter.
std::optional<int> ChapterNumber(const std::string& id) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (id.size() < 4 || !is_digit(id[0]) || !is_digit(id[1]) || id[2] != '_') return std::nullopt;
  if (!IsIdentifier(std::string_view(id).substr(3))) return std::nullopt;
  return (id[0] - '0') * 10 + (id[1] - '0');
}

/// A key of chapter.toml that does not fit the tree, as ParseChapterFile names one that is wrong by itself.
Error FaultOfKey(const std::string& chapter, int line, const char* key, const Message& what,
                 const Message& next_step) {
  const std::string file = "chapters/" + chapter + "/chapter.toml";
  return UsageError(say::key_of_file(file, static_cast<std::size_t>(line), key, what), next_step);
}

/// Fills in what the tree knows: paths, and the declaration from the contract.
Status CompleteExercise(Exercise& exercise, const fs::path& root, TreeTexts& texts,
                        const std::string& chapter) {
  exercise.chapter = chapter;
  const fs::path folder = fs::path("chapters") / chapter;
  exercise.starter = root / folder / (exercise.id + ".cu");
  exercise.contract = root / folder / (exercise.id + ".h");
  exercise.solution = root / "solutions" / chapter / (exercise.id + ".cu");
  std::error_code fault;
  if (!fs::is_regular_file(exercise.solution, fault)) exercise.solution.clear();
  if (exercise.speed) exercise.baseline = root / "reference/baselines" / chapter / (exercise.id + ".cu");
  if (!fs::is_regular_file(exercise.starter, fault)) {
    return FaultOfKey(chapter, exercise.id_line, "exercise.id",
                      say::no_such_file((folder / (exercise.id + ".cu")).string()), say::restore_starter());
  }
  const std::string contract_name = (folder / (exercise.id + ".h")).string();
  if (!texts.Has(contract_name)) {
    return FaultOfKey(chapter, exercise.id_line, "exercise.id", say::no_such_file(contract_name),
                      say::restore_contract());
  }
  const auto header = texts.Read(contract_name);
  if (!header) return header.error();
  const auto declaration = FindDeclaration(*header, exercise.entry);
  if (!declaration) {
    const Message lacks = say::contract_lacks_entry(contract_name, exercise.entry);
    return FaultOfKey(chapter, exercise.entry_line, "exercise.entry",
                      WithClosest(lacks, exercise.entry, DeclaredNames(*header)), say::declare_entry_there());
  }
  exercise.declaration = *declaration;
  return Unit{};
}

/// English stays where there is no file: somebody adds a chapter first and has it translated later.
Status TranslateWithFile(Chapter& chapter, TreeTexts& texts, const std::string& name) {
  if (!texts.Has(name)) return Unit{};
  const auto text = texts.Read(name);
  if (!text) return text.error();
  return TranslateChapter(chapter, *text, name);
}

Result<Chapter> LoadChapter(const fs::path& root, TreeTexts& texts, const std::string& id, int number,
                            std::string_view language) {
  const std::string name = "chapters/" + id + "/chapter.toml";
  const auto text = texts.Read(name);
  if (!text) return text.error();
  auto chapter = ParseChapterFile(*text, name);
  if (!chapter) return chapter.error();
  if (language != kEnglish) {
    const std::string translated = "chapters/" + id + "/chapter." + std::string(language) + ".toml";
    if (Status status = TranslateWithFile(*chapter, texts, translated); !status) return status.error();
  }
  chapter->id = id;
  chapter->number = number;
  for (Exercise& exercise : chapter->exercises) {
    if (auto status = CompleteExercise(exercise, root, texts, id); !status) return status.error();
  }
  return chapter;
}

Result<std::vector<std::string>> ListFolders(const fs::path& root) {
  std::error_code fault;
  std::vector<std::string> names;
  fs::directory_iterator entries(root / "chapters", fault);
  ThrowIfExhausted(fault);
  if (fault) {
    return UsageError(say::of_file((root / "chapters").string(), fault.message()),
                      say::tree_needs_chapters());
  }
  for (; entries != fs::directory_iterator(); entries.increment(fault)) {
    if (fault) return UsageError(say::of_file((root / "chapters").string(), fault.message()));
    const std::string name = entries->path().filename().string();
    if (entries->is_directory(fault) && !name.starts_with(".")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

/// Of a tree that holds everything: a source tree, or PREFIX/share/warplings.
Result<Workbook> LoadTree(const fs::path& root, std::string_view language) {
  const auto folders = ListFolders(root);
  if (!folders) return folders.error();
  Workbook workbook;
  TreeTexts texts(root);
  for (const std::string& id : *folders) {
    const std::optional<int> number = ChapterNumber(id);
    if (!number) {
      return UsageError(say::no_name_of_chapter(id), say::rename_chapter());
    }
    if (!workbook.chapters.empty() && workbook.chapters.back().number == *number) {
      return UsageError(say::chapters_of_one_number(workbook.chapters.back().id, id),
                        say::give_another_number());
    }
    auto chapter = LoadChapter(root, texts, id, *number, language);
    if (!chapter) return chapter.error();
    workbook.chapters.push_back(std::move(*chapter));
  }
  if (workbook.chapters.empty()) return UsageError(say::no_chapter_there((root / "chapters").string()));
  return workbook;
}

}  // namespace

Result<Workbook> LoadWorkbook(const fs::path& root, std::string_view language) {
  if (!IsStudentWorkbook(root)) return LoadTree(root, language);
  auto workbook = LoadTree(ThisLayout().root, language);
  if (!workbook) return workbook;
  for (Chapter& chapter : workbook->chapters) {
    for (Exercise& exercise : chapter.exercises) {
      exercise.starter = root / "chapters" / chapter.id / (exercise.id + ".cu");
    }
  }
  return workbook;
}

}  // namespace warplings
