// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/kernel_resources.h"
#include "grader/core/test_result.h"
#include "grader/report/source_quotes.h"

namespace warplings {

/// The test whose launches executed most instructions: its counts say most about a kernel. Null where
/// no test launched anything.
const TestResult* TestWithMostWork(const std::vector<TestResult>& tests);

/// Each kernel's resources by ptxas, and under it the counts and the occupancy of its launches in `test`
/// (may be null), as lines to be wrapped.
std::vector<std::string> KernelLines(const std::vector<KernelResources>& resources, const TestResult* test);

/// Counts of `test` by source line, as a table with its headers first; for --verbose.
std::vector<std::vector<std::string>> LineCountRows(const TestResult& test, const SourceQuotes& quotes);

}  // namespace warplings
