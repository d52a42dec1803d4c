// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/typed_name.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace warplings {
namespace {

std::string& Name() {
  static std::string name = "warplings";
  return name;
}

/// Whether typing the name alone starts that very file.
bool IsOnPath(const std::filesystem::path& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code fault;
    const std::filesystem::path candidate = std::filesystem::path(folder) / program.filename();
    if (std::filesystem::exists(candidate, fault))
      return std::filesystem::equivalent(candidate, program, fault);
  }
  return false;
}

/// Words that may stand behind the program's name where something is to be typed.
constexpr std::string_view kVerbs[] = {"cc",     "check",    "course",   "doctor",   "drill",      "export",
                                       "grade",  "handouts", "help",     "hint",     "init",       "list",
                                       "new",    "next",     "override", "package",  "profile",    "reset",
                                       "review", "run",      "selftest", "solution", "statistics", "status",
                                       "update", "verify",   "watch",    "--help",   "COMMAND"};

}  // namespace

const std::string& TypedName() {
  return Name();
}

void SetTypedName(const char* first_word) {
  if (first_word == nullptr || *first_word == '\0') return;
  const std::filesystem::path program = first_word;
  Name() = program.has_parent_path() && IsOnPath(program) ? program.filename().string() : program.string();
}

std::string AsTyped(std::string text) {
  constexpr std::string_view kName = "warplings ";
  for (std::size_t at = text.find(kName); at != std::string::npos; at = text.find(kName, at + 1)) {
    // Behind a character that is not ASCII, such as a Chinese colon, begins a word, too.
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool begins =
        (before & 0x80) != 0 || std::string_view(" (:`'\"\n").find(before) != std::string_view::npos;
    const std::string_view rest = std::string_view(text).substr(at + kName.size());
    const bool is_command = std::ranges::any_of(kVerbs, [&](std::string_view verb) {
      const char next = rest.size() > verb.size() ? rest[verb.size()] : ' ';
      return rest.starts_with(verb) &&
             (next == ' ' || next == '.' || next == ')' || next == '`' || next == '\n');
    });
    if (begins && is_command) {
      text.replace(at, kName.size() - 1, TypedName());
      at += TypedName().size();
    }
  }
  return text;
}

}  // namespace warplings
