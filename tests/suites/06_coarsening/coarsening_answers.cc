// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/06_coarsening/coarsening_answers.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>

#include "grader/messages/joining.h"
#include "tests/suites/06_coarsening/messages.h"

namespace warplings::when_not_to {
namespace {

/// Three answers and the questions fit in a twentieth of it.
constexpr std::size_t kMaxBytes = 64 * 1024;

Answers Fault(Message fault, Message step) {
  Answers answers;
  answers.fault = std::move(fault);
  answers.step = std::move(step);
  return answers;
}

std::string_view WithoutBlanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// `price = none`: a word without quotes, which the parser takes for a number that is none. Otherwise the
/// line alone is known.
Answers FaultIn(std::string_view text, int line, std::string_view description) {
  for (int number = 1; number < line && !text.empty(); ++number)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  text = text.substr(0, text.find_first_of("\n#"));
  const std::size_t equal = std::min(text.find('='), text.size());
  const std::string key(WithoutBlanks(text.substr(0, equal)));
  const std::string value(WithoutBlanks(text.substr(std::min(equal + 1, text.size()))));
  const bool is_word = !key.empty() && !value.empty() && std::ranges::all_of(value, [](unsigned char c) {
    return std::isalpha(c) != 0 || c == '_' || c == ' ';
  });
  if (is_word)
    return Fault(say::in_line(line, say::when_not_to_lacks_quotes(key)),
                 say::when_not_to_quotes_step(say::Line(line), key, value));
  return Fault(say::in_line(line, std::string(description)), say::when_not_to_line_step(say::Line(line)));
}

}  // namespace

Answers ParseAnswers(std::string_view text) {
  if (text.size() > kMaxBytes) return Fault(say::when_not_to_too_long(), say::when_not_to_unreadable_step());
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return FaultIn(text, static_cast<int>(error.source().begin.line), error.description());
  }
  Answers answers;
  // value<double> takes an integer, too, where it is exact.
  answers.sectors_per_1024_elements = table["sectors_per_1024_elements"].value<double>();
  answers.idle_multiprocessors = table["idle_multiprocessors"].value<double>();
  answers.price = table["price"].value<std::string>();
  for (const char* const number : {"sectors_per_1024_elements", "idle_multiprocessors"}) {
    if (table[number].is_string()) answers.texts.emplace_back(number);
  }
  return answers;
}

}  // namespace warplings::when_not_to
