// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>

#include "grader/base/catalogue.h"
#include "grader/base/csv.h"
#include "grader/base/discard_folder.h"
#include "grader/base/shell.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/forgotten_course.h"
#include "grader/cli/grade_elsewhere.h"
#include "grader/cli/grade_progress.h"
#include "grader/cli/graded_class.h"
#include "grader/cli/seed_option.h"
#include "grader/cli/supervise.h"
#include "grader/core/student_identity.h"
#include "grader/course/anonymous_course.h"
#include "grader/course/load_course.h"
#include "grader/course/roster.h"
#include "grader/course/time_zone.h"
#include "grader/gradebook/class_lock.h"
#include "grader/gradebook/gather_grades.h"
#include "grader/gradebook/pseudonyms.h"
#include "grader/messages/build.h"
#include "grader/messages/class.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/grade_outputs.h"
#include "grader/pipeline/grade_plan.h"
#include "grader/pipeline/late_days.h"
#include "grader/pipeline/rubric_tests.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/grade_changes.h"
#include "grader/report/grades_csv.h"
#include "grader/report/lms_students.h"
#include "grader/report/result_words.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGradeFooter =
    "Grades the files of every student in DIR with the tests that `warplings check` runs.\n"
    "\n"
    "DIR holds a folder or an archive (.zip, .tar.gz) for each student, or the unpacked export of Canvas,\n"
    "Moodle, Gradescope or GitHub Classroom. A course file adds points, due dates, late work, attempts\n"
    "and a roster (docs/course.md). OUT gets gradebook.sqlite, grades.csv, report/index.html,\n"
    "gradescope/STUDENT/results.json and junit/STUDENT.xml.\n"
    "\n"
    "Run the same command again after Ctrl-C, a crash or new submissions: only new and changed files are\n"
    "graded. On a GPU, each different file of a timed exercise takes about 4 s.\n"
    "\n"
    "Examples:\n"
    "  warplings grade submissions/ --out graded/                a class, all exercises\n"
    "  warplings grade submissions/ 1 bank_of --out graded/      chapter 1 and one more exercise\n"
    "  warplings grade submissions/ --course course.toml --assignment week1 --out graded/week1\n"
    "  warplings grade submissions/ --out graded/ --dry-run      what would change; writes nothing\n"
    "  warplings grade submissions/ --out graded/ --on slurm --tasks 32 --time 1:00:00\n"
    "\n"
    "Exit status: 0 graded, whatever the grades; 2 wrong usage; 3 the grader itself failed for some files\n"
    "or for all, which are marked \"not graded\" and tried again next time; 4 graded, but something in DIR\n"
    "belongs to no student, and is listed with what to do. With --dry-run also: 1 some grade would change.";

struct GradeOptions {
  fs::path folder, out, course, key, worksheet;
  std::vector<std::string> what;
  std::string assignment, device;
  std::optional<std::uint64_t> seed;
  bool regrade = false, dry_run = false, anonymous = false, without_course = false, without_worksheet = false,
       new_roster = false;
  std::size_t parallel = DefaultJobs();
  Layout layout = ThisLayout();
  ElsewhereOptions elsewhere;
};

/// What the command line asks for, with the course's files read.
struct Asked {
  std::optional<LoadedCourse> course;
  GradedScope graded;
  ScoringScope scope;
  std::optional<MoodleParticipants> participants;  ///< Of Moodle's grading worksheet, if there is one.
};

constexpr std::size_t kNamedStudents = 10;

/// "Ada; Bob; …"
std::string Named(const std::vector<std::string>& names) {
  const std::string first = Joined(std::span(names).first(std::min(names.size(), kNamedStudents)), "; ");
  return names.size() > kNamedStudents ? first + "; …" : first;
}

/// A gradebook has names or pseudonyms, never both: what has names would keep them.
Status CheckAnonymous(const std::optional<ClassSettings>& former, const GradeOptions& options) {
  if (!former || former->anonymous == options.anonymous) return Unit{};
  if (former->anonymous) {
    return UsageError(say::was_graded_anonymously(options.out.string()), say::give_anonymous_again());
  }
  return UsageError(say::was_graded_with_names(options.out.string()), say::name_new_out());
}

TypedGrading TypedIn(const GradeOptions& options) {
  TypedGrading typed{options.folder, options.out, options.course, options.worksheet, options.assignment, {}};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) typed.further.insert(typed.further.end(), {option, value});
  };
  add("--device", options.device);
  add("--seed", options.seed ? std::to_string(*options.seed) : "");
  if (options.without_worksheet) typed.further.emplace_back("--without-worksheet");
  if (options.new_roster) typed.further.emplace_back("--new-roster");
  if (options.anonymous) typed.further.emplace_back("--anonymous");
  if (options.key != DefaultKeyFile()) add("--key", options.key.string());
  if (options.regrade) typed.further.emplace_back("--regrade");
  if (options.dry_run) typed.further.emplace_back("--dry-run");
  return typed;
}

/// A course or a worksheet is not left out by mistake: only with --without-course or --without-worksheet. Nor
/// does one assignment replace another.
Status CheckCourse(const Gradebook& gradebook, const GradeOptions& options, const Course& course) {
  const auto former = gradebook.ReadScope();
  if (!former) return former.error();
  const TypedGrading typed = TypedIn(options);
  if (options.course.empty()) {
    return options.without_course ? Status(Unit{}) : CheckFormerCourse(*former, typed);
  }
  if (const Status same = CheckFormerAssignment(*former, course, typed); !same) return same;
  if (!options.worksheet.empty() || options.without_worksheet) return Unit{};
  return CheckFormerWorksheet(*former, typed);
}

/// Options win over the course, that over what the class was graded with before; that wins over the defaults.
Result<ClassSettings> ChooseSettings(const Gradebook& gradebook, GradeOptions& options, const Course& course,
                                     DeviceChoice& device) {
  const auto former = gradebook.ReadSettings();
  if (!former) return former.error();
  for (const Status& fits : {CheckAnonymous(*former, options), CheckCourse(gradebook, options, course)}) {
    if (!fits) return fits.error();
  }
  ClassSettings settings = former->value_or(ClassSettings{"", FreshSeed(), 1});
  const auto chosen = ChooseDeviceElsewhere(!options.device.empty()   ? options.device
                                            : !course.device.empty()  ? course.device
                                            : settings.device.empty() ? "auto"
                                                                      : settings.device,
                                            GradeOutputs{options.out}, options.elsewhere);
  if (!chosen) return chosen.error();
  if (!chosen->note.empty()) std::fprintf(stderr, "%s\n", Wrap(Words(chosen->note), 110, 0).c_str());
  device = *chosen;
  settings.device = chosen->spec;
  if (course.seed) settings.seed = *course.seed;
  if (options.seed) settings.seed = *options.seed;
  if (options.regrade && *former) ++settings.round;
  settings.anonymous = options.anonymous;
  return settings;
}

/// Grades what the plan lists, a transaction each. An error is one that ends the whole batch.
Status RunPlan(const GradePlan& plan, const GradeOptions& options, Gradebook& gradebook) {
  GradeProgress progress(plan.jobs.size());
  Status status = Unit{};
  const auto show = [&](std::size_t job, const Message& what) {
    progress.Show(plan.keys[job].exercise + ": " + Words(what));
  };
  const auto keep = [&](std::size_t job, const Result<ExerciseResult>& result) {
    // The files are ours and readable: a usage error is one for all of them, such as a device that nvcc does
    // not compile for.
    if (status) {
      status = result ? gradebook.WriteResult(plan.keys[job], *result, plan.jobs[job].submission.answers)
                      : Status(result.error());
    }
    DiscardFolder(plan.jobs[job].submission.file.parent_path());
    progress.Done();
    return status.ok();
  };
  CheckMany(plan.jobs, options.parallel, options.layout,
            {.on_progress = show, .on_result = {}, .on_finished = keep});
  progress.End();
  return status;
}

/// As Moodle names what is handed in there.
bool IsMoodles(const std::string& handed_in_as) {
  return handed_in_as.find("_assignsubmission_") != std::string::npos;
}

/// What tells whose entry it is.
Message HintFor(const StudentRow& student, const GradePlan& plan, bool has_worksheet) {
  if (plan.need_canvas_id.contains(student.name)) return say::give_roster_canvas_ids();
  if (plan.ambiguous.contains(student.name) && !IsMoodles(student.handed_in_as))
    return say::name_after_one_of_them();
  const bool is_stranger = student.unmatched == kNotInRoster;
  if (!IsMoodles(student.handed_in_as))
    return is_stranger ? Message(say::add_to_roster_or_name()) : Message(say::correct_roster_or_name());
  if (is_stranger && has_worksheet) return say::name_after_login_or_add();
  return has_worksheet ? say::name_after_login() : say::worksheet_tells_apart();
}

void PrintPlan(const GradePlan& plan, bool has_worksheet) {
  for (const UnplacedEntry& entry : plan.rows.unplaced) {
    Warn(say::entry_passed_over(entry.name, entry.reason));
    WarnFurther(entry.advice);
  }
  for (const StudentRow& student : plan.rows.students) {
    if (student.unmatched.empty()) continue;
    // "Max Müller (3)" looks like a third student: the entry has the name of two.
    const auto ambiguous = plan.ambiguous.find(student.name);
    const bool is_renamed = ambiguous != plan.ambiguous.end() && ambiguous->second != student.name;
    const Message name = is_renamed ? Message(say::entry_listed_as(ambiguous->second, student.name))
                                    : Message(say::entry_named(student.name));
    Warn(say::entry_of_nobody(name, Printable(student.unmatched)));
    WarnFurther(HintFor(student, plan, has_worksheet));
  }
  const std::size_t done = plan.distinct - plan.jobs.size();
  const say::Count students(plan.rows.students.size() - plan.unmatched, "student"), files(plan.found, "file");
  if (plan.unmatched == 0) {
    PrintLine(say::class_to_grade(students, files, plan.distinct, done, plan.jobs.size()));
  } else {
    PrintLine(say::class_and_others_to_grade(students, say::Count(plan.unmatched, "unassigned submission"),
                                             files, plan.distinct, done, plan.jobs.size()));
  }
  std::fflush(stdout);
}

/// Of the students, or of the entries that are nobody's.
std::size_t CountCells(const ClassGrades& grades, GradeCell::State state, bool of_nobody = false) {
  std::size_t count = 0;
  for (const StudentGrades& student : grades.students) {
    if (student.unmatched.empty() == of_nobody) continue;
    count += static_cast<std::size_t>(std::ranges::count(student.cells, state, &GradeCell::state));
  }
  return count;
}

std::size_t CountNotGraded(const ClassGrades& grades) {
  return CountCells(grades, GradeCell::State::kNotGraded) +
         CountCells(grades, GradeCell::State::kNotGraded, true);
}

/// "29 graded, 5 missing, 2 unusable, 0 not graded", of the students alone; others' files come after that.
Message CellsOf(const ClassGrades& grades) {
  using State = GradeCell::State;
  const Message cells =
      say::cells_of_class(CountCells(grades, State::kGraded), CountCells(grades, State::kMissing),
                          CountCells(grades, State::kUnusable), CountCells(grades, State::kNotGraded));
  std::size_t of_nobody = 0;
  for (const State each : {State::kGraded, State::kUnusable, State::kNotGraded}) {
    of_nobody += CountCells(grades, each, true);
  }
  return of_nobody == 0 ? cells : say::and_files_of_nobody(cells, say::Count(of_nobody, "file"));
}

/// Once for each student: what is wrong with an archive is wrong with all that is in it. Each of them may get
/// 0 for what is right.
void PrintUnusable(const ClassGrades& grades) {
  constexpr int kShown = 20;
  int shown = 0;
  for (const StudentGrades& student : grades.students) {
    const auto cell = std::ranges::find(student.cells, GradeCell::State::kUnusable, &GradeCell::state);
    if (cell == student.cells.end() || ++shown > kShown) continue;
    Warn(say::cannot_be_graded_of(Printable(NameAndLogin(student)), Printable(cell->problem)));
  }
  if (shown > kShown) Warn(say::more_in_report(shown - kShown));
}

/// Files that were refused as they are, whatever their code is: points that a student can have back.
void PrintUnread(const ClassGrades& grades) {
  constexpr int kShown = 20;
  int shown = 0;
  bool is_large = false, is_empty = false, is_other = false;
  for (const StudentGrades& student : grades.students) {
    for (const GradeCell& cell : student.cells) {
      const bool is_named = cell.state == GradeCell::State::kUnusable || cell.IsOverridden();
      const std::string why = is_named ? "" : WhyUnread(grades, cell);
      if (why.empty()) continue;
      const Message& reason = grades.texts[*cell.text].result.reason;
      (say::file_too_large.Made(reason) ? is_large
       : say::file_empty.Made(reason)   ? is_empty
                                        : is_other) = true;
      if (++shown <= kShown) Warn(say::not_compiled_of(Printable(NameAndLogin(student)), Printable(why)));
    }
  }
  if (shown > kShown) Warn(say::more_in_report(shown - kShown));
  if (is_other) WarnFurther(say::save_and_grade_again());
  if (is_empty) WarnFurther(say::ask_for_empty_file());
  if (is_large) WarnFurther(say::ask_for_source_alone());
}

/// "Bob Carter (tiled_matmul, reverse); …": who has a file of that kind that nobody has decided or looked at.
std::string NamesWith(Oddity oddity, const ClassGrades& grades) {
  constexpr std::size_t kShown = 20;
  std::vector<std::string> names;
  for (const StudentGrades& student : grades.students) {
    std::vector<std::string> exercises;
    for (std::size_t i = 0; i < student.cells.size(); ++i) {
      const GradeCell& cell = student.cells[i];
      const bool is_seen = cell.IsOverridden() || (cell.reviewed && !cell.reviewed->is_outdated);
      if (!is_seen && std::ranges::count(OdditiesOf(grades, cell), oddity) > 0)
        exercises.push_back(grades.exercises[i].id);
    }
    if (!exercises.empty())
      names.push_back(Printable(NameAndLogin(student)) + " (" + Joined(exercises, ", ") + ")");
  }
  std::string shown = Joined(std::span(names).first(std::min(names.size(), kShown)), "; ");
  if (names.size() > kShown) shown += "; and " + std::to_string(names.size() - kShown) + " more";
  return shown;
}

/// What the points alone do not show: there is somebody to talk to.
void PrintOddities(const ClassGrades& grades) {
  const std::string forbidden = NamesWith(Oddity::kForbidden, grades),
                    by_host = NamesWith(Oddity::kByHost, grades),
                    starters = NamesWith(Oddity::kStarter, grades);
  if (!forbidden.empty()) Warn(say::look_at_forbidden(forbidden));
  if (!by_host.empty()) Warn(say::look_at_by_host(by_host));
  if (!starters.empty()) Warn(say::look_at_starters(starters));
  if (!forbidden.empty() || !by_host.empty() || !starters.empty()) WarnFurther(say::filters_show_these());
}

Message DecidedBefore(const StudentGrades& student, const ClassExercise& exercise, const GradeCell& cell) {
  const std::string name = Printable(NameAndLogin(student)), points = CsvNumber(cell.points),
                    automatic = CsvNumber(cell.automatic);
  if (cell.decided_of)
    return say::decided_of_other_points(name, exercise.id, CsvNumber(*cell.decided_of),
                                        CsvNumber(exercise.max_points), points);
  if (cell.items_before.empty()) return say::decided_for_earlier_file(name, exercise.id, points, automatic);
  return say::items_for_earlier_file(name, exercise.id, Printable(Joined(cell.items_before, "; ")), points,
                                     automatic);
}

/// Points that a person gave to an earlier file than the one that is graded, or when the exercise had another
/// number of points: they stay, and nobody may notice.
void PrintDecidedBefore(const ClassGrades& grades, const fs::path& out) {
  constexpr std::size_t kShown = 10;
  std::size_t count = 0;
  bool has_points = false, has_items = false;
  for (const StudentGrades& student : grades.students) {
    for (std::size_t i = 0; i < student.cells.size(); ++i) {
      const GradeCell& cell = student.cells[i];
      if (!cell.is_decided_before && !cell.decided_of) continue;
      (cell.items_before.empty() || cell.decided_of ? has_points : has_items) = true;
      if (++count <= kShown) Warn(DecidedBefore(student, grades.exercises[i], cell));
    }
  }
  if (count == 0) return;
  if (count > kShown) Warn(say::more_in_report(count - kShown));
  WarnFurther(say::look_at_decisions(say::Count(count, "grade"), DisplayPath(out)));
  if (has_points) WarnFurther(say::keep_points_or_remove());
  if (has_items) WarnFurther(say::tick_items_again());
}

/// Decisions about somebody who has left the class, or whom the roster has under another id since: they count
/// for nobody.
void PrintDecidedOfNobody(const Gradebook& gradebook, const ClassGrades& grades, const fs::path& out) {
  constexpr std::size_t kShown = 10;
  const auto decisions = gradebook.ReadDecisions();
  if (!decisions) return;
  std::set<std::string> there;
  for (const StudentGrades& student : grades.students) there.insert(StudentKey(student));
  std::size_t count = 0;
  std::vector<std::string> whose;
  for (const Decision& each : *decisions) {
    if (each.student.empty() || there.contains(KeyOfStudent(each))) continue;
    ++count;
    const std::string name = Printable(each.student);
    if (whose.size() < kShown && std::ranges::count(whose, name) == 0) whose.push_back(name);
  }
  if (count == 0) return;
  Warn(say::decisions_of_nobody(say::Count(count, "decision"), Joined(whose, "; ")));
  const std::string folder = TypedShellWord(out.string());
  WarnFurther(count == 1 ? Message(say::list_shows_it(folder)) : Message(say::list_shows_them(folder)));
}

void PrintNotGraded(const ClassGrades& grades) {
  constexpr int kShown = 5;
  int shown = 0;
  for (const StudentGrades& student : grades.students) {
    for (std::size_t i = 0; i < student.cells.size(); ++i) {
      const GradeCell& cell = student.cells[i];
      if (cell.state != GradeCell::State::kNotGraded || ++shown > kShown) continue;
      Warn(say::not_graded(grades.exercises[i].id, student.name, Printable(cell.problem)));
    }
  }
  if (shown > kShown) Warn(say::more_in_report(shown - kShown));
  if (shown > 0) WarnFurther(say::only_these_again());
}

/// Why a worksheet that was named has no time for these students: each has a line without a time, a number
/// that is no line's, or no line that fits.
class TimesMissing {
 public:
  TimesMissing(const fs::path& worksheet, const MoodleParticipants& participants, bool is_anonymous)
      : worksheet_(worksheet.string()), participants_(participants), is_anonymous_(is_anonymous) {}

  void Add(const StudentGrades& student, const std::string& name) {
    const std::string number = ParticipantOf(student);
    if (!number.empty()) {
      (participants_.contains(number) ? without_time_ : other_numbers_).push_back(name);
      return;
    }
    without_line_.push_back(name);
    if (example_.empty()) example_ = NameWithParticipant(student.handed_in_as);
  }

  void Print() const {
    // Names of entries and numbers are not kept with pseudonyms.
    if (is_anonymous_) return WarnFurther(say::no_line_or_no_time(worksheet_));
    if (!without_time_.empty()) WarnFurther(say::line_without_time(worksheet_, Named(without_time_)));
    if (!other_numbers_.empty()) WarnFurther(say::number_not_in_worksheet(worksheet_, Named(other_numbers_)));
    if (!without_line_.empty())
      WarnFurther(say::no_line_in_worksheet(worksheet_, Named(without_line_), Printable(example_)));
  }

 private:
  std::string worksheet_, example_;
  const MoodleParticipants& participants_;
  bool is_anonymous_;
  std::vector<std::string> without_time_, other_numbers_, without_line_;
};

/// Times that are most of a year away from the due date: somebody may have written another year.
void PrintOddTimes(const ClassGrades& grades) {
  constexpr std::int64_t kSuspicious = std::int64_t{300} * 24 * 3600;
  std::vector<std::string> odd;
  for (const StudentGrades& student : grades.students) {
    if (!student.due || !student.handed_in_at || std::abs(*student.handed_in_at - *student.due) < kSuspicious)
      continue;
    odd.push_back(DistinctName(grades, student) + ": " + ShowTime(*student.handed_in_at, grades.time_zone));
  }
  if (!odd.empty()) Warn(say::times_of_other_year(say::Count(odd.size(), "student"), Named(odd)));
}

/// Where a due date asks for times and the LMS said none.
void PrintTimes(const ClassGrades& grades, const GradeOptions& options, const Asked& asked) {
  const auto& assignment = asked.scope.assignment;
  if (!assignment || !assignment->due) return;
  PrintOddTimes(grades);
  std::optional<TimesMissing> missing;
  if (asked.participants) missing.emplace(options.worksheet, *asked.participants, options.anonymous);
  std::vector<std::string> unknown;
  bool are_moodles = false, is_all_canvas = true;
  for (const StudentGrades& student : grades.students) {
    if (!student.unmatched.empty()) continue;
    are_moodles = are_moodles || IsMoodles(student.handed_in_as);
    const bool has_none = std::ranges::any_of(student.cells, [](const GradeCell& cell) {
      return cell.state == GradeCell::State::kGraded && !cell.handed_in_at;
    });
    if (!has_none) continue;
    is_all_canvas = is_all_canvas && IsNamedByCanvas(student.handed_in_as);
    unknown.push_back(DistinctName(grades, student));
    if (missing) missing->Add(student, unknown.back());
  }
  if (unknown.empty()) return;
  // It never has times; to say so of each student each time is of no use.
  if (is_all_canvas && !missing) return PrintLine(say::canvas_has_no_times());
  const say::Count count(unknown.size(), "student");
  Warn(!missing && unknown.size() > kNamedStudents ? Message(say::times_not_known(count))
                                                   : Message(say::times_not_known_of(count, Named(unknown))));
  if (missing) return missing->Print();
  WarnFurther(are_moodles ? Message(say::worksheet_has_times()) : Message(say::files_own_times()));
}

/// Later assignments that count other free late days than these grades leave, or would leave.
void PrintStale(const ClassGrades& grades, LateDaysOfTerm& late_days, bool is_dry_run) {
  const auto stale = late_days.FoldersToGradeAgain(grades);
  if (!stale) {
    ReportError(stale.error());
    return;
  }
  for (const fs::path& folder : *stale) {
    Warn(is_dry_run ? Message(say::late_days_would_be_stale(DisplayPath(folder)))
                    : Message(say::late_days_stale(DisplayPath(folder))));
    const auto gradebook = Gradebook::Open(GradeOutputs{folder}.Gradebook());
    const auto scope = gradebook ? gradebook->ReadScope() : Result<GradedScope>(gradebook.error());
    const std::string command = scope ? CommandAsBefore(*scope, DisplayPath(folder)) : "";
    if (!is_dry_run && !command.empty()) WarnFurther(say::run_it_again(command));
  }
}

void PrintLateDays(const ClassGrades& grades, const ScoringScope& scope, LateDaysOfTerm& late_days) {
  if (!scope.course || scope.course->late_days == 0) return;
  std::size_t users = 0, without = 0;
  for (const StudentGrades& each : grades.students) {
    if (!each.late_days || !each.unmatched.empty()) continue;
    users += each.late_days->used > 0;
    without += each.late_days->left == 0;
  }
  const Message used = say::late_days_used(say::Count(users, "student"));
  PrintLine(without == 0 ? used : say::late_days_none_left(used, say::Count(without, "student")));
  std::fflush(stdout);
  PrintStale(grades, late_days, false);
}

int Summarise(const ClassGrades& grades, const GradeOptions& options, const Asked& asked,
              LateDaysOfTerm& late_days, std::size_t unmatched) {
  const GradeOutputs outputs{options.out};
  const std::size_t not_graded = CountNotGraded(grades);
  std::size_t with_remarks = 0;
  for (const StudentGrades& student : grades.students) {
    // That nothing was handed in is counted as missing.
    with_remarks += student.unmatched.empty() && !student.remarks.empty() && !student.handed_in_as.empty();
  }
  const Message cells = CellsOf(grades);
  PrintLine(with_remarks == 0 ? cells : say::with_remarks_on(cells, say::Count(with_remarks, "student")));
  for (const fs::path& path : {outputs.Csv(), outputs.Report() / "index.html", outputs.Gradescope()}) {
    std::printf("  %s\n", DisplayPath(path).c_str());
  }
  std::fflush(stdout);
  PrintTimes(grades, options, asked);
  PrintLateDays(grades, asked.scope, late_days);
  PrintUnusable(grades);
  PrintUnread(grades);
  PrintOddities(grades);
  PrintDecidedBefore(grades, options.out);
  PrintNotGraded(grades);
  if (not_graded > 0) return kExitGraderFault;
  if (unmatched == 0 && grades.unplaced.empty()) return kExitPassed;
  const std::size_t nobodys = unmatched + grades.unplaced.size();
  Warn(nobodys == 1 ? say::one_entry_is_nobodys() : say::entries_are_nobodys(nobodys));
  return kExitUnplaced;
}

/// What has been graded so far is drawn even where the batch ended early.
int Finish(const Gradebook& gradebook, const Workbook& workbook, const GradeOptions& options,
           const Asked& asked, LateDaysOfTerm& late_days, std::size_t unmatched, const Status& batch) {
  const GradeOutputs outputs{options.out};
  const auto grades = GatherGrades(gradebook, workbook);
  if (!batch) {
    ReportError(batch.error());
    if (grades) WarnFurther(say::graded_before_is_in(outputs.Gradebook().string()));
    if (!grades || !WriteGradeOutputs(*grades, outputs, options.layout))
      return ExitStatusOf(batch.error().blame);
    Summarise(*grades, options, asked, late_days, unmatched);
    return ExitStatusOf(batch.error().blame);
  }
  if (!grades) return ReportError(grades.error());
  if (const Status written = WriteGradeOutputs(*grades, outputs, options.layout); !written) {
    ReportError(written.error());
    WarnFurther(say::grades_are_in(outputs.Gradebook().string()));
    return kExitGraderFault;
  }
  const int status = Summarise(*grades, options, asked, late_days, unmatched);
  PrintDecidedOfNobody(gradebook, *grades, options.out);
  return status;
}

bool LiesIn(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path relative =
      fs::weakly_canonical(path, error).lexically_relative(fs::weakly_canonical(folder, error));
  return !relative.empty() && *relative.begin() != "..";
}

/// The next run would take OUT for a student, or the folder of a term for a week of it; and who may see OUT
/// must not find the key there.
Status CheckApart(const GradeOptions& options) {
  for (const fs::path& folder : {options.out, options.folder}) {
    if (!options.anonymous || !LiesIn(options.key, folder)) continue;
    return UsageError(say::key_lies_in(options.key.string(), folder.string()), say::name_key_outside());
  }
  // Of a term's folder that has grades of its own nothing tells any more which week is meant.
  if (const auto weeks = GradedFoldersIn(options.out); !weeks.empty() && !HasGradebook(options.out)) {
    return UsageError(say::out_holds_graded(options.out.string(), say::Count(weeks.size(), "graded folder")),
                      options.assignment.empty()
                          ? Message(say::name_new_out_in_term(weeks.front().string()))
                          : say::name_out_in_term((options.out / options.assignment).string()));
  }
  if (!LiesIn(options.out, options.folder)) return Unit{};
  return UsageError(say::out_lies_in(options.out.string(), options.folder.string()), say::name_out_outside());
}

Result<Gradebook> OpenOutput(const GradeOptions& options, std::optional<ClassLock>& lock) {
  std::error_code error;
  fs::create_directories(options.out, error);
  if (error) {
    return UsageError(say::cannot_make_folder(options.out.string(), error.message()),
                      say::name_writable_out());
  }
  auto taken = ClassLock::Take(options.out);
  if (!taken) {
    Error held = taken.error();
    if (say::wait_until_it_ends.Made(held.next_step)) held.next_step = say::wait_or_name_other_out();
    return held;
  }
  lock.emplace(std::move(*taken));
  return Gradebook::Open(GradeOutputs{options.out}.Gradebook());
}

void WarnOfColumns(const LoadedCourse& course) {
  if (!course.roster) return;
  const std::string file = course.roster_file.string();
  for (const MisnamedColumn& each : course.roster->misnamed)
    Warn(say::column_looks_misnamed(file, Printable(each.found), each.meant));
  if (!course.roster->misnamed.empty()) WarnFurther(say::rename_column_and_grade());
  if (const auto half = DoubtAboutNames(*course.roster, file)) {
    Warn(half->what);
    WarnFurther(half->advice);
  }
}

Result<Asked> ReadAsked(const GradeOptions& options, const Workbook& workbook) {
  Asked asked;
  asked.graded.what = options.what;
  if (!options.course.empty()) {
    auto course = LoadCourse(options.course);
    if (!course) return course.error();
    asked.graded = {
        options.course.string(), course->text, options.assignment, {}, options.worksheet.string()};
    asked.course = std::move(*course);
    WarnOfColumns(*asked.course);
  }
  auto scope = ResolveScope(asked.graded, workbook);
  if (!scope) return scope.error();
  asked.scope = std::move(*scope);
  if (asked.scope.assignment) {
    for (const Message& doubt : DoubtsAboutExtensions(*asked.scope.assignment, asked.scope.course->time_zone))
      Warn(doubt);
  }
  if (options.worksheet.empty()) return asked;
  const auto text = ReadNamedFile(options.worksheet);
  if (!text) return text.error();
  auto participants = ParseMoodleWorksheet(*text, options.worksheet.string(), asked.course->course.time_zone);
  if (!participants) return participants.error();
  asked.participants = std::move(*participants);
  for (const auto& [number, each] : *asked.participants) {
    if (!each.odd_date.empty())
      Warn(say::weekday_differs(options.worksheet.string(), each.line, Printable(each.odd_date)));
  }
  return asked;
}

/// Which assignment it is cannot be guessed.
Status CheckAssignmentNamed(const GradeOptions& options) {
  if (options.course.empty() || !options.assignment.empty()) return Unit{};
  const auto course = LoadCourse(options.course);
  if (!course) return course.error();
  std::vector<std::string> ids;
  for (const Assignment& each : course->course.assignments) ids.push_back(each.id);
  return UsageError(say::course_needs_assignment(), say::assignments_are(Joined(ids, ", ")));
}

/// The course's own files may lie among the submissions.
void LeaveOutCourse(const Asked& asked, const GradeOptions& options, std::vector<UnplacedEntry>& unplaced) {
  if (!asked.course) return;
  std::erase_if(unplaced, [&](const UnplacedEntry& entry) {
    const auto is_it = [&](const fs::path& file) {
      std::error_code error;
      return !file.empty() && fs::equivalent(options.folder / entry.name, file, error);
    };
    return is_it(asked.course->file) || is_it(asked.course->roster_file) || is_it(options.worksheet);
  });
}

/// In the order of the results' names, that of the texts' hashes: whose text came first is not to be seen.
void OrderByHash(GradePlan& plan) {
  std::vector<std::size_t> order(plan.keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t number) { return plan.keys[number].Name(); });
  GradePlan ordered;
  for (const std::size_t number : order) {
    ordered.keys.push_back(std::move(plan.keys[number]));
    ordered.jobs.push_back(std::move(plan.jobs[number]));
  }
  plan.keys = std::move(ordered.keys);
  plan.jobs = std::move(ordered.jobs);
}

/// Replaces names by pseudonyms, in the plan and in the course's rules, which are stored with the grades.
Status Anonymise(const fs::path& key, GradePlan& plan, GradedScope& graded) {
  const auto pseudonyms = Pseudonyms::Open(key);
  if (!pseudonyms) return pseudonyms.error();
  const std::vector<Pseudonym> known = pseudonyms->Anonymise(plan.rows);
  if (!graded.course_file.empty()) {
    auto course = AnonymousCourse(graded.course, graded.course_file,
                                  [&](const std::string& student) { return FindPseudonym(known, student); });
    if (!course) return course.error();
    graded.course = std::move(*course);
    graded.course_file = fs::path(graded.course_file).filename();
    graded.worksheet = fs::path(graded.worksheet).filename();
  }
  OrderByHash(plan);
  std::fprintf(stderr, "%s\n", Words(say::pseudonyms_are_in(key.string())).c_str());
  return pseudonyms->Note(known);
}

/// A usage error if the roster has nobody who is called like an entry: it is another class's folder, or one
/// above it, and all would get 0.
Status CheckSomebodyHandedIn(const GradePlanRequest& request, const ClassRows& rows) {
  if (request.roster == nullptr) return Unit{};
  std::vector<std::string> entries;
  for (const StudentRow& each : rows.students) {
    if (each.handed_in_as.empty()) continue;
    if (each.unmatched != kNotInRoster) return Unit{};
    entries.push_back(each.handed_in_as);
  }
  constexpr std::size_t kShown = 8;
  const std::string shown = Joined(std::span(entries).first(std::min(entries.size(), kShown)), ", ");
  // The whole class's, as an LMS gives it out.
  const bool is_packed = entries.size() == 1 && entries.front().ends_with(".zip");
  const auto is_hidden = [](const std::string& entry) {
    return IsMoodles(entry) && entry.starts_with("Participant");
  };
  const bool are_hidden = !entries.empty() && std::ranges::all_of(entries, is_hidden);
  const bool need_worksheet =
      !entries.empty() && std::ranges::all_of(entries, IsMoodles) && request.participants == nullptr;
  return UsageError(say::no_entry_of_roster(request.folder.string(), Printable(shown)),
                    are_hidden                      ? Message(say::names_are_hidden_in_moodle())
                    : need_worksheet                ? Message(say::add_worksheet_of_moodle())
                    : is_packed                     ? Message(say::unpack_class(Printable(entries.front())))
                    : request.roster->Lacks("name") ? Message(say::roster_without_names())
                                                    : Message(say::name_folder_or_correct_roster()));
}

/// Assignments of the course that ask for most of the exercises of which there are files.
std::vector<std::string> AssignmentsOf(const Course& course, const GradePlan& plan,
                                       const Workbook& workbook) {
  std::vector<std::string> ids;
  std::size_t most = 1;
  for (const Assignment& each : course.assignments) {
    const auto exercises = ResolveAssignment(each, workbook, "");
    if (!exercises) continue;
    const auto common = static_cast<std::size_t>(std::ranges::count_if(
        *exercises, [&](const AssignedExercise& asked) { return plan.others.contains(asked.exercise); }));
    if (common < most) continue;
    if (common > most) ids.clear();
    most = common;
    ids.push_back(each.id);
  }
  return ids;
}

/// A usage error if nobody handed in what is asked for, and several handed in something else: it is another
/// assignment's folder, and all would get 0. A class of one is Gradescope's, where a student may err.
Status CheckIsOfAssignment(const Asked& asked, const GradePlanRequest& request, const GradePlan& plan,
                           const Workbook& workbook) {
  if (plan.asked_for > 0 || plan.with_others < 2) return Unit{};
  constexpr std::size_t kShown = 8;
  std::vector<std::string> others;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& each : chapter.exercises) {
      if (plan.others.contains(&each)) others.push_back(each.id);
    }
  }
  std::string shown = Joined(std::span(others).first(std::min(others.size(), kShown)), ", ");
  if (others.size() > kShown) shown += " and " + std::to_string(others.size() - kShown) + " more";
  const std::string folder = request.folder.string();
  if (!asked.scope.assignment)
    return UsageError(say::no_file_to_grade(folder, shown), say::name_folder_or_exercises());
  const std::string& wanted = asked.scope.assignment->id;
  const std::string owners = Joined(AssignmentsOf(*asked.scope.course, plan, workbook), ", ");
  return UsageError(say::no_file_asked_for(folder, wanted, shown),
                    owners.empty() ? Message(say::name_folder_of_assignment(wanted))
                                   : Message(say::name_folder_or_assignment(wanted, owners)));
}

/// A roster that no longer has most of the class is not taken by mistake: only with --new-roster. A dry run
/// shows what it would do.
Status CheckRoster(const Asked& asked, const GradeOptions& options, const ClassRows& rows,
                   const Gradebook& gradebook) {
  if (!asked.course || !asked.course->roster || options.new_roster || options.dry_run) return Unit{};
  const auto students = gradebook.ReadStudents();
  if (!students) return students.error();
  const auto submissions = gradebook.ReadSubmissions();
  if (!submissions) return submissions.error();
  return CheckFormerRoster(CountByRoster(*students, *submissions),
                           CountByRoster(rows.students, rows.submissions), asked.course->roster_file,
                           TypedIn(options));
}

/// Decides what has to be graded, and puts the class and its rules into the gradebook. Until all is found to
/// be right, nothing is written there.
Result<GradePlan> PlanClass(const Asked& asked, const Workbook& workbook, const GradeOptions& options,
                            const DeviceChoice& device, const ClassSettings& settings,
                            LateDaysOfTerm& late_days, Gradebook& gradebook) {
  const GradePlanRequest request{
      .folder = options.folder,
      .scratch = fs::temp_directory_path() / "texts",
      .settings = settings,
      .device = device,
      .scope = &asked.scope,
      .roster = asked.course && asked.course->roster ? &*asked.course->roster : nullptr,
      .participants = asked.participants ? &*asked.participants : nullptr};
  auto plan = MakeGradePlan(request, workbook, options.layout, gradebook);
  if (!plan) return plan;
  // A class that is still packed has no entry with a time, either.
  if (const Status somebody = CheckSomebodyHandedIn(request, plan->rows); !somebody) return somebody.error();
  if (asked.participants && plan->timed == 0) {
    return UsageError(say::nobody_of_worksheet(options.worksheet.string(), options.folder.string()),
                      say::worksheet_of_same_assignment());
  }
  if (const Status fits = CheckIsOfAssignment(asked, request, *plan, workbook); !fits) return fits.error();
  if (const Status same = CheckRoster(asked, options, plan->rows, gradebook); !same) return same.error();
  LeaveOutCourse(asked, options, plan->rows.unplaced);
  PrintPlan(*plan, asked.participants.has_value());
  GradedScope graded = asked.graded;
  graded.folder = options.anonymous ? "" : options.folder.string();
  if (options.anonymous) {
    if (const Status hidden = Anonymise(options.key, *plan, graded); !hidden) return hidden.error();
  }
  const auto missing = late_days.CountEarlier(plan->rows);
  if (!missing) return missing.error();
  for (const std::string& each : *missing) Warn(say::late_days_not_counted(each, options.out.string()));
  if (const Status kept = gradebook.WriteSettings(settings); !kept) return kept.error();
  if (const Status kept = gradebook.ReplaceClass(plan->rows); !kept) return kept.error();
  if (const Status kept = gradebook.WriteScope(graded); !kept) return kept.error();
  return plan;
}

/// What an earlier grading wrote shows other grades than the gradebook has now: until this one ends, and
/// beyond if it is interrupted.
void RenewOutputs(const GradePlan& plan, const Gradebook& gradebook, const Workbook& workbook,
                  const GradeOutputs& outputs, const Layout& layout) {
  std::error_code error;
  if (plan.jobs.empty() || !fs::exists(outputs.Csv(), error)) return;
  const auto grades = GatherGrades(gradebook, workbook);
  // What cannot be written is told when the grading ends.
  if (grades && WriteGradeOutputs(*grades, outputs, layout)) return;
  fs::remove(outputs.Csv(), error);
}

/// Who had handed in something.
struct FormerWork {
  std::vector<KnownStudent> students;
  std::vector<std::set<std::string>> exercises;  ///< "chapter/exercise", by student.
  std::vector<std::string> entries;              ///< StudentRow::handed_in_as, by student.
};

FormerWork WorkOf(const std::vector<StudentRow>& students, const std::vector<SubmissionRow>& submissions) {
  FormerWork work;
  std::map<std::string, std::size_t> numbers;
  for (const StudentRow& each : students) {
    numbers[each.name] = work.students.size();
    work.students.push_back({each.name, each.unmatched.empty() ? "" : each.handed_in_as, each.roster});
    work.entries.push_back(each.handed_in_as);
  }
  work.exercises.resize(students.size());
  for (const SubmissionRow& each : submissions) {
    const auto number = numbers.find(each.student);
    if (number != numbers.end() && each.state != SubmissionRow::State::kMissing)
      work.exercises[number->second].insert(each.chapter + "/" + each.exercise);
  }
  return work;
}

Result<FormerWork> ReadFormerWork(const Gradebook& gradebook) {
  const auto students = gradebook.ReadStudents();
  if (!students) return students.error();
  const auto submissions = gradebook.ReadSubmissions();
  if (!submissions) return submissions.error();
  return WorkOf(*students, *submissions);
}

/// Who in the roster has now what was handed in as `entry` and was nobody's; null if nobody has.
const StudentRow* OwnerOf(const std::string& entry, const ClassRows& rows) {
  const auto owner = std::ranges::find_if(rows.students, [&](const StudentRow& each) {
    return each.unmatched.empty() && !entry.empty() && each.handed_in_as == entry;
  });
  return owner == rows.students.end() ? nullptr : &*owner;
}

/// Whether what was handed in as `entry` is there, and nobody's.
bool IsNobodys(const std::string& entry, const ClassRows& rows) {
  return !entry.empty() && std::ranges::any_of(rows.students, [&](const StudentRow& each) {
    return !each.unmatched.empty() && each.handed_in_as == entry;
  });
}

/// Students with files at the last grading that are not there now: an incomplete download takes their points.
/// And entries that were nobody's, and are a student's now that the roster says more, or the other way round.
void PrintGone(const FormerWork& before, const ClassRows& rows, const fs::path& folder) {
  std::set<std::string> asked;
  for (const SubmissionRow& each : rows.submissions) asked.insert(each.chapter + "/" + each.exercise);
  const FormerWork now = WorkOf(rows.students, rows.submissions);
  const auto again = FindAgain(before.students, now.students);
  std::vector<std::string> gone, assigned, left;
  for (std::size_t i = 0; i < before.students.size(); ++i) {
    const StudentRow* owner = again[i] ? nullptr : OwnerOf(before.students[i].entry, rows);
    if (owner != nullptr) {
      const std::string account = AccountOf(owner->roster);
      assigned.push_back(Printable(before.students[i].name + " is " + owner->name +
                                   (account.empty() ? "" : " <" + account + ">")));
      continue;
    }
    if (!again[i] && IsNobodys(before.entries[i], rows)) {
      left.push_back(Printable(before.students[i].name + " (" + before.entries[i] + ")"));
      continue;
    }
    const bool has_less = std::ranges::any_of(before.exercises[i], [&](const std::string& exercise) {
      return asked.contains(exercise) && !(again[i] && now.exercises[*again[i]].contains(exercise));
    });
    if (has_less) gone.push_back(Printable(before.students[i].name));
  }
  if (!assigned.empty()) PrintLine(say::now_assigned(Joined(assigned, "; ")));
  if (!left.empty()) Warn(say::left_the_roster(Named(left)));
  if (gone.empty()) return;
  Warn(say::files_are_gone(say::Count(gone.size(), "student"), Named(gone)));
  WarnFurther(say::complete_folder(DisplayPath(folder)));
}

/// Takes away what OpenOutput() made, where nothing is graded into it.
void RemoveNewOutput(Gradebook gradebook, const fs::path& out, bool is_folder_new) {
  { const Gradebook closed = std::move(gradebook); }
  std::error_code error;
  fs::remove(GradeOutputs{out}.Gradebook(), error);
  if (!is_folder_new) return;
  fs::remove(out / ".lock", error);
  fs::remove(out, error);
}

int GradeInto(GradeOptions& options, const Asked& asked, const Workbook& workbook) {
  std::error_code error;
  const bool is_folder_new = !fs::exists(options.out, error),
             is_new = !fs::exists(GradeOutputs{options.out}.Gradebook(), error);
  std::optional<ClassLock> lock;
  auto gradebook = OpenOutput(options, lock);
  if (!gradebook) return ReportError(gradebook.error());
  DeviceChoice device;
  const auto settings = ChooseSettings(*gradebook, options, asked.scope.course.value_or(Course{}), device);
  if (!settings) return ReportError(settings.error());
  const GradeOutputs outputs{options.out};
  if (const Status taken = TakeInSlices(*gradebook, outputs, options.elsewhere); !taken) {
    return ReportError(taken.error());
  }
  LateDaysOfTerm late_days(asked.scope, options.out, workbook);
  const auto former = ReadFormerWork(*gradebook);
  if (!former) return ReportError(former.error());
  const auto plan = PlanClass(asked, workbook, options, device, *settings, late_days, *gradebook);
  if (!plan) {
    if (is_new) RemoveNewOutput(std::move(*gradebook), options.out, is_folder_new);
    return ReportError(plan.error());
  }
  RenewOutputs(*plan, *gradebook, workbook, outputs, options.layout);
  const Status batch = options.elsewhere.any() ? GradeElsewhere(*plan, *settings, outputs, options.elsewhere,
                                                                options.layout, *gradebook)
                                               : RunPlan(*plan, options, *gradebook);
  if (batch && options.elsewhere.slices > 0) return kExitPassed;
  const int status = Finish(*gradebook, workbook, options, asked, late_days, plan->unmatched, batch);
  PrintGone(*former, plan->rows, options.folder);
  return status;
}

/// A copy of OUT's gradebook below our temporary folder, or a new one there.
Result<Gradebook> OpenCopy(const GradeOptions& options) {
  const fs::path file = GradeOutputs{options.out}.Gradebook(),
                 scratch = fs::temp_directory_path() / "dry_run";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    fs::create_directories(scratch, error);
    return Gradebook::Open(scratch / file.filename());
  }
  auto copy = OpenGradedCopy(options.out);
  if (!copy) return copy.error();
  return std::move(copy->gradebook);
}

/// Grades into a copy of the gradebook and tells what is different there.
int DryRun(GradeOptions& options, const Asked& asked, const Workbook& workbook) {
  auto gradebook = OpenCopy(options);
  if (!gradebook) return ReportError(gradebook.error());
  const auto before = GatherGrades(*gradebook, workbook);
  if (!before) return ReportError(before.error());
  DeviceChoice device;
  const auto settings = ChooseSettings(*gradebook, options, asked.scope.course.value_or(Course{}), device);
  if (!settings) return ReportError(settings.error());
  LateDaysOfTerm late_days(asked.scope, options.out, workbook);
  const auto plan = PlanClass(asked, workbook, options, device, *settings, late_days, *gradebook);
  if (!plan) return ReportError(plan.error());
  if (const Status batch = RunPlan(*plan, options, *gradebook); !batch) return ReportError(batch.error());
  const auto after = GatherGrades(*gradebook, workbook);
  if (!after) return ReportError(after.error());
  // Of a new OUT there are no grades to be compared with.
  const ClassChange change = CompareGrades(before->students.empty() ? ClassGrades{} : *before, *after);
  std::printf("\n%s\n", ClassChangeText(change).c_str());
  PrintLine(say::dry_run_left(DisplayPath(options.out)));
  std::fflush(stdout);
  PrintTimes(*after, options, asked);
  PrintStale(*after, late_days, true);
  PrintUnusable(*after);
  PrintUnread(*after);
  PrintDecidedBefore(*after, options.out);
  PrintDecidedOfNobody(*gradebook, *after, options.out);
  PrintNotGraded(*after);
  if (CountNotGraded(*after) > 0) return kExitGraderFault;
  if (change.any()) return kExitNotPassed;
  return plan->unmatched > 0 || !after->unplaced.empty() ? kExitUnplaced : kExitPassed;
}

int Grade(GradeOptions& options) {
  // A file that may not grow further (ulimit -f) is a full disk, not a reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  if (options.dry_run && options.elsewhere.any()) {
    return ReportError(UsageError(say::dry_run_grades_here(), say::leave_one_out()));
  }
  if (options.anonymous && options.key.empty()) {
    options.key = DefaultKeyFile();
    if (options.key.empty())
      return ReportError(UsageError(say::no_home_for_key(), say::name_file_with_key()));
  }
  if (const Status named = CheckAssignmentNamed(options); !named) return ReportError(named.error());
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const auto asked = ReadAsked(options, *workbook);
  if (!asked) return ReportError(asked.error());
  if (const auto named = CheckRubrics(asked->scope.exercises, options.layout); !named) {
    return ReportError(named.error());
  }
  // Before anything is made: a misspelt DIR leaves no OUT behind.
  if (const Status is_class = CheckClassFolder(options.folder, *workbook); !is_class)
    return ReportError(is_class.error());
  if (const auto listed = ListClass(options.folder, *workbook); !listed) return ReportError(listed.error());
  if (const Status apart = CheckApart(options); !apart) return ReportError(apart.error());
  if (options.course.empty() && !options.without_course) {
    if (const Status none = CheckCourseNearby(TypedIn(options)); !none) return ReportError(none.error());
  }
  return options.dry_run ? DryRun(options, *asked, *workbook) : GradeInto(options, *asked, *workbook);
}

std::vector<Option> Describe(GradeOptions& options) {
  std::vector<Option> all = {
      {.name = "DIR",
       .target = &options.folder,
       .help = "Folder with a folder or an archive for each student",
       .required = true},
      {.name = "WHAT", .target = &options.what, .help = "Chapters and exercises that count; default: all"},
      {.name = "--course",
       .target = &options.course,
       .help = "Course file; `warplings course init` writes one",
       .value_name = "FILE",
       .excludes = "WHAT"},
      {.name = "--assignment",
       .target = &options.assignment,
       .help = "One of the course's assignments",
       .value_name = "ID",
       .needs = "--course"},
      {.name = "--without-course",
       .target = &options.without_course,
       .help = "Grade without a course although there is a course.toml, or OUT was graded by one",
       .excludes = "--course"},
      {.name = "--worksheet",
       .target = &options.worksheet,
       .help = "Moodle's grading worksheet, for the times of handing in",
       .value_name = "FILE",
       .needs = "--course"},
      {.name = "--without-worksheet",
       .target = &options.without_worksheet,
       .help = "Grade without times although OUT was graded with a worksheet",
       .excludes = "--worksheet",
       .needs = "--course"},
      {.name = "--new-roster",
       .target = &options.new_roster,
       .help = "Grade although half of the students counted in OUT are no longer in the roster",
       .needs = "--course"},
      {.name = "--out",
       .target = &options.out,
       .help = "Folder for the gradebook and the reports; made if missing",
       .value_name = "OUT",
       .required = true},
      {.name = "--jobs",
       .target = &options.parallel,
       .help = "Files graded at the same time; default: one per core",
       .value_name = "N",
       .range = {{1, 1024}}},
      {"--regrade", &options.regrade, "Grade everything again; earlier results stay in the gradebook"},
      {"--dry-run", &options.dry_run, "Show what this grading would change in OUT, without writing there"},
      {"--anonymous", &options.anonymous,
       "Write pseudonyms instead of names, ids and file names (docs/instructor.md)"},
      {.name = "--key",
       .target = &options.key,
       .help = "File with the pseudonyms' key, made on first use; default: pseudonyms.json below "
               "~/.local/state/warplings",
       .value_name = "FILE",
       .needs = "--anonymous"},
      {"--device", &options.device, "As for check; default: the one used before, or auto for a new OUT",
       "DEVICE"},
      {.name = "--seed",
       .target = &options.seed,
       .help = "Seed of the inputs; default: the one used before, or a new one for a new OUT",
       .value_name = "N",
       .refuse = RefuseWhatIsNoSeed},
      {"--workbook", &options.layout.root, "Folder that holds chapters/; default: this workbook", "WORKBOOK"},
  };
  std::ranges::move(DescribeElsewhere(options.elsewhere), std::back_inserter(all));
  return all;
}

}  // namespace

Command MakeGradeCommand() {
  auto options = std::make_shared<GradeOptions>();
  return {"grade", TeachingHelp("grade"), Describe(*options), kGradeFooter, [options] {
            return Supervise([options] { return Grade(*options); },
                             [options] {
                               CancelElsewhere({options->out}, options->elsewhere);
                               WarnFurther(say::same_command_goes_on());
                             });
          }};
}

}  // namespace warplings
