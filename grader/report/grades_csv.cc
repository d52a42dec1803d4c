// SPDX-License-Identifier: Apache-2.0
#include "grader/report/grades_csv.h"

#include <algorithm>

#include "grader/report/csv.h"

namespace warplings {
namespace {

using State = GradeCell::State;

std::string HeaderLine(const ClassGrades& grades) {
  std::vector<std::string> fields = {CsvField("Student"), CsvField("Points"), CsvField("Max points")};
  for (const ClassExercise& each : grades.exercises) fields.push_back(CsvField(each.chapter + "/" + each.id));
  for (const char* name : {"Missing", "Unusable", "Not graded", "Remarks"}) fields.push_back(CsvField(name));
  return CsvLine(fields);
}

std::string CellField(const GradeCell& cell) {
  if (cell.state == State::kGraded) return CsvNumber(cell.points);
  return cell.state == State::kNotGraded ? CsvField("not graded") : "";
}

std::string CountField(const StudentGrades& student, State state) {
  return std::to_string(std::ranges::count(student.cells, state, &GradeCell::state));
}

std::string RemarksField(const StudentGrades& student) {
  std::string text;
  for (const std::string& remark : student.remarks) text += (text.empty() ? "" : "; ") + remark;
  return CsvField(text);
}

std::string StudentLine(const ClassGrades& grades, const StudentGrades& student) {
  std::vector<std::string> fields = {CsvField(student.name),
                                     student.complete ? CsvNumber(student.points) : CsvField("not graded"),
                                     CsvNumber(grades.max_points)};
  for (const GradeCell& cell : student.cells) fields.push_back(CellField(cell));
  for (const State state : {State::kMissing, State::kUnusable, State::kNotGraded}) {
    fields.push_back(CountField(student, state));
  }
  fields.push_back(RemarksField(student));
  return CsvLine(fields);
}

}  // namespace

std::string GradesCsv(const ClassGrades& grades) {
  std::string text = HeaderLine(grades);
  for (const StudentGrades& student : grades.students) text += StudentLine(grades, student);
  return text;
}

}  // namespace warplings
