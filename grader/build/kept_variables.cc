// SPDX-License-Identifier: Apache-2.0
#include "grader/build/kept_variables.h"

#include <algorithm>
#include <cstddef>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// Whether a declaration's first tokens have one of these words.
bool HasWord(const Tokens& tokens, std::size_t begin, std::size_t end,
             std::initializer_list<std::string_view> words) {
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](const CodeToken& token) { return IsOneOf(token.text, words); });
}

/// Where the statement that begins at `begin` ends: at its ";", or at the "{" of a body.
std::size_t EndOfStatement(const Tokens& tokens, std::size_t begin) {
  bool has_value = false;
  for (std::size_t at = begin; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    if (text == ";" || text == "}") return at;
    has_value |= text == "=";
    if (IsOneOf(text, {"(", "["}) || (text == "{" && has_value)) {
      at = BehindBracket(tokens, at) - 1;
    } else if (text == "{") {
      return at;
    }
  }
  return tokens.size();
}

/// Where a declaration's first value begins, or its end.
std::size_t EndOfNames(const Tokens& tokens, std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end; ++at) {
    if (IsOneOf(tokens[at].text, {"=", "["})) return at;
  }
  return end;
}

bool IsCompared(const Tokens& tokens, const std::string& name) {
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != name) continue;
    for (const std::size_t beside : {at - 1, at + 1}) {
      if (IsOneOf(tokens[beside].text, {"==", "!="})) return true;
    }
  }
  return false;
}

/// The names that the declaration has: `static int *a = nullptr, b[4];`.
void AddNames(const Tokens& tokens, std::size_t begin, std::size_t end, std::vector<KeptVariable>& found) {
  for (std::size_t at = begin; at < end; ++at) {
    if (tokens[at].text == "<") {
      while (at < end && tokens[at].text != ">") ++at;
      continue;
    }
    const bool ends = at + 1 >= end || IsOneOf(tokens[at + 1].text, {"=", "[", ","});
    if (!ends || at == begin || !IsName(tokens[at].text)) continue;
    const bool is_pointer = tokens[at - 1].text == "*", is_to_const = HasWord(tokens, begin, at, {"const"});
    found.push_back(
        {.line = tokens[at].line,
         .name = tokens[at].text,
         .is_array = IsAt(tokens, at + 1, "["),
         .is_pointer = is_pointer && !is_to_const,
         .is_compared_address = is_pointer && is_to_const && IsCompared(tokens, tokens[at].text)});
    // On to the next name behind a comma outside of brackets.
    for (++at; at < end && tokens[at].text != ","; ++at) {
      if (IsOneOf(tokens[at].text, {"(", "[", "{"})) at = BehindBracket(tokens, at) - 1;
    }
  }
}

/// Whether the statement declares variables that outlive a call. `is_outside`: of functions.
bool DeclaresKept(const Tokens& tokens, std::size_t begin, std::size_t end, bool is_outside) {
  if (begin + 1 >= end || IsAt(tokens, end, "{")) return false;
  const std::size_t names = EndOfNames(tokens, begin, end);
  if (HasWord(tokens, begin, names,
              {"(", "constexpr", "using", "typedef", "template", "struct", "class", "enum", "union", "extern",
               "__shared__", "__constant__", "return", "friend", "operator"}))
    return false;
  const bool is_constant = HasWord(tokens, begin, names, {"const"}) && !HasWord(tokens, begin, names, {"*"});
  if (is_constant) return false;
  if (!is_outside) return tokens[begin].text == "static";
  return IsName(tokens[begin].text);
}

/// Whether the use of the name at `at` can only leave its value or add to it; `adds` becomes true if it adds.
bool OnlyCountsUp(const Tokens& tokens, std::size_t at, bool& adds) {
  const std::string before = at > 0 ? tokens[at - 1].text : "",
                    after = at + 1 < tokens.size() ? tokens[at + 1].text : "";
  if (before == "++" || IsOneOf(after, {"++", "+="})) {
    adds = true;
    return true;
  }
  if (before == "&") {
    const bool is_added = at >= 3 && tokens[at - 2].text == "(" && tokens[at - 3].text == "atomicAdd";
    adds |= is_added;
    return is_added;
  }
  if (before == "--" || IsOneOf(after, {"=", "--"}) || IsCompoundAssignment(after)) return false;
  return true;
}

bool IsOnlyCountedUp(const Tokens& tokens, const KeptVariable& variable) {
  if (variable.is_array) return false;
  bool adds = false, is_declared = false;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text != variable.name) continue;
    if (!is_declared && tokens[at].line == variable.line) {
      is_declared = true;
      continue;
    }
    // cudaMemcpyToSymbol(name, …), and a function that gets it by reference.
    const bool is_argument = at > 0 && IsOneOf(tokens[at - 1].text, {"(", ","}) && at + 1 < tokens.size() &&
                             IsOneOf(tokens[at + 1].text, {")", ","});
    if (is_argument || !OnlyCountsUp(tokens, at, adds)) return false;
  }
  return adds;
}

/// Whether the call of atomicInc() that is there begins again at 0 after as many calls as a count has:
/// `atomicInc(&done, gridDim.x - 1)`.
bool BeginsAgainInTime(const Tokens& tokens, std::size_t call) {
  const std::size_t end = BehindBracket(tokens, call + 1) - 1;
  return tokens[call].text == "atomicInc" && tokens[end - 1].text == "1" && tokens[end - 2].text == "-";
}

/// Whether each use is the address that an atomic operation changes, of which there is one at least, and none
/// that sets it back.
bool IsOnlyAtomic(const Tokens& tokens, const KeptVariable& variable) {
  if (variable.is_array || variable.is_pointer) return false;
  bool changes = false, is_declared = false;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text != variable.name) continue;
    if (!is_declared && tokens[at].line == variable.line) {
      is_declared = true;
      continue;
    }
    const bool is_atomic = at >= 3 && tokens[at - 1].text == "&" && tokens[at - 2].text == "(" &&
                           IsOneOf(tokens[at - 3].text, {"atomicAdd", "atomicInc", "atomicMax", "atomicOr"});
    if (!is_atomic || BeginsAgainInTime(tokens, at - 3)) return false;
    changes = true;
  }
  return changes;
}

/// Whether a function's own statement, not one under a condition, is a cudaMemset of what the variable points
/// to.
bool IsSetInEachCall(const Tokens& tokens, const std::string& name) {
  std::vector<bool> is_scope;  // Of each open brace: whether it is a namespace's.
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    if (text == "{")
      is_scope.push_back(HasWord(tokens, at - std::min<std::size_t>(at, 2), at, {"namespace"}));
    if (text == "}" && !is_scope.empty()) is_scope.pop_back();
    const bool is_fill = at > 0 && IsOneOf(text, {"cudaMemset", "cudaMemsetAsync"}) &&
                         IsAt(tokens, at + 1, "(") && IsAt(tokens, at + 2, name) && IsAt(tokens, at + 3, ",");
    if (is_fill && IsOneOf(tokens[at - 1].text, {";", "{", "}"}) && std::ranges::count(is_scope, false) == 1)
      return true;
  }
  return false;
}

}  // namespace

std::vector<KeptVariable> FindKeptVariables(std::string_view source) {
  std::vector<KeptVariable> found;
  if (source.size() > kLongestSource) return found;
  const Tokens tokens = TokensOf(WithoutComments(source));
  std::vector<bool> is_scope;  // Of each open brace: whether it is a namespace's.
  for (std::size_t begin = 0; begin < tokens.size();) {
    const std::size_t end = EndOfStatement(tokens, begin);
    const bool is_outside = std::ranges::all_of(is_scope, [](bool is) { return is; });
    if (DeclaresKept(tokens, begin, end, is_outside)) AddNames(tokens, begin, end, found);
    if (IsAt(tokens, end, "{")) {
      is_scope.push_back(is_outside && HasWord(tokens, begin, end, {"namespace"}));
    } else if (IsAt(tokens, end, "}") && !is_scope.empty()) {
      is_scope.pop_back();
    }
    begin = end + 1;
  }
  for (KeptVariable& each : found) {
    each.is_only_counted_up = IsOnlyCountedUp(tokens, each);
    each.is_only_atomic = IsOnlyAtomic(tokens, each);
    each.is_set_in_each_call = each.is_pointer && IsSetInEachCall(tokens, each.name);
  }
  return found;
}

}  // namespace warplings
