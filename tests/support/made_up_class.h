// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/class_grades.h"

namespace warplings::report_test {

/// Test data: two exercises and four students. One has a graded failure, one handed in nothing, one has an
/// unusable file, and for one the grader failed. Their names attack spreadsheets and HTML pages.
ClassGrades MadeUpClass();

}  // namespace warplings::report_test
