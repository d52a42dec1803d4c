// SPDX-License-Identifier: Apache-2.0
#include "grader/build/element_allocations.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "grader/build/code_words.h"
#include "grader/build/definitions.h"
#include "grader/build/index_sums.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// "float" where the name is declared once, as `float* name` or `float *a, *name`; otherwise empty.
std::string TypeBehind(const Tokens& tokens, const std::string& pointer) {
  std::string type;
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    if (tokens[at].text != pointer || tokens[at - 1].text != "*") continue;
    std::size_t begin = at;
    while (begin > 0 && !IsOneOf(tokens[begin - 1].text, {";", "{", "}", "(", ")"})) --begin;
    while (begin < at && IsOneOf(tokens[begin].text, {"const", "static"})) ++begin;
    if (!IsOneOf(tokens[begin].text, {"float", "double", "int", "unsigned"}) || begin + 1 >= at) continue;
    const bool is_long_type = begin + 1 < at && IsName(tokens[begin + 1].text) &&
                              !IsOneOf(tokens[begin + 1].text, {"int", pointer});
    if (is_long_type || !type.empty()) return "";
    type = tokens[begin].text;
  }
  return type;
}

/// A constant may be anything, and so may be what is called a size.
bool MayBeBytes(const std::string& name) {
  std::string small = name;
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  return small.find("size") != std::string::npos || small.find("byte") != std::string::npos ||
         BeginsAsConstant(name);
}

class SizeReader {
 public:
  explicit SizeReader(const Tokens& tokens)
      : tokens_(tokens), definitions_(DefinitionsIn(tokens, {0, tokens.size()})) {}

  /// Whether the size is a number of elements beyond doubt.
  bool CountsElements(TokenRange size, int depth = 0) const {
    constexpr int kDeepest = 8;
    if (size.begin >= size.end || depth > kDeepest) return false;
    for (std::size_t at = size.begin; at < size.end; ++at) {
      const std::string& text = tokens_[at].text;
      if (IsNumberType(text) || IsOneOf(text, {"size_t", "static_cast", "(", ")", "<", ">"})) continue;
      const bool is_factor = (at > size.begin && tokens_[at - 1].text == "*") ||
                             (at + 1 < size.end && tokens_[at + 1].text == "*");
      // `n * 4`, and `n << 2`.
      if (std::isdigit(static_cast<unsigned char>(text.front())) != 0 && is_factor) return false;
      if (text == "<<" || text == "[" || text == "?") return false;
      if (IsName(text) && !IsCount(text, depth)) return false;
    }
    return true;
  }

 private:
  bool IsCount(const std::string& name, int depth) const {
    const auto definition = definitions_.find(name);
    if (definition != definitions_.end()) return CountsElements(definition->second.value, depth + 1);
    // What else is there is a parameter.
    return !MayBeBytes(name) && IsParameter(name);
  }

  /// `int name` behind a parenthesis or a comma.
  bool IsParameter(const std::string& name) const {
    for (std::size_t at = 2; at < tokens_.size(); ++at) {
      if (tokens_[at].text != name || !IsNumberType(tokens_[at - 1].text)) continue;
      std::size_t begin = at - 1;
      while (begin > 0 && (IsNumberType(tokens_[begin - 1].text) || tokens_[begin - 1].text == "const"))
        --begin;
      if (begin > 0 && IsOneOf(tokens_[begin - 1].text, {"(", ","})) return true;
    }
    return false;
  }

  const Tokens& tokens_;
  CodeDefinitions definitions_;
};

struct WrittenSize {
  ElementAllocation what;
  TokenRange size;
};

/// The `cudaMalloc(&pointer, size)` that begins at that token.
std::optional<WrittenSize> AllocationAt(const Tokens& tokens, std::size_t at) {
  const std::string& function = tokens[at].text;
  if (!IsOneOf(function, {"cudaMalloc", "cudaMallocManaged"}) || tokens[at + 1].text != "(")
    return std::nullopt;
  const std::size_t end = BehindParentheses(tokens, at + 1) - 1;
  const std::size_t comma = EndOfValue(tokens, at + 2, end);
  if (comma >= end || tokens[comma - 1].text == ")" || tokens[comma - 2].text != "&") return std::nullopt;
  const std::string& pointer = tokens[comma - 1].text;
  const TokenRange size{comma + 1, EndOfValue(tokens, comma + 1, end)};
  return WrittenSize{
      {tokens[at].line, function, pointer, TextOf(tokens, size.begin, size.end), TypeBehind(tokens, pointer)},
      size};
}

}  // namespace

std::optional<ElementAllocation> FindElementAllocation(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const SizeReader reader(tokens);
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const auto written = AllocationAt(tokens, at);
    if (written && !written->what.type.empty() && reader.CountsElements(written->size)) return written->what;
  }
  return std::nullopt;
}

std::optional<ElementAllocation> FindAllocationWithoutSizeof(std::string_view source,
                                                             std::int64_t element_bytes) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const CodeDefinitions definitions = DefinitionsIn(tokens, {0, tokens.size()});
  std::optional<ElementAllocation> found;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (!tokens[at].text.starts_with("cudaMalloc") || tokens[at + 1].text != "(") continue;
    const auto written = AllocationAt(tokens, at);
    if (!written) return std::nullopt;
    const std::set<std::string> names = NamesBehind(tokens, written->size, definitions);
    if (names.contains("sizeof")) continue;
    if (found || std::ranges::any_of(names, MayBeBytes)) return std::nullopt;
    for (std::size_t i = written->size.begin; i < written->size.end; ++i) {
      if (IsOneOf(tokens[i].text, {"4", "8", "<<"})) return std::nullopt;
    }
    found = written->what;
  }
  if (!found || found->type.empty()) return std::nullopt;
  const std::int64_t bytes = found->type == "double" ? 8 : 4;
  return bytes == element_bytes ? found : std::nullopt;
}

}  // namespace warplings
