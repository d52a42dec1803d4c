// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/workbook_view.h"

#include <algorithm>

#include "grader/base/read_file.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/workbook.h"

namespace warplings {

std::string FullName(const Exercise& exercise) {
  return exercise.chapter + "/" + exercise.id;
}

std::string DisplayPath(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path relative = std::filesystem::proximate(path, error);
  return error || relative.string().starts_with("..") ? path.string() : relative.string();
}

Result<std::string> ReadSubmission(const std::filesystem::path& file) {
  constexpr std::uintmax_t kLargest = 1 << 20;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) {
    return UsageError(say::no_file_there(file.string()), say::check_path_of_file());
  }
  if (!std::filesystem::is_regular_file(status)) {
    return UsageError(say::no_ordinary_file(file.string()), say::name_file_to_check());
  }
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size > kLargest) {
    return UsageError(say::submission_too_large(file.string()), say::is_it_right_file());
  }
  auto text = ReadFile(file);
  if (!text) return UsageError(say::cannot_read(file.string()), say::check_its_permissions());
  return *std::move(text);
}

std::string ReadAnswers(const Exercise& exercise, const std::filesystem::path& submission) {
  constexpr std::uintmax_t kLargest = 64 << 10;
  if (!exercise.has_answers) return "";
  std::filesystem::path file = submission;
  file.replace_extension(".toml");
  std::error_code error;
  // As it is handed out, where the .cu has got another name.
  if (!std::filesystem::exists(file, error)) file.replace_filename(exercise.id + ".toml");
  return ReadOrdinaryFile(file, kLargest).value_or("");
}

std::string HashSubmission(const std::string& source, const std::string& answers) {
  return HashText(answers.empty() ? source : source + '\0' + answers);
}

ExerciseState StateOf(const Exercise& exercise, const Progress& progress) {
  const auto entry = progress.find(FullName(exercise));
  if (entry == progress.end() || !HasPassed(entry->second)) return ExerciseState::kOpen;
  const std::filesystem::path file =
      entry->second.file.empty() ? exercise.starter : std::filesystem::path(entry->second.file);
  const Result<std::string> text = ReadSubmission(file);
  const bool is_as_checked =
      text && HashSubmission(*text, ReadAnswers(exercise, file)) == entry->second.file_hash;
  if (is_as_checked && entry->second.verdict == Verdict::kPassed) return ExerciseState::kPassed;
  const std::string& passed_in = entry->second.passed_in;
  if (!passed_in.empty() && passed_in != PlaceOf(exercise)) return ExerciseState::kOpen;
  return is_as_checked ? ExerciseState::kBroken : ExerciseState::kChanged;
}

std::string PlaceOf(const Exercise& exercise) {
  std::error_code fault;
  return std::filesystem::weakly_canonical(exercise.starter, fault).string();
}

const Exercise* NextUnsolved(const Workbook& workbook, const Progress& progress, const std::string& from) {
  std::vector<const Exercise*> order;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) order.push_back(&exercise);
  }
  const auto first = std::ranges::find(order, from, [](const Exercise* each) { return FullName(*each); });
  if (first != order.end()) std::ranges::rotate(order, first);
  const Exercise* other = nullptr;
  for (const Exercise* exercise : order) {
    const ExerciseState state = StateOf(*exercise, progress);
    if (state == ExerciseState::kOpen) return exercise;
    if (state != ExerciseState::kPassed && other == nullptr) other = exercise;
  }
  return other;
}

}  // namespace warplings
