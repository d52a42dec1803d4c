// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

#include "grader/base/atomic_file.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/core/layout.h"
#include "grader/core/round_points.h"
#include "grader/course/late.h"
#include "grader/course/load_course.h"
#include "grader/course/roster.h"
#include "grader/course/scoring.h"
#include "grader/course/time_zone.h"
#include "grader/messages/teaching_commands.h"
#include "grader/messages/workbook.h"
#include "grader/pipeline/make_decisions.h"
#include "grader/pipeline/rubric_tests.h"
#include "grader/pipeline/workbook_view.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCourseFooter =
    "A course's file says which exercises an assignment asks for, how they are graded, by when, what late "
    "work\n"
    "loses, and who takes the course. docs/course.md describes it.\n"
    "\n"
    "Examples:\n"
    "  warplings course init                    writes course.toml here, with comments\n"
    "  warplings course check course.toml       what it says, or the first thing that is wrong with it\n"
    "  warplings grade submissions/ --course course.toml --assignment week1 --out graded/week1\n"
    "\n"
    "Exit status: 0 done, 2 wrong usage or a file that is wrong, 3 the file could not be written.";

struct CourseOptions {
  std::string action;
  fs::path file = "course.toml";
  Layout layout = ThisLayout();
};

int Init(const CourseOptions& options) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(options.file, error))) {
    return ReportError(UsageError(say::there_already(options.file.string()), say::name_another_file()));
  }
  if (const Status written = WriteFileAtomically(options.file, CourseTemplate()); !written) {
    return ReportError(written.error());
  }
  PrintLine(say::made_file(options.file.string()));
  std::puts("");
  PrintLine(say::write_dates_then_check(options.file.string()));
  return kExitPassed;
}

/// "late: 10 % a day, 50 % at most, closed after 7 days"; "" if nothing is lost.
std::string LateText(const LateRule& rule) {
  std::ostringstream text;
  const auto add = [&](const std::string& part) { text << (text.tellp() == 0 ? "  late: " : ", ") << part; };
  const auto number = [](double value) {
    std::ostringstream shown;
    shown << value;
    return shown.str();
  };
  if (rule.percent_per_day > 0) {
    add(number(rule.percent_per_day) + " % a day");
    if (rule.cap_percent < 100) add(number(rule.cap_percent) + " % at most");
    if (rule.grace_seconds > 0) add("after " + std::to_string(rule.grace_seconds / 60) + " min of grace");
  }
  if (rule.closed_after_days)
    add("closed after " + Counted(static_cast<std::uint64_t>(*rule.closed_after_days), "day"));
  if (rule.late_days > 0) add(Counted(static_cast<std::uint64_t>(rule.late_days), "free late day"));
  return text.str();
}

/// "  attempts: the best of the first 3"
std::string AttemptsText(const Assignment& assignment) {
  constexpr const char* kRules[] = {"the last", "the best", "the first"};
  if (assignment.attempts == AttemptRule::kLast && !assignment.max_attempts) return "";
  return std::string("  attempts: ") + kRules[static_cast<int>(assignment.attempts)] +
         (assignment.max_attempts ? " of the first " + std::to_string(*assignment.max_attempts) : "");
}

/// "rubric", with what is measured: "per test, 20 % of the points for speed on a GPU".
std::string ScoringText(const AssignedExercise& assigned) {
  std::string text = assigned.scoring.scoring == Scoring::kRubric ? "rubric"
                     : IsPerTest(assigned)                        ? "per test"
                                                                  : "all or nothing";
  if (!assigned.exercise->speed) return text;
  const double share = SpeedShare(assigned);
  std::ostringstream percent;
  percent << RoundPoints(share * 100);
  return share > 0 ? text + "; on a GPU " + percent.str() + " % of them for speed" : text;
}

/// "3 tests, 1 of which the starter passes": that one earns nothing.
std::string TestsText(const TestGroup& group, const AssignedExercise& assigned, const RubricTests& tests) {
  const std::vector<std::string> own = TestsOfGroup(group, tests.at(assigned.exercise));
  const auto earning = static_cast<std::size_t>(std::ranges::count_if(own, [&](const std::string& test) {
    return std::ranges::count(assigned.exercise->starter_fails, test) > 0;
  }));
  const std::string count = Counted(own.size(), "test");
  if (earning == own.size()) return count;
  return count + ", " + std::to_string(own.size() - earning) + " of which the starter passes";
}

/// What each exercise is worth, which in course.toml is only a weight, and a rubric's groups.
void PrintExercise(const AssignedExercise& assigned, const RubricTests& tests) {
  std::printf("  %s: %s, %s\n", assigned.exercise->id.c_str(), PointsInWords(assigned.max_points).c_str(),
              ScoringText(assigned).c_str());
  if (assigned.scoring.scoring != Scoring::kRubric) return;
  std::vector<double> weights;
  for (const TestGroup& group : assigned.scoring.groups) weights.push_back(group.points);
  const std::vector<double> points = Apportion(assigned.max_points, weights);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const TestGroup& group = assigned.scoring.groups[i];
    std::printf("    %s: %s, %s, %s: %s\n", Printable(group.title).c_str(), PointsInWords(points[i]).c_str(),
                group.per_test ? "per test" : "all or nothing", TestsText(group, assigned, tests).c_str(),
                Printable(Joined(group.tests, ", ")).c_str());
  }
}

/// "Chan, Wei <chan@uni.example>" for what an extension calls the student, so that a slip is seen.
std::string StudentOf(const Extension& extension, const std::optional<Roster>& roster) {
  if (!roster) return extension.student;
  for (const RosterStudent& student : roster->students) {
    if (!IsCalled(extension.student, student.name, student.fields)) continue;
    return student.name == extension.student ? student.name : student.name + " <" + extension.student + ">";
  }
  return extension.student;
}

void PrintExtension(const Course& course, const Assignment& assignment, const Extension& extension,
                    const std::optional<Roster>& roster) {
  std::string what;
  if (const auto due = DueOf(assignment, &extension)) what = "due " + ShowTime(*due, course.time_zone);
  if (extension.no_deduction) what += (what.empty() ? "" : ", ") + std::string("no deduction");
  std::printf("  %s: %s\n", Printable(StudentOf(extension, roster)).c_str(), what.c_str());
}

void PrintAssignment(const LoadedCourse& loaded, const Assignment& assignment,
                     const std::vector<AssignedExercise>& exercises, const RubricTests& tests) {
  const Course& course = loaded.course;
  double points = 0;
  for (const AssignedExercise& each : exercises) points += each.max_points;
  std::printf("%s: %s, %s, %s", assignment.id.c_str(), Printable(assignment.title).c_str(),
              Counted(exercises.size(), "exercise").c_str(), PointsInWords(RoundPoints(points)).c_str());
  if (assignment.due) std::printf(", due %s", ShowTime(*assignment.due, course.time_zone).c_str());
  if (!assignment.extensions.empty()) {
    std::printf(", %s", Counted(assignment.extensions.size(), "extension").c_str());
  }
  std::printf("\n");
  const std::string late = assignment.due ? LateText(assignment.late) : "";
  for (const std::string& line : {late, AttemptsText(assignment)}) {
    if (!line.empty()) std::printf("%s\n", line.c_str());
  }
  if (points == 0) PrintLine(say::assignment_without_points());
  for (const AssignedExercise& each : exercises) PrintExercise(each, tests);
  for (const Extension& each : assignment.extensions) PrintExtension(course, assignment, each, loaded.roster);
}

int Check(const CourseOptions& options) {
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root);
  if (!workbook) return ReportError(workbook.error());
  const auto loaded = LoadCourse(options.file);
  if (!loaded) return ReportError(loaded.error());
  for (const Assignment& assignment : loaded->course.assignments) {
    const auto exercises = ResolveAssignment(assignment, *workbook, options.file.string());
    if (!exercises) return ReportError(exercises.error());
    const auto tests = CheckRubrics(*exercises, options.layout);
    if (!tests) return ReportError(tests.error());
    PrintAssignment(*loaded, assignment, *exercises, *tests);
  }
  std::fflush(stdout);
  for (const Message& doubt : DoubtsAboutWhat(loaded->course)) Warn(doubt);
  for (const Message& doubt : DoubtsAboutDue(loaded->course)) Warn(doubt);
  for (const Message& doubt : DoubtsAboutPercentages(loaded->course)) Warn(doubt);
  if (loaded->roster) {
    PrintLine(say::students_with(loaded->roster_file.string(),
                                 say::Count(loaded->roster->students.size(), "student"),
                                 Joined(loaded->roster->fields, ", ")));
    const std::string ignored = Joined(loaded->roster->ignored, "; ");
    if (!ignored.empty()) PrintLine(say::columns_ignored(Printable(ignored)));
    const std::string teachers = Joined(loaded->roster->teachers, "; ");
    if (!teachers.empty()) PrintLine(say::teachers_left_out(Printable(teachers)));
    for (const MisnamedColumn& each : loaded->roster->misnamed) {
      Warn(say::column_looks_misnamed(loaded->roster_file.string(), Printable(each.found), each.meant));
    }
    for (const RosterDoubt& each : DoubtsAbout(*loaded->roster, loaded->roster_file.string())) {
      Warn(each.what);
      WarnFurther(each.advice);
    }
  }
  return kExitPassed;
}

std::string RefuseWhatIsNoAction(const std::string& text) {
  return text == "init" || text == "check" ? "" : "'" + text + "' must be init or check";
}

}  // namespace

Command MakeCourseCommand() {
  auto options = std::make_shared<CourseOptions>();
  std::vector<Option> described = {
      {.name = "ACTION",
       .target = &options->action,
       .help = "init writes a file, check reads one",
       .required = true,
       .refuse = RefuseWhatIsNoAction},
      {.name = "FILE", .target = &options->file, .help = "The course's file", .show_default = true},
      WorkbookOption(options->layout.root)};
  return {"course", TeachingHelp("course"), std::move(described), kCourseFooter,
          [options] { return options->action == "init" ? Init(*options) : Check(*options); }};
}

}  // namespace warplings
