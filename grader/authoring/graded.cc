// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/graded.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>

#include "grader/base/unique_fd.h"

namespace warplings {
namespace {

constexpr std::string_view kHeading = "// Graded besides the values:";

std::string ReadToEnd(int fd) {
  std::string text;
  std::array<char, 4096> bytes;
  for (ssize_t n; (n = ::read(fd, bytes.data(), bytes.size())) != 0;) {
    if (n < 0 && errno != EINTR) break;
    if (n > 0) text.append(bytes.data(), static_cast<std::size_t>(n));
  }
  return text;
}

}  // namespace

std::vector<std::string> GradedInHeader(const std::string& header) {
  std::vector<std::string> sentences;
  std::istringstream lines(header);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!inside) {
      inside = line == kHeading;
    } else if (line.starts_with("//   - ")) {
      sentences.push_back(line.substr(7));
    } else if (line.starts_with("//     ") && !sentences.empty()) {
      sentences.back() += " " + line.substr(7);
    } else {
      break;
    }
  }
  return sentences;
}

Result<std::vector<std::string>> GradedInSuite(const std::filesystem::path& suite_program) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return GraderError("Cannot make a pipe.", "Look at `ulimit -n`.");
  UniqueFd out(ends[0]), in(ends[1]);
  std::string program = suite_program.string(), option = "--graded";
  char* const arguments[] = {program.data(), option.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.get(), STDOUT_FILENO);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  in.reset();
  if (failed != 0) return GraderError("Cannot start " + program + ".");
  std::istringstream lines(ReadToEnd(out.get()));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) return GraderError(program + " --graded failed.");
  std::vector<std::string> sentences;
  for (std::string line; std::getline(lines, line);) sentences.push_back(line);
  return sentences;
}

std::vector<std::string> DifferencesInGrading(const std::vector<std::string>& header,
                                              const std::vector<std::string>& suite) {
  std::vector<std::string> differences;
  for (const std::string& sentence : suite) {
    if (std::ranges::count(header, sentence) == 0) {
      differences.push_back("the suite grades what the header does not say: \"" + sentence + "\"");
    }
  }
  for (const std::string& sentence : header) {
    if (std::ranges::count(suite, sentence) == 0) {
      differences.push_back("the header says what the suite does not grade: \"" + sentence + "\"");
    }
  }
  return differences;
}

}  // namespace warplings
