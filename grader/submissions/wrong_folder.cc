// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "grader/base/text.h"
#include "grader/messages/class.h"
#include "grader/submissions/class_folder.h"
#include "grader/submissions/handed_in.h"
#include "grader/submissions/lms_file_names.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

struct Item {
  fs::path path;
  std::string name;
  bool is_folder = false;
};

/// Without what systems and editors put there, sorted; a folder that cannot be read has none.
std::vector<Item> ItemsOf(const fs::path& folder) {
  constexpr std::size_t kMost = 5000;
  std::vector<Item> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && entries.size() < kMost;
       at.increment(error)) {
    std::error_code ignored;
    Item entry{at->path(), at->path().filename().string(),
               at->symlink_status(ignored).type() == fs::file_type::directory};
    if (!IsClutter(entry.name)) entries.push_back(std::move(entry));
  }
  std::ranges::sort(entries, {}, &Item::name);
  return entries;
}

std::string Shown(const Item& entry) {
  return Printable(entry.name) + (entry.is_folder ? "/" : "");
}

std::string FirstOf(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  std::string text = Joined(std::span(names).first(std::min(names.size(), kShown)), ", ");
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

class Survey {
 public:
  explicit Survey(const Workbook& workbook) {
    for (const Chapter& chapter : workbook.chapters) {
      chapters_.insert(chapter.id);
      for (const Exercise& exercise : chapter.exercises) exercises_.push_back(exercise.id);
    }
  }

  Status Check(const fs::path& folder) {
    const std::vector<Item> entries = ItemsOf(folder);
    const auto holds = [&](std::string_view name) {
      return std::ranges::find(entries, name, &Item::name) != entries.end();
    };
    if (holds("gradebook.sqlite"))
      return UsageError(say::is_graded_class(folder.string()), say::what_class_folder_holds());
    if (holds("chapters") && (holds("solutions") || holds("grader") || holds("program"))) {
      return UsageError(say::is_workbook(folder.string()), say::what_class_folder_holds());
    }
    if (entries.empty()) return Wrong(say::no_submission_in(folder.string(), say::it_is_empty()), folder);
    if (IsOneStudents(entries)) return Unit{};
    const bool is_course = holds("course.toml");
    std::size_t most = 0, own = 0;
    for (const Item& entry : entries) {
      if (IsSurelyOfClass(entry)) return Unit{};
      if (entry.is_folder && HoldsGradedClass(entry.path)) continue;
      std::size_t students = entry.is_folder ? StudentsIn(entry.path) : 0;
      // Two levels below, two versions of a student's file are more likely than a class, but in a course's.
      const std::size_t below = entry.is_folder && students == 0 ? MostStudentsIn(entry.path) : 0;
      if (below >= (is_course ? 2u : 3u)) students = below;
      most = std::max(most, students);
      own += students == 0 && HoldsWork(entry, kDepth);
    }
    // Gradescope grades each submission as a class of one, which may have handed in anything.
    if (most == 0 && entries.size() == 1 && entries.front().is_folder) return Unit{};
    // One student's two versions of a file are two folders with it, too.
    const bool is_above = own == 0 || (most >= (is_course ? 2u : 3u) && most > own);
    if (!is_above) return Unit{};
    if (is_course && most > 0) return Wrong(say::is_course_folder(folder.string()), folder);
    std::vector<std::string> names;
    std::ranges::transform(entries, std::back_inserter(names), Shown);
    return Wrong(say::no_submission_in(folder.string(), say::it_holds(FirstOf(names))), folder);
  }

 private:
  /// A student's folder has at most these levels, such as chapters/01_x/scale.cu in an unpacked archive's
  /// folder.
  static constexpr int kDepth = 4;
  /// In an export of an LMS the names alone say that they are submissions.
  static constexpr std::size_t kDownload = 1000;

  Status Wrong(const Message& what, const fs::path& folder) {
    std::vector<std::string> right;
    FindRight(folder, 3, right);
    if (right.empty()) return UsageError(what, say::what_class_folder_holds());
    if (right.size() == 1)
      return UsageError(what, say::folder_looks_right(say::what_class_folder_holds(), right.front()));
    return UsageError(what, say::folders_look_right(say::what_class_folder_holds(), FirstOf(right)));
  }

  void FindRight(const fs::path& folder, int levels, std::vector<std::string>& right) {
    for (const Item& entry : ItemsOf(folder)) {
      if (!entry.is_folder) continue;
      if (StudentsIn(entry.path) >= 2 && !IsAboveClasses(entry.path)) {
        right.push_back(entry.path.string());
      } else if (levels > 1 && right.size() < 20) {
        FindRight(entry.path, levels - 1, right);
      }
    }
  }

  /// Several weeks may have the same exercise, as several students' folders do.
  bool IsAboveClasses(const fs::path& folder) {
    std::size_t classes = 0, others = 0;
    for (const Item& entry : ItemsOf(folder)) {
      if (IsSurelyOfClass(entry)) return false;
      if (!entry.is_folder) continue;
      ++(StudentsIn(entry.path) >= 2 ? classes : others);
    }
    return classes > others;
  }

  /// The largest StudentsIn() of the folders in it.
  std::size_t MostStudentsIn(const fs::path& folder) {
    std::size_t most = 0;
    for (const Item& entry : ItemsOf(folder)) {
      if (entry.is_folder) most = std::max(most, StudentsIn(entry.path));
    }
    return most;
  }

  /// What `grade --out` made, or a term's folder of it.
  static bool HoldsGradedClass(const fs::path& folder) {
    const auto is_graded = [](const fs::path& each) {
      std::error_code error;
      return fs::is_regular_file(each / "gradebook.sqlite", error);
    };
    return is_graded(folder) || std::ranges::any_of(ItemsOf(folder), [&](const Item& entry) {
             return entry.is_folder && is_graded(entry.path);
           });
  }

  bool IsOneStudents(const std::vector<Item>& entries) const {
    return std::ranges::any_of(
        entries, [&](const Item& each) { return each.name == "chapters" || chapters_.contains(each.name); });
  }

  bool IsSurelyOfClass(const Item& entry) const {
    return ParseMoodleName(entry.name) || entry.name == "submission_metadata.yml" ||
           (!entry.is_folder &&
            (ParseCanvasName(entry.name) || ParseNameBeforeExercise(entry.name, exercises_)));
  }

  /// The number of a folder's entries that look like those of different students, if it looks like a class's
  /// folder: an export, several archives, or one exercise's file in several folders that are not one
  /// student's chapters or attempts. 0 if it does not.
  std::size_t StudentsIn(const fs::path& folder) {
    const auto [place, is_new] = students_in_.try_emplace(folder, 0);
    if (!is_new) return place->second;
    const std::vector<Item> entries = ItemsOf(folder);
    if (IsOneStudents(entries) ||
        std::ranges::find(entries, "gradebook.sqlite", &Item::name) != entries.end())
      return 0;
    std::map<std::string, std::size_t> count;
    std::size_t archives = 0;
    for (const Item& entry : entries) {
      if (IsSurelyOfClass(entry)) return place->second = kDownload;
      archives += !entry.is_folder && IsArchiveName(entry.name);
      std::set<std::string> handed_in;
      if (entry.is_folder && !InLowerCase(entry.name).starts_with("attempt"))
        FindExercises(entry.path, kDepth, handed_in);
      for (const std::string& exercise : handed_in) ++count[exercise];
    }
    std::size_t most = archives;
    for (const auto& [exercise, folders] : count) most = std::max(most, folders);
    return place->second = most >= 2 ? most : 0;
  }

  void FindExercises(const fs::path& folder, int depth, std::set<std::string>& found) const {
    for (const Item& entry : ItemsOf(folder)) {
      if (entry.is_folder && depth > 1) FindExercises(entry.path, depth - 1, found);
      const std::string name = InLowerCase(AsCuPath(entry.name));
      for (const std::string& exercise : exercises_) {
        if (!entry.is_folder && name == exercise + ".cu") found.insert(exercise);
      }
    }
  }

  /// Anything that may be a hand-in: a file that is read, an archive, or something that is no folder and no
  /// file.
  static bool HoldsWork(const Item& entry, int depth) {
    if (!entry.is_folder) {
      std::error_code error;
      return IsArchiveName(entry.name) || (depth < kDepth && IsKept(entry.name)) ||
             !fs::is_regular_file(fs::symlink_status(entry.path, error));
    }
    if (depth == 0) return false;
    std::error_code error;
    fs::directory_iterator readable(entry.path, error);
    if (error) return true;  // It may hold anything: the grading says that it cannot be read.
    const std::vector<Item> below = ItemsOf(entry.path);
    return std::ranges::any_of(below, [&](const Item& each) { return HoldsWork(each, depth - 1); });
  }

  std::set<std::string> chapters_;
  std::vector<std::string> exercises_;
  std::map<fs::path, std::size_t> students_in_;
};

}  // namespace

Status CheckClassFolder(const fs::path& folder, const Workbook& workbook) {
  std::error_code error;
  fs::directory_iterator readable(folder, error);
  if (error) return Unit{};
  return Survey(workbook).Check(folder);
}

}  // namespace warplings
