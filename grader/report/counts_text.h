// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "grader/core/kernel_resources.h"
#include "grader/core/test_result.h"
#include "grader/report/source_quotes.h"

namespace warplings {

/// The test in whose call a limit was broken, if it is that of `test`: a limit of all calls has a test of its
/// own (EveryCall), whose reason names the call's test. `test` itself otherwise.
const TestResult& CallOfLimit(const std::vector<TestResult>& tests, const TestResult& test);

/// The test whose counts are shown: the first that a count made fail, as its reason has these; else the one
/// whose launches executed the most instructions, because its counts say the most about a kernel. Null if no
/// test launched anything.
const TestResult* TestToCount(const std::vector<TestResult>& tests);

/// Whether this line is a launch's grid and block, which the launch's counts follow.
bool IsLaunchLine(const Message& line);

/// Lines, not wrapped yet, with each kernel's resources from ptxas, followed by the counts and the occupancy
/// of its launches in `test` (may be null).
std::vector<Message> KernelLines(const std::vector<KernelResources>& resources, const TestResult* test);

/// Of these lines, those of the counts with these names (kCountNames). Where there are several launches, the
/// line of each precedes its counts, whether it is named or not.
std::vector<Message> KernelLines(const std::vector<KernelResources>& resources, const TestResult* test,
                                 std::span<const std::string> shown);

/// A table of the counts of `test` by source line, in words; the first row holds the headers. For --verbose.
std::vector<std::vector<std::string>> LineCountRows(const TestResult& test, const SourceQuotes& quotes);

}  // namespace warplings
