// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// What looks at code that is not compiled passes over longer sources, in bytes: no student writes one.
inline constexpr std::size_t kLongestSource = 256 * 1024;

/// The source with blanks for comments, strings and characters, so that places stay what they were.
std::string WithoutComments(std::string_view source);

bool IsWordCharacter(char c);

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names);

/// A word, a number or an operator of C++, and its line, from 1.
struct CodeToken {
  std::string text;
  int line = 0;
};

/// Tokens one after the other: [begin, end).
struct TokenRange {
  std::size_t begin = 0, end = 0;
};

/// Whether that is the text of the token at `at`; not if the tokens end before.
bool IsAt(const std::vector<CodeToken>& tokens, std::size_t at, std::string_view text);

/// Whether one of the range's tokens is one of these words.
bool HasAny(const std::vector<CodeToken>& tokens, TokenRange range,
            std::initializer_list<std::string_view> words);

/// The tokens of code without comments; without preprocessor directives, and what stands between `#if 0` and
/// its end.
std::vector<CodeToken> TokensOf(std::string_view code);

/// The bracket, round or curly, that opens what the one at `close` closes; 0 if there is none.
std::size_t OpeningOf(const std::vector<CodeToken>& tokens, std::size_t close);

/// One past the bracket, round, square or curly, that closes the one at `at`; the end if none does.
std::size_t BehindBracket(const std::vector<CodeToken>& tokens, std::size_t at);

/// What is between the commas within the bracket at `open`: the arguments of a call, the values of a list. A
/// comma within inner brackets parts nothing. One empty part for `f()`; up to the end if nothing closes it.
std::vector<TokenRange> PartsOf(const std::vector<CodeToken>& tokens, std::size_t open);

/// Past the subscripts that begin at `at`, such as "[i][j]"; `at` if none does.
std::size_t BehindSubscripts(const std::vector<CodeToken>& tokens, std::size_t at);

/// The tokens as one writes them, with blanks around operators: "row * (n + 1)", "f(a, &b[2])".
std::string TextOf(const std::vector<CodeToken>& tokens, std::size_t begin, std::size_t end);

/// An expression that TextOf has written, as it is multiplied: "ty", "rows[i + 1]", "(row + 1)".
std::string AsFactor(const std::string& expression);

}  // namespace warplings
