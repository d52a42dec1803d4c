// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/graded_class.h"

#include <fstream>
#include <iterator>

namespace warplings {

Result<GradedClass> OpenGradedClass(const std::filesystem::path& folder) {
  const GradeOutputs outputs{folder};
  std::error_code error;
  if (!std::filesystem::is_regular_file(outputs.Gradebook(), error)) {
    return UsageError("there is no gradebook in " + folder.string(),
                      "Name the folder that `warplings grade --out` wrote.");
  }
  auto lock = ClassLock::Take(folder);
  if (!lock) return lock.error();
  auto gradebook = Gradebook::Open(outputs.Gradebook());
  if (!gradebook) return gradebook.error();
  return GradedClass{outputs, std::move(*lock), std::move(*gradebook)};
}

Status CheckHasNames(const GradedClass& graded) {
  const auto settings = graded.gradebook.ReadSettings();
  if (!settings) return settings.error();
  if (!*settings || !(*settings)->anonymous) return Unit{};
  return UsageError(
      graded.outputs.folder.string() +
          " was graded with --anonymous: it has no ids and addresses, by which an LMS knows students",
      "Grade the class into another folder without --anonymous, and take that.");
}

Result<std::string> ReadNamedFile(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream.is_open() || stream.bad()) return UsageError("cannot read " + file.string());
  return text;
}

}  // namespace warplings
