// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace warplings {

/// A random seed of 32 bits: too many to prepare a submission for, but short enough to type.
std::uint64_t FreshSeed();

/// For Option::refuse: "" for a valid seed, otherwise what is wrong with it. Needed because CLI11 would read
/// "-1" as a very large number, and clamp a number that is too large.
std::string RefuseWhatIsNoSeed(const std::string& text);

}  // namespace warplings
