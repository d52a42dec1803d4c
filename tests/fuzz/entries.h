// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

/// What the fuzzers feed, and what replays their corpus in the ordinary tests. Each takes any bytes at all
/// and must come back: an input is refused with a message, or read. Whatever breaks that rule aborts the
/// process.
namespace warplings::fuzz {

/// As a fatbin, a cubin, a program and a mangled name, whichever the bytes begin like.
void ReadDeviceCode(std::span<const std::byte> bytes);

/// As PTX text: loads it into a virtual GPU and decodes every kernel, as far as a launch would go.
void LoadPtx(std::span<const std::byte> bytes);

/// As a list of requests to the device process: each is decoded and handled over a Device in memory.
void HandleRequests(std::span<const std::byte> bytes);

}  // namespace warplings::fuzz
