// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/core/finding.h"
#include "grader/report/source_quotes.h"

namespace warplings {

/// "error: out of bounds read, 12 times, in 2 tests" or "warning: race".
Message FindingHeading(const Finding& finding, std::size_t tests = 1);
/// The same without its severity.
Message FindingSubject(const Finding& finding, std::size_t tests = 1);

/// "kernel tiled_kernel, block (0, 0, 0), thread (3, 1, 0)"; only the kernel for a refused launch; empty for
/// an error outside a kernel.
Message FindingPlace(const Finding& finding);

/// What the finding's message leaves out about the object. If the message does not name it: "4 bytes at byte
/// 36 of M, which is 36 bytes long". If it does: only the position, "at byte 12 of 36 bytes", unless the
/// message has that, too. May be empty.
Message FindingObject(const Finding& finding);

/// "tiled_matmul.cu:23 | Mds[ty][tx] = M[i];"; without the source text if that is unknown.
Message QuotedLine(const SourceLine& where, const SourceQuotes& quotes);

/// The heading for a finding: its quoted source line, or what is known instead.
Message FindingTitle(const Finding& finding, const SourceQuotes& quotes);

/// FindingTitle in the reader's language, in `columns` columns: where that is too little, the path loses its
/// front and the source line its end. The number of the line always stays.
std::string FittedFindingTitle(const Finding& finding, const SourceQuotes& quotes, std::size_t columns);

/// The details of a finding, one statement per line, without indentation: what happened, to which object, the
/// other line of a race or barrier, and which thread of which kernel.
std::vector<Message> FindingDetails(const Finding& finding, const SourceQuotes& quotes);

/// A whole finding: the quoted source line, the heading, and the indented details. Wrapped at `columns`
/// columns; ends with a newline.
std::string FormatFinding(const Finding& finding, const SourceQuotes& quotes, std::size_t columns = 100);

}  // namespace warplings
