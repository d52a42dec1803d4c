// SPDX-License-Identifier: Apache-2.0
#include "grader/build/symbol_places.h"

#include <algorithm>

#include "grader/build/code_words.h"

namespace warplings {
namespace {

/// What a header calls under another name than the source does.
struct InlineCall {
  std::string_view symbol, written;
};
constexpr InlineCall kInlineCalls[] = {
    {"nanosleep", "sleep_for"},   {"nanosleep", "sleep_until"},
    {"thread", "async"},          {"thread", "jthread"},
    {"filebuf", "ofstream"},      {"filebuf", "ifstream"},
    {"filebuf", "fstream"},       {"__future_base", "async"},
    {"__future_base", "promise"}, {"__future_base", "packaged_task"},
};

/// The text before the parameters, without template arguments: "std::basic_ofstream::open".
std::string PlainName(std::string_view demangled) {
  std::string name;
  int depth = 0;
  for (const char c : demangled) {
    if (c == '(' && depth == 0 && !name.empty() && name.back() != ' ') break;
    depth += c == '<' ? 1 : 0;
    if (depth == 0) name += c;
    depth -= c == '>' && depth > 0 ? 1 : 0;
  }
  while (!name.empty() && name.back() == ' ') name.pop_back();
  // "vtable for std::thread", and a result's type in front of a template's instance.
  return name.substr(name.rfind(' ') + 1);
}

/// Its parts as a source may write them, the last first: of "std::basic_ofstream::~basic_ofstream"
/// "ofstream".
std::vector<std::string> WordsOf(const std::string& demangled) {
  std::vector<std::string> words;
  std::string rest = PlainName(demangled);
  while (!rest.empty()) {
    const std::size_t colons = rest.rfind("::");
    std::string word = colons == std::string::npos ? rest : rest.substr(colons + 2);
    rest = colons == std::string::npos ? "" : rest.substr(0, colons);
    if (word.starts_with('~')) word.erase(0, 1);
    for (const std::string_view prefix : {"basic_", "__isoc99_", "__isoc23_"}) {
      if (word.starts_with(prefix)) word.erase(0, prefix.size());
    }
    if (word.empty() || word == "std") continue;
    words.push_back(word);
    for (const InlineCall& each : kInlineCalls) {
      if (each.symbol == word) words.emplace_back(each.written);
    }
  }
  return words;
}

/// The first line of a macro's text that has the word.
int LineInMacros(std::string_view code, std::string_view word) {
  int line = 0;
  bool is_macro = false;
  for (std::size_t start = 0; start < code.size();) {
    const std::size_t end = std::min(code.find('\n', start), code.size());
    const std::string_view text = code.substr(start, end - start);
    start = end + 1;
    ++line;
    const std::size_t first = text.find_first_not_of(" \t#");
    const bool begins = first != text.npos && text.substr(0, first).find('#') != text.npos &&
                        text.substr(first).starts_with("define");
    is_macro = is_macro || begins;
    if (is_macro) {
      for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const std::size_t behind = at + word.size();
        if ((at == 0 || !IsWordCharacter(text[at - 1])) &&
            (behind == text.size() || !IsWordCharacter(text[behind]))) {
          return line;
        }
      }
    }
    is_macro = is_macro && text.ends_with('\\');
  }
  return 0;
}

}  // namespace

SymbolPlaces::SymbolPlaces(std::string_view source) {
  if (source.size() > kLongestSource) return;
  code_ = WithoutComments(source);
  tokens_ = TokensOf(code_);
}

/// A name before it, as in `int system(const char*)`, declares it.
bool SymbolPlaces::IsUse(std::size_t at, bool is_call, bool is_member) const {
  const std::string before = at > 0 ? tokens_[at - 1].text : "";
  if (!is_member && IsOneOf(before, {".", "->"})) return false;
  if (!is_call) return true;
  const bool is_declared =
      !before.empty() && IsName(before) && !IsOneOf(before, {"return", "else", "do", "throw", "co_return"});
  return IsAt(tokens_, at + 1, "(") && !is_declared;
}

int SymbolPlaces::LineOfWord(const std::string& word, bool is_member) const {
  for (const bool is_call : {true, false}) {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (tokens_[at].text == word && IsUse(at, is_call, is_member)) return tokens_[at].line;
    }
  }
  return LineInMacros(code_, word);
}

int SymbolPlaces::LineOfUse(const std::string& demangled) const {
  const bool is_member = demangled.find("::") != std::string::npos;
  for (const std::string& word : WordsOf(demangled)) {
    if (const int line = LineOfWord(word, is_member); line > 0) return line;
  }
  return 0;
}

int SymbolPlaces::LineOfDefinition(std::string_view name) const {
  for (std::size_t at = 1; at < tokens_.size(); ++at) {
    if (tokens_[at].text != name || !IsAt(tokens_, at + 1, "(")) continue;
    const std::string& before = tokens_[at - 1].text;
    if (!IsName(before) && !IsOneOf(before, {"*", "&"})) continue;
    std::size_t behind = BehindBracket(tokens_, at + 1);
    while (behind < tokens_.size() && IsName(tokens_[behind].text)) ++behind;  // "const noexcept"
    if (IsAt(tokens_, behind, "{")) return tokens_[at].line;
  }
  return 0;
}

}  // namespace warplings
