// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <set>

#include "grader/base/atomic_file.h"
#include "grader/base/catalogue.h"
#include "grader/base/csv.h"
#include "grader/base/shell.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/graded_class.h"
#include "grader/cli/gradescope_bundle.h"
#include "grader/cli/supervise.h"
#include "grader/core/student_identity.h"
#include "grader/course/roster.h"
#include "grader/gradebook/cell_scorer.h"
#include "grader/gradebook/gather_grades.h"
#include "grader/messages/command_line.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/late_days.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/lms_gradebook.h"
#include "grader/report/lms_students.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExportFooter =
    "Fills a gradebook that Canvas or Moodle exported with the final points in OUT, and writes a file that\n"
    "you import there; or packs the results for Gradescope, or a page for each student. Students are found\n"
    "by the roster's ids, else by name. Who handed in nothing gets 0, which --dry-run says. A grade that "
    "was\n"
    "entered there by hand stays if this class has none for that student.\n"
    "\n"
    "OUT may also be a term's folder, which holds several that `grade` wrote (graded/week1, graded/week2).\n"
    "Then each fills the column that has the title or the id of its assignment, or the folder's name.\n"
    "\n"
    "  Canvas   Grades, Export, Export Entire Gradebook; create the assignment there first\n"
    "  Moodle   Grades, Export, Plain text file; or an assignment's grading worksheet\n"
    "\n"
    "Examples:\n"
    "  warplings export graded/ --canvas Grades-CS101.csv --dry-run     what would change there\n"
    "  warplings export graded/week1 --canvas Grades-CS101.csv --column \"Week 1\"\n"
    "  warplings export graded/ --moodle \"CS101 Grades.csv\"\n"
    "  warplings export graded/week1 --gradescope                       writes graded/week1/gradescope.zip\n"
    "  warplings export graded/week1 --feedback                         writes graded/week1/feedback.zip\n"
    "\n"
    "Exit status: 0 the file has every student of the class; 1 some are missing, it is unclear which line "
    "or\n"
    "entry is theirs, or members of a group have different points for Gradescope: they are listed; 2 wrong\n"
    "usage, and no file is written; 3 the grader itself failed.\n"
    "With --dry-run also: 1 something would change.";

struct ExportOptions {
  fs::path out, canvas, moodle, to;
  std::string column;
  bool scale = false, gradescope = false, feedback = false, dry_run = false;
  Layout layout = ThisLayout();

  bool is_canvas() const { return !canvas.empty(); }
};

/// A folder that `grade` wrote, and what it is filled into.
struct GradedFolder {
  fs::path folder;
  std::vector<std::string> names;  ///< Under which a column may know it.
  std::string column;
  std::string namesake;  ///< The column that has one of these names, where another one is named.
  ClassGrades grades;
};

/// "Week 1: boundary checks" is called "Week 1" by many a gradebook.
std::vector<std::string> NamesOf(const fs::path& folder, const std::string& title, const std::string& id) {
  std::vector<std::string> names = {title, title.substr(0, title.find(':')), id};
  names.push_back(folder.has_filename() ? folder.filename() : folder.parent_path().filename());
  std::erase(names, "");
  return names;
}

Result<GradedFolder> ReadFolder(const fs::path& folder, const Workbook& workbook) {
  const auto opened = OpenGradedClass(folder);
  if (!opened) return opened.error();
  if (const Status named = CheckHasNames(*opened); !named) return named.error();
  const auto scope = opened->gradebook.ReadScope();
  if (!scope) return scope.error();
  auto grades = GatherGrades(opened->gradebook, workbook);
  if (!grades) return grades.error();
  if (const Status finished = CheckIsFinished(*opened, *grades); !finished) return finished.error();
  return GradedFolder{folder, NamesOf(folder, grades->assignment_title, scope->assignment), "", "",
                      std::move(*grades)};
}

/// The first of the folder's names that a column has, or "".
std::string ColumnFor(const GradedFolder& graded, const std::vector<LmsColumn>& columns) {
  for (const std::string& name : graded.names) {
    const auto is_it = [&](const LmsColumn& each) { return InLowerCase(each.name) == InLowerCase(name); };
    const auto found = std::ranges::find_if(columns, is_it);
    if (found != columns.end() && std::ranges::count_if(columns, is_it) == 1) return found->header;
  }
  return "";
}

/// Of a term: which column each folder fills. Removes the folders that have none, and says so.
Status ChooseColumns(const ExportOptions& options, const std::vector<LmsColumn>& columns,
                     std::vector<GradedFolder>& term) {
  for (GradedFolder& each : term) each.column = ColumnFor(each, columns);
  std::string names;
  for (const LmsColumn& each : columns) names += "\n    " + Printable(each.header);
  if (std::ranges::all_of(term, &std::string::empty, &GradedFolder::column)) {
    return UsageError(say::no_folder_has_column(options.out.string()), say::columns_there(names));
  }
  for (std::size_t i = 0; i < term.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (term[i].column.empty() || term[i].column != term[j].column) continue;
      return UsageError(
          say::column_of_two_folders(term[i].column, term[j].folder.string(), term[i].folder.string()),
          say::export_each_alone());
    }
  }
  std::erase_if(term, [&](const GradedFolder& each) {
    if (!each.column.empty()) return false;
    Warn(say::folder_has_no_column(each.folder.string(), Printable(each.names.front())));
    const fs::path& gradebook = options.is_canvas() ? options.canvas : options.moodle;
    WarnFurther(say::name_its_column(TypedShellWord(each.folder.string()),
                                     options.is_canvas() ? "--canvas" : "--moodle",
                                     TypedShellWord(gradebook.string())));
    return true;
  });
  // In the order of the gradebook, which is the one that a reader knows.
  std::ranges::sort(term, {}, [&](const GradedFolder& each) {
    return std::ranges::find(columns, each.column, &LmsColumn::header) - columns.begin();
  });
  return Unit{};
}

Result<std::vector<FilledGradebook>> Fill(const ExportOptions& options, const std::string& exported,
                                          std::vector<GradedFolder>& term, bool is_term) {
  const auto columns = options.is_canvas() ? CanvasColumns(exported) : MoodleColumns(exported);
  if (!columns) return columns.error();
  if (options.is_canvas() && columns->empty())
    return UsageError(say::no_column_of_an_assignment(), say::export_canvas_gradebook());
  if (!is_term) {
    // The only column is the assignment's, however it is called there.
    const bool is_named = !options.column.empty() || columns->size() < 2;
    term.front().namesake = ColumnFor(term.front(), *columns);
    term.front().column = is_named ? options.column : term.front().namesake;
  } else {
    if (columns->empty() && !options.is_canvas()) {
      return UsageError(
          say::worksheet_is_of_one(options.out.string(), say::Count(term.size(), "graded folder")),
          say::name_one_folder(term.front().folder.string()));
    }
    if (const Status chosen = ChooseColumns(options, *columns, term); !chosen) return chosen.error();
  }
  std::vector<FilledGradebook> all;
  for (const GradedFolder& each : term) {
    const LmsRequest request{exported, each.column, options.scale};
    auto filled = options.is_canvas() ? FillCanvas(each.grades, request) : FillMoodle(each.grades, request);
    if (!filled) return filled.error();
    all.push_back(std::move(*filled));
  }
  return all;
}

/// Each once, though several columns of a term have it. Returns how many there are.
template <class Row>
std::size_t WarnOfEach(const Row& row, const std::vector<FilledGradebook>& filled,
                       std::vector<std::string> FilledGradebook::*lines) {
  std::set<std::string> said;
  std::size_t number = 0;
  for (const FilledGradebook& each : filled) {
    for (const std::string& line : each.*lines) {
      if (said.contains(line)) continue;
      Warn(row(Printable(line)));
      ++number;
    }
    // Of one column two lines may well have the same words.
    said.insert((each.*lines).begin(), (each.*lines).end());
  }
  return number;
}

bool HasRoster(const std::vector<GradedFolder>& term) {
  return std::ranges::any_of(term, [](const GradedFolder& each) {
    return std::ranges::any_of(each.grades.students, [](const StudentGrades& student) {
      const RosterFields& roster = student.roster;
      return !(roster.id + roster.login + roster.email + roster.lms_id).empty();
    });
  });
}

/// Those who are in no export because they are not in the course's roster: nobody misses them there. Takes
/// them from `filled`, and returns them in its form.
std::vector<FilledGradebook> TakeOutsiders(std::vector<FilledGradebook>& filled,
                                           const std::vector<GradedFolder>& term) {
  std::vector<FilledGradebook> outsiders(filled.size());
  for (std::size_t i = 0; i < filled.size(); ++i) {
    const std::vector<StudentGrades>& students = term[i].grades.students;
    const auto is_outsider = [&](const std::string& name) {
      const auto student = std::ranges::find(students, name, &StudentGrades::name);
      return student != students.end() && student->unmatched == kNotInRoster;
    };
    std::vector<std::string>& missing = filled[i].not_in_export;
    std::ranges::copy_if(missing, std::back_inserter(outsiders[i].not_in_export), is_outsider);
    std::erase_if(missing, is_outsider);
  }
  return outsiders;
}

/// Warns of students without a line, of lines that may be several students', and of entries that may be a
/// student's.
bool IsComplete(std::vector<FilledGradebook> filled, const std::vector<GradedFolder>& term, bool is_canvas) {
  const std::vector<FilledGradebook> outsiders = TakeOutsiders(filled, term);
  for (std::size_t i = 0; i < filled.size(); ++i) {
    const ClassGrades& grades = term[i].grades;
    for (std::string& name : filled[i].not_in_export) {
      const auto student = std::ranges::find(grades.students, name, &StudentGrades::name);
      if (student != grades.students.end()) name = DistinctName(grades, *student);
    }
  }
  WarnOfEach(say::stays_as_it_was, filled, &FilledGradebook::left);
  const std::size_t doubtful = WarnOfEach(say::stays_as_it_is_not_clear, filled, &FilledGradebook::doubtful);
  const std::size_t unknown =
      WarnOfEach(say::stays_as_entry_may_be_theirs, filled, &FilledGradebook::maybe_handed_in);
  if (unknown > 0) {
    WarnFurther(is_canvas ? Message(say::find_out_whose_in_canvas()) : Message(say::find_out_whose()));
  }
  const std::size_t missing = WarnOfEach(say::not_in_export, filled, &FilledGradebook::not_in_export);
  WarnOfEach(say::left_out_of_export, outsiders, &FilledGradebook::not_in_export);
  if (doubtful + unknown + missing == 0) return true;
  WarnFurther(HasRoster(term) ? Message(say::enter_these_by_hand())
                              : Message(say::enter_these_without_roster()));
  return false;
}

int ExportToLms(const ExportOptions& options, std::vector<GradedFolder>& term, bool is_term) {
  const fs::path& file_named = options.is_canvas() ? options.canvas : options.moodle;
  // What the LMS exported has columns that ours has not, and is what a second attempt needs.
  std::error_code no_such_file;
  if (!options.to.empty() && fs::equivalent(options.to, file_named, no_such_file))
    return ReportError(UsageError(say::to_is_the_export(options.to.string()), say::keep_the_export()));
  const auto exported = ReadNamedFile(file_named);
  if (!exported) return ReportError(exported.error());
  const auto filled = Fill(options, *exported, term, is_term);
  if (!filled) {
    Error error = filled.error();
    error.message = say::export_unread(file_named.string(), error.message);
    const int status = ReportError(error);
    WarnFurther(say::no_file_was_written());
    return status;
  }
  const fs::path file =
      !options.to.empty() ? options.to : options.out / (options.is_canvas() ? "canvas.csv" : "moodle.csv");
  // Last week's command with this week's folder.
  if (const std::string& namesake = term.front().namesake;
      !is_term && !namesake.empty() && filled->front().column != namesake)
    Warn(say::column_is_of_another(Printable(filled->front().column), options.out.string(),
                                   Printable(namesake)));
  bool is_as_before = true;
  if (options.dry_run) {
    std::printf("%s", LmsChangesText(*filled).c_str());
    PrintLine(say::export_dry_run_left(file.string()));
    is_as_before = std::ranges::all_of(*filled, &std::vector<LmsChange>::empty, &FilledGradebook::changes);
  } else {
    if (const Status written = WriteFileAtomically(file, JoinedText(*filled)); !written) {
      return ReportError(written.error());
    }
    for (std::size_t i = 0; i < filled->size(); ++i) {
      const FilledGradebook& each = (*filled)[i];
      const Message filled_for =
          say::filled_for(file.string(), Printable(each.column), say::Count(each.filled.size(), "student"),
                          term[i].grades.CountStudents());
      PrintLine(each.filled_others.empty()
                    ? filled_for
                    : say::filled_for_others(filled_for, Printable(Joined(each.filled_others, "; "))));
    }
  }
  std::fflush(stdout);
  for (std::size_t i = 0; i < filled->size(); ++i) {
    const FilledGradebook& each = (*filled)[i];
    if (each.is_of_unknown_points && !each.filled.empty())
      PrintLine(say::points_are_of(Printable(each.column), CsvNumber(term[i].grades.max_points),
                                   file_named.string()));
  }
  std::fflush(stdout);
  for (const FilledGradebook& each : *filled) {
    if (!each.above.empty()) Warn(say::above_maximum(Printable(each.column), Joined(each.above, "; ")));
  }
  const bool is_complete = IsComplete(*filled, term, options.is_canvas());
  return is_complete && is_as_before ? kExitPassed : kExitNotPassed;
}

int ExportToGradescope(const ExportOptions& options, const std::vector<GradedFolder>& term) {
  int status = kExitPassed;
  for (const GradedFolder& each : term) {
    const fs::path file = options.to.empty() ? each.folder / "gradescope.zip" : options.to;
    const int packed = PackGradedForGradescope(each.folder, file, options.dry_run);
    if (packed > kExitNotPassed) return packed;
    std::fflush(stdout);
    for (const StudentGrades& student : each.grades.students) {
      if (student.unmatched == kNotInRoster) Warn(say::packed_of_stranger(Printable(student.name)));
    }
    status = std::max(status, WarnOfUnequalGroups(each.grades) ? static_cast<int>(kExitNotPassed) : packed);
  }
  return status;
}

/// True if there is something to tell: the student handed something in, or somebody decided something.
bool HasFeedback(const StudentGrades& student) {
  if (!student.handed_in_as.empty() || !student.comments.empty()) return true;
  return std::ranges::any_of(student.cells, [](const GradeCell& cell) {
    return !cell.changes.empty() || !cell.comments.empty() || cell.regrade;
  });
}

/// Who is in the file; those who are not completely graded are named, and removed from the grades.
std::size_t ChooseForFeedback(ClassGrades& grades) {
  std::vector<std::string> by_hand;
  bool is_moodles = false;
  std::erase_if(grades.students, [&](const StudentGrades& student) {
    if (!HasFeedback(student)) return true;
    // What goes back to where it came from reaches who handed it in.
    if (student.unmatched == kNotInRoster && student.complete) {
      Warn(say::feedback_of_stranger(Printable(NameAndLogin(student))));
    } else if (!student.unmatched.empty()) {
      Warn(say::feedback_not_in_roster(Printable(NameAndLogin(student)), Printable(student.unmatched)));
      return true;
    }
    if (!student.complete) Warn(say::feedback_not_complete(Printable(NameAndLogin(student))));
    return !student.complete;
  });
  for (const StudentGrades& student : grades.students) {
    const bool is_there = !ParticipantOf(student).empty();
    is_moodles = is_moodles || is_there;
    if (!is_there) by_hand.push_back(Printable(NameAndLogin(student)));
  }
  if (is_moodles && !by_hand.empty()) {
    Warn(say::feedback_without_participant(say::Count(by_hand.size(), "student"), Joined(by_hand, "; ")));
  }
  return grades.students.size();
}

int ExportFeedback(const ExportOptions& options, std::vector<GradedFolder>& term) {
  if (term.size() > 1 && !options.to.empty()) {
    return ReportError(UsageError(say::several_files_need_folders(), say::leave_to_out()));
  }
  for (GradedFolder& each : term) {
    const fs::path file = options.to.empty() ? each.folder / "feedback.zip" : options.to;
    std::set<std::string> numbered;
    for (const StudentGrades& student : each.grades.students) {
      if (SharesName(each.grades, student)) numbered.insert(student.name);
    }
    const std::size_t pages = ChooseForFeedback(each.grades);
    // The number in "Max Müller (2)" is ours, and means nothing to the student.
    for (StudentGrades& student : each.grades.students) {
      if (numbered.contains(student.name)) student.name = NameWithoutNumber(student.name);
    }
    if (options.dry_run) {
      PrintLine(say::export_dry_run_left(file.string()));
      continue;
    }
    if (const Status written = WriteFeedback(each.grades, file, options.layout); !written)
      return ReportError(written.error());
    PrintLine(say::wrote_feedback(file.string(), say::Count(pages, "page")));
  }
  return kExitPassed;
}

/// Students who asked for another look and have no answer: what is published may change.
std::vector<Message> OpenRequests(const std::vector<GradedFolder>& term) {
  std::vector<Message> open;
  for (const GradedFolder& each : term) {
    std::vector<std::string> names;
    for (const StudentGrades& student : each.grades.students) {
      for (std::size_t i = 0; i < student.cells.size(); ++i) {
        const auto& request = student.cells[i].regrade;
        if (request && request->is_open)
          names.push_back(Printable(DistinctName(each.grades, student)) + ", " + each.grades.exercises[i].id);
      }
    }
    if (names.empty()) continue;
    open.push_back(
        say::requests_open(each.folder.string(), say::Count(names.size(), "request"), Joined(names, "; ")));
  }
  return open;
}

/// Of a term, the folders that were graded with other free late days than earlier ones leave now.
std::set<fs::path> StaleFolders(const std::vector<GradedFolder>& term, const Workbook& workbook) {
  std::set<fs::path> stale;
  for (const GradedFolder& each : term) {
    const auto gradebook = Gradebook::Open(GradeOutputs{each.folder}.Gradebook());
    const auto graded = gradebook ? gradebook->ReadScope() : Result<GradedScope>(gradebook.error());
    const auto scope = graded ? ResolveScope(*graded, workbook) : Result<ScoringScope>(graded.error());
    if (!scope) continue;  // What is wrong with it, reading its grades has said.
    const auto later = LateDaysOfTerm(*scope, each.folder, workbook).FoldersToGradeAgain(each.grades);
    if (later) stale.insert(later->begin(), later->end());
  }
  return stale;
}

int Export(const ExportOptions& options) {
  std::vector<std::string> targets;
  if (!options.canvas.empty()) targets.push_back("--canvas");
  if (!options.moodle.empty()) targets.push_back("--moodle");
  if (options.gradescope) targets.push_back("--gradescope");
  if (options.feedback) targets.push_back("--feedback");
  if (targets.empty())
    return ReportError(UsageError(say::name_lms_gradebook(), say::see_command("warplings export --help")));
  if (targets.size() > 1)
    return ReportError(
        UsageError(say::one_export_at_a_time(Joined(targets, ", ")), say::run_once_for_each()));
  const auto folders = FindGradedFolders(options.out);
  if (!folders) return ReportError(folders.error());
  const bool is_term = !HasGradebook(options.out);
  if (is_term && !options.column.empty()) {
    return ReportError(UsageError(
        say::column_is_of_one_folder(options.out.string(), say::Count(folders->size(), "graded folder")),
        say::name_one_folder(folders->front().string())));
  }
  // Only the pages are in the reader's language.
  const Result<Workbook> workbook =
      LoadWorkbook(options.layout.root, options.feedback ? ChosenLanguage() : kEnglish);
  if (!workbook) return ReportError(workbook.error());
  WarnOfGradedFoldersIn(options.out);
  std::vector<GradedFolder> term;
  for (const fs::path& folder : *folders) {
    auto graded = ReadFolder(folder, *workbook);
    if (!graded) {
      const int status = ReportError(graded.error());
      WarnFurther(say::no_file_was_written());
      return status;
    }
    term.push_back(std::move(*graded));
  }
  const std::vector<Message> open = OpenRequests(term);
  const std::set<fs::path> stale = is_term ? StaleFolders(term, *workbook) : std::set<fs::path>();
  int status = options.feedback     ? ExportFeedback(options, term)
               : options.gradescope ? ExportToGradescope(options, term)
                                    : ExportToLms(options, term, is_term);
  if (status > kExitNotPassed) return status;
  for (const fs::path& folder : stale) {
    Warn(say::late_days_stale_in_export(DisplayPath(folder)));
    status = kExitNotPassed;
  }
  if (open.empty()) return status;
  for (const Message& each : open) Warn(each);
  WarnFurther(say::answer_before_publishing());
  return status;
}

std::vector<Option> DescribeExport(ExportOptions& options) {
  return {
      {.name = "OUT", .target = &options.out, .help = kGradedFoldersHelp, .required = true},
      {.name = "--canvas",
       .target = &options.canvas,
       .help = "Gradebook exported from Canvas",
       .value_name = "FILE",
       .excludes = "--moodle"},
      {"--moodle", &options.moodle, "Gradebook or grading worksheet exported from Moodle", "FILE"},
      {"--gradescope", &options.gradescope,
       "Pack the results for Gradescope, as `gradescope-bundle --graded` does"},
      {"--feedback", &options.feedback,
       "Pack a page for each student, to hand back; Moodle takes the file as feedback files"},
      {"--column", &options.column, "Column to fill; for Canvas also the assignment's id", "NAME"},
      {"--scale", &options.scale,
       "Convert points in proportion if the assignment is worth another number there"},
      {"--dry-run", &options.dry_run, "Show each grade that would change there, and write nothing"},
      {"--to", &options.to,
       "File to write; default: canvas.csv, moodle.csv, gradescope.zip or feedback.zip in OUT", "FILE"},
      {"--workbook", &options.layout.root, "Folder that holds chapters/; default: this workbook", "WORKBOOK"},
  };
}

}  // namespace

Command MakeExportCommand() {
  auto options = std::make_shared<ExportOptions>();
  return {"export", TeachingHelp("export"), DescribeExport(*options), kExportFooter,
          [options] { return Supervise([options] { return Export(*options); }); }};
}

}  // namespace warplings
