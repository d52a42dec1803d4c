// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/grade_plan.h"

#include <algorithm>
#include <set>
#include <span>

#include "grader/base/person_names.h"
#include "grader/base/sha256.h"
#include "grader/base/text.h"
#include "grader/base/thrown.h"
#include "grader/core/remedy.h"
#include "grader/pipeline/result_versions.h"
#include "grader/pipeline/text_job.h"
#include "grader/submissions/entry_identity.h"
#include "grader/submissions/find_exercises.h"
#include "grader/submissions/lms_file_names.h"

namespace warplings {
namespace {

std::string HashAttempt(const ExerciseAttempt& attempt) {
  Sha256 hash;
  hash.AddField(attempt.text);
  hash.AddField(attempt.answers);
  return hash.Finish();
}

/// When an attempt came: what the LMS says, else the file's own time where the course wants that.
std::optional<std::int64_t> ArrivalOf(const StudentEntry& student, const ExerciseAttempt& attempt,
                                      const ScoringScope& scope) {
  if (student.handed_in_at) return student.handed_in_at;
  const bool by_files = scope.course && scope.course->times == TimeSource::kFiles;
  if (by_files && attempt.modified_at > 0) return attempt.modified_at;
  return std::nullopt;
}

class Planner {
 public:
  Planner(const GradePlanRequest& request, const Workbook& workbook, const Layout& layout,
          const Gradebook& gradebook)
      : request_(request),
        workbook_(workbook),
        layout_(layout),
        gradebook_(gradebook),
        links_(request.folder,
               {layout.root / "chapters", layout.root / "solutions", layout.root / "reference"}) {}

  Result<GradePlan> Make() {
    auto folder = ListClass(request_.folder, workbook_);
    if (!folder) return folder.error();
    if (const Status read = ReadVersions(); !read) return read.error();
    plan_.rows.unplaced = std::move(folder->unplaced);
    for (StudentEntry& each : folder->students) TakeTime(each);
    std::vector<std::optional<std::size_t>> matches = MatchAll(folder->students);
    MatchParticipants();
    FindLines(folder->students);
    for (std::size_t i = 0; i < folder->students.size(); ++i) {
      if (matches[i]) TakeTimeOfStudent(folder->students[i], *matches[i]);
      if (const Status added = AddStudent(folder->students[i], matches[i]); !added) return added.error();
    }
    if (const Status added = AddAbsent(matches); !added) return added.error();
    plan_.distinct = seen_.size();
    return std::move(plan_);
  }

 private:
  /// Moodle's worksheet and its download number the participants of an assignment alike.
  void TakeTime(StudentEntry& entry) {
    if (const MoodleParticipant* known = FindParticipant(entry, request_.participants))
      TakeTimeOf(*known, entry);
  }

  /// An entry that somebody has renamed has no participant's number: the line is that of its student.
  void TakeTimeOfStudent(StudentEntry& entry, std::size_t student) {
    const std::string number = ParticipantOf(student);
    if (!HasNumber(entry) && !number.empty()) TakeTimeOf(request_.participants->at(number), entry);
  }

  static bool HasNumber(const StudentEntry& entry) {
    return entry.id_kind == StudentEntry::IdKind::kParticipant && !entry.id.empty();
  }

  /// Without a roster the worksheet has the students: an entry without a number is whose address, ID number
  /// or name it has, unless two entries have that.
  void FindLines(std::vector<StudentEntry>& entries) {
    lines_.resize(entries.size());
    if (request_.roster != nullptr || request_.participants == nullptr) return;
    Roster sheet;
    std::vector<std::string> numbers;
    for (const auto& [number, each] : *request_.participants) {
      sheet.students.push_back({.name = each.name, .fields = {each.id, "", each.email, "", ""}});
      numbers.push_back(number);
    }
    std::map<std::string, std::vector<std::size_t>> claims;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (HasNumber(entries[i])) {
        claims[entries[i].id].push_back(i);
        continue;
      }
      const RosterMatch match = MatchStudent(sheet, IdentityOf(entries[i], nullptr),
                                             {MatchField::kEmail, MatchField::kId, MatchField::kName});
      if (match.student) claims[numbers[*match.student]].push_back(i);
    }
    for (const auto& [number, claim] : claims) {
      if (claim.size() > 1 || HasNumber(entries[claim.front()])) continue;
      lines_[claim.front()] = number;
      TakeTimeOf(request_.participants->at(number), entries[claim.front()]);
    }
  }

  void TakeTimeOf(const MoodleParticipant& known, StudentEntry& entry) {
    if (!known.handed_in_at) return;
    entry.handed_in_at = known.handed_in_at;
    ++plan_.timed;
  }

  Status ReadVersions() {
    auto grader = GraderVersion(layout_);
    if (!grader) return grader.error();
    grader_version_ = *grader;
    for (const AssignedExercise& each : request_.scope->exercises) {
      auto suite = SuiteVersion(*each.exercise, layout_);
      if (!suite) return suite.error();
      suite_versions_[each.exercise] = *suite;
    }
    return Unit{};
  }

  /// Numbers in the roster, by entry.
  std::vector<std::optional<std::size_t>> MatchAll(const std::vector<StudentEntry>& students) {
    std::vector<std::optional<std::size_t>> matches(students.size());
    problems_.resize(students.size());
    if (request_.roster == nullptr) return matches;
    for (const RosterStudent& each : request_.roster->students) {
      roster_names_.push_back(FreeName(Printable(each.name)));
    }
    notes_.resize(students.size());
    std::map<std::size_t, std::vector<Claim>> claims;
    for (std::size_t i = 0; i < students.size(); ++i) {
      const RosterMatch match = MatchStudent(*request_.roster, IdentityOf(students[i], request_.participants),
                                             request_.scope->course->match);
      problems_[i] = match.problem;
      if (match.fits_several) ambiguous_.insert(i);
      if (match.student) claims[*match.student].push_back({i, match});
    }
    for (auto& [student, each] : claims) {
      if (const auto owner = OwnerOf(each, students, student)) matches[*owner] = student;
    }
    return matches;
  }

  /// Whom of the roster the worksheet's participants are: by the e-mail address or the ID number before the
  /// name, whatever the course tells entries by. Of two who fit one student equally well, neither is.
  void MatchParticipants() {
    if (request_.roster == nullptr || request_.participants == nullptr) return;
    std::map<std::size_t, std::pair<bool, bool>> ranks;
    for (const auto& [number, each] : *request_.participants) {
      const Identity identity{.entry = "", .name = each.name, .id = each.id, .email = each.email};
      const RosterMatch match =
          MatchStudent(*request_.roster, identity, {MatchField::kEmail, MatchField::kId, MatchField::kName});
      if (!match.student) continue;
      const std::pair rank(match.by_name, match.without_accents);
      const auto [known, is_first] = ranks.emplace(*match.student, rank);
      if (!is_first && known->second < rank) continue;
      participants_[*match.student] = is_first || rank < known->second ? number : "";
      known->second = rank;
    }
  }

  /// The number in the worksheet of a student of the roster, or "".
  std::string ParticipantOf(std::size_t student) const {
    const auto known = participants_.find(student);
    return known == participants_.end() ? "" : known->second;
  }

  /// An entry that fits a student of the roster.
  struct Claim {
    std::size_t entry = 0;
    RosterMatch match;
  };

  /// Which of the entries that fit one student is theirs: by identifiers before names, by names as they are
  /// before names without accents, then the first. Of two people whom the LMS numbers apart and who have one
  /// name neither can be told to be the student. The others get their problem.
  std::optional<std::size_t> OwnerOf(std::vector<Claim>& claims, const std::vector<StudentEntry>& entries,
                                     std::size_t student) {
    std::ranges::stable_sort(claims, {}, [](const Claim& claim) {
      return std::pair(claim.match.by_name, claim.match.without_accents);
    });
    const std::string& name = request_.roster->students[student].name;
    const Claim& first = claims.front();
    const auto rivals = [&](const Claim& claim) {
      return claim.entry != first.entry && claim.match.by_name &&
             claim.match.without_accents == first.match.without_accents && !entries[claim.entry].id.empty() &&
             entries[claim.entry].id != entries[first.entry].id;
    };
    const bool doubtful =
        first.match.by_name && !entries[first.entry].id.empty() && std::ranges::any_of(claims, rivals);
    for (const Claim& claim : claims) {
      if (doubtful) {
        problems_[claim.entry] = "has the name of " + name + ", as " + std::to_string(claims.size()) +
                                 " entries have, with different numbers in the LMS";
      } else if (claim.entry != first.entry) {
        problems_[claim.entry] = "is a second entry of " + name + ", beside " + entries[first.entry].name;
      }
    }
    if (!doubtful && first.match.without_accents)
      notes_[first.entry] = "found by the name without its accents: " + entries[first.entry].name;
    return doubtful ? std::nullopt : std::optional(first.entry);
  }

  /// Whatever is thrown is a fault at this student alone: something was handed in, and could not be read.
  Result<FoundExercises> Read(const StudentEntry& student) {
    try {
      auto handed_in = request_.read(student, links_);
      if (!handed_in) return handed_in.error();
      return FindExercises(*handed_in, workbook_);
    } catch (...) {
      const std::string problem = "reading what was handed in: " + English(ErrorOfThrown().message);
      FoundExercises unread;
      for (const AssignedExercise& each : request_.scope->exercises) {
        ExerciseFile& file = unread.exercises.emplace_back();
        file.exercise = each.exercise;
        file.state = ExerciseFile::State::kFound;
        file.problem = problem;
      }
      return unread;
    }
  }

  Status AddStudent(const StudentEntry& student, std::optional<std::size_t> match) {
    auto read = Read(student);
    if (!read) return read.error();
    FoundExercises found = *std::move(read);
    StudentRow row{student.name, HandedInAs(student), std::move(found.remarks)};
    row.participant = lines_[plan_.rows.students.size()];
    if (match) {
      row.participant = ParticipantOf(*match);
      const RosterStudent& known = request_.roster->students[*match];
      row.name = roster_names_[*match];
      row.roster = known.fields;
      const std::string& note = notes_[plan_.rows.students.size()];
      if (!note.empty()) row.remarks.insert(row.remarks.begin(), note);
    } else if (const std::string& problem = problems_[plan_.rows.students.size()]; !problem.empty()) {
      ++plan_.unmatched;
      row.name = FreeName(student.name);
      row.unmatched = problem;
      if (ambiguous_.contains(plan_.rows.students.size())) plan_.ambiguous[row.name] = student.name;
      // Of another's name the number does not help, and may hide that they are missing in the roster.
      if (student.id_kind == StudentEntry::IdKind::kLmsAccount && problem != kNotInRoster)
        plan_.need_canvas_id.insert(row.name);
      row.remarks.insert(row.remarks.begin(),
                         "this entry " + problem + ": correct the roster, or the entry's name");
    }
    NoteOthers(found, row);
    NameUnclaimed(found);
    for (const ExerciseFile& file : found.exercises) {
      if (!suite_versions_.contains(file.exercise)) continue;
      if (const Status added = AddSubmission(student, row.name, file); !added) return added;
    }
    plan_.rows.students.push_back(std::move(row));
    return Unit{};
  }

  static bool IsThere(const ExerciseFile& file) {
    return file.state == ExerciseFile::State::kFound ||
           (file.state == ExerciseFile::State::kUnusable && !file.path.empty());
  }

  /// Files of exercises that are not graded here. Whoever lacks one that is may have handed in another
  /// week's; of somebody who handed in a whole workbook there is nothing to say.
  void NoteOthers(const FoundExercises& found, StudentRow& row) {
    constexpr std::size_t kNamed = 5;
    std::vector<std::string> others;
    bool lacks_one = false;
    for (const ExerciseFile& file : found.exercises) {
      const bool is_graded = suite_versions_.contains(file.exercise);
      lacks_one |= is_graded && file.state == ExerciseFile::State::kMissing;
      plan_.asked_for += is_graded && IsThere(file);
      if (is_graded || !IsThere(file)) continue;
      ++plan_.others[file.exercise];
      others.push_back(file.path);
    }
    plan_.with_others += !others.empty();
    if (others.empty() || !lacks_one) return;
    std::string text = Joined(std::span(others).first(std::min(others.size(), kNamed)), ", ");
    if (others.size() > kNamed) text += " and " + std::to_string(others.size() - kNamed) + " more";
    text += others.size() == 1 ? " is of an exercise that " : " are of exercises that ";
    row.remarks.push_back(
        text + (request_.scope->assignment ? "this assignment does not ask for" : "this grading leaves out"));
  }

  /// A program whose name is no exercise's may be the one that is missing, where that is the only one; and of
  /// whoever handed in nothing else, nobody can say that nothing was handed in.
  void NameUnclaimed(FoundExercises& found) const {
    if (found.unclaimed.empty()) return;
    std::vector<ExerciseFile*> missing;
    for (ExerciseFile& file : found.exercises) {
      if (suite_versions_.contains(file.exercise) && file.state == ExerciseFile::State::kMissing)
        missing.push_back(&file);
    }
    if (missing.size() != 1 && missing.size() != suite_versions_.size()) return;
    for (ExerciseFile* file : missing) {
      file->state = ExerciseFile::State::kUnusable;
      file->problem = "handed in under the name of no exercise: " + Joined(found.unclaimed, ", ") +
                      "; if it is for " + file->exercise->id + ", rename it to " + file->exercise->id +
                      ".cu" + std::string(kGradeAgain.of_instructor);
    }
  }

  /// Whose the texts are that were typed into Moodle and are no files.
  std::set<std::size_t> StudentsOfTypedTexts() const {
    std::set<std::size_t> students;
    for (const UnplacedEntry& each : plan_.rows.unplaced) {
      const auto moodle = ParseMoodleName(each.name);
      if (!moodle || !IsTypedText(each.name)) continue;
      StudentEntry entry;
      entry.name = entry.student = moodle->student;
      entry.id = moodle->id;
      entry.id_kind = StudentEntry::IdKind::kParticipant;
      const RosterMatch match = MatchStudent(*request_.roster, IdentityOf(entry, request_.participants),
                                             request_.scope->course->match);
      if (match.student) students.insert(*match.student);
    }
    return students;
  }

  /// Everybody of the roster has a line, also who handed in nothing.
  Status AddAbsent(const std::vector<std::optional<std::size_t>>& matches) {
    if (request_.roster == nullptr) return Unit{};
    const std::set<std::size_t> typed = StudentsOfTypedTexts();
    for (std::size_t i = 0; i < request_.roster->students.size(); ++i) {
      if (std::ranges::find(matches, std::optional(i)) != matches.end()) continue;
      const RosterStudent& student = request_.roster->students[i];
      StudentRow row{
          roster_names_[i],
          "",
          {typed.contains(i) ? "a text typed into Moodle was handed in, and no file: ask for the file"
                             : "nothing was handed in under this name"}};
      row.roster = student.fields;
      row.participant = ParticipantOf(i);
      for (const AssignedExercise& each : request_.scope->exercises) {
        ExerciseFile missing;
        missing.exercise = each.exercise;
        if (const Status added = AddSubmission({}, row.name, missing); !added) return added;
      }
      plan_.rows.students.push_back(std::move(row));
    }
    std::ranges::stable_sort(plan_.rows.students, {},
                             [](const StudentRow& row) { return NameSortKey(row.name); });
    return Unit{};
  }

  /// Two students may have one name; the gradebook tells them apart.
  std::string FreeName(const std::string& name) {
    std::string free = name;
    for (int number = 2; !names_.insert(free).second; ++number)
      free = name + " (" + std::to_string(number) + ")";
    return free;
  }

  static std::string HandedInAs(const StudentEntry& student) {
    if (student.kind != StudentEntry::Kind::kFiles || student.files.size() < 2) {
      return student.path.filename().string();
    }
    return student.path.filename().string() + " and " + std::to_string(student.files.size() - 1) + " more";
  }

  Status AddSubmission(const StudentEntry& student, const std::string& name, const ExerciseFile& file) {
    SubmissionRow row{.student = name,
                      .chapter = file.exercise->chapter,
                      .exercise = file.exercise->id,
                      .state = SubmissionRow::State::kMissing,
                      .file = file.path,
                      .problem = file.problem,
                      .result = ""};
    Status status = Unit{};
    switch (file.state) {
      case ExerciseFile::State::kMissing: ++plan_.missing; break;
      case ExerciseFile::State::kUnusable:
        row.state = SubmissionRow::State::kUnusable;
        ++plan_.unusable;
        break;
      case ExerciseFile::State::kFound:
        row.state = SubmissionRow::State::kFound;
        status = AddAttempts(student, file, row);
        break;
    }
    plan_.rows.submissions.push_back(std::move(row));
    return status;
  }

  /// All are kept; only those that can count are graded.
  Status AddAttempts(const StudentEntry& student, const ExerciseFile& file, SubmissionRow& row) {
    const std::vector<std::size_t> counted = AttemptsToGrade(*request_.scope, file.attempts.size());
    plan_.found += counted.size();
    for (std::size_t i = 0; i < file.attempts.size(); ++i) {
      const ExerciseAttempt& attempt = file.attempts[i];
      const bool counts = std::ranges::find(counted, i) != counted.end();
      const auto result = AddText(*file.exercise, attempt, counts);
      if (!result) return result.error();
      if (i == counted.back()) {
        row.result = *result;
        row.file = attempt.path;
      }
      plan_.rows.attempts.push_back({.student = row.student,
                                     .chapter = row.chapter,
                                     .exercise = row.exercise,
                                     .number = static_cast<std::int64_t>(i + 1),
                                     .file = attempt.path,
                                     .handed_in_at = ArrivalOf(student, attempt, *request_.scope),
                                     .marked_late = student.marked_late && i + 1 == file.attempts.size(),
                                     .result = *result});
    }
    return Unit{};
  }

  /// The result's name, and a job where it counts, is met for the first time and has no result yet.
  Result<std::string> AddText(const Exercise& exercise, const ExerciseAttempt& attempt, bool counts) {
    ResultKey key{.chapter = exercise.chapter,
                  .exercise = exercise.id,
                  .submission_hash = HashAttempt(attempt),
                  .suite_version = suite_versions_.at(&exercise),
                  .grader_version = grader_version_,
                  .device = request_.device.name,
                  .seed = request_.settings.seed,
                  .round = request_.settings.round};
    std::string name = key.Name();
    if (!counts || !seen_.insert(name).second) return name;
    const auto graded = gradebook_.IsGraded(name);
    if (!graded) return graded.error();
    if (*graded) return name;
    if (const Status added = AddJob(exercise, attempt, std::move(key)); !added) return added.error();
    return name;
  }

  Status AddJob(const Exercise& exercise, const ExerciseAttempt& attempt, ResultKey key) {
    auto job = MakeTextJob({&exercise, attempt.text, attempt.answers}, request_.device,
                           request_.settings.seed, request_.scratch / std::to_string(plan_.jobs.size()));
    if (!job) return job.error();
    plan_.jobs.push_back(*std::move(job));
    plan_.keys.push_back(std::move(key));
    return Unit{};
  }

  const GradePlanRequest& request_;
  const Workbook& workbook_;
  const Layout& layout_;
  const Gradebook& gradebook_;
  HardLinks links_;
  std::string grader_version_;
  std::map<const Exercise*, std::string> suite_versions_;
  std::set<std::string> seen_, names_;
  /// By roster line, and free of what was handed in: of two students of one name always the same is the
  /// second.
  std::vector<std::string> roster_names_;
  std::set<std::size_t> ambiguous_;    ///< Entries that fit more than one student.
  std::vector<std::string> problems_;  ///< Why an entry is nobody's of the roster, by entry; "" otherwise.
  std::map<std::size_t, std::string> participants_;  ///< Numbers in the worksheet, by roster line.
  std::vector<std::string> lines_;  ///< Numbers in the worksheet, by entry, where there is no roster.
  std::vector<std::string> notes_;  ///< How an entry was found, by entry, where that may be wrong.
  GradePlan plan_;
};

}  // namespace

bool IsNamedByCanvas(const std::string& handed_in_as) {
  return !ParseMoodleName(handed_in_as) && ParseCanvasName(handed_in_as);
}

std::string NameWithParticipant(const std::string& handed_in_as) {
  const std::string mark = "_NUMBER_assignsubmission_file_";
  if (handed_in_as.ends_with(" more") || IsKept(handed_in_as)) return "NAME" + mark + "FILE";
  if (!IsArchiveName(handed_in_as)) return handed_in_as + mark;
  return handed_in_as.substr(0, handed_in_as.find('.')) + mark + handed_in_as;
}

Result<GradePlan> MakeGradePlan(const GradePlanRequest& request, const Workbook& workbook,
                                const Layout& layout, const Gradebook& gradebook) {
  return Planner(request, workbook, layout, gradebook).Make();
}

}  // namespace warplings
