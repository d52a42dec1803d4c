// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/submissions/class_folder.h"
#include "grader/submissions/handed_in.h"

namespace warplings {

/// Reads what a student handed in. Never fails, blocks or leaves the student's folder, whatever that
/// contains: a file that cannot be used has a `problem`.
HandedIn ReadHandedIn(const StudentEntry& student, const ReadLimits& limits = {});

/// Reads a folder on disk. Follows symbolic links to files inside the same folder. Does not open any other
/// link, or anything that is not a regular file.
HandedIn ReadFolder(const std::filesystem::path& folder, const ReadLimits& limits);

/// Reads a .zip, .tar or gzip-compressed .tar with libarchive. Nothing is unpacked to disk. A child process
/// with little memory and no access to files or network does the reading, so that an archive that exploits a
/// bug of libarchive harms only that child. The child is forked without exec, so do not call this while other
/// threads run.
HandedIn ReadArchive(const std::filesystem::path& archive, const ReadLimits& limits);

}  // namespace warplings
