// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/class_grades.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// A file that lies beside other students' in the class's folder.
struct LooseFile {
  std::filesystem::path path;
  std::string name;        ///< The student's own name of it.
  std::int64_t order = 0;  ///< As HandedInFile::order.
};

/// One student's entry in the folder of a class.
struct StudentEntry {
  enum class Kind { kFolder, kArchive, kFiles, kUnusable };
  /// The folder's or the archive's without its ending, or the student's as the LMS writes it; fit to print;
  /// no two are the same.
  std::string name;
  std::filesystem::path path;
  Kind kind = Kind::kFolder;
  std::string problem;                       ///< Of an unusable one, to be read after its name.
  std::vector<LooseFile> files;              ///< Of kFiles.
  std::string student, id, email;            ///< What the LMS's export says of whose it is; may be empty.
  std::optional<std::int64_t> handed_in_at;  ///< The same of the time: seconds since 1970, UTC.
  bool marked_late = false;                  ///< The LMS says late, and not how late.
};

struct ClassFolder {
  std::vector<StudentEntry> students;   ///< By name.
  std::vector<UnplacedEntry> unplaced;  ///< All else, but what systems put there (IsClutter).
};

/// Every folder and every .zip, .tar.gz, .tgz and .tar in `folder` is a student; so are files together that
/// Canvas or Moodle named after one student, or whose name ends in that of an exercise: ada_tile.cu. The
/// folders of a Gradescope export have the names that its submission_metadata.yml gives. A link is a student
/// that cannot be used, because it could lead anywhere, and so is an archive of another kind. A missing or
/// empty folder, and one that looks like a single student's, are usage errors.
Result<ClassFolder> ListClass(const std::filesystem::path& folder, const Workbook& workbook);

}  // namespace warplings
