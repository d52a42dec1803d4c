// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "grader/base/csv.h"
#include "grader/base/sha256.h"
#include "grader/core/student_identity.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {
namespace {

constexpr std::array<std::pair<Decision::Kind, std::string_view>, 8> kKinds = {{
    {Decision::Kind::kPoints, "points"},
    {Decision::Kind::kComment, "comment"},
    {Decision::Kind::kExclusion, "exclusion"},
    {Decision::Kind::kRegrade, "regrade"},
    {Decision::Kind::kLine, "line"},
    {Decision::Kind::kItem, "item"},
    {Decision::Kind::kMark, "mark"},
    {Decision::Kind::kReviewed, "reviewed"},
}};

constexpr const char* kColumns =
    "kind, student, chapter, exercise, test, points, text, answer, is_open, author, decided_at, quote, who, "
    "line, file_hash, coalesce((SELECT source FROM results WHERE file_hash <> '' AND "
    "submission_hash = file_hash LIMIT 1), '')";

Decision ReadDecisionRow(const Statement& row) {
  Decision decision;
  decision.kind = DecisionKindFromName(row.Text(0)).value_or(Decision::Kind::kComment);
  decision.student = row.Text(1);
  decision.chapter = row.Text(2);
  decision.exercise = row.Text(3);
  decision.test = row.Text(4);
  decision.points = row.Real(5);
  decision.text = row.Text(6);
  decision.answer = row.Text(7);
  decision.is_open = row.Integer(8) != 0;
  decision.author = row.Text(9);
  decision.when = row.Text(10);
  decision.quote = row.Text(11);
  decision.who = row.Text(12);
  decision.line = static_cast<std::size_t>(row.Integer(13));
  decision.file_hash = row.Text(14);
  decision.file_text = row.Text(15);
  return decision;
}

}  // namespace

std::string_view DecisionKindName(Decision::Kind kind) {
  for (const auto& [each, name] : kKinds) {
    if (each == kind) return name;
  }
  return "points";
}

std::optional<Decision::Kind> DecisionKindFromName(std::string_view name) {
  for (const auto& [kind, each] : kKinds) {
    if (each == name) return kind;
  }
  return std::nullopt;
}

std::string KeyOfStudent(const Decision& decision) {
  const bool has_key = !decision.who.empty() || decision.student.empty();
  return has_key ? decision.who : StudentKey(decision.student, {});
}

bool AreAboutTheSame(const Decision& a, const Decision& b) {
  return a.kind == b.kind && a.chapter == b.chapter && a.exercise == b.exercise && a.test == b.test &&
         KeyOfStudent(a) == KeyOfStudent(b);
}

std::string VersionOf(const Decision* decision) {
  if (decision == nullptr) return "";
  Sha256 hash;
  hash.AddField(std::string(DecisionKindName(decision->kind)));
  for (const std::string& field :
       {CsvNumber(decision->points), decision->text, decision->answer,
        std::string(decision->is_open ? "open" : "closed"), decision->author, decision->when}) {
    hash.AddField(field);
  }
  return hash.Finish().substr(0, 16);
}

Result<std::int64_t> Gradebook::ChangesOfOthers() const {
  Statement row = database_.Prepare("PRAGMA data_version");
  if (!row.Step()) return database_.LastError();
  return row.Integer(0);
}

Result<std::vector<Decision>> Gradebook::ReadDecisions() const {
  Statement rows = database_.Prepare("SELECT " + std::string(kColumns) +
                                     " FROM decisions ORDER BY chapter, exercise, student, who, kind, test");
  std::vector<Decision> decisions;
  while (rows.Step()) decisions.push_back(ReadDecisionRow(rows));
  if (!rows.ok()) return database_.LastError();
  return decisions;
}

Result<std::vector<AuditEntry>> Gradebook::ReadAuditTrail() const {
  Statement rows = database_.Prepare(
      "SELECT number, at, author, action, kind, student, chapter, exercise, test, before, after, reason, "
      "who FROM audit ORDER BY number");
  std::vector<AuditEntry> trail;
  while (rows.Step()) {
    trail.push_back({rows.Integer(0), rows.Text(1), rows.Text(2), rows.Text(3),
                     DecisionKindFromName(rows.Text(4)).value_or(Decision::Kind::kComment), rows.Text(5),
                     rows.Text(6), rows.Text(7), rows.Text(8), rows.Text(9), rows.Text(10), rows.Text(11),
                     rows.Text(12)});
  }
  if (!rows.ok()) return database_.LastError();
  return trail;
}

Status Gradebook::Decide(std::span<const DecisionChange> changes) {
  Transaction transaction(database_);
  if (!transaction.open()) return database_.LastError();
  Statement set = database_.Prepare(
      "INSERT OR REPLACE INTO decisions VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, "
      "strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?11, ?12, ?13, ?14)");
  Statement remove = database_.Prepare(
      "DELETE FROM decisions WHERE kind = ?1 AND who = ?2 AND chapter = ?3 AND exercise = ?4 AND test = "
      "?5");
  Statement note = database_.Prepare(
      "INSERT INTO audit(at, author, action, kind, student, chapter, exercise, test, before, after, reason, "
      "who) VALUES(strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
  for (const DecisionChange& change : changes) {
    const Decision& made = change.decision;
    const std::string_view kind = DecisionKindName(made.kind);
    const std::string who = KeyOfStudent(made);
    const bool changed =
        change.removes ? remove.Bind(kind, who, made.chapter, made.exercise, made.test).Run()
                       : set.Bind(kind, made.student, made.chapter, made.exercise, made.test, made.points,
                                  made.text, made.answer, made.is_open ? 1 : 0, made.author, made.quote, who,
                                  static_cast<std::int64_t>(made.line), made.file_hash)
                             .Run();
    const bool noted =
        changed && note.Bind(made.author, change.action, kind, made.student, made.chapter, made.exercise,
                             made.test, change.before, change.after, change.reason, who)
                       .Run();
    if (!noted) return database_.LastError();
  }
  if (!transaction.Commit()) return database_.LastError();
  return Unit{};
}

}  // namespace warplings
