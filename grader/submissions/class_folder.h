// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/unplaced_entry.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// A student's file that is directly in the class's folder, among those of other students.
struct LooseFile {
  std::filesystem::path path;
  std::string name;        ///< The file name that the student chose.
  std::int64_t order = 0;  ///< As HandedInFile::order.
  std::string folder{};    ///< Of the student's in which it lies: "attempt_1/"; mostly empty.
};

/// One student's entry in the folder of a class.
struct StudentEntry {
  enum class Kind { kFolder, kArchive, kFiles, kUnusable };
  /// Name of the folder, or of the archive without its extension, or of the student in the LMS's spelling.
  /// Safe to print and unique.
  std::string name;
  std::filesystem::path path;
  Kind kind = Kind::kFolder;
  std::string problem;             ///< Why it is unusable; completes a sentence that begins with the name.
  std::vector<LooseFile> files;    ///< For kFiles.
  std::string student, id, email;  ///< Whose it is according to the LMS's export; may be empty.
  /// "ada" of ada.zip beside the folder ada, which is called "ada.zip"; empty where that is the name.
  std::string stem;
  /// What `id` is: one kind says nothing about another.
  enum class IdKind {
    kStudent,      ///< The university's number, from Gradescope.
    kLmsAccount,   ///< The account's number in Canvas.
    kParticipant,  ///< Moodle's number, of this assignment only: no roster has it.
  };
  IdKind id_kind = IdKind::kStudent;
  std::optional<std::int64_t> handed_in_at;  ///< When, according to the export: seconds since 1970, UTC.
  bool marked_late = false;                  ///< The LMS marked it as late, without saying how late.
};

struct ClassFolder {
  std::vector<StudentEntry> students;  ///< Sorted by name.
  /// All other entries, except files that operating systems create (IsClutter).
  std::vector<UnplacedEntry> unplaced;
};

/// A usage error if `folder` is plainly another one than that of a class: empty, the workbook, a class that
/// was graded, several entries and no hand-in in any, or one above the class's. The error says what is
/// there, and which folder below looks right. Looks at names only, and only as deep as the folders of a class
/// need. A folder that is missing or cannot be read is no such error: ListClass reports it.
Status CheckClassFolder(const std::filesystem::path& folder, const Workbook& workbook);

/// Lists the students of a class. Every folder and every .zip, .tar.gz, .tgz and .tar in `folder` is one
/// student. Loose files are grouped by student if Canvas or Moodle put the student's name into theirs, or if
/// they are named after student and exercise, as in ada_tile.cu. Folders of a Gradescope export get the names
/// in its submission_metadata.yml. A symbolic link, which could lead anywhere, and an archive of another kind
/// give a student whose entry is unusable. A folder that is missing, empty or looks like a single student's
/// is a usage error.
Result<ClassFolder> ListClass(const std::filesystem::path& folder, const Workbook& workbook);

}  // namespace warplings
