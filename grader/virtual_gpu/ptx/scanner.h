// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grader/base/message.h"

namespace warplings::ptx {

/// Thrown anywhere inside the parser; ParseModule turns it into an Error, so it never leaves this folder.
struct ParseFailure {
  int line = 0;
  Message message;
  Message next_step;
};

/// A piece of the text for a message: truncated to a readable length, with unprintable bytes as \xNN.
std::string Quoted(std::string_view text);

/// A numeric constant (PTX ISA, "Constants").
struct Number {
  bool is_float = false;
  bool is_double = false;  ///< If is_float: `bits` are those of an f64, otherwise of an f32.
  bool negative = false;   ///< For integers; `bits` are already the two's complement.
  std::uint64_t bits = 0;
};

/// Scans the text of a module: skips blanks and comments, counts lines, and consumes one token at a time. The
/// caller says which kind of token it expects, so there is no separate token stream.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  /// The first character of the next token; '\0' at the end of the text.
  char Peek();
  /// The character right after the current position, without skipping blanks.
  char PeekHere() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool AtEnd();
  /// Line of the next token.
  int line();

  bool TryTake(char c);
  void Expect(char c, std::string_view where);
  bool TryTake(std::string_view word);

  /// [%$_a-zA-Z][$_a-zA-Z0-9]*
  bool AtIdentifier();
  std::string_view TakeIdentifier(std::string_view what);
  /// An identifier together with a ".x" that follows it directly: "%tid.x".
  std::string_view TakeDottedIdentifier(std::string_view what);
  /// Returns "reg" for ".reg"; fails if the next token is not a directive.
  std::string_view TakeDirective(std::string_view where);
  std::string_view PeekDirective();
  bool TryTakeDirective(std::string_view name);
  /// "ld.global.L2::128B.f32".
  std::string_view TakeOpcode();
  std::string TakeString(std::string_view what);

  bool AtNumber();
  Number TakeNumber();
  std::int64_t TakeSigned(std::string_view what);
  std::uint64_t TakeUnsigned(std::string_view what, std::uint64_t limit);
  /// Consumes digits only: of "9.0" only the 9.
  std::uint64_t TakeDecimal(std::string_view what, std::uint64_t limit);
  /// Skips past the brace that closes the one before the current position (for DWARF sections).
  void SkipBraces();

  [[noreturn]] void Fail(Message message, Message next_step = {});
  /// "… expected, but found 'x'".
  [[noreturn]] void FailExpected(std::string_view what);

 private:
  void SkipBlanks();
  void SkipComment();
  std::string_view TakeWhile(bool (*accept)(char));
  Number TakeBitsOfFloat(bool is_double);
  Number TakeDecimalFloat(std::size_t start);
  Number TakeUnsignedNumber();
  std::uint64_t TakeDigits(unsigned base);

  std::string_view text_;
  std::size_t position_ = 0;
  int line_ = 1;
};

}  // namespace warplings::ptx
