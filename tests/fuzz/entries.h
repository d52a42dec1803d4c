// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

/// The entry functions of the fuzzers, with which the ordinary tests replay the corpus. Each accepts
/// arbitrary bytes and must return: an input is either read or refused with a message. A violation of this
/// rule aborts the process.
namespace warplings::fuzz {

/// Reads the bytes as a fatbin, a cubin, a program or a mangled name, depending on how they begin.
void ReadDeviceCode(std::span<const std::byte> bytes);

/// Reads the bytes as PTX: loads them into a virtual GPU and decodes every kernel, as a launch would.
void LoadPtx(std::span<const std::byte> bytes);

/// Reads the bytes as a list of requests to the device process; each is decoded and handled by virtual GPUs.
void HandleRequests(std::span<const std::byte> bytes);

/// Turns the bytes into a valid program with streams and events, and compares its results with those that
/// CUDA's rules of ordering give.
void FollowStreamOrder(std::span<const std::byte> bytes);

}  // namespace warplings::fuzz
