// SPDX-License-Identifier: Apache-2.0
#include "grader/build/shared_reads.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

/// Of one function; nothing if it has no array in shared memory.
std::optional<SharedReads> ReadsIn(const std::vector<CodeToken>& tokens) {
  std::set<std::string> arrays;
  bool is_declared = false, is_used_otherwise = false;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    is_declared |= text == "__shared__";
    if (text == ";") is_declared = false;
    if (is_declared) {
      if (IsAt(tokens, at + 1, "[") && IsName(text)) arrays.insert(text);
      continue;
    }
    if (!arrays.contains(text)) continue;
    if (!IsAt(tokens, at + 1, "[")) {
      is_used_otherwise = true;
      continue;
    }
    const std::size_t behind = BehindSubscripts(tokens, at + 1);
    const bool is_address = at > 0 && tokens[at - 1].text == "&";
    is_used_otherwise |= is_address;
    if (!IsAt(tokens, behind, "=") && !is_address) return SharedReads::kByName;
  }
  if (arrays.empty()) return std::nullopt;
  return is_used_otherwise ? SharedReads::kUnknown : SharedReads::kNone;
}

/// Whether it is a kernel of that name, or of any if that is empty.
bool IsKernel(const std::vector<CodeToken>& function, std::string_view name) {
  bool is_global = false;
  for (std::size_t at = 0; at < function.size() && function[at].text != "{"; ++at) {
    is_global |= function[at].text == "__global__";
    if (is_global && IsAt(function, at + 1, "(") && (name.empty() || function[at].text == name)) return true;
  }
  return false;
}

}  // namespace

SharedReads FindSharedReads(std::string_view source, std::string_view kernel) {
  if (source.size() > kLongestSource) return SharedReads::kUnknown;
  std::optional<SharedReads> all;
  bool differ = false;
  const auto add = [&](const std::vector<CodeToken>& function) {
    if (!kernel.empty() && IsKernel(function, "") && !IsKernel(function, kernel)) return;
    const auto own = ReadsIn(function);
    differ |= own && all && *own != *all;
    if (own) all = own;
  };
  std::vector<CodeToken> function;
  int depth = 0;
  for (const CodeToken& token : TokensOf(WithoutComments(source))) {
    depth += token.text == "{" ? 1 : token.text == "}" ? -1 : 0;
    function.push_back(token);
    if (depth <= 0 && token.text == "}") add(std::exchange(function, {}));
  }
  add(function);
  return differ ? SharedReads::kUnknown : all.value_or(SharedReads::kNone);
}

}  // namespace warplings
