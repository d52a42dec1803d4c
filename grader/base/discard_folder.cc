// SPDX-License-Identifier: Apache-2.0
#include "grader/base/discard_folder.h"

#include <new>
#include <system_error>

namespace warplings {

void DiscardFolder(const std::filesystem::path& folder) noexcept {
  try {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  } catch (const std::bad_alloc&) {
    // It stays. Temporary folders lie in that of the whole run, which goes at its end.
  }
}

}  // namespace warplings
