// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/06_coarsening/coarsening_answers.h"

#include <toml++/toml.h>

#include "grader/messages/joining.h"
#include "tests/suites/06_coarsening/messages.h"

namespace warplings::when_not_to {
namespace {

/// Three answers and the questions fit in a twentieth of it.
constexpr std::size_t kMaxBytes = 64 * 1024;

Answers Fault(Message fault) {
  Answers answers;
  answers.fault = std::move(fault);
  return answers;
}

}  // namespace

Answers ParseAnswers(std::string_view text) {
  if (text.size() > kMaxBytes) return Fault(say::when_not_to_too_long());
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return Fault(say::in_line(static_cast<int>(error.source().begin.line), std::string(error.description())));
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
