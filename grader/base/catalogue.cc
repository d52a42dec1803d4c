// SPDX-License-Identifier: Apache-2.0
#include "grader/base/catalogue.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

#include "grader/base/characters.h"
#include "grader/base/messages.h"
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

bool IsNumber(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto belongs = [&](char c) { return is_digit(c) || c == ',' || c == '.' || c == '-'; };
  return !text.empty() && is_digit(text.back()) && std::ranges::all_of(text, belongs);
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

/// "{1:t} of {2}" as a message's template has it: "{1} of {2}".
std::string WithPlainPlaceholders(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    plain += text[at];
    if (text[at] != '{' || at + 4 >= text.size() || text[at + 2] != ':') continue;
    plain += text[at + 1];
    at += 3;
  }
  return plain;
}

Catalogue& TheCatalogue() {
  static Catalogue catalogue;
  return catalogue;
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
  std::ranges::stable_sort(catalogue.patterns_, std::ranges::greater(), &Pattern::letters);
  return catalogue;
}

Result<std::vector<Catalogue::Part>> Catalogue::Split(const std::string& text, const Place& place) {
  std::vector<Part> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('{', at), text.size());
    if (open > at) parts.push_back({text.substr(at, open - at)});
    if (open == text.size()) break;
    const std::size_t close = text.find('}', open);
    const std::string inside = close == std::string::npos ? "" : text.substr(open + 1, close - open - 1);
    const bool is_known = !inside.empty() && inside[0] >= '1' && inside[0] <= '9' &&
                          (inside.size() == 1 || inside.substr(1) == ":n" || inside.substr(1) == ":t");
    if (!is_known) return place.Fault(say::no_placeholder("{" + inside + "}", "{1}, {1:n} or {1:t}"));
    parts.push_back({"", inside[0] - '0', inside.size() == 1 ? 'a' : inside[2]});
    at = close + 1;
  }
  return parts;
}

Status Catalogue::Add(const std::string& english, const std::string& translated, const Place& place) {
  auto parts = Split(english, place);
  if (!parts) return parts.error();
  auto target = Split(translated, place);
  if (!target) return target.error();
  for (const Part& part : *target) {
    if (part.number != 0 && std::ranges::count(*parts, part.number, &Part::number) == 0) {
      return place.Fault(say::placeholder_not_in_english());
    }
  }
  if (translated.empty()) return Unit{};
  templates_.emplace(WithPlainPlaceholders(english), WithPlainPlaceholders(translated));
  if (std::ranges::all_of(*parts, [](const Part& part) { return part.number == 0; })) {
    if (!texts_.emplace(english, translated).second) return place.Fault(say::msgid_there_twice(english));
    return Unit{};
  }
  Pattern pattern{std::move(*parts), std::move(*target)};
  // "{1}: {2}" would fit anything: it is the template of a message, and no pattern.
  const auto says_something = [](const Part& part) {
    return part.kind != 'a' ||
           std::ranges::any_of(part.text, [](unsigned char c) { return std::isalpha(c) != 0; });
  };
  if (std::ranges::none_of(pattern.english, says_something)) return Unit{};
  for (const Part& part : pattern.english) pattern.letters += part.text.size();
  patterns_.push_back(std::move(pattern));
  return Unit{};
}

bool Catalogue::Fits(const std::vector<Part>& parts, std::size_t at, std::string_view text,
                     std::vector<std::string_view>& values) {
  if (at == parts.size()) return text.empty();
  const Part& part = parts[at];
  if (part.number == 0) {
    return text.starts_with(part.text) && Fits(parts, at + 1, text.substr(part.text.size()), values);
  }
  // The shortest text that lets the rest fit.
  for (std::size_t length = 1; length <= text.size(); ++length) {
    const std::string_view value = text.substr(0, length);
    if (part.kind == 'n' && !IsNumber(value)) continue;
    // A name in front of an entry ("{1} lacks {2}.") is no beginning of a sentence ("With n = 3: X lacks
    // Y.").
    if (part.kind == 'a' && at == 0 && (value.ends_with(": ") || value.ends_with(". "))) return false;
    values[static_cast<std::size_t>(part.number)] = value;
    if (Fits(parts, at + 1, text.substr(length), values)) return true;
  }
  return false;
}

const Catalogue::Pattern* Catalogue::Find(std::string_view english,
                                          std::vector<std::string_view>& values) const {
  for (const Pattern& pattern : patterns_) {
    if (pattern.letters < english.size() && Fits(pattern.english, 0, english, values)) return &pattern;
  }
  return nullptr;
}

bool Catalogue::Has(std::string_view english) const {
  std::vector<std::string_view> values(10);
  return texts_.contains(std::string(english)) || Find(english, values) != nullptr;
}

std::size_t Catalogue::LettersOf(std::string_view english) const {
  if (texts_.contains(std::string(english))) return english.size();
  std::vector<std::string_view> values(10);
  const Pattern* pattern = Find(english, values);
  return pattern == nullptr ? 0 : pattern->letters;
}

/// Where the second of the text's sentences begins, or npos.
std::size_t Catalogue::SecondSentence(std::string_view english, std::size_t letters) const {
  for (std::size_t at = english.find(' '); at != std::string_view::npos; at = english.find(' ', at + 1)) {
    if (at == 0 || at + 1 == english.size()) continue;
    if (std::string_view(".?").find(english[at - 1]) == std::string_view::npos) continue;
    const std::size_t first = LettersOf(english.substr(0, at));
    if (first == 0) continue;
    const std::string_view rest = english.substr(at + 1);
    const std::size_t others = LettersOf(rest);
    if (others > 0 && first + others > letters) return at + 1;
    if (SecondSentence(rest, 0) != std::string_view::npos) return at + 1;
  }
  return std::string_view::npos;
}

std::string Catalogue::Translate(std::string_view english) const {
  return Translate(english, 0);
}

std::string Catalogue::Translate(std::string_view english, int depth) const {
  constexpr int kDeepest = 4;  // A pattern may stand in itself ("{1:t}, {2:t}").
  if (const auto text = texts_.find(std::string(english)); text != texts_.end()) return text->second;
  std::vector<std::string_view> values(10);
  const Pattern* pattern = depth < kDeepest ? Find(english, values) : nullptr;
  const std::size_t second = SecondSentence(english, pattern == nullptr ? 0 : pattern->letters);
  if (second != std::string_view::npos) {
    return Translate(english.substr(0, second - 1), depth) + Translate(english.substr(second), depth);
  }
  if (pattern == nullptr) return std::string(english);
  std::string out;
  for (const Part& part : pattern->translated) {
    if (part.number == 0) {
      out += part.text;
      continue;
    }
    const auto original = std::ranges::find(pattern->english, part.number, &Part::number);
    const std::string_view value = values[static_cast<std::size_t>(part.number)];
    out += original->kind == 't' ? Translate(value, depth + 1) : std::string(value);
  }
  return WithoutStrayBlanks(out);
}

const std::string* Catalogue::Template(const std::string& english) const {
  const auto found = templates_.find(english);
  return found == templates_.end() ? nullptr : &found->second;
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
  return Filled(message.english(), message.arguments(),
                [this](const Argument& argument) { return WordsOf(argument, *this); });
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
