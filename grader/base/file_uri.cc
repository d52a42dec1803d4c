// SPDX-License-Identifier: Apache-2.0
#include "grader/base/file_uri.h"

#include <string_view>

namespace warplings {
namespace {

/// Characters that a path may contain unencoded (RFC 3986).
bool IsPlainInPath(unsigned char c) {
  const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return is_word ||
         std::string_view("-._~/!$&'()*+,;=@").find(static_cast<char>(c)) != std::string_view::npos;
}

}  // namespace

std::string FileUri(const std::string& path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (IsPlainInPath(byte)) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return uri;
}

}  // namespace warplings
