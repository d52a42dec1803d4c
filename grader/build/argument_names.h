// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "grader/core/finding.h"

namespace warplings {

/// What `source` calls a parameter of a kernel; `number` counts from 1. "" where the kernel is not found
/// there. Neither PTX nor line information has the names.
std::string ParameterName(std::string_view source, std::string_view kernel, std::size_t number);

/// Puts the names of parameters into the finding, in place of "argument 2": as code, "`out`".
void NameArguments(Finding& finding, std::string_view source);

}  // namespace warplings
