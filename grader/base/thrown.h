// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/base/result.h"

/// Stages report failures by Result, but the standard library and others throw. Where work on one submission
/// or one request begins, everything is caught and described by these; both may be called in a catch block
/// only.
namespace warplings {

/// What was thrown: "std::length_error: vector::reserve".
std::string DescribeThrown();

/// The grader's error for what was thrown, with the next step.
Error ErrorOfThrown();

}  // namespace warplings
