// SPDX-License-Identifier: Apache-2.0
#include "grader/build/shared_reads.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
SharedReads FindSharedReads(std::string_view source) {
  if (source.size() > kLongestSource) return SharedReads::kUnknown;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
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
  return is_used_otherwise ? SharedReads::kUnknown : SharedReads::kNone;
}

}  // namespace warplings
