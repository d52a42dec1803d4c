// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "grader/build/build_submission.h"
#include "grader/build/compile.h"
#include "grader/build/diagnostics.h"

namespace warplings {

/// Why a submission did not become a worker; what fills a BuildOutcome.
struct BuildFault {
  Verdict verdict = Verdict::kCompileError;
  std::string reason, next_step;
};

/// A fault that the symbols show, whether or not the link succeeded: a main() of its own, no entry
/// function or one declared differently, functions that are not allowed.
std::optional<BuildFault> FindSymbolFault(const CompileOutput& output, const Exercise& exercise);

/// A name that our own archives lack: `probe` is the compilation of a file of ours that uses nothing. What
/// the linker says of a submission shows no such thing, because its author chooses the names of symbols and
/// sections. Empty where there is none.
std::string FindMissingOfOurs(const CompileOutput& probe);

/// Why the link failed: names that are used and defined nowhere, or defined twice.
BuildFault ExplainLinkFailure(const std::string& linker_output);

/// Why the compiler failed, from its messages, already parsed.
BuildFault ExplainCompileFailure(const CompileOutput& output, const std::vector<Diagnostic>& diagnostics,
                                 const Exercise& exercise);

}  // namespace warplings
