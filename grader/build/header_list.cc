// SPDX-License-Identifier: Apache-2.0
#include "grader/build/header_list.h"

#include <sys/stat.h>

#include <cstddef>

namespace warplings {
namespace {

/// All of Thrust and CUB are 1,500.
constexpr std::size_t kMostHeaders = 20'000;

/// What one description's line says of a file besides its name: "5120 1795476253.237813278", or "-" if there
/// is none.
std::string StateOf(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return "-";
  return std::to_string(status.st_size) + ' ' + std::to_string(status.st_mtim.tv_sec) + '.' +
         std::to_string(status.st_mtim.tv_nsec);
}

/// Takes the first line off `text`.
std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace

std::optional<std::string> DescribeHeaders(std::string_view paths) {
  std::string description;
  for (std::size_t count = 0; !paths.empty(); ++count) {
    if (count == kMostHeaders) return std::nullopt;
    const std::string path(TakeLine(paths));
    // The submission and its contract are part of the key.
    if (!path.starts_with('/') || path.starts_with("/submission/") || path.starts_with("/contract/"))
      continue;
    description += path + '\n' + StateOf(path) + '\n';
  }
  return description;
}

bool HeadersAreUnchanged(std::string_view description) {
  while (!description.empty()) {
    const std::string path(TakeLine(description));
    if (TakeLine(description) != StateOf(path)) return false;
  }
  return true;
}

std::string HeaderPathsLine(const std::string& files) {
  return "LC_ALL=C grep -ah '^# [0-9]' " + files + " | LC_ALL=C cut -d '\"' -f 2 | LC_ALL=C sort -u";
}

}  // namespace warplings
