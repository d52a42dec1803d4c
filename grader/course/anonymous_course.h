// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"

namespace warplings {

/// Rewrites a course.toml so that it names nobody. Students with extensions are renamed by `rename`, or
/// dropped if it returns nothing; the extensions' reasons, the roster and all comments are removed. `name` is
/// the prefix of error messages.
Result<std::string> AnonymousCourse(
    std::string_view text, const std::string& name,
    const std::function<std::optional<std::string>(const std::string& student)>& rename);

}  // namespace warplings
