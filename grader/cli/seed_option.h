// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace warplings {

/// 32 bits: enough that nobody prepares for it, short enough to type.
std::uint64_t FreshSeed();

/// For CLI11, which would take "-1" for a very large number, and too large a number for the largest: "" for a
/// seed, else what is wrong with it.
std::string RefuseWhatIsNoSeed(const std::string& text);

}  // namespace warplings
