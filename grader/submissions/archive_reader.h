// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "grader/sandbox/process.h"
#include "grader/submissions/handed_in.h"

namespace warplings {

/// The open archive's descriptor in the program that reads it (program/main.cc).
inline constexpr int kArchiveNumber = 3;

/// What that program prints when it has given up all rights and before it looks at the archive. Up to here
/// its failures are the grader's, from here on they are the archive's. After it comes a HandedIn, as wire.h
/// encodes it.
inline constexpr std::string_view kReadyMark = "ready\n";

/// How that program is run over the open file `archive`.
sandbox::ProcessRequest ArchiveReaderRequest(int archive, const ReadLimits& limits);

/// What became of it. A grader error if it ended before it looked at the archive.
Result<HandedIn> ConcludeReading(const sandbox::Finished& reader);

}  // namespace warplings
