// SPDX-License-Identifier: Apache-2.0
#include "grader/build/row_lengths.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

const std::string& WordAt(const Tokens& tokens, std::size_t at) {
  static const std::string kNone;
  return at < tokens.size() ? tokens[at].text : kNone;
}

/// Whether the name after this token is only a part of what is compared.
bool ContinuesTerm(const std::string& text) {
  return IsOneOf(text, {"+", "-", "*", "/", "%", ".", "->", "<<", ">>"});
}

/// The same of the name before it.
bool HasMore(const std::string& text) {
  return ContinuesTerm(text) || IsOneOf(text, {"[", "("});
}

/// What the variable stays below: "rows" of `row < rows` and `rows > row`, and of what returns elsewhere,
/// `row >= rows`. An expression counts as a limit without a name.
std::set<std::string> LimitsOf(const Tokens& tokens, const std::string& variable) {
  std::set<std::string> limits;
  for (std::size_t at = 1; at + 2 < tokens.size(); ++at) {
    const std::string& sign = tokens[at + 1].text;
    const std::string &left = tokens[at].text, &right = tokens[at + 2].text;
    if (IsOneOf(sign, {"<", ">="}) && left == variable && !ContinuesTerm(tokens[at - 1].text)) {
      limits.insert(HasMore(WordAt(tokens, at + 3)) ? "" : right);
    } else if (IsOneOf(sign, {">", "<="}) && right == variable && !HasMore(WordAt(tokens, at + 3))) {
      limits.insert(ContinuesTerm(tokens[at - 1].text) ? "" : left);
    }
  }
  return limits;
}

/// The limit of a variable that has one alone, a name; else empty.
std::string OnlyLimitOf(const Tokens& tokens, const std::string& variable) {
  const std::set<std::string> limits = LimitsOf(tokens, variable);
  return limits.size() == 1 && IsName(*limits.begin()) ? *limits.begin() : "";
}

/// `a * b + c`, of names: the factors and what is added.
struct Index {
  std::array<std::string, 2> factors;
  std::string added;
};

/// Between the brackets that open at `open`; in either order, and nothing else.
std::optional<Index> ReadIndex(const Tokens& tokens, std::size_t open) {
  const auto text = [&](std::size_t i) -> const std::string& { return WordAt(tokens, open + i); };
  if (text(0) != "[" || text(6) != "]" || !IsName(text(1)) || !IsName(text(3)) || !IsName(text(5)))
    return std::nullopt;
  if (text(2) == "*" && text(4) == "+") return Index{{text(1), text(3)}, text(5)};
  if (text(2) == "+" && text(4) == "*") return Index{{text(3), text(5)}, text(1)};
  return std::nullopt;
}

}  // namespace

std::optional<WrongRowLength> FindWrongRowLength(std::string_view source, int line, std::string_view array) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].line != line || tokens[at].text != array) continue;
    const auto index = ReadIndex(tokens, at + 1);
    if (!index) continue;
    const std::string needed = OnlyLimitOf(tokens, index->added);
    for (const std::size_t row : {0, 1}) {
      const std::string &variable = index->factors[row], &used = index->factors[1 - row];
      if (OnlyLimitOf(tokens, variable) == used && !needed.empty() && needed != used)
        return WrongRowLength{variable, used, index->added, needed};
    }
  }
  return std::nullopt;
}

std::optional<int> FindRowDivision(std::string_view source, std::string_view length) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  const auto has = [&](std::size_t at, const std::string& number, std::string_view sign) {
    return tokens[at].text == number && IsAt(tokens, at + 1, sign) && IsAt(tokens, at + 2, length);
  };
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& number = tokens[at].text;
    if (!IsName(number) || !has(at, number, "/")) continue;
    for (std::size_t other = 0; other < tokens.size(); ++other) {
      if (has(other, number, "%")) return tokens[at].line;
    }
  }
  return std::nullopt;
}

namespace {

/// Where the number before the sign at `at` begins: `e`, or `blockIdx.x`.
std::size_t BeginOfNumber(const Tokens& tokens, std::size_t at) {
  return at >= 3 && tokens[at - 2].text == "." ? at - 3 : at - 1;
}

/// The tokens that a variable gets as its value, from each `name = …` to the semicolon or comma.
std::vector<TokenRange> ValuesOf(const Tokens& tokens, const std::string& name) {
  std::vector<TokenRange> values;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != name || tokens[at + 1].text != "=") continue;
    std::size_t end = at + 2;
    while (end < tokens.size() && !IsOneOf(tokens[end].text, {";", ","}))
      end = tokens[end].text == "(" ? BehindBracket(tokens, end) : end + 1;
    values.push_back({at + 2, end});
  }
  return values;
}

/// Whether the variable, or one that follows from it, is multiplied by one of these lengths.
bool IsRow(const Tokens& tokens, const std::string& variable, std::initializer_list<std::string_view> lengths,
           int steps = 2) {
  for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
    if (tokens[at].text == variable && tokens[at + 1].text == "*" && IsOneOf(tokens[at + 2].text, lengths))
      return true;
    const bool goes_on = steps > 0 && IsName(tokens[at].text) && tokens[at + 1].text == "=" &&
                         tokens[at + 2].text == variable && IsAt(tokens, at + 3, "*");
    if (goes_on && IsRow(tokens, tokens[at].text, lengths, steps - 1)) return true;
  }
  return false;
}

/// Of the parameter at `at` of a kernel: whether all launches pass a variable of the same name.
bool IsPassedAsItself(const Tokens& tokens, std::size_t at) {
  std::size_t open = at;
  for (int depth = 0; open > 0; --open) {
    const std::string& text = tokens[open - 1].text;
    if (text == ")") ++depth;
    if (text == "(" && depth-- == 0) break;
  }
  if (open < 2) return false;
  const std::vector<TokenRange> parameters = PartsOf(tokens, open - 1);
  const auto place =
      static_cast<std::size_t>(std::ranges::find(parameters, at + 1, &TokenRange::end) - parameters.begin());
  const std::string& kernel = tokens[open - 2].text;
  bool any = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != kernel || tokens[i + 1].text != "<<" || !IsAt(tokens, i + 2, "<")) continue;
    while (i < tokens.size() && !(tokens[i].text == ">>" && IsAt(tokens, i + 1, ">"))) ++i;
    if (!IsAt(tokens, i + 2, "(")) return false;
    const std::vector<TokenRange> arguments = PartsOf(tokens, i + 2);
    const bool is_itself = place < arguments.size() && arguments[place].begin + 1 == arguments[place].end &&
                           tokens[arguments[place].begin].text == tokens[at].text;
    if (!is_itself) return false;
    any = true;
  }
  return any;
}

/// Whether all values of the variable are computed from `rows`, and from no other name in small letters that
/// is no function.
bool FollowsFrom(const Tokens& tokens, const std::string& variable, std::string_view rows) {
  const auto values = ValuesOf(tokens, variable);
  if (values.size() != 1) return false;
  bool has_rows = false;
  for (std::size_t at = values[0].begin; at < values[0].end; ++at) {
    const std::string& text = tokens[at].text;
    if (!IsName(text) || IsAt(tokens, at + 1, "(") || BeginsAsConstant(text)) continue;
    if (text != rows) return false;
    has_rows = true;
  }
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    const bool is_parameter = tokens[at].text == variable && tokens[at - 1].text == "int" &&
                              IsOneOf(tokens[at + 1].text, {",", ")"});
    if (is_parameter && !IsPassedAsItself(tokens, at)) return false;
  }
  return has_rows;
}

}  // namespace

std::optional<DivisionByRows> FindDivisionByRows(std::string_view source, std::string_view rows,
                                                 std::initializer_list<std::string_view> lengths) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (std::size_t at = 3; at + 2 < tokens.size(); ++at) {
    if (tokens[at].text != "/" || !IsName(tokens[at + 1].text)) continue;
    const std::size_t begin = BeginOfNumber(tokens, at);
    if (begin < 2 || !IsName(tokens[begin].text) || tokens[begin - 1].text != "=") continue;
    if (!IsOneOf(tokens[at + 2].text, {";", ",", "*"})) continue;
    const std::string &variable = tokens[begin - 2].text, &divisor = tokens[at + 1].text;
    bool has_remainder = false;
    for (std::size_t other = 3; other + 1 < tokens.size(); ++other) {
      has_remainder |= tokens[other].text == "%" && tokens[other + 1].text == divisor &&
                       TextOf(tokens, BeginOfNumber(tokens, other), other) == TextOf(tokens, begin, at);
    }
    const bool of_tiles = divisor != rows;
    if (!has_remainder || (of_tiles && !FollowsFrom(tokens, divisor, rows))) continue;
    if (IsRow(tokens, variable, lengths))
      return DivisionByRows{tokens[at].line, TextOf(tokens, begin, at + 2), divisor, of_tiles};
  }
  return std::nullopt;
}

std::optional<NoRemainder> FindNoRemainder(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const auto are_names = [&](std::initializer_list<std::size_t> places) {
    return std::ranges::all_of(places, [&](std::size_t at) { return IsName(WordAt(tokens, at)); });
  };
  // q = e / d; … r = e - q * o;
  for (std::size_t q = 0; q + 5 < tokens.size(); ++q) {
    const bool divides = are_names({q, q + 2, q + 4}) && tokens[q + 1].text == "=" &&
                         tokens[q + 3].text == "/" && IsOneOf(tokens[q + 5].text, {";", ","});
    if (!divides || ValuesOf(tokens, tokens[q].text).size() != 1) continue;
    for (std::size_t r = q + 5; r + 7 < tokens.size(); ++r) {
      const bool subtracts = are_names({r, r + 2, r + 4, r + 6}) && tokens[r + 1].text == "=" &&
                             tokens[r + 2].text == tokens[q + 2].text && tokens[r + 3].text == "-" &&
                             tokens[r + 4].text == tokens[q].text && tokens[r + 5].text == "*" &&
                             IsOneOf(tokens[r + 7].text, {";", ","});
      if (!subtracts || tokens[r + 6].text == tokens[q + 4].text) continue;
      return NoRemainder{tokens[r].line, tokens[q].line, TextOf(tokens, r + 4, r + 7), tokens[q + 4].text};
    }
  }
  return std::nullopt;
}

std::optional<AskedForFours> FindAskedForFours(std::string_view source,
                                               std::initializer_list<std::string_view> sides) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  std::optional<AskedForFours> found;
  for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
    const bool asks = (tokens[at + 1].text == "%" && tokens[at + 2].text == "4") ||
                      (tokens[at + 1].text == "&" && tokens[at + 2].text == "3");
    if (!asks || !IsOneOf(tokens[at].text, sides)) continue;
    if (found && found->side != tokens[at].text) return std::nullopt;
    if (!found) found = AskedForFours{tokens[at].line, tokens[at].text};
  }
  return found;
}

namespace {

/// "x" of a variable whose only value has blockIdx.x, or is a variable whose only value has it; "" of one
/// that has no block index, or several, or several values.
std::string BlockIndexOf(const Tokens& tokens, const std::string& variable, int steps = 2) {
  const auto values = ValuesOf(tokens, variable);
  if (values.size() != 1) return "";
  const auto [begin, end] = values.front();
  std::set<std::string> indices;
  for (std::size_t at = begin; at < end; ++at) {
    if (tokens[at].text == "blockIdx" && IsAt(tokens, at + 1, ".")) indices.insert(WordAt(tokens, at + 2));
    const bool is_variable = steps > 0 && IsName(tokens[at].text) && tokens[at].text != variable;
    if (is_variable) indices.insert(BlockIndexOf(tokens, tokens[at].text, steps - 1));
  }
  indices.erase("");
  return indices.size() == 1 ? *indices.begin() : "";
}

/// The variables with a block index in the subscripts of `array`, and which.
std::set<std::pair<std::string, std::string>> BlockIndicesIn(const Tokens& tokens, std::string_view array) {
  std::set<std::pair<std::string, std::string>> found;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != array || tokens[at + 1].text != "[") continue;
    const std::size_t end = BehindBracket(tokens, at + 1);
    for (std::size_t i = at + 2; i < end; ++i) {
      // A block index itself is no variable whose line could be named.
      if (tokens[i].text == "blockIdx") found.emplace("", WordAt(tokens, i + 2));
      const std::string index = IsName(tokens[i].text) ? BlockIndexOf(tokens, tokens[i].text) : "";
      if (!index.empty()) found.emplace(tokens[i].text, index);
    }
  }
  return found;
}

}  // namespace

std::optional<OtherBlockIndex> FindOtherBlockIndex(std::string_view source, std::string_view array,
                                                   std::string_view output) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const auto loaded = BlockIndicesIn(tokens, array), stored = BlockIndicesIn(tokens, output);
  const bool has_row = std::ranges::any_of(stored, [](const auto& each) { return each.second == "y"; });
  if (loaded.size() != 1 || loaded.begin()->second != "x" || !has_row) return std::nullopt;
  const std::string& variable = loaded.begin()->first;
  if (variable.empty()) return std::nullopt;
  return OtherBlockIndex{tokens[ValuesOf(tokens, variable).front().begin].line, variable};
}

}  // namespace warplings
