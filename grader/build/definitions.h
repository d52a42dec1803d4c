// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/plain_code.h"

namespace warplings {

/// Where a function is written, and how it begins.
struct Definition {
  int line = 0;
  bool is_kernel = false, returns_void = false;
};

/// From an opening parenthesis to behind the one that closes it.
std::size_t BehindParentheses(const std::vector<CodeToken>& tokens, std::size_t at);

/// The definition of `name`, by its looks: TYPE name(...) {
std::optional<Definition> DefinitionOf(const std::vector<CodeToken>& tokens, std::string_view name);

/// `ceil` of `std::ceil<int>(int)`, `sum` of `void sum<16>(float*)`.
std::string PlainName(std::string_view function);

}  // namespace warplings
