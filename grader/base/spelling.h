// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"

namespace warplings {

/// The candidate that somebody who typed `word` probably meant: the one at the smallest edit distance
/// (letters left out, added, changed or swapped), or one that begins with `word`. "" if none is close or two
/// are equally close.
std::string ClosestCandidate(std::string_view word, const std::vector<std::string>& candidates);

/// `message`, and behind it what somebody who typed `word` probably meant, if there is such a candidate.
Message WithClosest(Message message, std::string_view word, const std::vector<std::string>& candidates);

}  // namespace warplings
