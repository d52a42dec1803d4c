// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/handed_in.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

namespace warplings {
namespace {

/// Files of macOS, Windows and editors, and of version control, whose history is not part of what is handed
/// in.
constexpr std::string_view kClutter[] = {"__MACOSX",
                                         ".DS_Store",
                                         ".Spotlight-V100",
                                         ".Trashes",
                                         ".fseventsd",
                                         ".TemporaryItems",
                                         "Thumbs.db",
                                         "desktop.ini",
                                         ".directory",
                                         ".git",
                                         ".gitignore",
                                         ".gitattributes",
                                         ".gitkeep",
                                         ".github",
                                         ".svn",
                                         ".hg",
                                         ".idea",
                                         ".vscode",
                                         ".vs",
                                         ".cache",
                                         ".clang-format",
                                         ".clangd",
                                         ".ipynb_checkpoints"};

/// Somebody's work, too, which must not be passed over. Of two that fit, the longer one comes first.
constexpr std::string_view kOtherArchiveEndings[] = {
    ".rar", ".7z", ".zipx", ".tar.bz2", ".tbz2", ".bz2", ".tar.xz", ".txz", ".tar.zst", ".gz", ".xz", ".zst"};

bool EndsWithIgnoringCase(std::string_view text, std::string_view ending) {
  if (text.size() < ending.size()) return false;
  return std::ranges::equal(text.substr(text.size() - ending.size()), ending, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace

std::string AsCuPath(std::string_view path) {
  // Longer ones first: mail programs and editors append an ending, IDEs replace it.
  for (const std::string_view ending :
       {".cu.txt", ".cu.cpp", ".cu.cc", ".cu.c", ".cu.cu", ".cpp", ".cxx", ".cc", ".c", ".cuh"}) {
    if (!EndsWithIgnoringCase(path, ending) || FileNameOf(path).size() == ending.size()) continue;
    return std::string(path.substr(0, path.size() - ending.size())) + ".cu";
  }
  return std::string(path);
}

std::string AsTomlPath(std::string_view path) {
  constexpr std::string_view kAdded = ".txt";
  const bool is_toml = EndsWithIgnoringCase(path, ".toml.txt");
  return std::string(is_toml ? path.substr(0, path.size() - kAdded.size()) : path);
}

bool IsKept(std::string_view path) {
  return EndsWithIgnoringCase(AsCuPath(path), ".cu") || EndsWithIgnoringCase(AsTomlPath(path), ".toml");
}

bool MayHoldProgram(std::string_view path) {
  const std::string_view name = FileNameOf(path);
  return EndsWithIgnoringCase(name, ".txt") || name.find('.') == name.npos;
}

bool IsArchiveName(std::string_view path) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{".zip", ".tar.gz", ".tgz", ".tar"},
                             [&](std::string_view ending) { return EndsWithIgnoringCase(path, ending); });
}

std::string_view OtherArchiveEnding(std::string_view path) {
  if (IsArchiveName(path)) return {};
  for (const std::string_view ending : kOtherArchiveEndings) {
    if (EndsWithIgnoringCase(path, ending)) return ending;
  }
  return {};
}

bool IsClutter(std::string_view path) {
  for (std::size_t start = 0; start < path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string_view part = path.substr(start, end - start);
    if (part.starts_with("._") || std::ranges::find(kClutter, part) != std::end(kClutter)) return true;
    start = end + 1;
  }
  return false;
}

std::string_view FileNameOf(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0.
}

}  // namespace warplings
