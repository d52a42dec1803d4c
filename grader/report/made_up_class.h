// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/class_grades.h"

namespace warplings::report_test {

/// Two exercises and four students: one with a graded failure, one who handed in nothing, one whose file is
/// unusable, one who met a fault of the grader's; with names that attack spreadsheets and pages.
ClassGrades MadeUpClass();

}  // namespace warplings::report_test
