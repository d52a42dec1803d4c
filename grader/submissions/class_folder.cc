// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/class_folder.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "grader/base/person_names.h"
#include "grader/base/read_file.h"
#include "grader/base/text.h"
#include "grader/base/thrown.h"
#include "grader/core/remedy.h"
#include "grader/messages/class.h"
#include "grader/submissions/handed_in.h"
#include "grader/submissions/lms_file_names.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

constexpr const char* kArchiveEndings[] = {".zip", ".tar.gz", ".tgz", ".tar"};

/// "ada" of "ada.tar.gz"; nothing for a file that is no archive.
std::optional<std::string> ArchiveStem(const std::string& name) {
  for (const std::string ending : kArchiveEndings) {
    if (name.size() > ending.size() && InLowerCase(name).ends_with(ending)) {
      return name.substr(0, name.size() - ending.size());
    }
  }
  return std::nullopt;
}

/// On one line; Printable leaves newlines and widens tabs.
std::string PrintableName(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == '\n') {
      text += "\\x0a";
    } else if (c == '\t') {
      text += "\\x09";
    } else {
      text += c;
    }
  }
  return Printable(text);
}

StudentEntry Entry(const std::string& name, const fs::path& path, StudentEntry::Kind kind,
                   std::string problem = "") {
  StudentEntry entry;
  entry.name = PrintableName(name);
  entry.path = path;
  entry.kind = kind;
  entry.problem = std::move(problem);
  return entry;
}

StudentEntry Unusable(const fs::path& path, std::string problem) {
  return Entry(path.filename().string(), path, StudentEntry::Kind::kUnusable, std::move(problem));
}

constexpr const char* kMetadataName = "submission_metadata.yml";

std::map<std::string, GradescopeSubmission> ReadMetadata(const fs::path& folder) {
  constexpr std::uintmax_t kLargest = 64u << 20;  // It holds all results of a class.
  const fs::path file = folder / kMetadataName;
  std::error_code error;
  if (fs::symlink_status(file, error).type() != fs::file_type::regular ||
      fs::file_size(file, error) > kLargest) {
    return {};
  }
  return ParseGradescopeMetadata(ReadFile(file).value_or(""));
}

/// Takes the entries of a class's folder one by one.
class Lister {
 public:
  Lister(const fs::path& folder, const Workbook& workbook) : metadata_(ReadMetadata(folder)) {
    for (const Chapter& chapter : workbook.chapters) {
      for (const Exercise& exercise : chapter.exercises) exercises_.push_back(exercise.id);
    }
  }

  void Take(const fs::path& path) {
    std::error_code error;
    const std::string name = path.filename().string();
    switch (fs::symlink_status(path, error).type()) {
      case fs::file_type::directory: return TakeFolder(path, name);
      case fs::file_type::regular: return TakeFile(path, name);
      case fs::file_type::symlink:
        found_.students.push_back(Unusable(path, "is a link; put the folder or the archive itself here"));
        return;
      default:
        if (ArchiveStem(name)) {
          found_.students.push_back(Unusable(path, "is no ordinary file"));
        } else {
          Unplaced(name, "is no ordinary file", "Put the file itself here.");
        }
    }
  }

  ClassFolder Finish() {
    for (const auto& [name, submission] : metadata_) {
      if (!seen_.contains(name)) {
        Unplaced(name, std::string("is named in ") + kMetadataName + " and is not there",
                 "Export the submissions again, or unpack all of the export.");
      }
    }
    for (const Text& text : texts_) {
      // Beside files it is a word about them.
      if (loose_.at(text.key).files.size() == 1) TypedText(text.name, text.of, "Canvas");
    }
    for (auto& [key, entry] : loose_) found_.students.push_back(std::move(entry));
    return std::move(found_);
  }

 private:
  void TakeFolder(const fs::path& path, const std::string& name) {
    if (const auto known = metadata_.find(name); known != metadata_.end()) {
      seen_.insert(name);
      for (const GradescopeSubmitter& submitter : known->second.submitters) {
        const std::string& called = submitter.name.empty() ? submitter.email : submitter.name;
        StudentEntry entry = Entry(called.empty() ? name : called, path, StudentEntry::Kind::kFolder);
        entry.student = submitter.name;
        entry.id = submitter.id;
        entry.email = submitter.email;
        entry.handed_in_at = known->second.handed_in_at;
        found_.students.push_back(std::move(entry));
      }
      if (!known->second.submitters.empty()) return;
    }
    if (const auto moodle = ParseMoodleName(name)) {
      StudentEntry entry = Entry(moodle->student, path, StudentEntry::Kind::kFolder);
      entry.student = moodle->student;
      entry.id = moodle->id;
      entry.id_kind = StudentEntry::IdKind::kParticipant;
      if (IsTypedText(name)) return TypedText(name, *moodle, "Moodle");
      found_.students.push_back(std::move(entry));
      return;
    }
    found_.students.push_back(Entry(name, path, StudentEntry::Kind::kFolder));
  }

  void TakeFile(const fs::path& path, const std::string& name) {
    if (name == kMetadataName && !metadata_.empty()) return;
    if (const auto canvas = ParseCanvasName(name)) {
      const bool is_text = canvas->file == "text.html";
      if (is_text) texts_.push_back({name, *canvas, KeyOf(*canvas, "canvas")});
      return TakeLoose(path, *canvas, "canvas");
    }
    if (const auto moodle = ParseMoodleName(name); moodle && !moodle->file.empty()) {
      if (IsTypedText(name) && moodle->file == "onlinetext.html") return TypedText(name, *moodle, "Moodle");
      return TakeLoose(path, *moodle, "moodle");
    }
    if (const auto stem = ArchiveStem(name)) {
      found_.students.push_back(Entry(*stem, path, StudentEntry::Kind::kArchive));
    } else if (const std::size_t ending = OtherArchiveEnding(name).size();
               ending > 0 && ending < name.size()) {
      found_.students.push_back(
          Entry(name.substr(0, name.size() - ending), path, StudentEntry::Kind::kUnusable,
                "is an archive that is not read" + std::string(kAskForZip.of_instructor)));
    } else if (const auto loose = ParseNameBeforeExercise(name, exercises_)) {
      TakeLoose(path, *loose, "loose");
    } else if (IsKept(name)) {
      Unplaced(name, "does not say whose it is",
               "Put it into a folder with the student's name, or put that name in front: ada_" + name);
    } else {
      Unplaced(name, "is neither a folder nor an archive", "Take it out of the folder if it is no hand-in.");
    }
  }

  static std::string KeyOf(const LmsName& name, const std::string& lms) {
    return lms + "\n" + name.student + "\n" + name.id;
  }

  /// Files of one student are one entry, whatever lies between them.
  void TakeLoose(const fs::path& path, const LmsName& name, const std::string& lms) {
    const auto [place, is_new] = loose_.try_emplace(KeyOf(name, lms));
    StudentEntry& entry = place->second;
    if (is_new) {
      entry = Entry(name.student, path, StudentEntry::Kind::kFiles);
      if (lms != "loose") entry.student = name.student;
      entry.id = name.id;
      entry.id_kind =
          lms == "canvas" ? StudentEntry::IdKind::kLmsAccount : StudentEntry::IdKind::kParticipant;
    }
    entry.marked_late = entry.marked_late || name.late;
    entry.files.push_back({path, name.file, name.order});
  }

  void TypedText(const std::string& name, const LmsName& whose, const std::string& lms) {
    const std::string number = lms == "Moodle" ? " (participant " + PrintableName(whose.id) + " there)" : "";
    Unplaced(name, "is a text typed into " + lms,
             "Ask " + PrintableName(whose.student) + number + " for the file.");
  }

  void Unplaced(const std::string& name, std::string reason, std::string advice) {
    found_.unplaced.push_back({PrintableName(name), std::move(reason), std::move(advice)});
  }

  /// A text that was typed into Canvas.
  struct Text {
    std::string name;
    LmsName of;
    std::string key;  ///< Of the student in `loose_`.
  };

  const std::map<std::string, GradescopeSubmission> metadata_;
  std::vector<Text> texts_;
  std::vector<std::string> exercises_;
  std::set<std::string> seen_;
  std::map<std::string, StudentEntry> loose_;
  ClassFolder found_;
};

/// Several entries of one name (a folder and an archive, or two archives) go by their whole file names.
void MakeNamesDiffer(std::vector<StudentEntry>& students) {
  std::multiset<std::string> names;
  for (const StudentEntry& student : students) names.insert(student.name);
  std::set<std::string> taken;
  for (StudentEntry& student : students) {
    if (names.count(student.name) > 1 && student.student.empty()) {
      student.stem = student.name;
      student.name = PrintableName(student.path.filename().string());
    } else if (names.count(student.name) > 1 && !student.id.empty()) {
      student.name += " (" + PrintableName(student.id) + ")";  // Two students of one name.
    }
    const std::string base = student.name;
    for (int number = 2; !taken.insert(student.name).second; ++number) {
      student.name = base + " (" + std::to_string(number) + ")";
    }
  }
}

bool LooksLikeOneStudents(const std::string& name, const Workbook& workbook) {
  return name == "chapters" ||
         std::ranges::any_of(workbook.chapters, [&](const Chapter& chapter) { return chapter.id == name; });
}

Error NoStudents(const fs::path& folder) {
  return UsageError(say::no_submission_in(folder.string(), say::it_holds_no_folder()),
                    say::what_class_folder_holds());
}

}  // namespace

Result<ClassFolder> ListClass(const fs::path& folder, const Workbook& workbook) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    if (fs::is_regular_file(folder, error)) {
      return UsageError(say::is_no_folder(folder.string()), say::unpack_first());
    }
    return UsageError(say::is_no_folder(folder.string()), say::name_class_folder());
  }
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    paths.push_back(entry->path());
  }
  ThrowIfExhausted(error);
  if (error) return UsageError(say::cannot_read_file(folder.string(), error.message()));
  std::ranges::sort(paths, {}, [](const fs::path& path) { return path.string(); });

  Lister lister(folder, workbook);
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    if (IsClutter(name)) continue;
    if (LooksLikeOneStudents(name, workbook)) {
      return UsageError(say::looks_like_one_student(folder.string(), name), say::name_folder_above());
    }
    lister.Take(path);
  }
  ClassFolder found = lister.Finish();
  if (found.students.empty()) return NoStudents(folder);
  MakeNamesDiffer(found.students);
  std::ranges::sort(found.students, {}, [](const StudentEntry& entry) { return NameSortKey(entry.name); });
  return found;
}

}  // namespace warplings
