// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// The declaration of function `entry` in a contract header, on one line and without comments: "void
/// tiled_matmul(const float* M, const float* N, float* P, int width);". A contract is a list of plain
/// declarations, so it is enough to look at brackets and semicolons.
std::optional<std::string> FindDeclaration(std::string_view header, std::string_view entry);

/// The names of all functions that it declares.
std::vector<std::string> DeclaredNames(std::string_view header);

}  // namespace warplings
