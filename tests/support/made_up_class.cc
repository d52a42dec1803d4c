// SPDX-License-Identifier: Apache-2.0
#include "tests/support/made_up_class.h"

#include "grader/report/terminal_report.h"
#include "tests/support/made_up_result.h"

namespace warplings::report_test {
namespace {

using State = GradeCell::State;

StudentGrades Student(const std::string& name, const std::string& page, GradeCell first, double points) {
  StudentGrades student;
  student.name = name;
  student.page = page;
  student.handed_in_as = name + ".zip";
  student.complete = first.state != State::kNotGraded;
  student.cells = {std::move(first), {}};
  student.points = student.automatic = points;
  for (GradeCell& cell : student.cells) cell.automatic = cell.points;
  return student;
}

ClassExercise Column(const std::string& id) {
  ClassExercise exercise;
  exercise.chapter = "01_first";
  exercise.id = id;
  exercise.title = "Scale a <vector>";
  exercise.max_points = 10;
  return exercise;
}

}  // namespace

ClassGrades MadeUpClass() {
  ClassGrades grades;
  grades.device = "virtual:a100";
  grades.seed = 18446744073709551615u;
  grades.max_points = 20;
  grades.exercises = {Column("scale"), Column("tile")};
  grades.texts.resize(1);
  grades.texts[0].result = MadeUpResult();
  grades.texts[0].report = TerminalReport(MadeUpResult(), {});
  grades.students = {
      Student("=cmd|'/c calc'!A1", "_cmd",
              {.state = State::kGraded, .file = "scale.cu", .problem = "", .text = 0, .points = 2.5}, 2.5),
      Student("<script>alert(1)</script>", "_script", {}, 0),
      Student("陳 \"大文\"", "陳",
              {.state = State::kUnusable, .file = "scale.cu", .problem = "scale.cu is a link", .text = {}},
              0),
      Student("-1+1", "-1_1",
              {.state = State::kNotGraded, .file = "scale.cu", .problem = "the suite crashed", .text = {}},
              0)};
  grades.students[2].remarks = {"@remark, with a comma", "second\nline"};
  ClassExercise& scale = grades.exercises[0];
  scale.graded = scale.unusable = scale.not_graded = scale.missing = 1;
  scale.tests = {{"Scale.One", "one element", 1, 1}, {"Scale.Three", "three elements", 0, 1}};
  scale.misconceptions = {
      {"unchecked", "The load is not checked", "Draw the vector.\n\nWhich cells exist?", {0}}};
  return grades;
}

}  // namespace warplings::report_test
