// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/finding.h"

namespace warplings {

/// One message of the compiler about the student's file.
struct Diagnostic {
  Severity severity = Severity::kError;
  SourceLine where;
  int column = 0;
  Message message;
};

}  // namespace warplings
