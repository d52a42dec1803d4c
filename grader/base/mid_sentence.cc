// SPDX-License-Identifier: Apache-2.0
#include "grader/base/mid_sentence.h"

#include <utility>

namespace warplings {
namespace {

bool IsLower(char c) {
  return c >= 'a' && c <= 'z';
}

/// "Each sum", "A tile"; but neither "P[0][0]", "N's tile" nor "NaN".
bool BeginsWithAWord(std::string_view english) {
  if (english.size() < 3 || english[0] < 'A' || english[0] > 'Z') return false;
  if (english[1] == ' ') return english[0] == 'A' && IsLower(english[2]);
  return IsLower(english[1]) && (english[2] == ' ' || english[2] == '\'' || IsLower(english[2]));
}

/// The message whose template has the first words; null if a value comes first.
const Message* FirstWordsIn(const Message& message) {
  const std::string& english = message.english();
  if (!message.IsData() || !english.starts_with("{")) return message.IsData() ? &message : nullptr;
  const auto first = static_cast<std::size_t>(english.size() > 1 ? english[1] - '1' : 0);
  if (first >= message.arguments().size()) return nullptr;
  const Argument& argument = message.arguments()[first];
  const bool is_message = argument.kind == Argument::Kind::kMessage && !argument.inner.empty();
  return is_message ? FirstWordsIn(argument.inner.front()) : nullptr;
}

}  // namespace

bool StandsMidSentence(std::string_view english, std::size_t argument) {
  return english.find(", {" + std::to_string(argument + 1) + "}") != std::string_view::npos;
}

std::string MidSentence(const Message& message, std::string words) {
  const Message* first = FirstWordsIn(message);
  if (first == nullptr || !BeginsWithAWord(first->english()) || words.empty()) return words;
  words[0] = static_cast<char>(words[0] - 'A' + 'a');
  return words;
}

}  // namespace warplings
