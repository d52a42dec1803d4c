// SPDX-License-Identifier: Apache-2.0
#include "grader/build/block_indices.h"

#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "grader/build/calls.h"
#include "grader/build/code_words.h"
#include "grader/build/index_sums.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

bool IsBuiltIn(const std::string& name) {
  return IsOneOf(name, {"threadIdx", "blockIdx", "blockDim", "gridDim"});
}

/// The kernel around a token, with its parameters.
std::optional<TokenRange> KernelAround(const Tokens& tokens, std::size_t at) {
  const auto name = EnclosingFunction(tokens, at);
  if (!name) return std::nullopt;
  bool is_kernel = false;
  for (std::size_t i = *name; i-- > 0 && !IsOneOf(tokens[i].text, {";", "{", "}"});)
    is_kernel = is_kernel || tokens[i].text == "__global__";
  std::size_t body = *name;
  while (body < at && tokens[body].text != "{") ++body;
  if (!is_kernel) return std::nullopt;
  return TokenRange{*name, BehindBracket(tokens, body)};
}

/// `blockIdx.x` at `at`: "x".
std::string AxisAt(const Tokens& tokens, std::size_t at) {
  return IsAt(tokens, at + 1, ".") && at + 2 < tokens.size() ? tokens[at + 2].text : "";
}

/// Whether the tokens multiply blockIdx of an axis by gridDim of the same: that axis, or "".
std::string TimesBlocks(const Tokens& tokens, TokenRange value) {
  for (std::size_t at = value.begin; at + 7 <= value.end; ++at) {
    const std::string &first = tokens[at].text, &second = tokens[at + 4].text;
    const bool is_product = tokens[at + 3].text == "*" && ((first == "blockIdx" && second == "gridDim") ||
                                                           (first == "gridDim" && second == "blockIdx"));
    // A third factor makes it something else.
    const bool has_more = at > value.begin && tokens[at - 1].text == "*";
    const bool goes_on = at + 7 < value.end && tokens[at + 7].text == "*";
    if (is_product && !has_more && !goes_on && AxisAt(tokens, at) == AxisAt(tokens, at + 4))
      return AxisAt(tokens, at);
  }
  return "";
}

/// Whether they add blockIdx and threadIdx of an axis, neither with a factor: that axis, or "".
std::string BlockAlone(const Tokens& tokens, TokenRange value) {
  for (std::size_t at = value.begin; at + 7 <= value.end; ++at) {
    const std::string &first = tokens[at].text, &second = tokens[at + 4].text;
    const bool is_sum = tokens[at + 3].text == "+" && ((first == "blockIdx" && second == "threadIdx") ||
                                                       (first == "threadIdx" && second == "blockIdx"));
    const bool has_factor = (at > value.begin && tokens[at - 1].text == "*") ||
                            (at + 7 < value.end && tokens[at + 7].text == "*");
    if (is_sum && !has_factor && AxisAt(tokens, at) == AxisAt(tokens, at + 4)) return AxisAt(tokens, at);
  }
  return "";
}

/// The subscripts of the only element to which the line stores.
std::optional<TokenRange> StoredSubscripts(const Tokens& tokens, int line) {
  std::optional<TokenRange> found;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].line != line || !IsName(tokens[at].text) || tokens[at + 1].text != "[") continue;
    const std::size_t end = BehindSubscripts(tokens, at + 1);
    if (end >= tokens.size()) return std::nullopt;
    const std::string& next = tokens[end].text;
    if (next != "=" && !IsCompoundAssignment(next) && !IsOneOf(next, {"++", "--"})) continue;
    if (found) return std::nullopt;
    found = TokenRange{at + 1, end};
  }
  return found;
}

/// The values that an index is computed from: the subscripts, and what their names are set to in the kernel.
class IndexValues {
 public:
  IndexValues(const Tokens& tokens, TokenRange kernel, TokenRange subscripts)
      : tokens_(tokens), kernel_(kernel) {
    // The brackets themselves are no elements of other arrays.
    for (std::size_t at = subscripts.begin; at < subscripts.end;) {
      const std::size_t end = BehindBracket(tokens, at);
      Add({at + 1, end - 1});
      at = end;
    }
  }

  /// Not if elements of arrays or results of functions are among them.
  bool are_known() const { return are_known_; }
  bool Have(std::string_view name) const { return names_.contains(name); }
  const std::vector<TokenRange>& values() const { return values_; }

 private:
  void Add(TokenRange value) {
    values_.push_back(value);
    for (std::size_t at = value.begin; at < value.end; ++at) {
      const std::string& text = tokens_[at].text;
      if (text == "[" || text == "->" || (text == "*" && IsOneOf(tokens_[at - 1].text, {"(", "=", "["})))
        are_known_ = false;
      if (!IsName(text) || IsOneOf(tokens_[at - 1].text, {"."})) continue;
      const bool is_call =
          IsAt(tokens_, at + 1, "(") && !IsNumberType(text) && !IsOneOf(text, {"min", "max"});
      if (is_call) are_known_ = false;
      if (!names_.insert(text).second || IsBuiltIn(text)) continue;
      for (std::size_t i = kernel_.begin; i + 1 < kernel_.end; ++i) {
        if (tokens_[i].text != text || IsOneOf(tokens_[i - 1].text, {".", "->"})) continue;
        const std::string& next = tokens_[i + 1].text;
        if (next == "=" || IsCompoundAssignment(next)) Add({i + 2, EndOfValue(tokens_, i + 2, kernel_.end)});
        // `dim3 i(…)`, or one that other code sets.
        if (i > kernel_.begin && tokens_[i - 1].text == "&") are_known_ = false;
      }
    }
  }

  const Tokens& tokens_;
  TokenRange kernel_;
  std::set<std::string, std::less<>> names_;
  std::vector<TokenRange> values_;
  bool are_known_ = true;
};

/// With the name of the variable that is set to the value, or the value itself.
BlockIndex WithPlace(const Tokens& tokens, TokenRange value, BlockIndex::Mistake mistake) {
  BlockIndex index{mistake, TextOf(tokens, value.begin, value.end), tokens[value.begin].line};
  if (value.begin >= 2 && tokens[value.begin - 1].text == "=" && IsName(tokens[value.begin - 2].text))
    index.index = tokens[value.begin - 2].text;
  return index;
}

std::optional<Tokens> TokensToSearch(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  return TokensOf(WithoutComments(source));
}

}  // namespace

std::optional<BlockIndex> FindWrongBlockIndex(std::string_view source, int storing_line) {
  const auto tokens = TokensToSearch(source);
  const auto subscripts = tokens ? StoredSubscripts(*tokens, storing_line) : std::nullopt;
  const auto kernel = subscripts ? KernelAround(*tokens, subscripts->begin) : std::nullopt;
  if (!kernel) return std::nullopt;
  const IndexValues values(*tokens, *kernel, *subscripts);
  if (!values.are_known()) return std::nullopt;
  for (const TokenRange& value : values.values()) {
    for (const auto& [find, mistake] : {std::pair(&TimesBlocks, BlockIndex::Mistake::kTimesBlocks),
                                        std::pair(&BlockAlone, BlockIndex::Mistake::kBlockAlone)}) {
      const std::string axis = find(*tokens, value);
      if (axis.empty()) continue;
      BlockIndex index = WithPlace(*tokens, value, mistake);
      index.axis = axis;
      return index;
    }
  }
  if (values.Have("blockIdx") || !values.Have("threadIdx")) return std::nullopt;
  for (const TokenRange& value : values.values()) {
    for (std::size_t at = value.begin; at < value.end; ++at)
      if ((*tokens)[at].text == "threadIdx")
        return WithPlace(*tokens, value, BlockIndex::Mistake::kWithoutBlock);
  }
  return std::nullopt;
}

std::optional<BlockIndex> FindIndexTimesBlocks(std::string_view source) {
  const auto tokens = TokensToSearch(source);
  if (!tokens) return std::nullopt;
  for (std::size_t at = 2; at < tokens->size(); ++at) {
    if ((*tokens)[at - 1].text != "=" || !IsName((*tokens)[at - 2].text)) continue;
    const TokenRange value{at, EndOfValue(*tokens, at, tokens->size())};
    const std::string axis = TimesBlocks(*tokens, value);
    bool has_thread = false;
    for (std::size_t i = value.begin; i < value.end; ++i)
      has_thread = has_thread || (*tokens)[i].text == "threadIdx";
    if (axis.empty() || !has_thread || !KernelAround(*tokens, at)) continue;
    BlockIndex index = WithPlace(*tokens, value, BlockIndex::Mistake::kTimesBlocks);
    index.axis = axis;
    return index;
  }
  return std::nullopt;
}

}  // namespace warplings
