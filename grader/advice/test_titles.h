// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/exercise_result.h"

namespace warplings {

/// "PriceIsPaid" of "WhenNotTo.PriceIsPaid".
std::string ShortName(const std::string& name);

/// Whether `name` means the test: it is its GoogleTest name, or the part behind the dot.
bool IsNamed(const std::string& test, const std::string& name);

/// Whether a test's title says which call it is about: "width 17: two phases" begins with what "width 17"
/// has.
bool NamesCall(const Message& title, const Message& call);

/// The message with the titles of the tests that it names.
Message WithTitles(Message message, const std::vector<TestResult>& tests);

/// Makes titles the names by which a student knows tests: a test without a title gets one made of its name
/// ("price is paid once"), and the evidence of misconceptions refers to tests by title.
void GiveTitles(ExerciseResult& result);

}  // namespace warplings
