// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace warplings {

/// The text of a course.toml that says the same and names nobody: extensions are those of `rename`'s names,
/// or left out where it has none; their reasons, the roster and all comments are gone. `name` stands in front
/// of messages.
Result<std::string> AnonymousCourse(
    std::string_view text, const std::string& name,
    const std::function<std::optional<std::string>(const std::string& student)>& rename);

}  // namespace warplings
