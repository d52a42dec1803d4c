// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace warplings {

/// SHA-256 (FIPS 180-4). Cache entries are named by it, because two different submissions must never share an
/// entry, not even if somebody tries to make them collide.
class Sha256 {
 public:
  /// Fields are length-prefixed, so that ("ab", "c") and ("a", "bc") differ.
  void AddField(std::string_view field);
  void Add(std::string_view bytes);
  /// Returns the hash as 64 hexadecimal digits. The object must not be used afterwards.
  std::string Finish();

 private:
  void Compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::size_t used_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace warplings
