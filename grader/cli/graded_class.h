// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/class_grades.h"
#include "grader/gradebook/class_lock.h"
#include "grader/gradebook/gradebook.h"
#include "grader/pipeline/grade_outputs.h"

namespace warplings {

/// A folder that `warplings grade` wrote, locked against other writers.
struct GradedClass {
  GradeOutputs outputs;
  ClassLock lock;
  Gradebook gradebook;
};

/// Whether `grade` wrote the folder.
bool HasGradebook(const std::filesystem::path& folder);

/// The folders in `out` that `grade` wrote, by name.
std::vector<std::filesystem::path> GradedFoldersIn(const std::filesystem::path& out);

/// `out` itself, or, of a term's folder, the folders in it that `grade` wrote, by name. A usage error if
/// there is none.
Result<std::vector<std::filesystem::path>> FindGradedFolders(const std::filesystem::path& out);

/// Those in a folder that was graded itself, as by `grade --out` with a part of the path left out. They are
/// warned of: whoever names the folder may mean the term.
void WarnOfGradedFoldersIn(const std::filesystem::path& out);

/// A usage error if there is no gradebook, so that a misspelt folder is not created.
Result<GradedClass> OpenGradedClass(const std::filesystem::path& folder);

/// The same, with a copy of the gradebook below the temporary folder: nothing is written into `folder`, which
/// is locked against writers only.
Result<GradedClass> OpenGradedCopy(const std::filesystem::path& folder);

/// True if the class was graded with --anonymous.
Result<bool> IsAnonymous(const Gradebook& gradebook);

/// The file of pseudonyms that `grade --anonymous` uses if none is named; empty without a home folder.
std::filesystem::path DefaultKeyFile();

/// A usage error if the class was graded with --anonymous: an LMS identifies students by ids, which such a
/// gradebook lacks.
Status CheckHasNames(const GradedClass& graded);

/// A usage error if the grading of the class was interrupted: what it has not got to would count as zero, or
/// be left out. It names the command that finishes it.
Status CheckIsFinished(const GradedClass& graded, const ClassGrades& grades);

/// The same as a warning, for what may be looked at before that. True if there is one.
bool WarnIfUnfinished(const GradedClass& graded, const ClassGrades& grades);

/// Reads a file that the user named; a usage error if it cannot be read.
Result<std::string> ReadNamedFile(const std::filesystem::path& file);

/// The help for the argument OUT of a verb on a graded class, and of one that takes several.
inline constexpr const char* kGradedClassHelp = "Folder that `warplings grade` wrote";
inline constexpr const char* kGradedFoldersHelp =
    "Folder that `warplings grade` wrote, or a term's folder that holds several";

}  // namespace warplings
