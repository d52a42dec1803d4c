// SPDX-License-Identifier: Apache-2.0
// Tests how a course's rules affect a class's grades: selected exercises, scaling, tests, lateness, attempts.
#include "grader/course/time_zone.h"
#include "grader/gradebook/gather_grades.h"
#include "tests/support/scratch_gradebook.h"

namespace warplings {
namespace {

using State = GradeCell::State;
using Kind = PointChange::Kind;

constexpr const char* kHead =
    "[course]\ntitle = \"CUDA\"\nterm = \"Autumn\"\n"
    "time_zone = \"Europe/Berlin\"\n";
constexpr const char* kWeek =
    "[[assignment]]\nid = \"week1\"\ntitle = \"Week 1\"\nwhat = [\"scale\"]\ndue = 2026-10-08T14:00:00\n"
    "late = { percent_per_day = 10, grace_minutes = 5 }\n";
constexpr std::int64_t kHour = 3600;

class CourseGradesTest : public gradebook_test::ScratchGradebook {
 protected:
  void SetUp() override {
    ScratchGradebook::SetUp();
    Chapter chapter;
    chapter.id = "01_first";
    chapter.number = 1;
    for (const char* id : {"scale", "tile"}) {
      Exercise exercise;
      exercise.chapter = chapter.id;
      exercise.id = id;
      exercise.points = 10;
      exercise.starter_fails = {"Scale.T0", "Scale.T1", "Scale.T2", "Scale.T3"};
      chapter.exercises.push_back(exercise);
    }
    workbook_.chapters = {chapter};
    due_ = SecondsOfUtc({2026, 10, 8, 12, 0, 0});
  }

  /// A result of four tests, as many of which passed; nothing for all-or-nothing unless all did.
  void Grade(const std::string& hash, int passed) {
    ExerciseResult result =
        Result(passed == 4 ? Verdict::kPassed : Verdict::kWrongResult, passed == 4 ? 10 : 0);
    result.max_points = 10;
    result.misconceptions.clear();
    result.tests.clear();
    for (int i = 0; i < 4; ++i) {
      TestResult test;
      test.name = "Scale.T" + std::to_string(i);
      test.verdict = i < passed ? Verdict::kPassed : Verdict::kWrongResult;
      result.tests.push_back(test);
    }
    ASSERT_TRUE(gradebook_->WriteResult(Key("scale", hash), result, "").ok());
  }

  AttemptRow Attempt(const std::string& student, std::int64_t number, const std::string& hash,
                     std::optional<std::int64_t> after_due = std::nullopt, bool marked = false) {
    AttemptRow row{student,      "01_first",   "scale", number,
                   hash + ".cu", std::nullopt, marked,  Key("scale", hash).Name()};
    if (after_due) row.handed_in_at = due_ + *after_due;
    return row;
  }

  ClassGrades Gather(const GradedScope& scope, const std::vector<AttemptRow>& attempts,
                     std::vector<StudentRow> students = {{"ada", "ada.zip", {}}}) {
    ClassRows rows;
    rows.students = std::move(students);
    for (const StudentRow& student : rows.students) {
      rows.submissions.push_back(
          {student.name, "01_first", "scale", SubmissionRow::State::kMissing, "", "", ""});
      rows.submissions.push_back(
          {student.name, "01_first", "tile", SubmissionRow::State::kMissing, "", "", ""});
      for (const AttemptRow& each : attempts) {
        if (each.student != student.name) continue;
        SubmissionRow& row = rows.submissions[rows.submissions.size() - 2];
        row.state = SubmissionRow::State::kFound;
        row.file = each.file;
        row.result = each.result;
      }
    }
    rows.attempts = attempts;
    rows.unplaced = {{"notes.txt", "is no student's", "Take it away."}};
    EXPECT_TRUE(gradebook_->ReplaceClass(rows).ok());
    EXPECT_TRUE(gradebook_->WriteScope(scope).ok());
    auto grades = GatherGrades(*gradebook_, workbook_);
    EXPECT_TRUE(grades.ok()) << grades.error().message;
    return grades ? std::move(*grades) : ClassGrades{};
  }

  static GradedScope Scope(const std::string& more) {
    return {"course.toml", std::string(kHead) + kWeek + more, "week1", {}};
  }

  Workbook workbook_;
  std::int64_t due_ = 0;
};

TEST_F(CourseGradesTest, ASubsetCountsWhatIsAskedOnly) {
  Grade("right", 4);
  const ClassGrades all = Gather({}, {Attempt("ada", 1, "right")});
  EXPECT_EQ(all.max_points, 20);
  const ClassGrades one = Gather({"", "", "", {"scale"}}, {Attempt("ada", 1, "right")});
  EXPECT_EQ(one.max_points, 10);
  ASSERT_EQ(one.exercises.size(), 1u);
  EXPECT_EQ(one.students[0].points, 10);
  EXPECT_EQ(one.students[0].cells.size(), 1u);
  EXPECT_TRUE(one.course_title.empty());
  EXPECT_EQ(one.unplaced, (std::vector<UnplacedEntry>{{"notes.txt", "is no student's", "Take it away."}}));
}

TEST_F(CourseGradesTest, ScaleTestsAndTitlesComeFromTheCourse) {
  Grade("three", 3);
  const ClassGrades grades =
      Gather(Scope("points = 40\nscoring = \"per_test\"\n"), {Attempt("ada", 1, "three", -kHour)});
  EXPECT_EQ(grades.course_title, "CUDA, Autumn");
  EXPECT_EQ(grades.assignment_title, "Week 1");
  EXPECT_EQ(grades.time_zone, "Europe/Berlin");
  EXPECT_EQ(grades.due, due_);
  EXPECT_EQ(grades.max_points, 40);
  EXPECT_EQ(grades.exercises[0].max_points, 40);
  const GradeCell& cell = grades.students[0].cells[0];
  EXPECT_EQ(cell.automatic, 30);
  EXPECT_EQ(cell.points, 30);
  EXPECT_TRUE(cell.changes.empty());
  EXPECT_EQ(grades.students[0].handed_in_at, due_ - kHour);
}

TEST_F(CourseGradesTest, LateWorkLosesPointsAndSaysWhy) {
  Grade("right", 4);
  const ClassGrades grades = Gather(Scope(""), {Attempt("ada", 1, "right", 26 * kHour)});
  const GradeCell& cell = grades.students[0].cells[0];
  EXPECT_EQ(cell.automatic, 10);
  EXPECT_EQ(cell.points, 8);
  EXPECT_EQ(cell.late_seconds, 26 * kHour);
  ASSERT_EQ(cell.changes.size(), 1u);
  EXPECT_EQ(cell.changes[0].kind, Kind::kLate);
  EXPECT_EQ(cell.changes[0].delta, -2);
  EXPECT_EQ(cell.changes[0].reason, "26 h late: 2 days begun at 10 % a day, -20 %");
  EXPECT_EQ(grades.students[0].points, 8);
  EXPECT_EQ(grades.students[0].automatic, 10);
}

TEST_F(CourseGradesTest, AnExtensionIsFoundByAnyFieldOfTheRoster) {
  Grade("right", 4);
  StudentRow ada{"Ada Lovelace", "x", {}};
  ada.roster = {.id = "17", .login = "ada", .email = "ada@uni.example", .section = "A"};
  const auto points = [&](const std::string& student) {
    const ClassGrades grades =
        Gather(Scope("[[assignment.extension]]\nstudent = \"" + student + "\"\ndays = 2\n"),
               {Attempt("Ada Lovelace", 1, "right", 26 * kHour)}, {ada});
    EXPECT_EQ(grades.students[0].roster.section, "A");
    return grades.students[0].points;
  };
  for (const char* name : {"Ada Lovelace", "17", "ada", "ada@uni.example"})
    EXPECT_EQ(points(name), 10) << name;
  EXPECT_EQ(points("bob"), 8);
}

TEST_F(CourseGradesTest, FreeLateDaysAreOfAStudentAndNotOfAnExercise) {
  Grade("right", 4);
  Grade("wrong", 0);
  StudentRow ada{"ada", "ada.zip", {}};
  ada.late_days_before = 2;
  const auto gather = [&](const std::string& late, const std::string& text) {
    const GradedScope scope{"course.toml",
                            std::string(kHead) +
                                "[late]\npercent_per_day = 10\nlate_days = 3\n[[assignment]]\n"
                                "id = \"week1\"\nwhat = [\"scale\"]\ndue = 2026-10-08T14:00:00\n" +
                                late,
                            "week1",
                            {}};
    return Gather(scope, {Attempt("ada", 1, text, 26 * kHour)}, {ada}).students[0];
  };
  StudentGrades student = gather("", "right");
  ASSERT_TRUE(student.late_days);
  EXPECT_EQ(student.late_days->before, 2);
  EXPECT_EQ(student.late_days->used, 1);
  EXPECT_EQ(student.late_days->left, 0);
  EXPECT_EQ(student.points, 9);
  EXPECT_EQ(student.cells[0].changes[0].reason,
            "26 h late: 2 days begun, 1 of them free: 1 day at 10 % a day, -10 %");
  student = gather("", "wrong");  // There is nothing to save, and nothing to lose.
  EXPECT_EQ(student.late_days->used, 0);
  EXPECT_TRUE(student.cells[0].changes.empty());
  EXPECT_EQ(student.cells[0].late_seconds, 26 * kHour);
  student = gather("late = { late_days = 0 }\n", "right");
  EXPECT_EQ(student.late_days->used, 0);
  EXPECT_EQ(student.points, 8);
  ada.late_days_before = 0;
  student = gather("", "right");
  EXPECT_EQ(student.late_days->left, 1);
  EXPECT_EQ(student.points, 10);
  EXPECT_EQ(student.cells[0].changes[0].delta, 0);
}

/// Whatever is late, and counts or does not: without reading the results of what came in time, the days are
/// those of the grades.
TEST_F(CourseGradesTest, LateDaysAreKnownWithoutTheOtherResults) {
  Grade("right", 4);
  Grade("half", 2);
  Grade("wrong", 0);
  std::vector<StudentRow> students;
  std::vector<AttemptRow> attempts;
  const std::optional<std::int64_t> arrivals[] = {std::nullopt, -kHour, 26 * kHour, 100 * kHour};
  std::size_t number = 0;
  for (const char* first : {"right", "half", "wrong", "not graded yet"}) {
    for (const auto& arrival : arrivals) {
      for (const bool has_second : {false, true}) {
        StudentRow student{"student " + std::to_string(number), "x", {}};
        student.late_days_before = static_cast<std::int64_t>(number++ % 4);
        attempts.push_back(Attempt(student.name, 1, first, arrival, !arrival && has_second));
        if (has_second) attempts.push_back(Attempt(student.name, 2, "half", 30 * kHour));
        students.push_back(std::move(student));
      }
    }
  }
  std::size_t used = 0;
  for (const char* rule :
       {"attempts = \"last\"\n", "attempts = \"best\"\n", "attempts = \"first\"\n", "max_attempts = 1\n",
        "late = { late_days = 1 }\n", "late = { late_days = 0 }\n"}) {
    const GradedScope scope{
        "course.toml",
        std::string(kHead) +
            "[late]\npercent_per_day = 10\nlate_days = 3\n[[assignment]]\nid = \"week1\"\n"
            "what = [\"scale\"]\ndue = 2026-10-08T14:00:00\nscoring = \"per_test\"\n"
            "[[assignment.extension]]\nstudent = \"student 5\"\ndays = 2\n",
        "week1",
        {}};
    GradedScope with_rule = scope;
    with_rule.course.insert(with_rule.course.find("[[assignment.ext"), rule);
    const ClassGrades grades = Gather(with_rule, attempts, students);
    const auto days = GatherLateDays(*gradebook_, workbook_);
    ASSERT_TRUE(days.ok()) << days.error().message;
    ASSERT_EQ(days->size(), students.size());
    for (std::size_t i = 0; i < students.size(); ++i) {
      const LateDays& wanted = *grades.students[i].late_days;
      EXPECT_EQ((*days)[i].name, grades.students[i].name);
      EXPECT_EQ((*days)[i].days.before, wanted.before) << rule << students[i].name;
      EXPECT_EQ((*days)[i].days.used, wanted.used) << rule << students[i].name;
      EXPECT_EQ((*days)[i].days.left, wanted.left) << rule << students[i].name;
      used += static_cast<std::size_t>(wanted.used);
    }
  }
  EXPECT_GT(used, 20u) << "nobody used any";
  static_cast<void>(Gather(Scope(""), attempts, students));
  EXPECT_TRUE(GatherLateDays(*gradebook_, workbook_)->empty()) << "the course has none";
}

TEST_F(CourseGradesTest, AnEntryOfNobodyIsKeptAndCountedNowhere) {
  Grade("right", 4);
  StudentRow guest{"guest", "guest.zip", {}};
  guest.unmatched = "is not in the roster";
  const ClassGrades grades =
      Gather({}, {Attempt("ada", 1, "right"), Attempt("guest", 1, "right")}, {{"ada", "ada.zip", {}}, guest});
  ASSERT_EQ(grades.students.size(), 2u);
  EXPECT_EQ(grades.students[1].unmatched, "is not in the roster");
  EXPECT_EQ(grades.students[1].points, 10);
  EXPECT_EQ(grades.CountStudents(), 1u);
  EXPECT_EQ(grades.exercises[0].graded, 1u);
  EXPECT_EQ(grades.exercises[0].passed, 1u);
  EXPECT_EQ(grades.exercises[1].missing, 1u);
}

TEST_F(CourseGradesTest, TheRuleChoosesAmongAttempts) {
  Grade("first", 1);
  Grade("second", 4);
  Grade("third", 3);
  const std::vector<AttemptRow> attempts = {Attempt("ada", 1, "first", -2 * kHour),
                                            Attempt("ada", 2, "second", 26 * kHour),
                                            Attempt("ada", 3, "third", 50 * kHour)};
  const auto cell = [&](const std::string& more) {
    return Gather(Scope("scoring = \"per_test\"\n" + more), attempts).students[0].cells[0];
  };
  GradeCell last = cell("");
  EXPECT_EQ(last.automatic, 7.5);
  EXPECT_EQ(last.points, 5.25);
  ASSERT_EQ(last.changes.size(), 2u);
  EXPECT_EQ(last.changes[0].reason, "attempt 3 of 3 counts: the last");
  EXPECT_EQ(last.file, "third.cu");
  const GradeCell best = cell("attempts = \"best\"\n");
  EXPECT_EQ(best.points, 8);  // Late, and still the best.
  EXPECT_EQ(best.changes[0].reason, "attempt 2 of 3 counts: the best");
  EXPECT_EQ(cell("attempts = \"first\"\n").points, 2.5);
  last = cell("max_attempts = 2\n");
  EXPECT_EQ(last.points, 8);
  EXPECT_EQ(last.changes[0].reason, "attempt 2 of 3 counts: the last of the first 2");
}

TEST_F(CourseGradesTest, TheBestAttemptIsKnownWhenAllAreGraded) {
  Grade("first", 4);
  const ClassGrades grades =
      Gather(Scope("attempts = \"best\"\n"), {Attempt("ada", 1, "first", 0), Attempt("ada", 2, "later", 0)});
  EXPECT_EQ(grades.students[0].cells[0].state, State::kNotGraded);
  EXPECT_FALSE(grades.students[0].complete);
}

TEST_F(CourseGradesTest, ARubricThatNamesNoTestEndsTheGathering) {
  Grade("right", 4);
  static_cast<void>(Gather({}, {Attempt("ada", 1, "right")}));
  ASSERT_TRUE(gradebook_
                  ->WriteScope(Scope("scoring = \"rubric\"\n[[assignment.group]]\ntitle = \"v\"\npoints = 1\n"
                                     "tests = [\"Tile.*\"]\n"))
                  .ok());
  const auto grades = GatherGrades(*gradebook_, workbook_);
  ASSERT_FALSE(grades.ok());
  EXPECT_NE(English(grades.error().message).find("the group 'v' matches no test of scale"), std::string::npos)
      << grades.error().message;
}

}  // namespace
}  // namespace warplings
