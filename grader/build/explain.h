// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/build/build_submission.h"
#include "grader/build/compile_steps.h"
#include "grader/build/diagnostics.h"

namespace warplings {

/// Why no worker could be built; becomes part of a BuildOutcome.
struct BuildFault {
  Verdict verdict = Verdict::kCompileError;
  Message reason, next_step;
};

/// Finds errors that the symbols reveal, whether or not the link succeeded: a main() in the submission, an
/// entry function that is missing or declared differently, functions that are not allowed. The source says
/// which library they came with.
std::optional<BuildFault> FindSymbolFault(const CompileOutput& output, std::string_view source,
                                          const Exercise& exercise);

/// Finds a symbol that is missing from our own archives. `probe` must be the result of compiling a trivial
/// file of ours: the linker's messages about a submission prove nothing, because its author chooses the names
/// of symbols and sections. Empty if none is missing.
std::string FindMissingOfOurs(const CompileOutput& probe);

/// Explains a failed link: symbols that are used and never defined, or defined twice. The source says in
/// which lines.
BuildFault ExplainLinkFailure(const std::string& linker_output, std::string_view source = {});

/// Explains a failed compilation by the compiler's messages, which are already parsed, and the source.
BuildFault ExplainCompileFailure(const CompileOutput& output, const std::vector<Diagnostic>& diagnostics,
                                 std::string_view source, const Exercise& exercise);

}  // namespace warplings
