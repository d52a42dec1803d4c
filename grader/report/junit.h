// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/class_grades.h"

namespace warplings {

/// JUnit XML for one student, as Ant, Jenkins and GitLab read it: a testsuite per exercise and a testcase per
/// test. A test that did not pass is a failure, and one that the grader failed on is an error; what was not
/// handed in, did not run or is excluded is skipped. Points are written as properties.
std::string JUnitReport(const ClassGrades& grades, const StudentGrades& student);

/// Escapes `text` for XML 1.0, for an element's text or a quoted attribute. Characters that XML cannot
/// represent at all become \xNN or \u{N}.
std::string XmlText(std::string_view text);

}  // namespace warplings
