// SPDX-License-Identifier: Apache-2.0
#include "grader/build/shared_reads.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// Past the bracket that closes the one at `at`.
std::size_t BehindBracket(const Tokens& tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at].text == "[") ++depth;
    if (tokens[at].text == "]" && --depth == 0) return at + 1;
  }
  return at;
}

}  // namespace

SharedReads FindSharedReads(std::string_view source) {
  if (source.size() > kLongestSource) return SharedReads::kUnknown;
  const Tokens tokens = TokensOf(WithoutComments(source));
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
    std::size_t behind = at + 1;
    while (IsAt(tokens, behind, "[")) behind = BehindBracket(tokens, behind);
    const bool is_address = at > 0 && tokens[at - 1].text == "&";
    is_used_otherwise |= is_address;
    if (!IsAt(tokens, behind, "=") && !is_address) return SharedReads::kByName;
  }
  return is_used_otherwise ? SharedReads::kUnknown : SharedReads::kNone;
}

}  // namespace warplings
