// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/base/result.h"
#include "grader/submissions/class_folder.h"
#include "grader/submissions/handed_in.h"
#include "grader/submissions/hard_links.h"

namespace warplings {

/// Reads what a student handed in. Never blocks or leaves the student's folder, and never fails because of
/// what that contains: a file that cannot be used has a `problem`. A grader error says that an archive cannot
/// be read on this machine; where it is short of memory or descriptors, that is thrown (base/thrown.h). A
/// file with several names is read where `links` has nothing against it.
Result<HandedIn> ReadHandedIn(const StudentEntry& student, const ReadLimits& limits = {},
                              HardLinks* links = nullptr);

/// Reads a folder on disk. Follows symbolic links to files inside the same folder. Does not open any other
/// link, or anything that is not a regular file.
HandedIn ReadFolder(const std::filesystem::path& folder, const ReadLimits& limits,
                    HardLinks* links = nullptr);

/// Reads a .zip, .tar or gzip-compressed .tar with libarchive. Nothing is unpacked to disk. A program in a
/// sandbox of its own does the reading, so that an archive that exploits a bug of libarchive harms only that
/// process: it has little memory, and no network, files or other processes to reach. Without a sandbox no
/// archive is read: a grader error.
Result<HandedIn> ReadArchive(const std::filesystem::path& archive, const ReadLimits& limits,
                             HardLinks* links = nullptr);

}  // namespace warplings
