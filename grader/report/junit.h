// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/class_grades.h"

namespace warplings {

/// JUnit XML of one student, as Ant, Jenkins and GitLab read it: a testsuite for each exercise, a testcase
/// for each test. A test that did not pass is a failure, a fault of the grader's an error; what was not
/// handed in, did not run or counts for nobody is skipped. Points stand among the properties.
std::string JUnitReport(const ClassGrades& grades, const StudentGrades& student);

/// `text` for XML 1.0, as an element's text or between an attribute's quotes. Characters that XML cannot hold
/// at all are written as \xNN or \u{N}.
std::string XmlText(std::string_view text);

}  // namespace warplings
