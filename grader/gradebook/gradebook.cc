// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/gradebook.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>

#include "grader/advice/advise.h"
#include "grader/base/sha256.h"
#include "grader/core/json.h"
#include "grader/core/student_identity.h"
#include "grader/gradebook/compressed.h"
#include "grader/messages/class.h"

namespace warplings {
namespace {

using nlohmann::json;

/// "WGBK", SQLite's application id: distinguishes our files from other programs' databases.
constexpr std::int64_t kApplicationId = 0x5747424b;
/// Seeds are text: SQLite's integers have a sign.
constexpr const char* kTables = R"(
CREATE TABLE settings(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE students(
  name TEXT PRIMARY KEY, position INTEGER NOT NULL, handed_in_as TEXT NOT NULL,
  remarks TEXT NOT NULL  -- A JSON list of sentences.
);
CREATE TABLE submissions(
  student TEXT NOT NULL REFERENCES students(name), position INTEGER NOT NULL, chapter TEXT NOT NULL,
  exercise TEXT NOT NULL, state TEXT NOT NULL, file TEXT NOT NULL, problem TEXT NOT NULL,
  result TEXT NOT NULL,  -- results.key, which may not be there yet; '' where nothing can be graded.
  PRIMARY KEY(student, chapter, exercise)
);
CREATE TABLE results(
  key TEXT PRIMARY KEY, chapter TEXT NOT NULL, exercise TEXT NOT NULL, submission_hash TEXT NOT NULL,
  suite_version TEXT NOT NULL, grader_version TEXT NOT NULL, device TEXT NOT NULL, seed TEXT NOT NULL,
  round INTEGER NOT NULL, graded_at TEXT NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL,
  points REAL NOT NULL, max_points REAL NOT NULL,
  findings TEXT NOT NULL,        -- JSON: kind, line and message of each, without repetitions.
  misconceptions TEXT NOT NULL,  -- JSON: their ids.
  source BLOB NOT NULL, answers BLOB NOT NULL,
  report BLOB NOT NULL  -- The result by docs/result.schema.json, compressed by zstd.
);
CREATE VIEW grades AS
  SELECT s.student, s.chapter, s.exercise,
         CASE WHEN s.state <> 'found' THEN s.state
              WHEN r.key IS NULL OR r.verdict = 'grader_fault' THEN 'not graded'
              ELSE 'graded' END AS state,
         r.verdict, r.points, r.max_points, coalesce(r.reason, s.problem) AS reason, r.findings,
         r.misconceptions, s.file, r.submission_hash, r.suite_version, r.grader_version, r.device, r.seed,
         r.round, r.graded_at
  FROM submissions s LEFT JOIN results r ON r.key = s.result
  ORDER BY s.student, s.position;
)";

/// What people decided. A trigger, and not our own care, keeps the trail as it was written.
constexpr const char* kDecisionTables = R"(
CREATE TABLE decisions(
  kind TEXT NOT NULL, student TEXT NOT NULL, chapter TEXT NOT NULL, exercise TEXT NOT NULL, test TEXT NOT NULL,
  points REAL NOT NULL, text TEXT NOT NULL, answer TEXT NOT NULL, is_open INTEGER NOT NULL,
  author TEXT NOT NULL, decided_at TEXT NOT NULL,
  PRIMARY KEY(kind, student, chapter, exercise, test)
);
CREATE TABLE audit(
  number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, author TEXT NOT NULL, action TEXT NOT NULL,
  kind TEXT NOT NULL, student TEXT NOT NULL, chapter TEXT NOT NULL, exercise TEXT NOT NULL,
  test TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, reason TEXT NOT NULL
);
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;
CREATE TRIGGER audit_is_never_shortened BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit trail is only added to'); END;
)";

/// What a course asks of: whose a submission is, when it came, and which of several.
constexpr const char* kCourseTables = R"(
CREATE TABLE roster(
  student TEXT PRIMARY KEY REFERENCES students(name), id TEXT NOT NULL, login TEXT NOT NULL,
  email TEXT NOT NULL, section TEXT NOT NULL, lms_id TEXT NOT NULL
);
CREATE TABLE attempts(
  student TEXT NOT NULL REFERENCES students(name), chapter TEXT NOT NULL, exercise TEXT NOT NULL,
  number INTEGER NOT NULL, file TEXT NOT NULL,
  handed_in_at INTEGER NOT NULL,  -- Seconds since 1970, UTC; -1 where it is not known.
  marked_late INTEGER NOT NULL, result TEXT NOT NULL,
  PRIMARY KEY(student, chapter, exercise, number)
);
CREATE TABLE unplaced(
  position INTEGER PRIMARY KEY, name TEXT NOT NULL, reason TEXT NOT NULL, advice TEXT NOT NULL
);
)";

/// What a comment on a line keeps of it.
constexpr const char* kQuotes = "ALTER TABLE decisions ADD COLUMN quote TEXT NOT NULL DEFAULT '';";

/// Entries that are graded and are nobody's of the roster.
constexpr const char* kUnmatched =
    "CREATE TABLE IF NOT EXISTS unmatched(student TEXT PRIMARY KEY REFERENCES students(name), "
    "problem TEXT NOT NULL);";

/// Free late days that earlier assignments used, of whom used any.
constexpr const char* kLateDays =
    "CREATE TABLE IF NOT EXISTS late_days(student TEXT PRIMARY KEY REFERENCES students(name), "
    "used_before INTEGER NOT NULL);";

/// Students' numbers in Moodle's grading worksheet.
constexpr const char* kParticipants =
    "CREATE TABLE IF NOT EXISTS participants(student TEXT PRIMARY KEY REFERENCES students(name), "
    "number TEXT NOT NULL);";

/// A new kind of decision, "reviewed", needs no new table. But a program that does not know the kind would
/// show it to the student as a comment, so it must refuse the file.
constexpr const char* kReviewMarks = "";

/// Whom a decision is about, by id, login or e-mail address: names change hands where two students share one.
/// An entry of the trail from before keeps ''.
constexpr const char* kStudentKeys = R"(
ALTER TABLE audit ADD COLUMN who TEXT NOT NULL DEFAULT '';
ALTER TABLE decisions RENAME TO named_decisions;
CREATE TABLE decisions(
  kind TEXT NOT NULL, student TEXT NOT NULL, chapter TEXT NOT NULL, exercise TEXT NOT NULL, test TEXT NOT NULL,
  points REAL NOT NULL, text TEXT NOT NULL, answer TEXT NOT NULL, is_open INTEGER NOT NULL,
  author TEXT NOT NULL, decided_at TEXT NOT NULL, quote TEXT NOT NULL DEFAULT '', who TEXT NOT NULL,
  PRIMARY KEY(kind, who, chapter, exercise, test)
);
INSERT INTO decisions
  SELECT d.kind, d.student, d.chapter, d.exercise, d.test, d.points, d.text, d.answer, d.is_open, d.author,
         d.decided_at, d.quote,
         CASE WHEN d.student = '' THEN '' WHEN r.id <> '' THEN 'id ' || r.id
              WHEN r.login <> '' THEN 'login ' || r.login WHEN r.email <> '' THEN 'email ' || r.email
              WHEN r.lms_id <> '' THEN 'lms ' || r.lms_id ELSE 'name ' || d.student END
  FROM named_decisions d LEFT JOIN roster r ON r.student = d.student;
DROP TABLE named_decisions;
)";

/// Where in which file a comment on a line was written; '' and 0 for one from before.
constexpr const char* kLinePlaces = R"(
ALTER TABLE decisions ADD COLUMN line INTEGER NOT NULL DEFAULT 0;
ALTER TABLE decisions ADD COLUMN file_hash TEXT NOT NULL DEFAULT '';
CREATE INDEX IF NOT EXISTS results_by_submission ON results(submission_hash);
)";

/// From each version of the tables to the next: a new file goes through all of them, an older one through
/// those that it lacks. A step that has been released is never edited.
constexpr std::array kSteps = {kTables,   kDecisionTables, kCourseTables, kQuotes,       kUnmatched,
                               kLateDays, kReviewMarks,    kStudentKeys,  kParticipants, kLinePlaces};
constexpr std::int64_t kVersion = kSteps.size();

Error NotOurs(const std::filesystem::path& file) {
  return UsageError(say::no_gradebook(file.string()), say::name_out_or_move_away());
}

std::uint64_t ParseNumber(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

json FindingsOf(const ExerciseResult& result) {
  json list = json::array();
  // Messages of one mistake name another element in each test: the first stands for all.
  std::set<std::tuple<FindingKind, std::int64_t, Access, std::string>> seen;
  for (const TestResult& test : result.tests) {
    for (const Finding& finding : test.findings) {
      if (!seen.emplace(finding.kind, finding.where.line, finding.access, English(finding.object)).second)
        continue;
      list.push_back({{"kind", FindingKindName(finding.kind)},
                      {"line", finding.where.line},
                      {"message", English(finding.message)}});
    }
  }
  return list;
}

json MisconceptionsOf(const ExerciseResult& result) {
  json list = json::array();
  for (const Misconception& each : result.misconceptions) list.push_back(each.id);
  return list;
}

SubmissionRow::State StateFromName(const std::string& name) {
  using State = SubmissionRow::State;
  for (const State state : {State::kFound, State::kMissing}) {
    if (StateName(state) == name) return state;
  }
  return State::kUnusable;
}

}  // namespace

std::string_view StateName(SubmissionRow::State state) {
  switch (state) {
    case SubmissionRow::State::kFound: return "found";
    case SubmissionRow::State::kMissing: return "missing";
    case SubmissionRow::State::kUnusable: return "unusable";
  }
  return "unusable";
}

std::string ResultKey::Name() const {
  Sha256 hash;
  for (const std::string& field : {chapter, exercise, submission_hash, suite_version, grader_version, device,
                                   std::to_string(seed), std::to_string(round)}) {
    hash.AddField(field);
  }
  return hash.Finish();
}

Result<Gradebook> Gradebook::Open(const std::filesystem::path& file, DatabaseUse use) {
  auto database = Database::Open(file, use);
  if (!database) return database.error();
  Gradebook gradebook(std::move(*database));
  if (const Status status = gradebook.SetUp(file); !status) return status.error();
  return gradebook;
}

Status Gradebook::SetUp(const std::filesystem::path& file) {
  Transaction transaction(database_);
  if (!transaction.open()) return database_.LastError();
  const auto number_of = [&](const char* sql) -> std::int64_t {
    Statement statement = database_.Prepare(sql);
    return statement.Step() ? statement.Integer(0) : -1;
  };
  const std::int64_t id = number_of("PRAGMA application_id"), version = number_of("PRAGMA user_version");
  if (id < 0 || version < 0) return database_.LastError();
  if (id == kApplicationId && version > kVersion) {
    return UsageError(say::of_later_version(file.string()), say::use_that_version());
  }
  if (id == kApplicationId && version == kVersion) return Unit{};
  const bool is_new = id == 0 && number_of("SELECT count(*) FROM sqlite_schema") == 0;
  if (id != kApplicationId && !is_new) return NotOurs(file);
  for (std::int64_t step = is_new ? 0 : version; step < kVersion; ++step) {
    if (!database_.Execute(kSteps.at(static_cast<std::size_t>(step)))) return database_.LastError();
  }
  const std::string mark = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                           "; PRAGMA user_version = " + std::to_string(kVersion);
  if (!database_.Execute(mark.c_str()) || !transaction.Commit()) return database_.LastError();
  return Unit{};
}

Result<std::optional<ClassSettings>> Gradebook::ReadSettings() const {
  Statement rows = database_.Prepare("SELECT name, value FROM settings");
  std::optional<ClassSettings> settings;
  while (rows.Step()) {
    if (!settings) settings.emplace();
    const std::string name = rows.Text(0), value = rows.Text(1);
    if (name == "device") settings->device = value;
    if (name == "anonymous") settings->anonymous = value == "yes";
    if (name == "seed") settings->seed = ParseNumber(value);
    if (name == "round") settings->round = static_cast<std::int64_t>(ParseNumber(value));
  }
  if (!rows.ok()) return database_.LastError();
  return settings;
}

Status Gradebook::WriteSettings(const ClassSettings& settings) {
  Transaction transaction(database_);
  Statement row = database_.Prepare("INSERT OR REPLACE INTO settings VALUES(?1, ?2)");
  const bool written = transaction.open() && row.Bind("device", settings.device).Run() &&
                       row.Bind("seed", std::to_string(settings.seed)).Run() &&
                       row.Bind("round", std::to_string(settings.round)).Run() &&
                       row.Bind("anonymous", settings.anonymous ? "yes" : "no").Run();
  if (!written || !transaction.Commit()) return database_.LastError();
  return Unit{};
}

Status Gradebook::InsertStudents(std::span<const StudentRow> students) {
  Statement row = database_.Prepare("INSERT INTO students VALUES(?1, ?2, ?3, ?4)");
  Statement fields = database_.Prepare("INSERT INTO roster VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
  Statement unmatched = database_.Prepare("INSERT INTO unmatched VALUES(?1, ?2)");
  Statement late_days = database_.Prepare("INSERT INTO late_days VALUES(?1, ?2)");
  Statement participant = database_.Prepare("INSERT INTO participants VALUES(?1, ?2)");
  std::int64_t position = 0;
  for (const StudentRow& student : students) {
    const RosterFields& of = student.roster;
    if (!row.Bind(student.name, position++, student.handed_in_as, DumpJson(student.remarks)).Run() ||
        !fields.Bind(student.name, of.id, of.login, of.email, of.section, of.lms_id).Run()) {
      return database_.LastError();
    }
    if (!student.unmatched.empty() && !unmatched.Bind(student.name, student.unmatched).Run()) {
      return database_.LastError();
    }
    if (student.late_days_before > 0 && !late_days.Bind(student.name, student.late_days_before).Run()) {
      return database_.LastError();
    }
    if (!student.participant.empty() && !participant.Bind(student.name, student.participant).Run()) {
      return database_.LastError();
    }
  }
  return Unit{};
}

Status Gradebook::InsertSubmissions(std::span<const SubmissionRow> submissions) {
  Statement row = database_.Prepare("INSERT INTO submissions VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
  std::int64_t position = 0;
  for (const SubmissionRow& each : submissions) {
    row.Bind(each.student, position++, each.chapter, each.exercise, StateName(each.state), each.file,
             each.problem, each.result);
    if (!row.Run()) return database_.LastError();
  }
  return Unit{};
}

Status Gradebook::ReplaceClass(std::span<const StudentRow> students,
                               std::span<const SubmissionRow> submissions) {
  return ReplaceClass({{students.begin(), students.end()}, {submissions.begin(), submissions.end()}, {}, {}});
}

/// Decisions follow the student: to the key that the new roster gives, and to the new name.
Status Gradebook::RenameInDecisions(std::span<const StudentRow> before, std::span<const StudentRow> after) {
  const auto known = [](std::span<const StudentRow> rows) {
    std::vector<KnownStudent> students;
    for (const StudentRow& each : rows) {
      students.push_back({each.name, each.unmatched.empty() ? "" : each.handed_in_as, each.roster});
    }
    return students;
  };
  // Through a mark that no key begins with: the new key of one may be the old key of another.
  Statement move = database_.Prepare("UPDATE OR IGNORE decisions SET who = '>' || ?1 WHERE who = ?2");
  // An entry that was nobody's, and is one student's since the roster says more.
  const auto owner_now = [&](const StudentRow& former) -> const StudentRow* {
    if (former.unmatched.empty() || former.handed_in_as.empty()) return nullptr;
    const auto is_owner = [&](const StudentRow& each) {
      return each.unmatched.empty() && each.handed_in_as == former.handed_in_as;
    };
    const auto owner = std::ranges::find_if(after, is_owner);
    return std::ranges::count_if(after, is_owner) == 1 ? &*owner : nullptr;
  };
  const auto found = FindAgain(known(before), known(after));
  for (std::size_t i = 0; i < before.size(); ++i) {
    const StudentRow* now = found[i] ? &after[*found[i]] : owner_now(before[i]);
    if (now == nullptr) continue;
    const std::string was = StudentKey(before[i].name, before[i].roster);
    const std::string is = StudentKey(now->name, now->roster);
    if (was != is && !move.Bind(is, was).Run()) return database_.LastError();
  }
  Statement name = database_.Prepare("UPDATE decisions SET student = ?1 WHERE who = ?2");
  if (!database_.Execute("UPDATE OR IGNORE decisions SET who = substr(who, 2) WHERE who LIKE '>%'")) {
    return database_.LastError();
  }
  for (const StudentRow& each : after) {
    if (!name.Bind(each.name, StudentKey(each.name, each.roster)).Run()) return database_.LastError();
  }
  return Unit{};
}

Status Gradebook::ReplaceClass(const ClassRows& rows) {
  Transaction transaction(database_);
  if (!transaction.open()) return database_.LastError();
  const auto before = ReadStudents();
  if (!before) return before.error();
  if (const Status renamed = RenameInDecisions(*before, rows.students); !renamed) return renamed;
  if (!database_.Execute("DELETE FROM submissions; DELETE FROM attempts; "
                         "DELETE FROM roster; DELETE FROM unplaced; DELETE FROM unmatched; "
                         "DELETE FROM late_days; DELETE FROM participants; "
                         "DELETE FROM students")) {
    return database_.LastError();
  }
  if (const Status status = InsertStudents(rows.students); !status) return status;
  if (const Status status = InsertSubmissions(rows.submissions); !status) return status;
  if (const Status status = InsertAttempts(rows.attempts); !status) return status;
  if (const Status status = InsertUnplaced(rows.unplaced); !status) return status;
  if (!transaction.Commit()) return database_.LastError();
  return Unit{};
}

Result<std::vector<StudentRow>> Gradebook::ReadStudents() const {
  Statement rows = database_.Prepare(
      "SELECT name, handed_in_as, remarks, id, login, email, section, lms_id, coalesce(problem, ''), "
      "coalesce(used_before, 0), coalesce(number, '') "
      "FROM students LEFT JOIN roster ON roster.student = name "
      "LEFT JOIN unmatched ON unmatched.student = name "
      "LEFT JOIN late_days ON late_days.student = name "
      "LEFT JOIN participants ON participants.student = name ORDER BY position");
  std::vector<StudentRow> students;
  while (rows.Step()) {
    StudentRow student{rows.Text(0), rows.Text(1), {}};
    student.roster = {.id = rows.Text(3),
                      .login = rows.Text(4),
                      .email = rows.Text(5),
                      .section = rows.Text(6),
                      .lms_id = rows.Text(7)};
    student.unmatched = rows.Text(8);
    student.late_days_before = rows.Integer(9);
    student.participant = rows.Text(10);
    if (const auto remarks = FromJson<json>(rows.Text(2)); remarks && remarks->is_array()) {
      for (const json& remark : *remarks) student.remarks.push_back(remark.is_string() ? remark : json(""));
    }
    students.push_back(std::move(student));
  }
  if (!rows.ok()) return database_.LastError();
  return students;
}

Result<std::vector<SubmissionRow>> Gradebook::ReadSubmissions() const {
  Statement rows = database_.Prepare(
      "SELECT student, chapter, exercise, state, file, problem, result FROM submissions ORDER BY position");
  std::vector<SubmissionRow> submissions;
  while (rows.Step()) {
    submissions.push_back({rows.Text(0), rows.Text(1), rows.Text(2), StateFromName(rows.Text(3)),
                           rows.Text(4), rows.Text(5), rows.Text(6)});
  }
  if (!rows.ok()) return database_.LastError();
  return submissions;
}

Result<bool> Gradebook::IsGraded(const std::string& key_name) const {
  Statement row = database_.Prepare("SELECT 1 FROM results WHERE key = ?1 AND verdict <> ?2");
  const bool graded = row.Bind(key_name, VerdictName(Verdict::kGraderFault)).Step();
  if (!row.ok()) return database_.LastError();
  return graded;
}

Status Gradebook::WriteResult(const ResultKey& key, const ExerciseResult& result,
                              const std::string& answers) {
  Transaction transaction(database_);
  Statement row = database_.Prepare(
      "INSERT OR REPLACE INTO results VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
      "strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)");
  row.Bind(key.Name(), key.chapter, key.exercise, key.submission_hash, key.suite_version, key.grader_version,
           key.device, std::to_string(key.seed), key.round, VerdictName(result.verdict),
           English(result.reason), result.points, result.max_points, DumpJson(FindingsOf(result)),
           DumpJson(MisconceptionsOf(result)));
  row.BindBlob(16, result.source).BindBlob(17, answers).BindBlob(18, Compress(DumpJson(result)));
  if (!transaction.open() || !row.Run() || !transaction.Commit()) return database_.LastError();
  return Unit{};
}

Result<std::optional<KeptResult>> Gradebook::ReadResult(const std::string& key_name) const {
  Statement row = database_.Prepare(
      "SELECT chapter, exercise, submission_hash, suite_version, grader_version, device, seed, round, "
      "source, report, graded_at FROM results WHERE key = ?1");
  const bool found = row.Bind(key_name).Step();
  if (!row.ok()) return database_.LastError();
  if (!found) return std::optional<KeptResult>();
  KeptResult kept;
  kept.key = {row.Text(0),
              row.Text(1),
              row.Text(2),
              row.Text(3),
              row.Text(4),
              row.Text(5),
              ParseNumber(row.Text(6)),
              row.Integer(7)};
  const auto report = Decompress(row.Text(9));
  if (!report) return report.error();
  auto result = FromJson<ExerciseResult>(*report);
  if (!result) return result.error();
  kept.result = std::move(*result);
  kept.result.source = row.Text(8);
  AdviseStored(kept.result);
  kept.graded_at = row.Text(10);
  return std::optional(std::move(kept));
}

Result<std::size_t> Gradebook::TakeResultsOf(const std::filesystem::path& other) {
  // Opened by itself first: that it is a gradebook of this version, and what a killed process left in its
  // log.
  if (auto opened = Open(other, DatabaseUse::kAlone); !opened) return opened.error();
  Statement attach = database_.Prepare("ATTACH DATABASE ?1 AS other");
  if (!attach.Bind(other.string()).Run() || !database_.Execute("PRAGMA other.locking_mode = EXCLUSIVE"))
    return database_.LastError();
  const auto taken = TakeAttachedResults();
  database_.Execute("DETACH DATABASE other");
  return taken;
}

Result<std::filesystem::path> CopyGradebook(const std::filesystem::path& file,
                                            const std::filesystem::path& folder) {
  std::filesystem::path copy = folder / file.filename();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  // The log beside it belongs to it; the third file, -shm, is made anew from the log.
  for (const char* part : {"", "-wal"}) {
    const std::string from = file.string() + part, to = copy.string() + part;
    if (*part != '\0' && !std::filesystem::exists(from, error)) continue;
    if (!std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error)) {
      return GraderError(say::cannot_copy(from, to, error.message()), say::free_space_or_set_tmpdir());
    }
  }
  return copy;
}

Result<std::size_t> Gradebook::TakeAttachedResults() {
  Transaction transaction(database_);
  if (!transaction.open() || !database_.Execute(R"(
        INSERT OR REPLACE INTO main.results SELECT * FROM other.results AS theirs
        WHERE NOT EXISTS (SELECT 1 FROM main.results AS ours WHERE ours.key = theirs.key
                          AND (ours.verdict <> 'grader_fault' OR theirs.verdict = 'grader_fault')))")) {
    return database_.LastError();
  }
  std::size_t taken = 0;
  {
    Statement count = database_.Prepare("SELECT changes()");
    if (count.Step()) taken = static_cast<std::size_t>(count.Integer(0));
  }
  if (!transaction.Commit()) return database_.LastError();
  return taken;
}

}  // namespace warplings
