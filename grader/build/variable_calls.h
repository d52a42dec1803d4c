// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/plain_code.h"
#include "grader/core/finding.h"

namespace warplings {

// Calls such as cudaMemcpy(F, …) that get the name of a `__constant__` or `__device__` variable as a pointer,
// as findings report them.

/// Whether the finding is of such a call.
bool UsesVariableAsPointer(const Finding& finding);

/// The line of the first call of that function with that variable's name.
std::optional<int> LineOfVariableCall(std::string_view source, const Finding& finding);

/// The call to write in its place, as far as the source shows it. The pointers that the function `entry` gets
/// point to device memory.
Message RemedyOfVariableCall(std::string_view source, const Finding& finding, std::string_view entry);

/// "F" of `cudaMemcpyToSymbol(&F, …)` in the finding's line; empty if no address of a variable is there.
std::string SymbolByAddress(std::string_view source, const Finding& finding);

/// The names of the variables of the device: `__constant__ float F[9], G[9];` and `__device__ int n = 1;`.
/// Not those of managed memory, which the host uses by their names.
std::set<std::string> DeviceVariables(const std::vector<CodeToken>& tokens);

/// Whether the argument of a call, without blanks, is a variable of the device: `F`, `&F[2]`, `F + 1`.
bool IsDeviceVariable(std::string_view source, const std::string& argument);

}  // namespace warplings
