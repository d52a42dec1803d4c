// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "grader/base/message.h"

namespace warplings {

/// A call or a store of the host that CUDA carries out, and that does something else than its writer meant.
struct SilentMistake {
  int line = 0;
  Message what, remedy;
};

/// What the source alone shows: a cudaMemset of elements to a value other than 0 and -1, a store of the host
/// to a `__constant__` or `__device__` variable, and a copy to such a variable of as many bytes as it has
/// elements.
std::vector<SilentMistake> FindSilentMistakes(std::string_view source);

}  // namespace warplings
