// SPDX-License-Identifier: Apache-2.0
#include "grader/advice/test_titles.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {
namespace {

/// "price is paid once".
std::string InWords(std::string_view name) {
  std::string words;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isupper(letter) != 0 && !words.empty()) words += ' ';
    words += c == '_' ? ' ' : static_cast<char>(std::tolower(letter));
  }
  return words;
}

void GiveTitlesIn(Message& message, const std::vector<TestResult>& tests) {
  for (Argument& argument : message.arguments()) {
    if (argument.kind == Argument::Kind::kTest) {
      const auto test = std::ranges::find_if(
          tests, [&](const TestResult& each) { return IsNamed(each.name, argument.text); });
      if (test != tests.end()) argument.inner = {test->title};
    } else {
      for (Message& inner : argument.inner) GiveTitlesIn(inner, tests);
    }
  }
}

/// The values in a message, those of inner messages as well, in order.
void AddValues(const Message& message, std::vector<Argument>& values) {
  for (const Argument& argument : message.arguments()) {
    if (argument.kind != Argument::Kind::kMessage) values.push_back(argument);
    for (const Message& inner : argument.inner) AddValues(inner, values);
  }
}

}  // namespace

bool NamesCall(const Message& title, const Message& call) {
  std::vector<Argument> in_title, in_call;
  AddValues(title, in_title);
  AddValues(call, in_call);
  const auto same = [](const Argument& a, const Argument& b) {
    return a.number == b.number && a.text == b.text;
  };
  return !in_call.empty() && in_call.size() <= in_title.size() &&
         std::ranges::equal(in_call, std::span(in_title).first(in_call.size()), same);
}

std::string ShortName(const std::string& name) {
  return name.substr(name.find('.') + 1);
}

bool IsNamed(const std::string& test, const std::string& name) {
  return name == test || name == ShortName(test);
}

Message WithTitles(Message message, const std::vector<TestResult>& tests) {
  GiveTitlesIn(message, tests);
  return message;
}

void GiveTitles(ExerciseResult& result) {
  for (TestResult& test : result.tests) {
    if (test.title.empty()) test.title = InWords(ShortName(test.name));
  }
  for (TestResult& test : result.tests) GiveTitlesIn(test.next_step, result.tests);
  for (Misconception& misconception : result.misconceptions) {
    GiveTitlesIn(misconception.evidence, result.tests);
  }
}

}  // namespace warplings
