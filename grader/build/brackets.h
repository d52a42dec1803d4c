// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"
#include "grader/build/plain_code.h"

namespace warplings {

// Where brackets of code that does not compile are missing. Each of these returns nothing where it is in
// doubt: the compiler's words then stand alone.

/// The line of the `{` that nothing closes. Blocks are matched by their indentation where that contradicts
/// the count, because the last `}` of a function closes whatever is open.
std::optional<int> UnclosedBraceLine(std::string_view source);

/// A `}` that no `{` opens.
struct SurplusBrace {
  int suspect = 0;  ///< The line of the `}` that is one too many by its indentation; else `line`.
  int line = 0;     ///< Where a `}` is left over.
};

/// In code without comments.
std::optional<SurplusBrace> FindSurplusBrace(std::string_view code);

/// A parenthesis or bracket that is open where its statement ends or its block begins.
struct OpenBracket {
  int line = 0;         ///< Of the bracket.
  std::string bracket;  ///< "(" or "[".
  std::string after;    ///< The token in front of it.
  std::string before;   ///< The token by which it had to be closed.
};

/// The outermost bracket that is still open at a token of that line.
std::optional<OpenBracket> FindOpenBracket(const std::vector<CodeToken>& tokens, int line);

/// `Mds[ty, k]`: the comma operator drops ty.
struct CommaSubscript {
  int line = 0;
  std::string array, dropped, kept;
  bool has_two_dimensions =
      false;  ///< The source shows the array with two pairs of brackets, or declares it.
};

std::vector<CommaSubscript> FindCommaSubscripts(const std::vector<CodeToken>& tokens);

/// As it is written: `tile[ty, k]`.
std::string WrittenSubscript(const CommaSubscript& comma);

/// What to write in its place.
Message WriteSubscript(const CommaSubscript& comma);

}  // namespace warplings
