// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/class_marks.h"

#include <nlohmann/json.hpp>

#include "grader/core/json.h"
#include "grader/report/class_report.h"

namespace warplings {
namespace {

using nlohmann::json;

void Mark(const StudentGrades& student, json& data) {
  for (std::size_t i = 0; i < student.cells.size(); ++i) {
    json& cell = data["cells"][i];
    cell["starter"] = student.cells[i].is_starter;
    cell["decided_before"] = student.cells[i].is_decided_before;
  }
}

}  // namespace

json MarkedClassData(const ClassGrades& grades) {
  json data = *FromJson<json>(ClassReportData(grades));
  for (std::size_t i = 0; i < grades.students.size(); ++i) Mark(grades.students[i], data["students"][i]);
  return data;
}

json MarkedStudentData(const ClassGrades& grades, const StudentGrades& student) {
  json data = ClassStudentData(grades, student);
  Mark(student, data);
  return data;
}

}  // namespace warplings
