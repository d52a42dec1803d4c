// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/compressed.h"

#include <zstd.h>

#include "grader/messages/class.h"

namespace warplings {

std::string Compress(std::string_view text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  // Cannot fail: the room is what zstd itself asks for.
  frame.resize(ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT));
  return frame;
}

Result<std::string> Decompress(std::string_view frame) {
  constexpr unsigned long long kMost = 256u << 20;
  const Error damaged = GraderError(say::damaged_report(), say::grade_anew());
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size > kMost) return damaged;  // Also the two values that say "unknown" and "no frame".
  std::string text(size, '\0');
  if (ZSTD_decompress(text.data(), text.size(), frame.data(), frame.size()) != size) return damaged;
  return text;
}

}  // namespace warplings
