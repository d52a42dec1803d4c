// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warplings {

/// Size and a 64-bit checksum of a file's bytes, as one word: "1080832-9c0ffee01234abcd"; nothing if it
/// cannot be read. It finds damage (a file that was cut off, blocks that a power cut left empty), at
/// gigabytes a second. It does not stop anybody who wants two files to have the same one; that is what Sha256
/// is for.
std::optional<std::string> FileChecksum(const std::filesystem::path& path);

}  // namespace warplings
