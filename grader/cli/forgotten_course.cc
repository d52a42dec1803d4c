// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/forgotten_course.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "grader/base/read_file.h"
#include "grader/base/shell.h"
#include "grader/base/text.h"
#include "grader/course/course_file.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/grade_outputs.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

std::string NameOf(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename();
}

bool HasAssignment(const Course& course, const std::string& id) {
  return std::ranges::count(course.assignments, id, &Assignment::id) > 0;
}

/// The assignment that is meant where that is plain: the only one, or the one that OUT or the class's folder
/// is called after; "ID" if it is not.
std::string MeantAssignment(const Course& course, const TypedGrading& typed) {
  if (course.assignments.size() == 1) return course.assignments.front().id;
  for (const fs::path& folder : {typed.out, typed.folder}) {
    if (HasAssignment(course, NameOf(folder))) return NameOf(folder);
  }
  return "ID";
}

std::string CommandOf(const TypedGrading& typed) {
  std::vector<std::string> words = {"warplings", "grade"}, rest = {typed.folder.string()};
  rest.insert(rest.end(), typed.what.begin(), typed.what.end());
  if (!typed.course.empty()) {
    rest.insert(rest.end(), {"--course", typed.course.string(), "--assignment", typed.assignment});
  }
  rest.insert(rest.end(), {"--out", typed.out.string()});
  if (!typed.worksheet.empty()) rest.insert(rest.end(), {"--worksheet", typed.worksheet.string()});
  rest.insert(rest.end(), typed.further.begin(), typed.further.end());
  for (const std::string& word : rest) words.push_back(TypedShellWord(word));
  return Joined(words, " ");
}

/// What was typed, with what it leaves out as it was before.
TypedGrading WithFormer(const GradedScope& former, TypedGrading typed) {
  if (typed.course.empty()) typed.course = former.course_file;
  if (typed.assignment.empty()) typed.assignment = former.assignment;
  if (typed.worksheet.empty()) typed.worksheet = former.worksheet;
  return typed;
}

Message CommandWithCourse(const TypedGrading& typed) {
  const Message command = say::command_with_course(CommandOf(typed));
  std::error_code error;
  if (fs::exists(typed.course, error)) return command;
  // It was named from another folder, and nobody knows from which.
  return say::command_from_elsewhere(command, typed.course.string());
}

Message CommandFor(const fs::path& course_file, const Course& course, const TypedGrading& typed) {
  const std::string assignment = MeantAssignment(course, typed);
  TypedGrading meant = typed;
  meant.course = course_file;
  meant.assignment = assignment;
  const Message command = CommandWithCourse(meant);
  if (assignment != "ID" || course.assignments.empty()) return command;
  std::vector<std::string> ids;
  for (const Assignment& each : course.assignments) ids.push_back(each.id);
  return say::command_with_id(command, Printable(Joined(ids, ", ")));
}

/// From here, unless that is a longer way round.
fs::path Shown(const fs::path& path) {
  std::error_code error;
  const fs::path near = fs::proximate(path, error);
  return error || near.native().size() > path.native().size() ? path : near;
}

struct NearbyCourse {
  fs::path file;
  Course course;
};

/// In the class's folder and up to three above it, as in course/handed_in/week1.
std::optional<NearbyCourse> FindCourseFile(const fs::path& folder) {
  std::error_code error;
  fs::path at = fs::canonical(folder, error);
  if (error) return std::nullopt;
  for (int level = 0; level <= 3; ++level) {
    const fs::path file = at / "course.toml";
    if (const auto text = fs::is_regular_file(file, error) ? ReadFile(file) : std::nullopt) {
      auto course = ParseCourse(*text, file.string());
      // One with a mistake is a course, too; its assignments are not known.
      return NearbyCourse{Shown(file), course ? std::move(*course) : Course{}};
    }
    if (at == at.parent_path()) break;
    at = at.parent_path();
  }
  return std::nullopt;
}

/// The folder beside OUT that was graded by a course, and its scope.
std::optional<std::pair<fs::path, GradedScope>> FindGradedBeside(const fs::path& out) {
  const fs::path whole = fs::absolute(out).lexically_normal();
  const fs::path around = (whole.has_filename() ? whole : whole.parent_path()).parent_path();
  std::error_code error;
  std::vector<fs::path> folders;
  for (fs::directory_iterator entry(around, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code fault;
    if (fs::is_regular_file(GradeOutputs{entry->path()}.Gradebook(), fault)) folders.push_back(entry->path());
  }
  std::ranges::sort(folders);
  for (const fs::path& each : folders) {
    const auto gradebook = Gradebook::Open(GradeOutputs{each}.Gradebook());
    if (!gradebook) continue;
    const auto scope = gradebook->ReadScope();
    if (scope && !scope->course_file.empty()) return std::pair(Shown(each), *scope);
  }
  return std::nullopt;
}

}  // namespace

std::string CommandAsBefore(const GradedScope& former, const fs::path& out) {
  if (former.folder.empty()) return "";
  TypedGrading typed{former.folder, out, former.course_file, former.worksheet, former.assignment, {}};
  typed.what = former.what;
  return CommandOf(typed);
}

Status CheckFormerCourse(const GradedScope& former, const TypedGrading& typed) {
  if (former.course_file.empty()) return Unit{};
  return UsageError(say::was_graded_by_course(typed.out.string(), former.course_file),
                    CommandWithCourse(WithFormer(former, typed)));
}

Status CheckFormerWorksheet(const GradedScope& former, const TypedGrading& typed) {
  if (former.worksheet.empty()) return Unit{};
  return UsageError(say::was_graded_with_worksheet(typed.out.string(), former.worksheet),
                    say::command_with_worksheet(CommandOf(WithFormer(former, typed))));
}

Status CheckFormerAssignment(const GradedScope& former, const Course& course, const TypedGrading& typed) {
  if (former.assignment == typed.assignment || !HasAssignment(course, former.assignment)) return Unit{};
  const Message problem = say::has_other_assignment(typed.out.string(), former.assignment, typed.assignment);
  TypedGrading meant = typed;
  if (NameOf(typed.folder) == former.assignment) {
    meant.assignment = former.assignment;
    return UsageError(problem, say::command_for_assignment(CommandOf(meant), meant.assignment));
  }
  if (NameOf(typed.out) != former.assignment) return UsageError(problem, say::name_out_of_assignment());
  meant.out =
      (typed.out.has_filename() ? typed.out : typed.out.parent_path()).parent_path() / typed.assignment;
  return UsageError(problem, say::command_for_assignment(CommandOf(meant), meant.assignment));
}

EntriesByRoster CountByRoster(const std::vector<StudentRow>& students,
                              const std::vector<SubmissionRow>& submissions) {
  std::set<std::string> with_files;
  for (const SubmissionRow& each : submissions) {
    if (each.state != SubmissionRow::State::kMissing) with_files.insert(each.student);
  }
  EntriesByRoster count;
  for (const StudentRow& each : students) {
    if (with_files.contains(each.name)) ++(each.unmatched.empty() ? count.of_students : count.of_nobody);
  }
  return count;
}

Status CheckFormerRoster(const EntriesByRoster& former, const EntriesByRoster& now, const fs::path& roster,
                         const TypedGrading& typed) {
  constexpr std::size_t kFew = 3;
  if (now.of_nobody <= former.of_nobody || now.of_students >= former.of_students) return Unit{};
  // Somebody whose files are not there any more has not lost them by the roster.
  const std::size_t lost = std::min(now.of_nobody - former.of_nobody, former.of_students - now.of_students);
  if (lost < kFew || 2 * lost < former.of_students) return Unit{};
  TypedGrading confirmed = typed;
  confirmed.further.emplace_back("--new-roster");
  return UsageError(
      say::roster_lost_students(now.of_nobody, now.of_nobody + now.of_students, typed.folder.string(),
                                roster.string(), former.of_nobody, typed.out.string()),
      say::correct_or_confirm_roster(roster.string(), CommandOf(confirmed)));
}

Status CheckCourseNearby(const TypedGrading& typed) {
  std::error_code error;
  if (fs::exists(GradeOutputs{typed.out}.Gradebook(), error)) return Unit{};
  if (const auto nearby = FindCourseFile(typed.folder)) {
    return UsageError(say::course_is_nearby(nearby->file.string()),
                      CommandFor(nearby->file, nearby->course, typed));
  }
  if (const auto beside = FindGradedBeside(typed.out)) {
    const auto& [folder, scope] = *beside;
    const auto course = ParseCourse(scope.course, scope.course_file);
    return UsageError(say::was_graded_by_course(folder.string(), scope.course_file),
                      CommandFor(scope.course_file, course ? *course : Course{}, typed));
  }
  return Unit{};
}

}  // namespace warplings
