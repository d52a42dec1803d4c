// SPDX-License-Identifier: Apache-2.0
#include "grader/build/wrapped_index.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"

namespace warplings {
namespace {

/// "blockIdx.x - 1".
struct Difference {
  std::string minuend;
  std::int64_t subtrahend = 0;
};

/// What is between the brackets, if it is a name minus a number.
std::optional<Difference> DifferenceIn(const std::vector<CodeToken>& tokens, std::size_t bracket) {
  Difference found;
  std::size_t at = bracket + 1;
  for (; at < tokens.size() && (IsName(tokens[at].text) || IsOneOf(tokens[at].text, {".", "->"})); ++at)
    found.minuend += tokens[at].text;
  if (found.minuend.empty() || !IsAt(tokens, at, "-") || !IsAt(tokens, at + 2, "]")) return std::nullopt;
  std::string number = tokens[at + 1].text;
  while (number.ends_with('u') || number.ends_with('U')) number.pop_back();
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), found.subtrahend);
  if (fault != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return found;
}

/// The value of a built-in variable in the finding's thread; nothing for another name.
std::optional<std::int64_t> BuiltIn(const std::string& name, const Finding& finding) {
  const bool is_of_block = name.starts_with("blockIdx.");
  if (!is_of_block && !name.starts_with("threadIdx.")) return std::nullopt;
  const Dim3& index = is_of_block ? finding.block : finding.thread;
  return name.ends_with("x") ? index.x : name.ends_with("y") ? index.y : index.z;
}

/// The name of the array that a message calls "element 7 of `totals`" or "`totals[7]`".
std::string ArrayIn(const Message& place) {
  if (place.arguments().empty() || place.arguments()[0].inner.empty()) return "";
  std::string name = English(place.arguments()[0].inner[0]);
  std::erase(name, '`');
  return name;
}

}  // namespace

void ExplainWrappedIndex(Finding& finding, std::string_view source) {
  if (!say::index_below_zero.Made(finding.message) || source.size() > kLongestSource) return;
  const std::vector<Argument> said = finding.message.arguments();
  const std::int64_t meant = said.at(2).number, used = said.at(3).number;
  Message place = said.at(1).inner.at(0);
  const std::string array = ArrayIn(place);
  if (say::name_in_code.Made(finding.object)) place = say::element_of(array, used);
  finding.message.arguments()[1].inner = {place};
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  std::optional<Difference> index;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].line != finding.where.line || tokens[at].text != array || tokens[at + 1].text != "[")
      continue;
    const auto found = DifferenceIn(tokens, at + 1);
    if (!found || index) return;
    index = found;
  }
  if (!index) return;
  const std::int64_t value = meant + index->subtrahend;
  if (value < 0 || BuiltIn(index->minuend, finding).value_or(value) != value) return;
  finding.message = say::index_below_zero_in(said.at(0).inner.at(0), place,
                                             index->minuend + " - " + std::to_string(index->subtrahend),
                                             index->minuend, value);
}

}  // namespace warplings
