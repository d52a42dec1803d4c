// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace warplings {

/// The bytes of a file. Nothing if it cannot be opened or read, as a folder cannot; errno says why.
std::optional<std::string> ReadFile(const std::filesystem::path& file);

/// The same for an ordinary file, or a link to one, of at most `most` bytes. Nothing for any other: a pipe,
/// say, might never end.
std::optional<std::string> ReadOrdinaryFile(const std::filesystem::path& file, std::uintmax_t most);

}  // namespace warplings
