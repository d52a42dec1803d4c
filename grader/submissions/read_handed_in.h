// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/submissions/class_folder.h"
#include "grader/submissions/handed_in.h"

namespace warplings {

/// What a student handed in. Nothing in it can make this fail, wait or follow a way out of the student's
/// folder: whatever cannot be used says so in its own `problem`.
HandedIn ReadHandedIn(const StudentEntry& student, const ReadLimits& limits = {});

/// A folder on disk. A link to a file inside the same folder is followed; every other link, and whatever is
/// no ordinary file, is not opened.
HandedIn ReadFolder(const std::filesystem::path& folder, const ReadLimits& limits);

/// A .zip or .tar, the latter also compressed by gzip, read by libarchive. Nothing is unpacked to disk. A
/// child process without files, network and much memory reads it, so that an archive made to break libarchive
/// breaks that child only. Not for programs with other threads running: the child is forked and not executed.
HandedIn ReadArchive(const std::filesystem::path& archive, const ReadLimits& limits);

}  // namespace warplings
