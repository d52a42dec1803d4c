// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <system_error>

#include "grader/base/result.h"

/// Stages report failures by Result, but the standard library and others throw. Where work on one submission
/// or one request begins, everything is caught.
namespace warplings {

/// What was thrown, in a catch block: "std::length_error: vector::reserve".
std::string DescribeThrown();

/// The grader's error for what was thrown, in a catch block, with the next step.
Error ErrorOfThrown();

/// Throws std::bad_alloc or std::system_error if the system refused memory or a descriptor: that is a
/// shortage of this machine's, and no fault of the file that was to be read.
void ThrowIfExhausted(const std::error_code& error);

}  // namespace warplings
