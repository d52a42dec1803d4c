// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace warplings {

/// Removes a folder of ours with all that it holds, as far as it can be removed. For destructors: unlike
/// std::filesystem::remove_all with an error code, which throws where memory runs out, it throws nothing.
void DiscardFolder(const std::filesystem::path& folder) noexcept;

}  // namespace warplings
