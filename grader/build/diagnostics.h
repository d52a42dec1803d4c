// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/core/diagnostic.h"

namespace warplings {

/// How paths inside the sandbox read outside it: {"/submission/tiled_matmul.cu", "my/file.cu"}. The
/// first is the student's file.
using PathNames = std::vector<std::pair<std::string, std::string>>;

/// The messages in what nvcc and the programs it runs printed, in their order, without repetitions.
/// Known are the front ends (cudafe++, cicc), g++'s, the assembler's, ptxas', nvcc's own and the
/// linker's. A message about a header, which the student's code caused ("detected during instantiation
/// … at line 3 of …"), gets the student's line.
///
/// The text is partly the student's (#error, #pragma message): a forged message costs nobody but its
/// author, and nothing is decided by one.
std::vector<Diagnostic> ParseDiagnostics(std::string_view text, const PathNames& names);

/// The whole text with the sandbox' paths replaced.
std::string RenamePaths(std::string text, const PathNames& names);

/// "line 12: identifier \"x\" is undefined"
std::string DescribeDiagnostic(const Diagnostic& diagnostic);

}  // namespace warplings
