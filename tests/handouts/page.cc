// SPDX-License-Identifier: Apache-2.0
#include "tests/handouts/page.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace warplings::handouts_test {
namespace {

constexpr std::array kVoid = {"meta", "br", "hr", "img", "link", "input"};
constexpr std::array<std::pair<const char*, const char*>, 5> kEntities = {
    {{"&lt;", "<"}, {"&gt;", ">"}, {"&#34;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}}};

/// What handouts/finish.py makes of the signs of a keyboard.
constexpr std::array<std::pair<const char*, const char*>, 5> kSigns = {
    {{"“", "\""}, {"”", "\""}, {"’", "'"}, {"×", "x"}, {"\u00a0", " "}}};

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::string Unescaped(std::string text) {
  for (const auto& [entity, character] : kEntities) ReplaceAll(text, entity, character);
  return text;
}

/// `inside` is what stands between < and >, without a / at either end.
Tag ReadTag(const std::string& inside, std::string& fault) {
  std::size_t at = std::min(inside.find_first_of(" \n"), inside.size());
  Tag tag{inside.substr(0, at), {}};
  while ((at = inside.find_first_not_of(" \n", at)) != std::string::npos) {
    const std::size_t equals = inside.find("=\"", at);
    const std::size_t end = equals == std::string::npos ? equals : inside.find('"', equals + 2);
    if (end == std::string::npos) {
      fault = "an attribute without quotes in <" + inside + ">";
      return tag;
    }
    tag.attributes[inside.substr(at, equals - at)] = Unescaped(inside.substr(equals + 2, end - equals - 2));
    at = end + 1;
  }
  return tag;
}

}  // namespace

Page ReadPage(const std::string& source) {
  Page page;
  page.source = source;
  std::vector<std::pair<std::string, std::size_t>> open;  // Name, and where it began.
  std::size_t at = 0;
  while (at < source.size() && page.fault.empty()) {
    const std::size_t start = source.find('<', at);
    const bool in_code = !open.empty() && (open.back().first == "style" || open.back().first == "script");
    if (in_code && start != std::string::npos && source.compare(start, 2, "</") != 0) {
      at = start + 1;  // An operator of the script; what ends it is the first "</".
      continue;
    }
    if (!in_code) page.text += Unescaped(source.substr(at, start - at));
    if (start == std::string::npos) break;
    const std::size_t end = source.find('>', start);
    if (end == std::string::npos) {
      page.fault = "a tag that does not end";
      break;
    }
    std::string inside = source.substr(start + 1, end - start - 1);
    at = end + 1;
    if (inside.starts_with("!")) continue;
    if (inside.starts_with("/")) {
      const std::string name = inside.substr(1);
      if (open.empty() || open.back().first != name) {
        page.fault = "</" + name + "> closes nothing that is open" +
                     (open.empty() ? "" : ", open is " + open.back().first);
        break;
      }
      if (name == "svg") page.drawings.push_back(source.substr(open.back().second, at - open.back().second));
      open.pop_back();
      continue;
    }
    const bool closed = inside.ends_with("/");
    if (closed) inside.pop_back();
    Tag tag = ReadTag(inside, page.fault);
    if (const auto id = tag.attributes.find("id"); id != tag.attributes.end()) {
      if (!page.ids.insert(id->second).second) page.fault = "two elements have the id " + id->second;
    }
    const bool is_void = std::ranges::any_of(kVoid, [&](const char* name) { return tag.name == name; });
    if (!closed && !is_void) open.emplace_back(tag.name, start);
    page.tags.push_back(std::move(tag));
  }
  if (page.fault.empty() && !open.empty()) page.fault = "<" + open.back().first + "> is not closed";
  return page;
}

std::string Normalised(std::string text) {
  for (const auto& [sign, plain] : kSigns) ReplaceAll(text, sign, plain);
  std::string result;
  for (const char c : text) {
    if (!std::isspace(static_cast<unsigned char>(c))) {
      result += c;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::string AsShown(std::string text) {
  std::erase(text, '`');
  return Normalised(std::move(text));
}

}  // namespace warplings::handouts_test
