// SPDX-License-Identifier: Apache-2.0
#include "grader/build/output_stores.h"

#include <algorithm>
#include <vector>

#include "grader/build/code_loops.h"
#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {

std::optional<OutputStores> FindOutputStores(std::string_view source, const std::string& array) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeLoop> loops = LoopsOf(tokens);
  int outside = 0;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != array || tokens[at + 1].text != "[") continue;
    const std::size_t behind = BehindSubscripts(tokens, at + 1);
    if (!IsAt(tokens, behind, "=") && (behind >= tokens.size() || !IsCompoundAssignment(tokens[behind].text)))
      continue;
    const auto loop = std::ranges::find_if(loops, [&](const CodeLoop& each) { return each.Has(at); });
    if (loop != loops.end()) return OutputStores{tokens[loop->begin].line};
    ++outside;
  }
  return outside == 1 ? std::optional(OutputStores{}) : std::nullopt;
}

}  // namespace warplings
