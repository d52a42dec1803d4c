// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/build/plain_code.h"

namespace warplings {

/// A type as far as arguments are compared by it: `const float* __restrict__` is {"float", 1, true}.
struct PlainType {
  std::string base;       ///< "" if it is not known.
  int stars = 0;          ///< Pointers, and the first dimension of a parameter that is an array.
  bool is_const = false;  ///< What it points to, or the value itself.

  bool operator==(const PlainType&) const = default;
};

/// Of the words of a declaration, without its name, or of a type that the compiler prints.
PlainType TypeOf(const std::vector<CodeToken>& tokens, std::size_t begin, std::size_t end);
PlainType TypeOf(std::string_view words);

/// "const float*"
std::string WrittenType(const PlainType& type);

/// The type that the last declaration of `name` before that token gives it; nothing if none is recognised.
std::optional<PlainType> DeclaredType(const std::vector<CodeToken>& tokens, const std::string& name,
                                      std::size_t before);

struct Parameter {
  std::string name;
  PlainType type;
};

struct ParameterList {
  std::size_t fewest = 0;  ///< Arguments; later parameters have default ones.
  std::vector<Parameter> parameters;

  std::string Names() const;  ///< "M, P, width"
};

/// Of the function that the parentheses at `open` declare; nothing if that is no list of parameters.
std::optional<ParameterList> ParametersAt(const std::vector<CodeToken>& tokens, std::size_t open);

/// A call, or a launch.
struct WrittenCall {
  std::string name;
  bool is_launch = false;
  std::size_t open = 0;                                        ///< The parenthesis before the arguments.
  std::vector<std::pair<std::size_t, std::size_t>> arguments;  ///< Each as [first token, end).
  ParameterList takes;
};

/// The calls that begin in this line, of functions that the file declares once, or that are CUDA's and known
/// to everybody.
std::vector<WrittenCall> CallsIn(const std::vector<CodeToken>& tokens, int line);

/// A call that passes one variable for the parameter of another one's name, and that one for the first's:
/// `k(X, Y, columns, rows)` of `k(X, Y, rows, columns)`.
struct ExchangedArguments {
  std::string function, first, second;  ///< "k", "columns", "rows".
  int line = 0;
  /// Of three or more of one type, each passed for another one's name: "k, l, j" and "j, k, l". Empty of two.
  std::string passed, taken;
};

/// The first one in the source. Whoever exchanges two pairs, such as arrays and their lengths, means it.
std::optional<ExchangedArguments> FindExchangedArguments(std::string_view source);

/// The function around a token: the token of its name; nothing outside of functions.
std::optional<std::size_t> EnclosingFunction(const std::vector<CodeToken>& tokens, std::size_t at);

}  // namespace warplings
