// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/graded_class.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "grader/base/text.h"
#include "grader/base/unique_fd.h"
#include "grader/cli/command.h"
#include "grader/cli/forgotten_course.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/progress.h"

namespace warplings {

namespace {

using Clock = std::chrono::steady_clock;

/// How long a pipe may bring nothing.
constexpr std::chrono::seconds kPatience{10};
/// A gradebook of an LMS has some hundred bytes a student.
constexpr std::size_t kLargestNamedFile = std::size_t{64} << 20;

bool IsPipe(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

Result<GradeOutputs> OutputsIn(const std::filesystem::path& folder) {
  if (!HasGradebook(folder)) {
    const auto found = FindGradedFolders(folder);
    if (!found) return UsageError(say::no_gradebook_in(folder.string()), say::name_graded_folder());
    std::vector<std::string> names;
    for (const std::filesystem::path& each : *found) names.push_back(each.string());
    return UsageError(say::no_gradebook_in(folder.string()), say::name_one_of_folders(Joined(names, ", ")));
  }
  return GradeOutputs{folder};
}

}  // namespace

bool HasGradebook(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::is_regular_file(GradeOutputs{folder}.Gradebook(), error);
}

std::vector<std::filesystem::path> GradedFoldersIn(const std::filesystem::path& out) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(out, error), end; !error && entry != end;
       entry.increment(error)) {
    if (HasGradebook(entry->path())) found.push_back(entry->path());
  }
  std::ranges::sort(found);
  return found;
}

Result<std::vector<std::filesystem::path>> FindGradedFolders(const std::filesystem::path& out) {
  if (HasGradebook(out)) return std::vector<std::filesystem::path>{out};
  auto found = GradedFoldersIn(out);
  if (found.empty()) return UsageError(say::no_gradebook_in(out.string()), say::name_graded_or_term());
  return found;
}

void WarnOfGradedFoldersIn(const std::filesystem::path& out) {
  if (!HasGradebook(out)) return;
  std::vector<std::string> names;
  for (const std::filesystem::path& each : GradedFoldersIn(out)) names.push_back(Printable(each.string()));
  if (names.empty()) return;
  std::fflush(stdout);
  Warn(say::graded_folders_left_out(out.string(), Joined(names, ", ")));
  WarnFurther(say::name_left_out_folders());
}

Result<GradedClass> OpenGradedClass(const std::filesystem::path& folder) {
  const auto outputs = OutputsIn(folder);
  if (!outputs) return outputs.error();
  auto lock = ClassLock::Take(folder);
  if (!lock) return lock.error();
  auto gradebook = Gradebook::Open(outputs->Gradebook());
  if (!gradebook) return gradebook.error();
  return GradedClass{*outputs, std::move(*lock), std::move(*gradebook)};
}

Result<GradedClass> OpenGradedCopy(const std::filesystem::path& folder) {
  const auto outputs = OutputsIn(folder);
  if (!outputs) return outputs.error();
  auto lock = ClassLock::TakeToRead(folder);
  if (!lock) return lock.error();
  const auto copy = CopyGradebook(outputs->Gradebook(), std::filesystem::temp_directory_path() / "dry_run");
  if (!copy) return copy.error();
  auto gradebook = Gradebook::Open(*copy);
  if (!gradebook) return gradebook.error();
  return GradedClass{*outputs, std::move(*lock), std::move(*gradebook)};
}

Result<bool> IsAnonymous(const Gradebook& gradebook) {
  const auto settings = gradebook.ReadSettings();
  if (!settings) return settings.error();
  return *settings && (*settings)->anonymous;
}

std::filesystem::path DefaultKeyFile() {
  const std::filesystem::path state = ProgressFile();
  return state.empty() ? state : state.parent_path() / "pseudonyms.json";
}

Status CheckHasNames(const GradedClass& graded) {
  const auto anonymous = IsAnonymous(graded.gradebook);
  if (!anonymous) return anonymous.error();
  if (!*anonymous) return Unit{};
  return UsageError(say::anonymous_class(graded.outputs.folder.string()), say::grade_without_anonymous());
}

Status CheckIsFinished(const GradedClass& graded, const ClassGrades& grades) {
  const std::size_t unfinished = grades.CountUnfinished();
  if (unfinished == 0) return Unit{};
  const std::filesystem::path& out = graded.outputs.folder;
  const auto scope = graded.gradebook.ReadScope();
  if (!scope) return scope.error();
  const std::string command = CommandAsBefore(*scope, out);
  return UsageError(say::grading_unfinished(out.string(), say::Count(unfinished, "student")),
                    command.empty() ? Message(say::finish_grading()) : say::finish_grading_by(command));
}

bool WarnIfUnfinished(const GradedClass& graded, const ClassGrades& grades) {
  const Status finished = CheckIsFinished(graded, grades);
  if (finished) return false;
  std::fflush(stdout);
  Warn(finished.error().message);
  WarnFurther(finished.error().next_step);
  return true;
}

Result<std::string> ReadNamedFile(const std::filesystem::path& file) {
  const auto fault = [&](const Message& why, const Message& next = {}) {
    return UsageError(say::cannot_read_for(Printable(file.string()), why), next);
  };
  // Opening a named pipe must not wait for who writes to it; `<(command)` of a shell is one, too.
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!fd) return fault(std::strerror(errno));
  std::string text;
  auto patience_ends = Clock::now() + kPatience;
  while (true) {
    char piece[1 << 16];
    const ssize_t got = ::read(fd.get(), piece, sizeof piece);
    if (got > 0) {
      text.append(piece, static_cast<std::size_t>(got));
      if (text.size() > kLargestNamedFile) return fault(say::more_than_64_mib(), say::name_csv_of_lines());
      patience_ends = Clock::now() + kPatience;
      continue;
    }
    const bool is_end = got == 0 && (!text.empty() || !IsPipe(fd.get()));
    if (is_end) return text;
    if (got < 0 && errno != EAGAIN && errno != EINTR) return fault(std::strerror(errno));
    if (Clock::now() > patience_ends) return fault(say::nothing_came(), say::does_anything_write());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace warplings
