// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/submissions/handed_in.h"

namespace warplings {

/// Reads an open archive to its end with libarchive. Runs in the sandbox of ReadArchive (program/main.cc).
HandedIn ReadArchiveEntries(int fd, const ReadLimits& limits);

}  // namespace warplings
