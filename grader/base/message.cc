// SPDX-License-Identifier: Apache-2.0
#include "grader/base/message.h"

#include <cstdio>
#include <cstdlib>
#include <ostream>

namespace warplings {
namespace {

std::string EnglishOf(const Argument& argument) {
  switch (argument.kind) {
    case Argument::Kind::kText:
    case Argument::Kind::kName:
    case Argument::Kind::kThread: return argument.text;
    case Argument::Kind::kTest:
      return argument.inner.empty() ? argument.text : '"' + English(argument.inner.front()) + '"';
    case Argument::Kind::kNumber:
    case Argument::Kind::kIndex: return std::to_string(argument.number);
    case Argument::Kind::kCount:
      return std::to_string(argument.number) + " " + argument.text + (argument.number == 1 ? "" : "s");
    case Argument::Kind::kLine:
      return argument.number == 0 ? "the line" : "line " + std::to_string(argument.number);
    case Argument::Kind::kRange:
      return std::to_string(argument.number) + " to " + std::to_string(argument.last);
    case Argument::Kind::kMessage: return argument.inner.empty() ? "" : English(argument.inner.front());
  }
  return "";
}

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

std::string Marked(const char* english) {
  static const char* const mark = std::getenv("WARPLINGS_MARK_TEMPLATES");
  return mark == nullptr ? std::string(english) : std::string(english) + mark;
}

std::string English(const Message& message) {
  if (!message.IsData()) return message.english();
  return FillTemplate(message.english(), message.arguments(), EnglishOf);
}

std::vector<std::string> English(const std::vector<Message>& messages) {
  std::vector<std::string> texts;
  for (const Message& each : messages) texts.push_back(English(each));
  return texts;
}

std::ostream& operator<<(std::ostream& out, const Message& message) {
  return out << English(message);
}

std::vector<std::string> TestsIn(const Message& message) {
  std::vector<std::string> names;
  AddTestsIn(message, names);
  return names;
}

}  // namespace warplings
