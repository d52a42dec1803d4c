// SPDX-License-Identifier: Apache-2.0
#include "grader/build/narrow_variables.h"

#include <algorithm>
#include <limits>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

struct Type {
  std::string name;
  std::int64_t most = 0;
  std::size_t end = 0;  ///< One past its last word.
};

/// The type whose words begin at `at`: `unsigned short int`, `uint16_t`.
std::optional<Type> NarrowTypeAt(const Tokens& tokens, std::size_t at) {
  const std::string& word = tokens[at].text;
  constexpr std::int64_t kByte = std::numeric_limits<std::uint8_t>::max(),
                         kSignedByte = std::numeric_limits<std::int8_t>::max(),
                         kTwoBytes = std::numeric_limits<std::uint16_t>::max(),
                         kSignedTwoBytes = std::numeric_limits<std::int16_t>::max();
  if (word == "uint8_t") return Type{word, kByte, at + 1};
  if (word == "int8_t") return Type{word, kSignedByte, at + 1};
  if (word == "uint16_t") return Type{word, kTwoBytes, at + 1};
  if (word == "int16_t") return Type{word, kSignedTwoBytes, at + 1};
  const bool has_sign = IsOneOf(word, {"unsigned", "signed"}), is_unsigned = word == "unsigned";
  const std::size_t size = has_sign ? at + 1 : at;
  const bool is_short = IsAt(tokens, size, "short");
  if (!is_short && !IsAt(tokens, size, "char")) return std::nullopt;
  Type type{has_sign ? word + " " + tokens[size].text : word, 0, size + 1};
  type.most = is_short ? (is_unsigned ? kTwoBytes : kSignedTwoBytes) : (is_unsigned ? kByte : kSignedByte);
  if (is_short && IsAt(tokens, type.end, "int")) ++type.end;
  return type;
}

/// `a, b = 3;`: the names behind a type. Those behind a parameter's comma have a type of their own.
void AddNames(const Tokens& tokens, std::size_t at, std::vector<std::string>& names) {
  for (; at < tokens.size() && IsName(tokens[at].text); ++at) {
    const std::string& name = tokens[at].text;
    const bool is_variable =
        at + 1 < tokens.size() && IsOneOf(tokens[at + 1].text, {"=", ",", ";", ")", "{"});
    if (!is_variable) return;
    if (std::ranges::count(names, name) == 0) names.push_back(name);
    for (++at; at < tokens.size() && !IsOneOf(tokens[at].text, {",", ";", ")"}); ++at) {
      if (IsOneOf(tokens[at].text, {"(", "[", "{"})) at = BehindBracket(tokens, at) - 1;
    }
    const bool has_type =
        at + 2 < tokens.size() && IsName(tokens[at + 1].text) && IsName(tokens[at + 2].text);
    if (!IsAt(tokens, at, ",") || has_type) return;
  }
}

}  // namespace

std::optional<NarrowVariables> FindNarrowVariables(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  NarrowVariables found;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    // `(short)x` and `vector<char>` declare nothing.
    const auto type = NarrowTypeAt(tokens, at);
    if (!type || (!found.type.empty() && found.type != type->name)) continue;
    std::vector<std::string> names = found.names;
    AddNames(tokens, type->end, names);
    if (names.size() > found.names.size()) found = {type->name, type->most, std::move(names)};
    at = type->end - 1;
  }
  if (found.names.empty()) return std::nullopt;
  return found;
}

}  // namespace warplings
