// SPDX-License-Identifier: Apache-2.0
#include "grader/build/division_slips.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "grader/build/code_words.h"
#include "grader/messages/build.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

/// Past the name or number at `at`, such as `T`, `block.x` or `16`; `at` if there is none.
std::size_t BehindOperand(const Code& tokens, std::size_t at) {
  if (at >= tokens.size() || !IsWordCharacter(tokens[at].text.front())) return at;
  std::size_t end = at + 1;
  while (IsAt(tokens, end, ".") && end + 1 < tokens.size()) end += 2;
  return end;
}

/// What begins there up to the +: words and products of them, which stand in front of the sum alone. The
/// first token; `plus` if there is more to it.
std::size_t BeginOfLength(const Code& tokens, std::size_t plus) {
  std::size_t begin = plus;
  while (begin > 0 &&
         (IsWordCharacter(tokens[begin - 1].text.front()) || IsOneOf(tokens[begin - 1].text, {".", "*"})))
    --begin;
  const bool is_alone = begin > 0 && begin < plus &&
                        IsOneOf(tokens[begin - 1].text, {"=", "(", ",", "{", "<"}) &&
                        tokens[begin].text != "*" && tokens[begin].text != "return";
  if (begin < plus && tokens[begin].text == "return") return begin + 1 < plus ? begin + 1 : plus;
  return is_alone ? begin : plus;
}

std::optional<Slip> DivisionSlipAt(const Code& tokens, std::size_t plus,
                                   const std::set<std::string>& float_names) {
  if (tokens[plus].text != "+" || plus == 0) return std::nullopt;
  const bool has_parenthesis = IsAt(tokens, plus + 1, "(");
  const std::size_t first = plus + (has_parenthesis ? 2 : 1), behind = BehindOperand(tokens, first);
  if (behind == first || !IsAt(tokens, behind, "-") || !IsAt(tokens, behind + 1, "1")) return std::nullopt;
  std::size_t divide = behind + 2;
  if (has_parenthesis && !IsAt(tokens, divide++, ")")) return std::nullopt;
  if (!IsAt(tokens, divide, "/")) return std::nullopt;
  const std::size_t end = BehindOperand(tokens, divide + 1);
  const std::string divisor = TextOf(tokens, first, behind);
  if (end == divide + 1 || TextOf(tokens, divide + 1, end) != divisor || divisor == "1") return std::nullopt;
  if (end >= tokens.size() || !IsOneOf(tokens[end].text, {";", ",", ")", "}", ">>"})) return std::nullopt;
  const std::size_t begin = BeginOfLength(tokens, plus);
  if (begin == plus) return std::nullopt;
  // A parenthesis that nothing closes is the mistake instead.
  const bool is_within = IsOneOf(tokens[begin - 1].text, {"(", "<"});
  if (is_within && IsOneOf(tokens[end].text, {";", "}"})) return std::nullopt;
  const bool is_of_floats =
      std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                  tokens.begin() + static_cast<std::ptrdiff_t>(end), [&](const CodeToken& each) {
                    return float_names.contains(each.text) || IsOneOf(each.text, {"float", "double"}) ||
                           (IsWordCharacter(each.text.front()) && !IsName(each.text) &&
                            each.text.find('.') != std::string::npos);
                  });
  if (is_of_floats) return std::nullopt;
  const std::string length = TextOf(tokens, begin, plus);
  const std::size_t divided = has_parenthesis ? plus + 1 : behind + 1;
  return Slip{tokens[plus].line,
              say::only_last_part_divided(length + " + " + TextOf(tokens, plus + 1, end),
                                          say::Line(tokens[plus].line), TextOf(tokens, divided, end),
                                          "(" + length + " + " + divisor + " - 1) / " + divisor)};
}

}  // namespace

std::vector<Slip> FindDivisionSlips(const Code& tokens, const std::set<std::string>& float_names) {
  std::vector<Slip> found;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (auto slip = DivisionSlipAt(tokens, at, float_names)) found.push_back(std::move(*slip));
  }
  return found;
}

}  // namespace warplings
