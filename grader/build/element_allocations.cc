// SPDX-License-Identifier: Apache-2.0
#include "grader/build/element_allocations.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/definitions.h"
#include "grader/build/index_sums.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// "float" where variables of the name are declared, as `float* name` or `float *a, *name`, or else
/// parameters; empty if they have several types, or another one.
std::string TypeBehind(const Tokens& tokens, const std::string& pointer) {
  std::set<std::string> variables, parameters;
  for (std::size_t at = 1; at < tokens.size(); ++at) {
    if (tokens[at].text != pointer || tokens[at - 1].text != "*") continue;
    std::size_t begin = at;
    while (begin > 0 && !IsOneOf(tokens[begin - 1].text, {";", "{", "}", "(", ")"})) --begin;
    const bool is_parameter = begin > 0 && tokens[begin - 1].text == "(";
    while (begin < at && IsOneOf(tokens[begin].text, {"const", "static"})) ++begin;
    if (!IsOneOf(tokens[begin].text, {"float", "double", "int", "unsigned"}) || begin + 1 >= at) continue;
    const bool is_long_type = begin + 1 < at && IsName(tokens[begin + 1].text) &&
                              !IsOneOf(tokens[begin + 1].text, {"int", pointer});
    (is_parameter ? parameters : variables).insert(is_long_type ? "" : tokens[begin].text);
  }
  const std::set<std::string>& types = variables.empty() ? parameters : variables;
  return types.size() == 1 ? *types.begin() : "";
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
    if (CountsPieces(size, depth)) return true;
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
  /// `(n + T - 1) / T` with a name T: how many pieces of T there are, whatever T is.
  bool CountsPieces(TokenRange size, int depth) const {
    constexpr std::size_t kTokens = 9;
    if (size.end != size.begin + kTokens) return false;
    const auto text = [&](std::size_t i) -> const std::string& { return tokens_[size.begin + i].text; };
    const std::string& piece = text(3);
    return text(0) == "(" && IsName(text(1)) && IsCount(text(1), depth) && text(2) == "+" && IsName(piece) &&
           text(4) == "-" && text(5) == "1" && text(6) == ")" && text(7) == "/" && text(8) == piece;
  }

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

std::optional<ElementLaunch> FindElementLaunch(std::string_view source, std::string_view array) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const SizeReader reader(tokens);
  std::optional<ElementLaunch> found;
  std::string type;
  for (std::size_t at = 0; at + 3 < tokens.size(); ++at) {
    // `extern __shared__ int name[]`
    const bool is_array =
        tokens[at + 1].text == array && IsAt(tokens, at + 2, "[") && IsAt(tokens, at + 3, "]");
    if (is_array && IsOneOf(tokens[at].text, {"float", "double", "int", "unsigned"})) {
      if (!type.empty() && type != tokens[at].text) return std::nullopt;
      type = tokens[at].text;
    }
    if (tokens[at].text != "<<" || tokens[at + 1].text != "<") continue;
    std::vector<std::size_t> commas;
    std::size_t end = at + 2;
    for (int depth = 0; end < tokens.size() && (depth > 0 || tokens[end].text != ">>"); ++end) {
      depth += IsOneOf(tokens[end].text, {"(", "{", "["})   ? 1
               : IsOneOf(tokens[end].text, {")", "}", "]"}) ? -1
                                                            : 0;
      if (depth == 0 && tokens[end].text == ",") commas.push_back(end);
      if (tokens[end].text == ";") break;
    }
    if (commas.size() < 2) continue;
    const TokenRange size{commas[1] + 1, commas.size() > 2 ? commas[2] : end};
    // Another launch with bytes may be the one that is meant.
    if (found || !reader.CountsElements(size)) return std::nullopt;
    const bool is_zero = size.end == size.begin + 1 && tokens[size.begin].text == "0";
    if (is_zero) return std::nullopt;
    found = ElementLaunch{tokens[at].line, TextOf(tokens, size.begin, size.end), ""};
  }
  if (!found || type.empty()) return std::nullopt;
  found->type = type;
  return found;
}

}  // namespace warplings
