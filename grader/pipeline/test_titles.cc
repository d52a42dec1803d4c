// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/test_titles.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "grader/pipeline/test_names.h"

namespace warplings {
namespace {

bool IsPartOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// "price is paid once".
std::string InWords(const std::string& name) {
  std::string words;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isupper(letter) != 0 && !words.empty()) words += ' ';
    words += c == '_' ? ' ' : static_cast<char>(std::tolower(letter));
  }
  return words;
}

/// Every `name` in `text` that is no part of a longer word becomes `title`.
void ReplaceName(std::string& text, const std::string& name, const std::string& title) {
  if (name.empty()) return;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || (!IsPartOfName(text[at - 1]) && text[at - 1] != '.');
    if (!begins || (end < text.size() && IsPartOfName(text[end]))) {
      at = end;
      continue;
    }
    text.replace(at, name.size(), title);
    at += title.size();
  }
}

/// `"width 17: two phases" (width 17)` says one thing twice: what a title says already goes.
void DropWhatTitleSays(std::string& text, const std::string& title) {
  for (std::size_t at = text.find(title); at != std::string::npos; at = text.find(title, at + title.size())) {
    const std::size_t begin = at + title.size();
    const std::size_t end = text.find(')', begin);
    if (end == std::string::npos || text.compare(begin, 2, " (") != 0) continue;
    const std::string inside = text.substr(begin + 2, end - begin - 2);
    if (title.starts_with("\"" + inside) && !IsPartOfName(title[inside.size() + 1]))
      text.erase(begin, end + 1 - begin);
  }
}

/// Of words that are no data yet.
std::string WithTitles(std::string evidence, const std::vector<TestResult>& tests) {
  for (const TestResult& test : tests) {
    const std::string title = "\"" + English(test.title) + "\"";
    ReplaceName(evidence, test.name, title);
    ReplaceName(evidence, ShortName(test.name), title);
    DropWhatTitleSays(evidence, title);
  }
  return evidence;
}

void GiveTitlesIn(Message& message, const std::vector<TestResult>& tests) {
  for (Argument& argument : message.arguments()) {
    if (argument.kind == Argument::Kind::kTest) {
      const auto test = std::ranges::find_if(tests, [&](const TestResult& each) {
        return argument.text == each.name || argument.text == ShortName(each.name);
      });
      if (test != tests.end()) argument.inner = {test->title};
    } else {
      for (Message& inner : argument.inner) GiveTitlesIn(inner, tests);
    }
  }
}

}  // namespace

void GiveTitles(ExerciseResult& result) {
  for (TestResult& test : result.tests) {
    if (test.title.empty()) test.title = InWords(ShortName(test.name));
  }
  for (Misconception& misconception : result.misconceptions) {
    if (misconception.evidence.IsData()) {
      GiveTitlesIn(misconception.evidence, result.tests);
    } else {
      misconception.evidence = WithTitles(misconception.evidence.english(), result.tests);
    }
  }
}

}  // namespace warplings
