// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// The files that a compilation read, with size and time of each, so that a cached result is not used after
/// one of them was replaced: a package manager replaces CUDA's headers, or the C library's, without touching
/// the compiler.
///
/// `paths` is one path a line, as a preprocessor's line markers name them. Lines that are no absolute path
/// are skipped: a submission's #line can put anything there. Nothing if there are more than any program
/// includes.
std::optional<std::string> DescribeHeaders(std::string_view paths);

/// Whether all files of such a description have the size and time that they had.
bool HeadersAreUnchanged(std::string_view description);

/// A shell line that prints those paths, once each, from the preprocessed files that match `files`.
std::string HeaderPathsLine(const std::string& files);

}  // namespace warplings
