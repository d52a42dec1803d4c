// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/late_days.h"

#include <algorithm>
#include <map>

#include "grader/base/thrown.h"
#include "grader/core/student_identity.h"
#include "grader/gradebook/gather_grades.h"
#include "grader/messages/class.h"
#include "grader/pipeline/grade_outputs.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// By StudentKey(): how many days.
using Days = std::map<std::string, std::int64_t>;

struct GradedAssignment {
  fs::path folder;
  std::size_t number = 0;  ///< In course.toml, from 0.
  Days before, used;
};

std::size_t AssignmentNumber(const Course& course, const std::string& id) {
  return static_cast<std::size_t>(std::ranges::find(course.assignments, id, &Assignment::id) -
                                  course.assignments.begin());
}

fs::path FolderAround(const fs::path& out) {
  const fs::path whole = fs::absolute(out).lexically_normal();
  return whole.has_filename() ? whole.parent_path() : whole.parent_path().parent_path();
}

/// Nothing for a gradebook of another course.
Result<std::optional<GradedAssignment>> ReadAssignmentIn(const fs::path& folder, const Course& course,
                                                         const Workbook& workbook) {
  const auto gradebook = Gradebook::Open(GradeOutputs{folder}.Gradebook());
  if (!gradebook) return gradebook.error();
  const auto scope = gradebook->ReadScope();
  if (!scope) return scope.error();
  if (scope->course_file.empty()) return std::optional<GradedAssignment>();
  const auto theirs = ParseCourse(scope->course, scope->course_file);
  const std::size_t number = AssignmentNumber(course, scope->assignment);
  if (!theirs || theirs->title != course.title || theirs->term != course.term ||
      number == course.assignments.size()) {
    return std::optional<GradedAssignment>();
  }
  const auto grades = GatherGrades(*gradebook, workbook);
  if (!grades) return grades.error();
  GradedAssignment graded{folder, number, {}, {}};
  for (const StudentGrades& each : grades->students) {
    if (!each.late_days) continue;
    graded.before[StudentKey(each.name, each.roster)] = each.late_days->before;
    graded.used[StudentKey(each.name, each.roster)] = each.late_days->used;
  }
  return std::optional(std::move(graded));
}

Result<std::vector<GradedAssignment>> ReadFolders(const Course& course, const fs::path& out, bool with_out,
                                                  const Workbook& workbook) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator entry(FolderAround(out), error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code fault;
    const bool is_out = fs::equivalent(entry->path(), out, fault);
    if (is_out && !with_out) continue;
    if (fs::is_regular_file(GradeOutputs{entry->path()}.Gradebook(), fault)) folders.push_back(entry->path());
  }
  ThrowIfExhausted(error);
  std::ranges::sort(folders);
  std::vector<GradedAssignment> found;
  for (const fs::path& folder : folders) {
    auto graded = ReadAssignmentIn(folder, course, workbook);
    if (!graded) return graded.error();
    if (*graded) found.push_back(std::move(**graded));
  }
  return found;
}

Days UsedBefore(const std::vector<GradedAssignment>& graded, std::size_t number) {
  Days sum;
  for (const GradedAssignment& each : graded) {
    if (each.number >= number) continue;
    for (const auto& [student, days] : each.used) sum[student] += days;
  }
  return sum;
}

bool HasLateDays(const ScoringScope& scope) {
  return scope.course && scope.course->late_days > 0;
}

}  // namespace

Result<std::vector<std::string>> CountEarlierLateDays(const ScoringScope& scope, const fs::path& out,
                                                      const Workbook& workbook, ClassRows& rows) {
  std::vector<std::string> missing;
  if (!HasLateDays(scope)) return missing;
  const auto graded = ReadFolders(*scope.course, out, false, workbook);
  if (!graded) return graded.error();
  const std::size_t number = AssignmentNumber(*scope.course, scope.assignment->id);
  for (std::size_t i = 0; i < number; ++i) {
    const std::string& id = scope.course->assignments[i].id;
    const auto is_it = [&](const GradedAssignment& each) { return each.number == i; };
    const auto first = std::ranges::find_if(*graded, is_it);
    if (first == graded->end()) {
      missing.push_back(id);
      continue;
    }
    const auto second = std::find_if(first + 1, graded->end(), is_it);
    if (second == graded->end()) continue;
    return UsageError(say::assignment_graded_twice(first->folder.string(), second->folder.string(), id),
                      say::keep_one_of_them());
  }
  const Days used = UsedBefore(*graded, number);
  for (StudentRow& student : rows.students) {
    const auto known = used.find(StudentKey(student.name, student.roster));
    student.late_days_before = known == used.end() ? 0 : known->second;
  }
  return missing;
}

Result<std::vector<fs::path>> FoldersToGradeAgain(const ScoringScope& scope, const fs::path& out,
                                                  const Workbook& workbook) {
  std::vector<fs::path> folders;
  if (!HasLateDays(scope)) return folders;
  const auto graded = ReadFolders(*scope.course, out, true, workbook);
  if (!graded) return graded.error();
  for (const GradedAssignment& each : *graded) {
    if (each.number <= AssignmentNumber(*scope.course, scope.assignment->id)) continue;
    Days now = UsedBefore(*graded, each.number);
    const bool differs = std::ranges::any_of(
        each.before, [&](const auto& counted) { return now[counted.first] != counted.second; });
    if (differs) folders.push_back(each.folder);
  }
  return folders;
}

}  // namespace warplings
