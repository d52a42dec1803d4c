// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

// What single words of C++ tell of code that is not compiled (unset_variables.cc).

/// A name, or a keyword.
bool IsName(const std::string& text);

/// A name that begins as names of constants do: TILE, Width, kTile.
bool BeginsAsConstant(const std::string& name);

/// A type of numbers, or a word of one.
bool IsNumberType(const std::string& text);

bool IsCompoundAssignment(std::string_view text);

/// Functions that take numbers by value, so that a variable among their arguments is only read.
bool TakesValues(const std::string& name);

/// Numbers that the source has given names: #define TILE 4, constexpr int TILE = 4.
std::map<std::string, int> NamedNumbers(std::string_view code);

struct NumberMacro {
  std::string name;
  int line = 0;
};

/// `#define TILE 4;`: macros of a number whose text ends with a semicolon.
std::vector<NumberMacro> NumbersWithSemicolon(std::string_view code);

/// Whatever a macro's text has may be assigned to where the macro stands.
std::set<std::string> NamesInMacros(std::string_view code);

}  // namespace warplings
