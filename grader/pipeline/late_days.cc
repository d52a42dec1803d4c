// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/late_days.h"

#include <algorithm>
#include <utility>

#include "grader/base/thrown.h"
#include "grader/core/student_identity.h"
#include "grader/gradebook/gather_grades.h"
#include "grader/messages/class.h"
#include "grader/pipeline/grade_outputs.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

std::size_t AssignmentNumber(const Course& course, const std::string& id) {
  return static_cast<std::size_t>(std::ranges::find(course.assignments, id, &Assignment::id) -
                                  course.assignments.begin());
}

fs::path FolderAround(const fs::path& out) {
  const fs::path whole = fs::absolute(out).lexically_normal();
  return whole.has_filename() ? whole.parent_path() : whole.parent_path().parent_path();
}

}  // namespace

std::size_t LateDaysOfTerm::OwnNumber() const {
  return AssignmentNumber(*scope_.course, scope_.assignment->id);
}

/// A file that is not there has no size and no time.
LateDaysOfTerm::FileState LateDaysOfTerm::StateOf(const fs::path& folder) {
  const fs::path file = GradeOutputs{folder}.Gradebook(), log = file.string() + "-wal";
  std::error_code error;
  FileState state;
  if (const auto size = fs::file_size(file, error); !error) state.size = size;
  if (const auto time = fs::last_write_time(file, error); !error) state.written = time;
  if (const auto size = fs::file_size(log, error); !error) state.log_size = size;
  if (const auto time = fs::last_write_time(log, error); !error) state.log_written = time;
  return state;
}

Result<std::vector<fs::path>> LateDaysOfTerm::FoldersBeside() const {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator entry(FolderAround(out_), error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code fault;
    if (fs::equivalent(entry->path(), out_, fault)) continue;
    if (fs::is_regular_file(GradeOutputs{entry->path()}.Gradebook(), fault)) folders.push_back(entry->path());
  }
  ThrowIfExhausted(error);
  std::ranges::sort(folders);
  return folders;
}

/// Nothing for a gradebook of another course.
Result<std::optional<LateDaysOfTerm::Graded>> LateDaysOfTerm::Read(const fs::path& folder) const {
  const auto gradebook = Gradebook::Open(GradeOutputs{folder}.Gradebook());
  if (!gradebook) return gradebook.error();
  const auto graded = gradebook->ReadScope();
  if (!graded) return graded.error();
  if (graded->course_file.empty()) return std::optional<Graded>();
  const Course& course = *scope_.course;
  const auto theirs = ParseCourse(graded->course, graded->course_file);
  const std::size_t number = AssignmentNumber(course, graded->assignment);
  if (!theirs || theirs->title != course.title || theirs->term != course.term ||
      number == course.assignments.size()) {
    return std::optional<Graded>();
  }
  Graded read{.folder = folder, .state = {}, .number = number, .before = {}, .used = {}};
  const auto students = gradebook->ReadStudents();
  if (!students) return students.error();
  for (const StudentRow& each : *students) {
    if (theirs->late_days > 0) read.before[StudentKey(each.name, each.roster)] = each.late_days_before;
  }
  return std::optional(std::move(read));
}

Status LateDaysOfTerm::Follow() {
  const auto folders = FoldersBeside();
  if (!folders) return folders.error();
  std::vector<Graded> found;
  for (const fs::path& folder : *folders) {
    const FileState state = StateOf(folder);
    const auto known = std::ranges::find(graded_, folder, &Graded::folder);
    if (known != graded_.end() && known->state == state) {
      found.push_back(std::move(*known));
      continue;
    }
    auto read = Read(folder);
    if (!read) return read.error();
    if (!*read) continue;
    (*read)->state = state;
    found.push_back(std::move(**read));
  }
  graded_ = std::move(found);
  return Unit{};
}

Status LateDaysOfTerm::ScoreThoseBefore(std::size_t number) {
  for (Graded& each : graded_) {
    if (each.number >= number || each.used) continue;
    const auto gradebook = Gradebook::Open(GradeOutputs{each.folder}.Gradebook());
    if (!gradebook) return gradebook.error();
    const auto late_days = GatherLateDays(*gradebook, workbook_);
    if (!late_days) return late_days.error();
    each.used.emplace();
    for (const StudentLateDays& student : *late_days) {
      (*each.used)[StudentKey(student.name, student.roster)] = student.days.used;
    }
    ++scored_;
  }
  return Unit{};
}

LateDaysOfTerm::Days LateDaysOfTerm::UsedBefore(std::size_t number) const {
  Days sum;
  for (const Graded& each : graded_) {
    if (each.number >= number) continue;
    for (const auto& [student, days] : *each.used) sum[student] += days;
  }
  return sum;
}

Result<std::vector<std::string>> LateDaysOfTerm::CountEarlier(ClassRows& rows) {
  std::vector<std::string> missing;
  if (!HasLateDays()) return missing;
  if (const Status followed = Follow(); !followed) return followed.error();
  for (std::size_t i = 0; i < OwnNumber(); ++i) {
    const std::string& id = scope_.course->assignments[i].id;
    const auto is_it = [&](const Graded& each) { return each.number == i; };
    const auto first = std::ranges::find_if(graded_, is_it);
    if (first == graded_.end()) {
      missing.push_back(id);
      continue;
    }
    const auto second = std::find_if(first + 1, graded_.end(), is_it);
    if (second == graded_.end()) continue;
    return UsageError(say::assignment_graded_twice(first->folder.string(), second->folder.string(), id),
                      say::keep_one_of_them());
  }
  if (const Status scored = ScoreThoseBefore(OwnNumber()); !scored) return scored.error();
  const Days used = UsedBefore(OwnNumber());
  for (StudentRow& student : rows.students) {
    const auto known = used.find(StudentKey(student.name, student.roster));
    student.late_days_before = known == used.end() ? 0 : known->second;
  }
  return missing;
}

Result<std::vector<fs::path>> LateDaysOfTerm::FoldersToGradeAgain(const ClassGrades& grades) {
  std::vector<fs::path> folders;
  if (!HasLateDays()) return folders;
  if (const Status followed = Follow(); !followed) return followed.error();
  std::size_t last = 0;
  for (const Graded& each : graded_) last = std::max(last, each.number);
  if (last <= OwnNumber()) return folders;
  if (const Status scored = ScoreThoseBefore(last); !scored) return scored.error();
  Days own;
  for (const StudentGrades& each : grades.students) {
    if (each.late_days) own[StudentKey(each.name, each.roster)] = each.late_days->used;
  }
  for (const Graded& each : graded_) {
    if (each.number <= OwnNumber()) continue;
    Days now = UsedBefore(each.number);
    for (const auto& [student, days] : own) now[student] += days;
    const bool differs = std::ranges::any_of(
        each.before, [&](const auto& counted) { return now[counted.first] != counted.second; });
    if (differs) folders.push_back(each.folder);
  }
  return folders;
}

}  // namespace warplings
