// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/table_reader.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "grader/base/messages.h"
#include "grader/base/spelling.h"
#include "grader/messages/toml.h"

namespace warplings {
namespace {

bool IsBlankText(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
}

template <class Names>
std::string JoinedNames(const Names& names) {
  std::string joined;
  for (const std::string& each : names) joined += (joined.empty() ? "" : ", ") + each;
  return joined;
}

}  // namespace

bool TableReader::Take(const char* key) {
  taken_.insert(key);
  return table_.contains(key);
}

const toml::node& TableReader::Required(const char* key) {
  taken_.insert(key);
  const toml::node* node = table_.get(key);
  if (node == nullptr) FailWithout(key);
  return *node;
}

void TableReader::FailWithout(const char* key) const {
  std::vector<std::string> unread;
  for (const auto& [name, node] : table_) {
    const std::string text(name.str());
    // What goes on with another word is another key: points_rule.
    if (!taken_.contains(text) && !text.starts_with(std::string(key) + "_")) unread.push_back(text);
  }
  const std::string misspelt = ClosestCandidate(key, unread);
  // Of two keys that differ in length, the shorter one allows fewer faults: `hints` is no misspelt `points`.
  const bool is_close = !misspelt.empty() && !ClosestCandidate(misspelt, {key}).empty();
  if (!is_close) Fail(table_, key, say::key_missing());
  Fail(misspelt.c_str(), say::unknown_key_for(key));
}

const toml::node& TableReader::Node(const char* key) {
  return Required(key);
}

std::string TableReader::Text(const char* key) {
  const toml::node& node = Required(key);
  const auto* value = node.as_string();
  if (value == nullptr || IsBlankText(value->get())) Fail(node, key, say::must_be_text());
  return value->get();
}

bool TableReader::Flag(const char* key) {
  const toml::node& node = Required(key);
  if (!node.is_boolean()) Fail(node, key, say::must_be_flag());
  return node.as_boolean()->get();
}

double TableReader::Points(const char* key) {
  const toml::node& node = Required(key);
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value) || *value < 0) Fail(node, key, say::must_be_number_of_at_least_0());
  return *value;
}

double TableReader::Number(const char* key, double least, double most) {
  const toml::node& node = Required(key);
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  const auto shown = [](double number) {
    std::string text = std::to_string(number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  };
  if (!value || !(*value >= least) || !(*value <= most)) {
    Fail(node, key, say::must_be_number_between(shown(least), shown(most)));
  }
  return *value;
}

std::int64_t TableReader::Whole(const char* key, std::int64_t least, std::int64_t most,
                                const Message& otherwise) {
  const toml::node& node = Required(key);
  const auto* value = node.as_integer();
  if (value == nullptr || value->get() < least || value->get() > most) Fail(node, key, otherwise);
  return value->get();
}

std::vector<std::string> TableReader::Texts(const char* key) {
  const toml::node& node = Required(key);
  const auto* list = node.as_array();
  if (list == nullptr || list->empty()) Fail(node, key, say::must_be_list_of_texts());
  std::vector<std::string> texts;
  for (const toml::node& element : *list) {
    const auto* text = element.as_string();
    if (text == nullptr || IsBlankText(text->get())) Fail(element, key, say::must_hold_texts());
    if (std::ranges::count(texts, text->get()) > 0) Fail(element, key, say::says_twice(text->get()));
    texts.push_back(text->get());
  }
  return texts;
}

std::size_t TableReader::Choice(const char* key, const std::vector<std::string>& names) {
  const std::string value = Text(key);
  const auto found = std::ranges::find(names, value);
  if (found == names.end()) {
    Fail(key, WithClosest(say::must_be_one_of(value, JoinedNames(names)), value, names));
  }
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<TableReader> TableReader::Tables(const char* key, std::size_t minimum) {
  std::vector<TableReader> readers;
  if (!Take(key) && minimum == 0) return readers;
  const toml::node& node = Required(key);
  const auto* list = node.as_array();
  if (list == nullptr || list->size() < minimum) Fail(node, key, say::must_be_tables(Path(key)));
  for (const toml::node& element : *list) {
    if (element.as_table() == nullptr) Fail(element, key, say::must_be_tables(Path(key)));
    readers.emplace_back(file_, Path(key), *element.as_table());
  }
  return readers;
}

TableReader TableReader::Table(const char* key) {
  const toml::node& node = Required(key);
  if (node.as_table() == nullptr) Fail(node, key, say::must_be_table(Path(key)));
  return TableReader(file_, Path(key), *node.as_table());
}

int TableReader::Line(const char* key) const {
  const toml::node* node = table_.get(key);
  const auto line = (node != nullptr ? node->source() : table_.source()).begin.line;
  return static_cast<int>(std::max(1u, line));
}

std::vector<int> TableReader::ElementLines(const char* key) const {
  std::vector<int> lines;
  if (const toml::array* list = table_[key].as_array()) {
    for (const toml::node& element : *list) lines.push_back(static_cast<int>(element.source().begin.line));
  }
  return lines;
}

void TableReader::Finish() const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (taken_.contains(name)) continue;
    const std::vector<std::string> known(taken_.begin(), taken_.end());
    const std::string meant = ClosestCandidate(name, known);
    Fail(node, name.c_str(),
         meant.empty() ? say::no_such_key(JoinedNames(known))
                       : say::no_such_key_but(meant, JoinedNames(known)));
  }
}

void TableReader::Fail(const char* key, const Message& what) const {
  const toml::node* node = table_.get(key);
  Fail(node != nullptr ? *node : table_, key, what);
}

/// A chapter's file has many misconceptions: their ids tell them apart.
std::string TableReader::Place(const char* key) const {
  const auto* id = table_.get_as<std::string>("id");
  const bool is_one_of_many =
      id != nullptr && prefix_.ends_with("misconception") && std::string_view(key) != "id";
  return is_one_of_many ? Path(key) + " of '" + id->get() + "'" : Path(key);
}

void TableReader::Fail(const toml::node& node, const char* key, const Message& what) const {
  throw BrokenToml{
      UsageError(say::key_of_file(file_.name, std::max(1u, node.source().begin.line), Place(key), what),
                 file_.next_step)};
}

namespace {

/// The line with this number, from 1.
std::string_view LineOf(std::string_view text, std::size_t number) {
  for (; number > 1 && !text.empty(); --number) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string_view WithoutBlanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// The number that `text` has at these two places; -1 if there is none.
int TwoDigits(std::string_view text, std::size_t at) {
  const auto digit = [&](std::size_t place) {
    return place < text.size() && text[place] >= '0' && text[place] <= '9' ? text[place] - '0' : -1;
  };
  return digit(at) < 0 || digit(at + 1) < 0 ? -1 : 10 * digit(at) + digit(at + 1);
}

bool IsDate(int year, int month, int day) {
  return month > 0 && day > 0 &&
         std::chrono::year_month_day(std::chrono::year(year),
                                     std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
             .ok();
}

/// Whether a value opens a quote that it does not close. Texts of several lines are left out.
bool LeavesQuoteOpen(std::string_view value) {
  char open = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (open == 0 && c == '#') return false;
    if (open == 0 && (c == '"' || c == '\'')) {
      if (value.substr(i).starts_with(std::string(3, c))) return false;
      open = c;
    } else if (open == '"' && c == '\\') {
      ++i;
    } else if (c == open) {
      open = 0;
    }
  }
  return open != 0;
}

/// 08.10.2026, 8/10/26, 2026/10/08: a date as people write it.
bool IsDateOfAnotherForm(std::string_view value) {
  int fields = 1, digits = 0;
  char between = 0;
  bool has_year = false;
  for (const char c : value.substr(0, value.find_first_of(" T"))) {
    if (c >= '0' && c <= '9') {
      if (++digits > 4) return false;
      has_year = has_year || digits == 4;
    } else {
      const bool is_separator = c == '.' || c == '/' || c == '-';
      if (!is_separator || digits == 0 || (between != 0 && c != between)) return false;
      between = c;
      digits = 0;
      ++fields;
    }
  }
  return fields == 3 && digits > 0 && (has_year || between == '/');
}

struct KeyAndValue {
  std::string_view key, value;
};

/// Of a line "key = value"; empty if it has another form.
KeyAndValue Split(std::string_view line) {
  const std::size_t equal = line.find('=');
  if (equal == line.npos || line.find_first_of("\"'[{") < equal) return {};
  const std::string_view value = WithoutBlanks(line.substr(equal + 1, line.find('#', equal) - equal - 1));
  const std::string_view key = WithoutBlanks(line.substr(0, equal));
  if (value.empty() || key.empty()) return {};
  return {key, value};
}

/// What is wrong with a line "key = value" that is no TOML, in words for somebody who does not know TOML: a
/// text without quotes or with one only, a time or a date that does not exist or has another form. Empty for
/// anything else.
Message MistakeIn(std::string_view line) {
  const auto [key, value] = Split(line);
  if (value.empty()) return {};
  constexpr std::string_view kBegins = "\"'[{+-0123456789";
  if (kBegins.find(value.front()) == kBegins.npos) {
    const bool is_open = value.find_first_of("\"'") != value.npos;
    return is_open ? Message() : Message(say::text_needs_quotes(std::string(key), std::string(value)));
  }
  constexpr std::size_t kDate = 10;  // 2026-10-08
  const bool has_date = value.size() >= kDate && value[4] == '-' && value[7] == '-';
  const std::size_t time = !has_date ? 0 : value.size() > kDate ? kDate + 1 : value.size();
  if (has_date &&
      !IsDate(100 * TwoDigits(value, 0) + TwoDigits(value, 2), TwoDigits(value, 5), TwoDigits(value, 8)))
    return say::no_such_date(std::string(value.substr(0, kDate)));
  if (!has_date && IsDateOfAnotherForm(value)) return say::must_be_date();
  if (LeavesQuoteOpen(line.substr(line.find('=') + 1))) return say::quote_is_never_closed();
  const int hour = TwoDigits(value, time), minute = TwoDigits(value, time + 3);
  const bool has_time = hour >= 0 && minute >= 0 && value[time + 2] == ':';
  if (has_time && (hour > 23 || minute > 59 || TwoDigits(value, time + 6) > 59))
    return say::no_such_time(std::string(value.substr(time)));
  return {};
}

}  // namespace

TomlFault FaultOfToml(std::string_view text, const toml::parse_error& fault) {
  TomlFault known;
  known.line = std::max(1u, fault.source().begin.line);
  // 23:59, as everybody writes it.
  if (fault.description().find("parsing time: expected ':'") != std::string_view::npos) {
    known.what = say::time_needs_seconds();
    return known;
  }
  const std::string_view line = LineOf(text, known.line);
  known.what = MistakeIn(line);
  if (say::must_be_date.Made(known.what)) known.key = Split(line).key;
  // A text that ends with its line is noticed at the beginning of the next one.
  if (known.what.empty() && known.line > 1) {
    const Message before = MistakeIn(LineOf(text, known.line - 1));
    if (say::quote_is_never_closed.Made(before)) return {known.line - 1, "", before};
  }
  if (known.what.empty()) known.what = say::not_toml(std::string(fault.description()));
  return known;
}

toml::table ParseToml(std::string_view text, const TomlFile& file) {
  try {
    return toml::parse(text, file.name);
  } catch (const toml::parse_error& fault) {
    const TomlFault known = FaultOfToml(text, fault);
    const Message what = known.key.empty() ? Message(say::at_line_of_file(file.name, known.line, known.what))
                                           : say::key_of_file(file.name, known.line, known.key, known.what);
    throw BrokenToml{UsageError(what, file.next_step)};
  }
}

}  // namespace warplings
