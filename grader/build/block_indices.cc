// SPDX-License-Identifier: Apache-2.0
#include "grader/build/block_indices.h"

#include <algorithm>
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

/// Whether the index of a block may come from elsewhere than from a kernel's `blockIdx`: a function of the
/// device, a macro, a cooperative group, assembly, or the number that an atomic function returns.
bool HidesBlockIndex(const Tokens& tokens, std::string_view code) {
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {"asm", "__asm__", "cooperative_groups", "cg"})) return true;
    const bool is_atomic = text.starts_with("atomic") && IsAt(tokens, at + 1, "(");
    // Its value is used where it is no statement of its own.
    if (is_atomic && at > 0 && !IsOneOf(tokens[at - 1].text, {";", "{", "}", ")", "else"})) return true;
    if (text == "blockIdx" && (!KernelAround(tokens, at) || !IsAt(tokens, at + 1, "."))) return true;
  }
  for (std::size_t at = code.find("#define"); at != std::string_view::npos;
       at = code.find("#define", at + 1)) {
    const std::string_view line = code.substr(at, code.find('\n', at) - at);
    if (line.find("blockIdx") != std::string_view::npos || line.ends_with('\\')) return true;
  }
  return false;
}

/// The body of the only kernel with that name.
std::optional<TokenRange> KernelNamed(const Tokens& tokens, std::string_view kernel) {
  std::optional<TokenRange> found;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != kernel || tokens[at + 1].text != "(") continue;
    const std::size_t body = BehindBracket(tokens, at + 1);
    if (!IsAt(tokens, body, "{")) continue;
    if (found || !KernelAround(tokens, body + 1)) return std::nullopt;
    found = TokenRange{body, BehindBracket(tokens, body)};
  }
  return found;
}

bool IsOfAxis(const Tokens& tokens, std::size_t at, std::string_view name, char axis) {
  return tokens[at].text == name && AxisAt(tokens, at) == std::string_view(&axis, 1);
}

bool UsesBlock(const Tokens& tokens, TokenRange body, char axis) {
  for (std::size_t at = body.begin; at < body.end; ++at)
    if (IsOfAxis(tokens, at, "blockIdx", axis)) return true;
  return false;
}

/// What a kernel calls the index of its thread along an axis.
struct ThreadIndices {
  std::vector<std::size_t> uses;  ///< Where `threadIdx` of the axis is.
  std::set<std::string, std::less<>>
      names;  ///< `tx` of `int tx = threadIdx.x;`, and `col` of `int col = tx;`.
  /// Where those are declared that are only compared with lengths, and used in indices of the kernel's
  /// parameters: not `tx` of `tile[ty][tx]`.
  std::vector<std::size_t> last;
};

/// Whether the token is between brackets behind the name of one of the kernel's parameters.
bool IsInSubscriptOfParameter(const Tokens& tokens, TokenRange body, std::size_t at) {
  int depth = 0;
  for (std::size_t open = at; open-- > body.begin && !IsOneOf(tokens[open].text, {";", "{", "}"});) {
    depth += tokens[open].text == "]" ? 1 : tokens[open].text == "[" ? -1 : 0;
    if (depth >= 0) continue;
    return HasAny(tokens, {OpeningOf(tokens, body.begin - 1), body.begin}, {tokens[open - 1].text});
  }
  return false;
}

ThreadIndices IndicesOfThread(const Tokens& tokens, TokenRange body, char axis) {
  ThreadIndices indices;
  std::vector<std::size_t> declared;
  for (std::size_t at = body.begin + 2; at + 1 < body.end; ++at) {
    const bool is_thread = IsOfAxis(tokens, at, "threadIdx", axis);
    if (is_thread) indices.uses.push_back(at);
    const std::size_t end = at + (is_thread ? 3 : 1);
    const bool is_alone =
        tokens[at - 1].text == "=" && end < body.end && IsOneOf(tokens[end].text, {";", ","});
    if (!is_alone || (!is_thread && !indices.names.contains(tokens[at].text))) continue;
    // `for (int b = tx; …` counts on.
    const std::size_t name = at - 2;
    const bool is_plain =
        IsName(tokens[name].text) && IsOneOf(tokens[name - 1].text, {"int", "unsigned", ","});
    std::size_t begin = name;
    while (begin > body.begin && !IsOneOf(tokens[begin].text, {";", "{", "}", "("})) --begin;
    if (!is_plain || tokens[begin].text == "(") continue;
    indices.names.insert(tokens[name].text);
    declared.push_back(name);
  }
  for (const std::size_t name : declared) {
    std::size_t uses = 0;
    bool are_of_elements = true;
    for (std::size_t at = body.begin + 1; at + 1 < body.end; ++at) {
      if (tokens[at].text != tokens[name].text || at == name) continue;
      ++uses;
      const bool is_compared = IsOneOf(tokens[at + 1].text, {"<", ">="}) && !IsAt(tokens, at + 2, "0");
      are_of_elements = are_of_elements && (is_compared || IsInSubscriptOfParameter(tokens, body, at));
    }
    if (are_of_elements && uses > 0) indices.last.push_back(name);
  }
  return indices;
}

/// `blockDim.y * TILE + ty`: the block's size times a constant, or times itself, and the index of the thread.
std::optional<TokenRange> TimesSize(const Tokens& tokens, TokenRange body, char axis,
                                    const std::set<std::string, std::less<>>& names) {
  for (std::size_t at = body.begin + 1; at + 7 < body.end; ++at) {
    const bool begins = IsOfAxis(tokens, at, "blockDim", axis) && IsAt(tokens, at + 3, "*") &&
                        IsOneOf(tokens[at - 1].text, {"=", "[", "("});
    if (!begins) continue;
    const bool by_itself = IsOfAxis(tokens, at + 4, "blockDim", axis);
    const std::size_t plus = at + (by_itself ? 7 : 5);
    const std::string& factor = tokens[at + 4].text;
    const bool is_constant = BeginsAsConstant(factor) || (factor.front() >= '0' && factor.front() <= '9');
    if (!by_itself && !is_constant) continue;
    if (!IsAt(tokens, plus, "+") || plus + 4 >= body.end) continue;
    const bool is_name = names.contains(tokens[plus + 1].text);
    const std::size_t end = plus + (is_name ? 2 : 4);
    if (!is_name && !IsOfAxis(tokens, plus + 1, "threadIdx", axis)) continue;
    if (IsOneOf(tokens[end].text, {";", ",", "]", ")"})) return TokenRange{at, end};
  }
  return std::nullopt;
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

std::optional<UnusedBlockIndex> FindUnusedBlockIndex(std::string_view source, std::string_view kernel,
                                                     std::string_view axes) {
  const auto tokens = TokensToSearch(source);
  if (!tokens || HidesBlockIndex(*tokens, WithoutComments(source))) return std::nullopt;
  const auto body = KernelNamed(*tokens, kernel);
  if (!body) return std::nullopt;
  std::string unused;
  for (const char axis : axes) {
    if (!UsesBlock(*tokens, *body, axis) && !IndicesOfThread(*tokens, *body, axis).uses.empty())
      unused += axis;
  }
  if (unused.empty()) return std::nullopt;
  UnusedBlockIndex found;
  const bool is_any = unused == axes && unused.size() > 1;
  found.axis = is_any ? ' ' : unused.front();
  found.index = is_any ? "blockIdx" : std::string("blockIdx.") + unused.front();
  for (const char axis : unused) {
    if (!is_any && axis != found.axis) continue;
    const ThreadIndices indices = IndicesOfThread(*tokens, *body, axis);
    if (const auto product = TimesSize(*tokens, *body, axis, indices.names);
        product && found.product.empty()) {
      found.product = TextOf(*tokens, product->begin, product->end);
      found.product_line = (*tokens)[product->begin].line;
      found.index = std::string("blockIdx.") + axis;
      found.axis = axis;
    }
    for (const std::size_t at : indices.last)
      found.variables.push_back({(*tokens)[at].text, (*tokens)[at].line});
  }
  std::ranges::stable_sort(found.variables, {}, &UnusedBlockIndex::Variable::line);
  return found;
}

std::optional<std::string> FindStoredElement(std::string_view source, int line) {
  const auto tokens = TokensToSearch(source);
  const auto subscripts = tokens ? StoredSubscripts(*tokens, line) : std::nullopt;
  const auto kernel = subscripts ? KernelAround(*tokens, subscripts->begin) : std::nullopt;
  if (!kernel) return std::nullopt;
  const std::string& array = (*tokens)[subscripts->begin - 1].text;
  const std::size_t body = BehindBracket(*tokens, kernel->begin + 1);
  if (!HasAny(*tokens, {kernel->begin + 1, body}, {array})) return std::nullopt;
  for (std::size_t at = body; at + 1 < kernel->end; ++at) {
    if ((*tokens)[at].text != array) continue;
    const bool is_moved = IsOneOf((*tokens)[at + 1].text, {"=", "+=", "-=", "++", "--"}) ||
                          IsOneOf((*tokens)[at - 1].text, {"++", "--", "*", "&"});
    if (is_moved) return std::nullopt;
  }
  return TextOf(*tokens, subscripts->begin - 1, subscripts->end);
}

bool StoresAnew(std::string_view source, int line) {
  const auto tokens = TokensToSearch(source);
  const auto subscripts = tokens ? StoredSubscripts(*tokens, line) : std::nullopt;
  if (!subscripts || !IsAt(*tokens, subscripts->end, "=")) return false;
  const std::size_t end = EndOfValue(*tokens, subscripts->end + 1, tokens->size());
  return !HasAny(*tokens, {subscripts->end, end}, {(*tokens)[subscripts->begin - 1].text});
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
