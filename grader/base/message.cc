// SPDX-License-Identifier: Apache-2.0
#include "grader/base/message.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "grader/base/mid_sentence.h"

namespace warplings {
namespace {

struct PlainEnglish {
  static std::string Amount(std::int64_t number) { return std::to_string(number); }
  static std::string Phrase(const std::string& english, const std::vector<std::string>& texts) {
    return FillTemplate(english, texts, std::identity());
  }
  static std::string Inner(const Message& message) { return English(message); }
};

void AddTestsIn(const Message& message, std::vector<std::string>& names) {
  for (const Argument& argument : message.arguments()) {
    if (argument.kind == Argument::Kind::kTest) names.push_back(argument.text);
    for (const Message& inner : argument.inner) AddTestsIn(inner, names);
  }
}

}  // namespace

say::Decimal::Decimal(double value, int digits) {
  char formatted[64];
  std::snprintf(formatted, sizeof formatted, "%.*f", digits, value);
  text = formatted;
}

bool Message::Mentions(std::string_view id) const {
  return Is(id) || std::ranges::any_of(arguments_, [&](const Argument& argument) {
           return !argument.inner.empty() && argument.inner.front().Mentions(id);
         });
}

std::string_view TemplateMark() {
  static const char* const mark = std::getenv("WARPLINGS_MARK_TEMPLATES");
  return mark == nullptr ? "" : mark;
}

std::string English(const Message& message) {
  if (!message.IsData()) return message.english();
  const auto words_of = [](const Argument& argument) { return WordsOf(argument, PlainEnglish()); };
  return FillTemplate(message.english(), TextsInEnglish(message, words_of), std::identity());
}

std::vector<std::string> English(const std::vector<Message>& messages) {
  std::vector<std::string> texts;
  for (const Message& each : messages) texts.push_back(English(each));
  return texts;
}

std::vector<std::string> TestsIn(const Message& message) {
  std::vector<std::string> names;
  AddTestsIn(message, names);
  return names;
}

bool Contains(const Message& whole, const Message& part) {
  if (whole == part) return true;
  return std::ranges::any_of(whole.arguments(), [&](const Argument& argument) {
    return std::ranges::any_of(argument.inner, [&](const Message& inner) { return Contains(inner, part); });
  });
}

}  // namespace warplings
