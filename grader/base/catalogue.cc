// SPDX-License-Identifier: Apache-2.0
#include "grader/base/catalogue.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "grader/base/characters.h"
#include "grader/base/messages.h"
#include "grader/base/mid_sentence.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

/// Reads a quoted string and undoes its escapes; false if it is not a quoted string.
bool Unquote(std::string_view line, std::string& out) {
  if (line.size() < 2 || line.front() != '"' || line.back() != '"') return false;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (line[i] == '"') return false;
    if (line[i] != '\\') {
      out += line[i];
      continue;
    }
    if (++i + 1 >= line.size()) return false;
    switch (line[i]) {
      case 'n': out += '\n'; break;
      case 't': out += '\t'; break;
      case '"':
      case '\\': out += line[i]; break;
      default: return false;
    }
  }
  return true;
}

bool IsFullWidthMark(char32_t code) {
  return ClosesLine(code) || OpensLine(code);
}

/// Without the blanks that remain between two Chinese characters, or beside Chinese punctuation, where a
/// value took a placeholder's place.
std::string WithoutStrayBlanks(const std::string& text) {
  std::string out;
  char32_t before = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const Character next = FirstCharacter(rest);
    const char32_t after = next.bytes < rest.size() ? FirstCharacter(rest.substr(next.bytes)).code : 0;
    const bool is_stray = next.code == ' ' && ((IsIdeographic(before) && IsIdeographic(after)) ||
                                               IsFullWidthMark(before) || IsFullWidthMark(after));
    if (!is_stray) {
      out += rest.substr(0, next.bytes);
      before = next.code;
    }
    rest.remove_prefix(next.bytes);
  }
  return out;
}

/// What stands in braces: "{1}", "{x}"; "{" where nothing closes it.
std::set<std::string> BracesIn(const std::string& text) {
  std::set<std::string> found;
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
    const std::size_t close = text.find('}', at);
    found.insert(close == std::string::npos ? "{" : text.substr(at, close + 1 - at));
  }
  return found;
}

bool IsPlaceholder(const std::string& text) {
  return text.size() == 3 && text[1] >= '1' && text[1] <= '9';
}

Catalogue& TheCatalogue() {
  static Catalogue catalogue;
  return catalogue;
}

/// False for "{1} -> {2}", whose parts may be in any language.
bool HasWords(std::string_view english) {
  return std::ranges::any_of(english,
                             [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

}  // namespace

Error Catalogue::Place::Fault(const Message& what) const {
  return UsageError(say::at_line_of_file(file, line, what));
}

Result<Catalogue> Catalogue::Parse(std::string_view po, const std::string& name) {
  Catalogue catalogue;
  std::string english, translated;
  std::string* current = nullptr;
  Place place{name};
  const auto add = [&]() -> Status {
    if (current != &translated || english.empty()) return Unit{};  // The head has an empty msgid.
    return catalogue.Add(english, translated, place);
  };
  while (!po.empty()) {
    const std::size_t end = std::min(po.find('\n'), po.size());
    std::string_view line = po.substr(0, end);
    po.remove_prefix(std::min(end + 1, po.size()));
    ++place.line;
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("msgid ")) {
      if (current == &english) return place.Fault(say::msgstr_missing());
      if (Status added = add(); !added) return added.error();
      english.clear();
      current = &english;
      line.remove_prefix(6);
    } else if (line.starts_with("msgstr ")) {
      if (current != &english) return place.Fault(say::msgid_missing());
      translated.clear();
      current = &translated;
      line.remove_prefix(7);
    }
    if (current == nullptr || !Unquote(line, *current)) return place.Fault(say::neither_msgid_nor_string());
  }
  if (current == &english) return place.Fault(say::msgstr_missing());
  if (Status added = add(); !added) return added.error();
  return catalogue;
}

Status Catalogue::Add(const std::string& english, const std::string& translated, const Place& place) {
  const std::set<std::string> there = BracesIn(english), used = BracesIn(translated);
  for (const auto& all : {there, used}) {
    const auto other = std::ranges::find_if_not(all, IsPlaceholder);
    if (other != all.end()) return place.Fault(say::no_placeholder(*other, "{1} to {9}"));
  }
  if (!std::ranges::includes(there, used)) return place.Fault(say::placeholder_not_in_english());
  if (translated.empty()) return Unit{};
  if (!texts_.emplace(english, translated).second) return place.Fault(say::msgid_there_twice(english));
  return Unit{};
}

bool Catalogue::Has(std::string_view english) const {
  return Template(std::string(english)) != nullptr;
}

std::string Catalogue::Translate(std::string_view english) const {
  const std::string* translated = Template(std::string(english));
  return translated == nullptr ? std::string(english) : *translated;
}

const std::string* Catalogue::Template(const std::string& english) const {
  const auto found = texts_.find(english);
  return found == texts_.end() ? nullptr : &found->second;
}

std::string Catalogue::Amount(std::int64_t number) {
  const auto size = static_cast<std::uint64_t>(number < 0 ? -number : number);
  return (number < 0 ? "-" : "") + (size < 1000 ? std::to_string(size) : WithThousands(size));
}

template <class Value, class TextOf>
std::string Catalogue::Filled(const std::string& english, const std::vector<Value>& values,
                              const TextOf& text_of) const {
  const std::string* translated = Template(english);
  if (translated == nullptr) return FillTemplate(english, values, text_of);
  return WithoutStrayBlanks(FillTemplate(*translated, values, text_of));
}

std::string Catalogue::Phrase(const std::string& english, const std::vector<std::string>& texts) const {
  return Filled(english, texts, std::identity());
}

std::string Catalogue::Words(const Message& message) const {
  if (!message.IsData()) return Translate(message.english());
  // An English sentence with a number of students in Chinese would be harder to read than one in English.
  if (!texts_.empty() && Template(message.english()) == nullptr && HasWords(message.english()))
    return Catalogue().Words(message);
  const auto words_of = [this](const Argument& argument) {
    // A title has the quotation marks of the language.
    const bool is_title = argument.kind == Argument::Kind::kTest && !argument.inner.empty();
    return is_title ? Phrase("\"{1}\"", {Words(argument.inner.front())}) : WordsOf(argument, *this);
  };
  if (Template(message.english()) == nullptr)
    return FillTemplate(message.english(), TextsInEnglish(message, words_of), std::identity());
  return Filled(message.english(), message.arguments(), words_of);
}

void UseCatalogue(Catalogue catalogue) {
  TheCatalogue() = std::move(catalogue);
}

std::string Translated(std::string_view english) {
  std::string whole = TheCatalogue().Translate(english);
  if (whole != english) return whole;
  // What stands beside other text has blanks around it.
  const std::size_t begin = english.find_first_not_of(' ');
  if (begin == std::string_view::npos) return whole;
  const std::size_t end = english.find_last_not_of(' ') + 1;
  return std::string(english.substr(0, begin)) +
         TheCatalogue().Translate(english.substr(begin, end - begin)) + std::string(english.substr(end));
}

std::string Words(const Message& message) {
  return message.IsData() ? TheCatalogue().Words(message) : Translated(message.english());
}

}  // namespace warplings
