// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/gradebook/class_lock.h"
#include "grader/gradebook/gradebook.h"
#include "grader/pipeline/grade_outputs.h"

namespace warplings {

/// A folder that `warplings grade` wrote, held against another writer.
struct GradedClass {
  GradeOutputs outputs;
  ClassLock lock;
  Gradebook gradebook;
};

/// A usage error where there is no gradebook: a misspelt folder must not become an empty one.
Result<GradedClass> OpenGradedClass(const std::filesystem::path& folder);

/// A usage error for a class that was graded with --anonymous: an LMS knows students by ids, which are not
/// there.
Status CheckHasNames(const GradedClass& graded);

/// A file that the user names; one that cannot be read is a usage error.
Result<std::string> ReadNamedFile(const std::filesystem::path& file);

/// The line that every verb on a graded class has for its OUT.
inline constexpr const char* kGradedClassHelp = "Folder that `warplings grade` wrote";

}  // namespace warplings
