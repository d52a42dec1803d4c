// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/handed_in.h"

#include <algorithm>

namespace warplings {
namespace {

bool EndsWithIgnoringCase(std::string_view text, std::string_view ending) {
  if (text.size() < ending.size()) return false;
  return std::ranges::equal(text.substr(text.size() - ending.size()), ending, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace

bool IsKept(std::string_view path) {
  return EndsWithIgnoringCase(path, ".cu") || EndsWithIgnoringCase(path, ".toml");
}

bool IsClutter(std::string_view path) {
  for (std::size_t start = 0; start < path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string_view part = path.substr(start, end - start);
    if (part == "__MACOSX" || (part.size() > 1 && part[0] == '.' && part != "..")) return true;
    start = end + 1;
  }
  return false;
}

std::string_view FileNameOf(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0.
}

}  // namespace warplings
