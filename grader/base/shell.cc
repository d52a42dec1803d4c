// SPDX-License-Identifier: Apache-2.0
#include "grader/base/shell.h"

#include "grader/base/replace.h"

namespace warplings {

std::string ShellWord(std::string_view text) {
  return '\'' + ReplaceAll(std::string(text), "'", "'\\''") + '\'';
}

std::string TypedShellWord(const std::string& text) {
  const bool is_plain = !text.empty() && text.find_first_of(" '\"\\$`&|;<>()*?[]#~!{}\t\n") == text.npos;
  return is_plain ? text : ShellWord(text);
}

std::string ShellLine(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + ShellWord(word);
  return line;
}

}  // namespace warplings
