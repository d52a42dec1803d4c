// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/core/diagnostic.h"

namespace warplings {

/// Finds variables of a function that are read before they have a value, such as an accumulator without its
/// 0. Nothing shows that at run time: the compiler may take any value, and takes 0 for a sum. cudafe++ warns
/// (#549-D) only where no loop lies around the line; cicc, ptxas and g++, which does not see kernels, say
/// nothing.
///
/// Returns a warning for each such variable, at the line that reads it. Looks at numbers and CUDA's vectors
/// of them, alone or in arrays. Says nothing where it is in doubt: after an assignment, of whatever element
/// and under whatever condition; where the variable's address, a reference to it or an array's name is passed
/// on; in a loop, where a later line assigns to it and a condition may keep the first round from the read.
/// Unseen stay class types, template parameters, and variables behind macros.
std::vector<Diagnostic> FindUnsetVariables(std::string_view source, const std::string& display_name);

/// Puts these warnings before those of the compiler, in the place of its own ones about the same lines.
void AddUnsetVariables(std::string_view source, const std::string& display_name,
                       std::vector<Diagnostic>& diagnostics);

}  // namespace warplings
