// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// Host code, token by token.
class HostCode {
 public:
  explicit HostCode(std::string_view source) {
    if (source.size() <= kLongestSource) tokens_ = TokensOf(WithoutComments(source));
  }

  std::size_t size() const { return tokens_.size(); }
  int LineOf(std::size_t at) const { return tokens_[at].line; }
  const std::string& At(std::size_t at) const {
    static const std::string kNone;
    return at < tokens_.size() ? tokens_[at].text : kNone;
  }
  /// One past the bracket that closes the one at `at`.
  std::size_t Behind(std::size_t at) const { return BehindBracket(tokens_, at); }
  std::vector<TokenRange> PartsOf(std::size_t open) const { return warplings::PartsOf(tokens_, open); }
  /// Whether the function whose name is at `name` is one of the device: what its declaration begins with.
  bool IsOfDevice(std::size_t name) const {
    for (std::size_t at = name; at-- > 0 && !IsOneOf(At(at), {";", "}", "{"});) {
      if (IsOneOf(At(at), {"__global__", "__device__"})) return true;
    }
    return false;
  }
  /// The parameters that are pointers, between the parentheses from `open` on.
  std::set<std::string> PointersIn(std::size_t open) const {
    std::set<std::string> names;
    const std::size_t end = Behind(open);
    bool is_pointer = false;
    for (std::size_t at = open + 1; at < end; ++at) {
      if (At(at) == "*") is_pointer = true;
      if (is_pointer && IsOneOf(At(at), {",", ")"})) names.insert(At(at - 1));
      if (At(at) == ",") is_pointer = false;
    }
    return names;
  }
  /// "p" of `cudaMalloc(&p,` and of `cudaMalloc((void**)&p,`; empty if the call at `at` is of another
  /// function.
  std::string Allocated(std::size_t at, std::string_view function = "cudaMalloc") const {
    if (At(at) != function || At(at + 1) != "(") return "";
    for (std::size_t i = at + 2; i < size() && !IsOneOf(At(i), {",", ";"}); ++i) {
      if (At(i) == "&" && IsName(At(i + 1)) && IsOneOf(At(i + 2), {",", ")"})) return At(i + 1);
    }
    return "";
  }
  /// Whether the name at `at` is followed to what it points to: `p[i]`, `*p = x`, `f(*p)`; but `&p[i]` is an
  /// address, and `float *p` a declaration.
  bool IsFollowed(std::size_t at) const {
    if (At(at + 1) == "[") return !IsOneOf(At(at - 1), {"&", ".", "->", "*"});
    if (At(at - 1) != "*") return false;
    const std::string& before = At(at - 2);
    if (IsOneOf(before, {";", "{", "}"})) return IsOneOf(At(at + 1), {"=", "+=", "-="});
    if (before == ",") return IsBetweenParentheses(at - 2);
    return IsOneOf(before,
                   {"(", "=", "+=", "-=", "return", "<<", "+", "-", "<", ">", "==", "!=", "&&", "||"});
  }

  /// And not in a declaration of several names.
  bool IsBetweenParentheses(std::size_t at) const {
    int depth = 0;
    while (at-- > 0 && !IsOneOf(At(at), {";", "{", "}"})) {
      depth += At(at) == "(" ? 1 : At(at) == ")" ? -1 : 0;
      if (depth > 0) return true;
    }
    return false;
  }

 private:
  std::vector<CodeToken> tokens_;
};

/// The arguments of the call at `at`, as they are written, without blanks.
std::vector<std::string> ArgumentsOf(const HostCode& code, std::size_t at);

/// The name of the function whose call the token at `at` is an argument of; "" if it is of none.
std::string FunctionAround(const HostCode& code, std::size_t at);

/// Not an expression.
bool IsPlainName(const std::string& argument);

/// The pointers that the source gives to cudaMalloc, or that the function `entry` gets, and to nothing that
/// makes them anything else.
std::set<std::string> OnlyDeviceNames(const HostCode& code, std::string_view entry);

/// The bytes of what `type *…, *name` declares it to point to; 0: not known, or different ones.
int ElementBytes(const HostCode& code, const std::string& name);

/// Where the only launch of the kernel "space::k<16>" is: `k<<<...>>>(...)`.
std::optional<std::size_t> OnlyLaunchIn(const HostCode& code, std::string_view kernel);

/// Where the list of arguments of the launch at `launch` opens; nothing if it has none.
std::optional<std::size_t> ArgumentsOfLaunch(const HostCode& code, std::size_t launch);

/// What the kernel's only launch passes as argument `number`, from 1, if it is a plain name.
struct PassedName {
  std::string name;
  int line = 0;  ///< Of the launch.
};
std::optional<PassedName> PassedTo(const HostCode& code, std::string_view kernel, std::size_t number);

}  // namespace warplings
