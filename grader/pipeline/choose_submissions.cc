// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/choose_submissions.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "grader/core/layout.h"
#include "grader/messages/check_faults.h"
#include "grader/pipeline/untouched.h"
#include "grader/pipeline/workbook_view.h"

namespace warplings {
namespace {

using Exercises = std::vector<const Exercise*>;

Exercises AllExercises(const Workbook& workbook) {
  Exercises all;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) all.push_back(&exercise);
  }
  return all;
}

/// Each once, in the order in which they were named.
Result<Exercises> NamedExercises(const Workbook& workbook, const std::vector<std::string>& what) {
  Exercises named;
  for (const std::string& name : what) {
    const Result<Exercises> found = SelectTyped(workbook, name);
    if (!found) return found.error();
    for (const Exercise* exercise : *found) {
      if (std::find(named.begin(), named.end(), exercise) == named.end()) named.push_back(exercise);
    }
  }
  return named;
}

/// Of several exercises, the one that the file is named after: "tiled_matmul.n_load_unguarded.cu" is for
/// tiled_matmul.
Result<Exercises> ExerciseOfFile(const Exercises& candidates, const std::filesystem::path& file) {
  if (candidates.size() == 1) return Exercises{candidates.front()};
  const std::string name = file.filename().string();
  const std::string stem = name.substr(0, name.find('.'));
  Exercises named;
  for (const Exercise* exercise : candidates) {
    if (exercise->id == stem) named.push_back(exercise);
  }
  if (named.size() == 1) return named;
  return UsageError(say::file_of_which_exercise(file.string()), say::name_exercise_of_file(file.string()));
}

/// A file that is named in place of an exercise, and whose name says which it is for, is as after --file.
SubmissionRequest WithFile(const Workbook& workbook, const SubmissionRequest& request) {
  std::error_code fault;
  if (request.what.size() != 1 || !request.file.empty() || request.solution) return request;
  const std::string& file = request.what.front();
  const bool is_other_file = file.ends_with(".cu") && std::filesystem::is_regular_file(file, fault) &&
                             !SelectExercises(workbook, file).ok();
  if (!is_other_file || !ExerciseOfFile(AllExercises(workbook), file).ok()) return request;
  return {.what = {}, .file = file, .solution = false, .workbook_root = {}, .last_checked = {}};
}

Result<Exercises> ChooseExercises(const Workbook& workbook, const Progress& progress,
                                  const SubmissionRequest& request) {
  if (!request.what.empty()) {
    Result<Exercises> named = NamedExercises(workbook, request.what);
    if (!named || request.file.empty()) return named;
    return ExerciseOfFile(*named, request.file);
  }
  if (!request.file.empty()) return ExerciseOfFile(AllExercises(workbook), request.file);
  const Exercise* next = ExerciseAtWork(workbook, progress, request.workbook_root, request.last_checked);
  return next == nullptr ? Exercises{} : Exercises{next};
}

/// The workbook's file for an exercise; nothing if it cannot be read, or is as it was handed out.
std::optional<Submission> EditedFile(const Exercise& exercise, const std::filesystem::path& root) {
  Submission submission;
  submission.exercise = &exercise;
  submission.is_workbook_file = true;
  const Result<std::string> source = ReadSubmission(exercise.starter);
  if (!source) return std::nullopt;
  submission.source = *source;
  submission.answers = ReadAnswers(exercise, exercise.starter);
  return IsUntouched(submission, root) ? std::nullopt : std::optional(std::move(submission));
}

/// Whether it is another version than the one that was checked. Whoever checks a file elsewhere works on that
/// one.
bool IsUnchecked(const Submission& submission, const Progress& progress) {
  const auto checked = progress.find(FullName(*submission.exercise));
  return checked == progress.end() ||
         (checked->second.file.empty() &&
          checked->second.file_hash != HashSubmission(submission.source, submission.answers));
}

/// When the exercise's file, or its answers, were written last.
std::filesystem::file_time_type TimeOfEdit(const Exercise& exercise) {
  std::error_code fault;
  auto time = std::filesystem::last_write_time(exercise.starter, fault);
  if (fault) time = std::filesystem::file_time_type::min();
  if (!exercise.has_answers) return time;
  const auto of_answers = std::filesystem::last_write_time(
      std::filesystem::path(exercise.starter).replace_extension(".toml"), fault);
  return fault ? time : std::max(time, of_answers);
}

/// The file that was edited last. Files are read from the newest on, so that most are not.
std::optional<Submission> LastEdited(const Exercises& exercises, const std::filesystem::path& root) {
  std::vector<std::pair<std::filesystem::file_time_type, const Exercise*>> by_time;
  for (const Exercise* each : exercises) by_time.emplace_back(TimeOfEdit(*each), each);
  std::ranges::stable_sort(by_time, std::greater(), &decltype(by_time)::value_type::first);
  for (const auto& [time, exercise] : by_time) {
    if (auto edited = EditedFile(*exercise, root)) return edited;
  }
  return std::nullopt;
}

/// What "there is no such file" and "it has TODOs" would not say: that this is nobody's workbook, or an older
/// one.
Status FindWorkbookFile(const std::filesystem::path& file) {
  const Layout layout = ThisLayout();
  if (layout.is_installed && file.string().starts_with(layout.root.string() + "/")) {
    return UsageError(say::folder_in_no_workbook(), say::go_to_workbook());
  }
  if (!std::filesystem::exists(file)) {
    return UsageError(say::no_file_there(DisplayPath(file)), say::was_it_renamed());
  }
  return Unit{};
}

Result<Submission> ReadOne(const Exercise& exercise, const SubmissionRequest& request) {
  Submission submission;
  submission.exercise = &exercise;
  submission.is_workbook_file = request.file.empty() && !request.solution;
  if (!request.file.empty()) {
    submission.file = submission.display_name = request.file;
  } else {
    submission.file = request.solution ? exercise.solution : exercise.starter;
    submission.display_name = DisplayPath(submission.file);
  }
  if (submission.is_workbook_file) {
    if (Status there = FindWorkbookFile(submission.file); !there) return there.error();
  }
  if (request.solution && !std::filesystem::exists(submission.file)) {
    return UsageError(say::no_solution_here(FullName(exercise)), say::leave_solution_out());
  }
  std::error_code fault;
  if (submission.is_workbook_file && !std::filesystem::exists(submission.file, fault)) {
    return UsageError(say::submission_missing(submission.display_name),
                      say::reset_brings_it_back(exercise.id));
  }
  Result<std::string> source = ReadSubmission(submission.file);
  if (!source) return source.error();
  submission.source = std::move(*source);
  submission.answers = ReadAnswers(exercise, submission.file);
  return submission;
}

}  // namespace

const Exercise* ExerciseAtWork(const Workbook& workbook, const Progress& progress,
                               const std::filesystem::path& workbook_root, const std::string& last_checked) {
  if (KnowsStarters(workbook_root)) {
    const auto newest = LastEdited(AllExercises(workbook), workbook_root);
    if (newest && IsUnchecked(*newest, progress)) return newest->exercise;
  }
  if (const auto last = SelectExercises(workbook, last_checked);
      last && last->size() == 1 && StateOf(*last->front(), progress) != ExerciseState::kPassed) {
    return last->front();
  }
  return NextUnsolved(workbook, progress, last_checked);
}

Result<std::vector<Submission>> ChooseSubmissions(const Workbook& workbook, const Progress& progress,
                                                  const SubmissionRequest& typed) {
  const SubmissionRequest request = WithFile(workbook, typed);
  const Result<Exercises> exercises = ChooseExercises(workbook, progress, request);
  if (!exercises) return exercises.error();
  std::vector<Submission> submissions;
  for (const Exercise* exercise : *exercises) {
    Result<Submission> submission = ReadOne(*exercise, request);
    if (!submission) return submission.error();
    submissions.push_back(std::move(*submission));
  }
  return submissions;
}

}  // namespace warplings
