// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/class_folder.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "grader/base/text.h"
#include "grader/submissions/handed_in.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

constexpr const char* kArchiveEndings[] = {".zip", ".tar.gz", ".tgz", ".tar"};
/// Somebody's work all the same, which must not be passed over.
constexpr const char* kOtherArchiveEndings[] = {".rar",    ".7z",  ".zipx",    ".tar.bz2", ".tbz2",
                                                ".tar.xz", ".txz", ".tar.zst", ".gz"};

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

/// "ada" of "ada.tar.gz"; nothing for a file that is no archive.
std::optional<std::string> ArchiveStem(const std::string& name, std::span<const char* const> endings) {
  for (const std::string ending : endings) {
    if (name.size() > ending.size() && Lower(name).ends_with(ending)) {
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

StudentEntry Unusable(const fs::path& path, std::string problem) {
  return {PrintableName(path.filename().string()), path, StudentEntry::Kind::kUnusable, std::move(problem)};
}

/// Nothing for what is no student's.
std::optional<StudentEntry> EntryOf(const fs::path& path) {
  const std::string name = path.filename().string();
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  const auto stem = ArchiveStem(name, kArchiveEndings), other = ArchiveStem(name, kOtherArchiveEndings);
  switch (status.type()) {
    case fs::file_type::directory:
      return StudentEntry{PrintableName(name), path, StudentEntry::Kind::kFolder, ""};
    case fs::file_type::regular:
      if (!stem && other) {
        return StudentEntry{PrintableName(*other), path, StudentEntry::Kind::kUnusable,
                            "is an archive that is not read; ask for a .zip or a .tar.gz"};
      }
      if (!stem) return std::nullopt;
      return StudentEntry{PrintableName(*stem), path, StudentEntry::Kind::kArchive, ""};
    case fs::file_type::symlink:
      return Unusable(path, "is a link; put the folder or the archive itself here");
    default:
      if (!stem) return std::nullopt;
      return Unusable(path, "is no ordinary file");
  }
}

/// Several entries of one name (a folder and an archive, or two archives) go by their whole file names.
void MakeNamesDiffer(std::vector<StudentEntry>& students) {
  std::multiset<std::string> names;
  for (const StudentEntry& student : students) names.insert(student.name);
  std::set<std::string> taken;
  for (StudentEntry& student : students) {
    if (names.count(student.name) > 1) student.name = PrintableName(student.path.filename().string());
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
  return UsageError("there is no submission in " + folder.string(),
                    "It must hold a folder or an archive (.zip, .tar.gz) for each student.");
}

}  // namespace

Result<ClassFolder> ListClass(const fs::path& folder, const Workbook& workbook) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return UsageError(folder.string() + " is no folder",
                      "Name the folder that holds a folder or an archive for each student.");
  }
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    paths.push_back(entry->path());
  }
  if (error) return UsageError("cannot read " + folder.string() + ": " + error.message());
  std::ranges::sort(paths, {}, [](const fs::path& path) { return path.string(); });

  ClassFolder found;
  for (const fs::path& path : paths) {
    const std::string name = path.filename().string();
    if (IsClutter(name)) continue;
    if (LooksLikeOneStudents(name, workbook)) {
      return UsageError(folder.string() + " looks like one student's: it holds " + name,
                        "Name the folder above it, which holds a folder for each student.");
    }
    if (auto student = EntryOf(path)) {
      found.students.push_back(std::move(*student));
    } else {
      found.ignored.push_back(PrintableName(name));
    }
  }
  if (found.students.empty()) return NoStudents(folder);
  MakeNamesDiffer(found.students);
  std::ranges::sort(found.students, {}, &StudentEntry::name);
  return found;
}

}  // namespace warplings
