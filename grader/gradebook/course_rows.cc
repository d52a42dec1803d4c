// SPDX-License-Identifier: Apache-2.0
// The gradebook's tables for courses (scope, attempts), and that of entries that belong to no student.
#include <nlohmann/json.hpp>

#include "grader/core/json.h"
#include "grader/gradebook/gradebook.h"
#include "grader/messages/class.h"

namespace warplings {

using nlohmann::json;

Status Gradebook::InsertAttempts(std::span<const AttemptRow> attempts) {
  Statement row = database_.Prepare("INSERT INTO attempts VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
  for (const AttemptRow& each : attempts) {
    row.Bind(each.student, each.chapter, each.exercise, each.number, each.file,
             each.handed_in_at.value_or(-1), static_cast<int>(each.marked_late), each.result);
    if (!row.Run()) return database_.LastError();
  }
  return Unit{};
}

Status Gradebook::InsertUnplaced(std::span<const UnplacedEntry> unplaced) {
  Statement row = database_.Prepare("INSERT INTO unplaced VALUES(?1, ?2, ?3, ?4)");
  std::int64_t position = 0;
  for (const UnplacedEntry& each : unplaced) {
    if (!row.Bind(position++, each.name, each.reason, each.advice).Run()) return database_.LastError();
  }
  return Unit{};
}

Result<std::vector<AttemptRow>> Gradebook::ReadAttempts() const {
  Statement rows = database_.Prepare(
      "SELECT student, chapter, exercise, number, file, handed_in_at, marked_late, result FROM attempts "
      "ORDER BY student, chapter, exercise, number");
  std::vector<AttemptRow> attempts;
  while (rows.Step()) {
    AttemptRow attempt{rows.Text(0), rows.Text(1),    rows.Text(2),         rows.Integer(3),
                       rows.Text(4), rows.Integer(5), rows.Integer(6) != 0, rows.Text(7)};
    if (attempt.handed_in_at == -1) attempt.handed_in_at.reset();
    attempts.push_back(std::move(attempt));
  }
  if (!rows.ok()) return database_.LastError();
  return attempts;
}

Result<std::vector<UnplacedEntry>> Gradebook::ReadUnplaced() const {
  Statement rows = database_.Prepare("SELECT name, reason, advice FROM unplaced ORDER BY position");
  std::vector<UnplacedEntry> unplaced;
  while (rows.Step()) unplaced.push_back({rows.Text(0), rows.Text(1), rows.Text(2)});
  if (!rows.ok()) return database_.LastError();
  return unplaced;
}

Status Gradebook::WriteScope(const GradedScope& scope) {
  Transaction transaction(database_);
  Statement row = database_.Prepare("INSERT OR REPLACE INTO settings VALUES(?1, ?2)");
  const json value = {{"course_file", scope.course_file}, {"course", scope.course},
                      {"assignment", scope.assignment},   {"what", scope.what},
                      {"worksheet", scope.worksheet},     {"folder", scope.folder}};
  if (!transaction.open() || !row.Bind("scope", DumpJson(value)).Run() || !transaction.Commit()) {
    return database_.LastError();
  }
  return Unit{};
}

Result<GradedScope> Gradebook::ReadScope() const {
  Statement row = database_.Prepare("SELECT value FROM settings WHERE name = 'scope'");
  GradedScope scope;
  const bool found = row.Step();
  if (!row.ok()) return database_.LastError();
  if (!found) return scope;  // A gradebook from before there were courses.
  const auto value = FromJson<json>(row.Text(0));
  if (!value || !value->is_object())
    return GraderError(say::damaged_scope(), say::grade_into_another_folder());
  scope.course_file = value->value("course_file", "");
  scope.course = value->value("course", "");
  scope.assignment = value->value("assignment", "");
  scope.what = value->value("what", std::vector<std::string>());
  scope.worksheet = value->value("worksheet", "");
  scope.folder = value->value("folder", "");
  return scope;
}

}  // namespace warplings
