// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/core/diagnostic.h"

namespace warplings {

/// Paths inside the sandbox with their names outside it: {"/submission/tiled_matmul.cu", "my/file.cu"}. The
/// first entry is the student's file.
using PathNames = std::vector<std::pair<std::string, std::string>>;

/// Parses the messages that nvcc and the programs it runs printed; keeps their order and drops repetitions.
/// Understands the messages of the front ends (cudafe++, cicc), g++, the assembler, ptxas, nvcc itself and
/// the linker. A message about a header that the student's code caused ("detected during instantiation … at
/// line 3 of …") gets the student's line. A missing semicolon gets the line that it is missing from, by the
/// text of the student's file: compilers name the token behind it.
///
/// A student can forge messages (#error, #pragma message). That is harmless: no decision depends on a
/// message, and a forged one misleads only its author.
std::vector<Diagnostic> ParseDiagnostics(std::string_view text, const PathNames& names,
                                         std::string_view source = {});

/// Replaces the sandbox's paths in the whole text.
std::string RenamePaths(std::string text, const PathNames& names);

/// "line 12: identifier \"x\" is undefined"
Message DescribeDiagnostic(const Diagnostic& diagnostic);

}  // namespace warplings
