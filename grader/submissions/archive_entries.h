// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/submissions/handed_in.h"

namespace warplings {

/// Reads an open archive to its end with libarchive: what ReadArchive's child does.
HandedIn ReadArchiveEntries(int fd, const ReadLimits& limits);

}  // namespace warplings
