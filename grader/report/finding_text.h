// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/finding.h"
#include "grader/report/source_quotes.h"

namespace warplings {

/// "error: out of bounds read, 12 accesses" or "warning: race".
std::string FindingHeading(const Finding& finding);

/// "kernel tiled_kernel, block (0, 0, 0), thread (3, 1, 0)", for a refused launch only the kernel; empty for
/// a fault outside a kernel.
std::string FindingPlace(const Finding& finding);

/// What the message does not say of the object: all of it, "4 bytes at byte 36 of M, which is 36 bytes long",
/// where the message does not name it; else only the place in it, "at byte 12 of its 36", unless that too is
/// told. May be empty.
std::string FindingObject(const Finding& finding);

/// "tiled_matmul.cu:23 | Mds[ty][tx] = M[i];", the quoted text only where it is known.
std::string QuotedLine(const SourceLine& where, const SourceQuotes& quotes);

/// The line that a finding stands under: its source line quoted, or what is known in its stead.
std::string FindingTitle(const Finding& finding, const SourceQuotes& quotes);

/// What stands under a finding's source line, one statement a line and without indentation: what
/// happened, to which object, the other line of a race or barrier, and which thread of which kernel.
std::vector<std::string> FindingDetails(const Finding& finding, const SourceQuotes& quotes);

/// A whole finding: its source line quoted, then the heading, then the details indented under it; ends with
/// a newline. `columns` is the width to wrap at.
std::string FormatFinding(const Finding& finding, const SourceQuotes& quotes, std::size_t columns = 100);

}  // namespace warplings
