// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "grader/base/catalogue.h"
#include "grader/base/csv.h"
#include "grader/base/messages.h"
#include "grader/base/spelling.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/graded_class.h"
#include "grader/cli/supervise.h"
#include "grader/cli/user_name.h"
#include "grader/core/student_identity.h"
#include "grader/course/scoring.h"
#include "grader/course/time_zone.h"
#include "grader/gradebook/cell_scorer.h"
#include "grader/gradebook/gather_grades.h"
#include "grader/gradebook/pseudonyms.h"
#include "grader/messages/class.h"
#include "grader/messages/command_line.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/make_decisions.h"
#include "grader/pipeline/regrade_requests.h"
#include "grader/pipeline/take_over.h"
#include "grader/pipeline/workbook_view.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;
using Action = DecisionRequest::Action;

constexpr const char* kOverrideFooter =
    "Changes a graded class by hand: points, comments, tests that count for nobody, and requests to look\n"
    "again. Decisions stay when the class is graded again. grades.csv and the pages are rewritten at once\n"
    "and show the grader's points beside the final ones. The gradebook keeps an audit trail of all\n"
    "decisions.\n"
    "\n"
    "--from reads a CSV file with the columns Student, Exercise, Points, Reason and, if you like,\n"
    "Comment, Test or Line (of the comment), and Author. If one line is wrong, nothing is decided.\n"
    "\n"
    "--take-over carries what was decided in BLIND, which `grade --anonymous` wrote, over to OUT, wherever\n"
    "OUT grades the same file. Nothing that was decided in OUT is replaced. What is left out is listed.\n"
    "\n"
    "Examples:\n"
    "  warplings override graded/ \"Ada Lovelace\" tiled_matmul --points 7 --reason \"shown in the lab\"\n"
    "  warplings override graded/ ada@example.org tiled_matmul --comment \"Which barrier?\" --line 23\n"
    "  warplings override graded/ --exclude-test tiled_matmul/Tiled.Width15 --reason \"the test was wrong\"\n"
    "  warplings override graded/ --from overrides.csv\n"
    "  warplings override graded/ --requests handed_in/\n"
    "  warplings override graded/week1 --take-over blind/week1 --dry-run\n"
    "\n"
    "Exit status: 0 decided; 1 something in --requests is nobody's request, or something of --take-over is\n"
    "left out, and is listed; 2 wrong usage, and nothing is decided; 3 the grader itself failed. With\n"
    "--dry-run also: 1 something would be decided.";

struct OverrideOptions {
  fs::path out, from, requests, worksheet, blind, key;
  std::string student, exercise, points, comment, test, line, excluded, request, answer, reason, author;
  bool remove = false, list = false, audit = false, beyond = false, dry_run = false;
  Layout layout = ThisLayout();
};

std::string PlaceOf(const std::string& student, const std::string& chapter, const std::string& exercise,
                    const std::string& test) {
  std::string place = student;
  if (!exercise.empty()) place += (place.empty() ? "" : ", ") + chapter + "/" + exercise;
  if (!test.empty()) place += "/" + test;
  return place;
}

/// A decision's time as clocks of the course show it.
std::string CourseTime(const std::string& when, const std::string& zone) {
  const auto seconds = ParseTime(when);
  return seconds ? ShowTime(*seconds, zone) : when;
}

/// Of a comment on a line the number of the line at which it is shown now; of another decision its test.
std::string TestShown(const Decision& decision, const ClassGrades& grades) {
  if (decision.kind != Decision::Kind::kLine) return decision.test;
  for (const StudentGrades& student : grades.students) {
    if (StudentKey(student) != KeyOfStudent(decision)) continue;
    for (std::size_t i = 0; i < grades.exercises.size(); ++i) {
      const ClassExercise& exercise = grades.exercises[i];
      if (exercise.chapter != decision.chapter || exercise.id != decision.exercise) continue;
      for (const GradeComment& each : student.cells[i].comments) {
        if (each.line == decision.test && each.shown_at > 0) return std::to_string(each.shown_at);
      }
    }
  }
  return decision.test;
}

/// "item 'Guard present' (+2 points)" of a rubric's item, which the decision knows by its number; empty of
/// another decision.
std::string ItemInWords(const Decision& decision, const ClassGrades& grades) {
  if (decision.kind == Decision::Kind::kItem)
    return "item '" + decision.text + "' (" + SignedPointsInWords(decision.points) + ")";
  if (decision.kind != Decision::Kind::kMark) return "";
  for (const ClassExercise& exercise : grades.exercises) {
    if (exercise.chapter != decision.chapter || exercise.id != decision.exercise) continue;
    const auto item = std::ranges::find(exercise.rubric, decision.test, &RubricItem::id);
    if (item != exercise.rubric.end())
      return "item '" + item->title + "' (" + SignedPointsInWords(item->points) + ")";
  }
  return "item " + decision.test;
}

int ListDecisions(const Gradebook& gradebook, const ClassGrades& grades) {
  const auto decisions = gradebook.ReadDecisions();
  if (!decisions) return ReportError(decisions.error());
  for (const Decision& each : *decisions) {
    std::string what = std::string(DecisionKindName(each.kind));
    if (each.kind == Decision::Kind::kPoints) what = PointsInWords(each.points);
    if (each.kind == Decision::Kind::kRegrade) what = each.is_open ? "open request" : "closed request";
    const std::string item = ItemInWords(each, grades);
    if (!item.empty()) what = Printable(item);
    // An item's title is not its reason, and a mark has none of its own.
    const std::string text = item.empty() ? each.text + (each.answer.empty() ? "" : " / " + each.answer) : "";
    std::printf("%s: %s%s (%s, %s)\n",
                Printable(PlaceOf(DistinctName(grades, each.student, KeyOfStudent(each)), each.chapter,
                                  each.exercise, item.empty() ? TestShown(each, grades) : ""))
                    .c_str(),
                what.c_str(), text.empty() ? "" : (": " + Printable(text)).c_str(),
                Printable(each.author).c_str(), CourseTime(each.when, grades.time_zone).c_str());
  }
  std::printf("%s\n", Counted(decisions->size(), "decision").c_str());
  return kExitPassed;
}

int ListAuditTrail(const Gradebook& gradebook, const ClassGrades& grades) {
  const auto trail = gradebook.ReadAuditTrail();
  if (!trail) return ReportError(trail.error());
  std::string text = CsvLine({"Number", "Time", "Author", "Action", "Kind", "Student", "Exercise", "Test",
                              "Before", "After", "Reason"});
  for (const AuditEntry& each : *trail) {
    text += CsvLine({std::to_string(each.number), CsvField(each.when), CsvField(each.author),
                     CsvField(each.action), CsvField(DecisionKindName(each.kind)),
                     CsvField(DistinctName(grades, each.student, each.who)),
                     CsvField(PlaceOf("", each.chapter, each.exercise, "")), CsvField(each.test),
                     CsvField(each.before), CsvField(each.after), CsvField(each.reason)});
  }
  std::printf("%s", text.c_str());
  return kExitPassed;
}

/// Of `text`, which has no exercise in front: a test of that name, or the nearest one, and how to write one.
Error NoExerciseAndTest(const std::string& text, const ClassGrades& grades) {
  std::vector<std::string> tests, whole;
  for (const ClassExercise& exercise : grades.exercises) {
    for (const TestRate& test : exercise.tests) {
      tests.push_back(test.name);
      whole.push_back(exercise.id + "/" + test.name);
    }
  }
  const Message fault = say::no_exercise_and_test(text);
  if (whole.empty()) return UsageError(fault, say::no_file_has_run_yet());
  const auto found =
      std::ranges::find(tests, std::ranges::count(tests, text) > 0 ? text : ClosestCandidate(text, tests));
  if (found == tests.end()) return UsageError(fault, say::example_of_test(whole.front()));
  return UsageError(say::did_you_mean(fault, whole[static_cast<std::size_t>(found - tests.begin())]));
}

/// What one command line asks for: exactly one thing.
Result<DecisionRequest> RequestOf(const OverrideOptions& options, const ClassGrades& grades) {
  DecisionRequest request;
  request.student = options.student;
  request.exercise = options.exercise;
  request.author = options.author;
  request.removes = options.remove;
  request.beyond = options.beyond;
  request.text = options.reason;
  int asked = 0;
  const auto ask = [&](const std::string& value, Action action) {
    if (value.empty()) return;
    ++asked;
    request.action = action;
    if (action != Action::kPoints && action != Action::kExclude && !options.remove) request.text = value;
  };
  ask(options.points, Action::kPoints);
  ask(options.comment, Action::kComment);
  ask(options.request, Action::kAsk);
  ask(options.answer, Action::kAnswer);
  ask(options.excluded, Action::kExclude);
  if (asked == 0 && options.remove) return UsageError(say::remove_needs_what(), say::say_what_to_remove());
  if (asked != 1) {
    return UsageError(say::give_one_action(), say::see_command("warplings override --help"));
  }
  request.points = options.points;
  request.test = options.test;
  request.line = options.line;
  if (request.action == Action::kExclude) {
    const std::size_t slash = options.excluded.rfind('/');
    if (slash == std::string::npos) {
      return NoExerciseAndTest(options.excluded, grades);
    }
    request.exercise = options.excluded.substr(0, slash);
    request.test = options.excluded.substr(slash + 1);
  } else if (request.student.empty() || (request.exercise.empty() && request.action != Action::kComment)) {
    return UsageError(say::name_student_and_exercise(), say::see_command("warplings override --help"));
  }
  return request;
}

Result<std::vector<DecisionChange>> ChangesOf(const OverrideOptions& options, const ClassGrades& grades,
                                              const DecisionMaker& maker) {
  if (!options.from.empty()) {
    const auto text = ReadNamedFile(options.from);
    if (!text) return text.error();
    return maker.MakeAll(*text, Printable(options.from.string()), options.author, options.beyond);
  }
  const auto request = RequestOf(options, grades);
  if (!request) return request.error();
  auto change = maker.Make(*request);
  if (!change) return change.error();
  return std::vector<DecisionChange>{std::move(*change)};
}

/// What was decided, as one who decided it would say it.
Message Said(const DecisionChange& change, const ClassGrades& grades) {
  const Decision& made = change.decision;
  const bool is_of_line = made.kind == Decision::Kind::kLine;
  const auto is_it = [&](const StudentGrades& each) { return StudentKey(each) == made.who; };
  const auto student = std::ranges::find_if(grades.students, is_it);
  const std::string who = student == grades.students.end() ? made.student : NameAndLogin(*student);
  const std::string place = Printable(PlaceOf(who, made.chapter, made.exercise, is_of_line ? "" : made.test));
  if (change.action == "removed") return say::decision_taken_back(place, Printable(change.before));
  switch (made.kind) {
    case Decision::Kind::kPoints: return say::points_decided(place, Printable(change.after));
    case Decision::Kind::kComment: return say::comment_decided(place, Printable(made.text));
    case Decision::Kind::kExclusion: return say::exclusion_decided(place);
    case Decision::Kind::kRegrade:
      return made.is_open ? say::request_opened(place, Printable(made.text))
                          : say::request_answered(place, Printable(made.answer));
    case Decision::Kind::kLine:
      return say::line_comment_decided(place, TestShown(made, grades), Printable(made.text));
    case Decision::Kind::kItem: return say::item_decided(place, Printable(change.after));
    case Decision::Kind::kMark: return say::mark_decided(place);
    case Decision::Kind::kReviewed: return say::review_decided(place);
  }
  return {};
}

/// Comments, requests and marks of a review move no points, and nobody wants to be told so each time.
bool MayMovePoints(const DecisionChange& change) {
  const Decision::Kind kind = change.decision.kind;
  return kind != Decision::Kind::kComment && kind != Decision::Kind::kLine &&
         kind != Decision::Kind::kRegrade && kind != Decision::Kind::kReviewed;
}

std::set<std::string> ExcludedIn(const ClassGrades& grades, const Exercise& exercise) {
  std::set<std::string> names;
  for (const ClassExercise& each : grades.exercises) {
    if (each.chapter != exercise.chapter || each.id != exercise.id) continue;
    for (const ExcludedTest& test : each.excluded) names.insert(test.name);
  }
  return names;
}

/// Says whose points others get because exclusions have left them no test.
void PrintEmptiedGroups(const ScoringScope& scope, const ClassGrades& before, const ClassGrades& after) {
  for (const AssignedExercise& each : scope.exercises) {
    const auto earned = EarningGroups(each, ExcludedIn(before, *each.exercise)),
               earn = EarningGroups(each, ExcludedIn(after, *each.exercise));
    if (!earned.empty() && earn.empty()) {
      PrintLine(say::all_groups_are_emptied(FullName(*each.exercise)));
      continue;
    }
    for (const TestGroup* group : earned) {
      if (std::ranges::count(earn, group) == 0) PrintLine(say::group_is_emptied(Printable(group->title)));
    }
  }
}

const Decision* FindFormer(const std::vector<Decision>& former, const Decision& decision) {
  const auto found =
      std::ranges::find_if(former, [&](const Decision& each) { return AreAboutTheSame(each, decision); });
  return found == former.end() ? nullptr : &*found;
}

/// Whether somebody decided just this before, of the file that is graded now.
bool IsAsBefore(const DecisionChange& change, const std::vector<Decision>& former) {
  const Decision* before = FindFormer(former, change.decision);
  if (before == nullptr || change.removes) return false;
  const auto said = [](const Decision& each) {
    return std::tie(each.points, each.text, each.answer, each.is_open, each.author, each.quote);
  };
  return said(*before) == said(change.decision);
}

/// What somebody wrote or gave, and is gone now: whoever decides by a list has not seen it.
void PrintReplaced(const DecisionChange& change, const std::vector<Decision>& former,
                   const std::string& zone) {
  const Decision* before = FindFormer(former, change.decision);
  const Decision::Kind kind = change.decision.kind;
  const bool is_of_points = kind == Decision::Kind::kPoints,
             is_text = kind == Decision::Kind::kComment || kind == Decision::Kind::kLine;
  if (before == nullptr || change.removes || !(is_of_points || is_text)) return;
  const std::string what = is_of_points ? InWords(*before) + ", " + before->text : before->text;
  PrintLine(
      say::decision_replaces(Printable(what), Printable(before->author), CourseTime(before->when, zone)));
}

void PrintChanges(const std::vector<DecisionChange>& changes, const std::vector<Decision>& former,
                  const ScoringScope& scope, const ClassGrades& before, const ClassGrades& after,
                  bool is_dry_run) {
  for (const DecisionChange& change : changes) {
    PrintLine(Said(change, after));
    PrintReplaced(change, former, after.time_zone);
  }
  PrintEmptiedGroups(scope, before, after);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < before.students.size() && i < after.students.size(); ++i) {
    if (before.students[i].points == after.students[i].points) continue;
    constexpr std::size_t kShown = 20;
    if (++moved > kShown) continue;
    const Message moved_points =
        say::points_from_to(Printable(NameAndLogin(after.students[i])), CsvNumber(before.students[i].points),
                            CsvNumber(after.students[i].points), CsvNumber(after.max_points));
    std::printf("  %s\n", Words(moved_points).c_str());
  }
  if (moved == 0 && !std::ranges::any_of(changes, MayMovePoints)) return;
  const say::Count students(moved, "student");
  PrintLine(is_dry_run ? Message(say::points_would_change(students))
                       : Message(say::points_changed(students)));
}

/// What is to be decided, and what of it cannot be.
struct AskedChanges {
  std::vector<DecisionChange> changes;
  Message summary;                ///< Empty if the changes say everything.
  std::vector<Message> problems;  ///< What is left out, a line each.
};

/// The class that was marked without names.
Result<BlindClass> ReadBlind(const OverrideOptions& options, const Workbook& workbook) {
  const fs::path key = options.key.empty() ? DefaultKeyFile() : options.key;
  if (key.empty()) return UsageError(say::no_home_for_key(), say::name_file_with_key());
  const auto opened = OpenGradedClass(options.blind);
  if (!opened) return opened.error();
  const auto anonymous = IsAnonymous(opened->gradebook);
  if (!anonymous) return anonymous.error();
  if (!*anonymous) return UsageError(say::not_graded_blind(options.blind.string()), say::name_blind_folder());
  auto pseudonyms = Pseudonyms::ReadTable(key);
  if (!pseudonyms) return pseudonyms.error();
  auto grades = GatherGrades(opened->gradebook, workbook);
  if (!grades) return grades.error();
  auto decisions = opened->gradebook.ReadDecisions();
  if (!decisions) return decisions.error();
  return BlindClass{options.blind.string(), *std::move(grades), *std::move(decisions),
                    *std::move(pseudonyms)};
}

Result<AskedChanges> AskedOfBlind(const OverrideOptions& options, const Workbook& workbook,
                                  const Gradebook& gradebook, const ClassGrades& grades,
                                  const std::vector<Decision>& former) {
  const auto anonymous = IsAnonymous(gradebook);
  if (!anonymous) return anonymous.error();
  if (*anonymous)
    return UsageError(say::was_graded_anonymously(options.out.string()), say::name_folder_with_names());
  std::error_code error;
  if (fs::equivalent(options.out, options.blind, error))
    return UsageError(say::not_graded_blind(options.blind.string()), say::name_blind_folder());
  const auto blind = ReadBlind(options, workbook);
  if (!blind) return blind.error();
  const auto trail = gradebook.ReadAuditTrail();
  if (!trail) return trail.error();
  auto taken = TakeOver(*blind, {options.out.string(), grades, former, *trail}, options.author);
  if (!taken) return taken.error();
  AskedChanges asked;
  asked.summary = say::decisions_taken_over(say::Count(taken->changes.size(), "decision"), taken->known,
                                            taken->left_out.size());
  asked.changes = std::move(taken->changes);
  for (const TakenOver::LeftOut& each : taken->left_out) {
    const Decision& decision = each.decision;
    const std::string who = DistinctName(grades, decision.student, KeyOfStudent(decision)),
                      place = PlaceOf(who, decision.chapter, decision.exercise, decision.test);
    asked.problems.push_back(say::not_taken_over(Printable(place), Printable(InWords(decision)), each.why));
  }
  return asked;
}

Result<AskedChanges> AskedOfRequests(const OverrideOptions& options, const Workbook& workbook,
                                     const ClassGrades& grades, const std::vector<Decision>& former) {
  std::optional<MoodleParticipants> participants;
  if (!options.worksheet.empty()) {
    const auto text = ReadNamedFile(options.worksheet);
    if (!text) return text.error();
    auto known = ParseMoodleWorksheet(*text, options.worksheet.string(), grades.time_zone);
    if (!known) return known.error();
    participants = *std::move(known);
  }
  auto read = ReadRegradeRequests(options.requests, workbook, grades, former,
                                  participants ? &*participants : nullptr);
  if (!read) return read.error();
  AskedChanges asked;
  asked.summary = say::requests_read(say::Count(read->changes.size(), "new request"), read->known);
  asked.changes = std::move(read->changes);
  for (const Message& each : read->problems) asked.problems.push_back(say::request_not_read(each));
  return asked;
}

Result<AskedChanges> ReadAskedChanges(const OverrideOptions& options, const Workbook& workbook,
                                      const Gradebook& gradebook, const ClassGrades& grades) {
  const auto former = gradebook.ReadDecisions();
  if (!former) return former.error();
  if (!options.requests.empty()) return AskedOfRequests(options, workbook, grades, *former);
  if (!options.blind.empty()) return AskedOfBlind(options, workbook, gradebook, grades, *former);
  auto changes = ChangesOf(options, grades, DecisionMaker(workbook, grades, *former));
  if (!changes) return changes.error();
  AskedChanges asked{*std::move(changes), {}, {}};
  if (options.from.empty()) return asked;
  // A list that is read again decides nothing again.
  const std::size_t known =
      std::erase_if(asked.changes, [&](const DecisionChange& each) { return IsAsBefore(each, *former); });
  if (known > 0) asked.summary = say::decisions_read(say::Count(asked.changes.size(), "decision"), known);
  return asked;
}

int Override(const OverrideOptions& options) {
  std::signal(SIGXFSZ, SIG_IGN);
  auto opened = options.dry_run ? OpenGradedCopy(options.out) : OpenGradedClass(options.out);
  if (!opened) return ReportError(opened.error());
  const Gradebook& gradebook = opened->gradebook;
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const auto graded = gradebook.ReadScope();
  if (!graded) return ReportError(graded.error());
  const auto scope = ResolveScope(*graded, *workbook);
  if (!scope) return ReportError(scope.error());
  const auto before = GatherGrades(gradebook, *workbook);
  if (!before) return ReportError(before.error());
  if (options.list) return ListDecisions(gradebook, *before);
  if (options.audit) return ListAuditTrail(gradebook, *before);
  const auto former = gradebook.ReadDecisions();
  if (!former) return ReportError(former.error());
  const auto asked = ReadAskedChanges(options, *workbook, gradebook, *before);
  if (!asked) return ReportError(asked.error());
  if (const Status decided = opened->gradebook.Decide(asked->changes); !decided)
    return ReportError(decided.error());
  const auto after = GatherGrades(gradebook, *workbook);
  if (!after) return ReportError(after.error());
  PrintChanges(asked->changes, *former, *scope, *before, *after, options.dry_run);
  if (!asked->summary.empty()) PrintLine(asked->summary);
  if (options.dry_run) {
    PrintLine(say::dry_run_left(DisplayPath(options.out)));
  } else if (const Status written = WriteGradeOutputs(*after, opened->outputs, options.layout); !written) {
    ReportError(written.error());
    WarnFurther(say::decision_is_in(opened->outputs.Gradebook().string()));
    return kExitGraderFault;
  }
  std::fflush(stdout);
  for (const Message& problem : asked->problems) Warn(problem);
  const bool would_change = options.dry_run && !asked->changes.empty();
  return asked->problems.empty() && !would_change ? kExitPassed : kExitNotPassed;
}

std::vector<Option> DescribeOverride(OverrideOptions& options) {
  return {
      {.name = "OUT", .target = &options.out, .help = kGradedClassHelp, .required = true},
      {"STUDENT", &options.student, "Name as in grades.csv, or the roster's ID, login or e-mail"},
      {"EXERCISE", &options.exercise, "As for check"},
      {"--points", &options.points, "Final points of this student for this exercise", "P"},
      {"--beyond", &options.beyond, "Allow more points than the exercise has"},
      {"--reason", &options.reason, "Reason for the decision; the student sees it", "TEXT"},
      {"--comment", &options.comment, "Comment for this student", "TEXT"},
      {.name = "--test",
       .target = &options.test,
       .help = "Test that the comment is about",
       .value_name = "TEST",
       .excludes = "--line"},
      {.name = "--line",
       .target = &options.line,
       .help = "Line of the student's file that the comment is about",
       .value_name = "N",
       .needs = "--comment"},
      {"--exclude-test", &options.excluded, "Test that is to count for nobody", "EXERCISE/TEST"},
      {"--request", &options.request, "Record that the student asks to look again", "TEXT"},
      {"--requests", &options.requests,
       "Record the requests in this folder: a regrade.toml in each student's folder or archive", "DIR"},
      {.name = "--worksheet",
       .target = &options.worksheet,
       .help = "Moodle's grading worksheet of the requests, which tells students of one name apart",
       .value_name = "FILE",
       .needs = "--requests"},
      {"--answer", &options.answer, "Answer and close that request", "TEXT"},
      {"--remove", &options.remove, "Take a decision back; needs --reason"},
      {.name = "--from",
       .target = &options.from,
       .help = "Make the decisions of this CSV file",
       .value_name = "FILE"},
      {.name = "--take-over",
       .target = &options.blind,
       .help = "Carry over what was decided in this folder, which was graded with --anonymous",
       .value_name = "BLIND"},
      {.name = "--key",
       .target = &options.key,
       .help = "Key that BLIND was graded with; default as for grade",
       .value_name = "FILE",
       .needs = "--take-over"},
      {"--dry-run", &options.dry_run, "Show what would be decided, without writing into OUT"},
      {"--author", &options.author, "Who decides; default: your user name", "NAME"},
      {"--list", &options.list, "Print all decisions"},
      {"--audit", &options.audit, "Print the audit trail as CSV"},
      {"--workbook", &options.layout.root, "Folder that holds chapters/; default: this workbook", "WORKBOOK"},
  };
}

}  // namespace

Command MakeOverrideCommand() {
  auto options = std::make_shared<OverrideOptions>();
  options->author = NameOfUser();
  return {"override", TeachingHelp("override"), DescribeOverride(*options), kOverrideFooter,
          [options] { return Supervise([options] { return Override(*options); }); }};
}

}  // namespace warplings
