// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/range_copy.h"

#include <algorithm>
#include <cstring>

namespace warplings::vgpu {
namespace {

/// Memory that differs mostly does so early: not all of it has to be read, nor charged.
constexpr std::uint64_t kPiece = std::uint64_t{1} << 16;

std::size_t WordsOf(const ByteRange& range) {
  return static_cast<std::size_t>((range.end + 3) / 4 - range.begin / 4);
}

/// The bits that the range has of its word number `index`.
std::uint8_t BitsOf(const ByteRange& range, std::size_t index) {
  unsigned bits = 0xf;
  if (index == 0) bits &= 0xfu << (range.begin & 3);
  if (index + 1 == WordsOf(range)) bits &= 0xfu >> ((4 - range.end % 4) % 4);
  return static_cast<std::uint8_t>(bits);
}

bool HasPartOfWord(const ByteRange& range) {
  return ((range.begin | range.end) & 3) != 0;
}

bool AreSame(const std::byte* copy, const ByteRange& range, std::uint64_t& budget) {
  for (std::uint64_t at = range.begin; at < range.end; at += kPiece) {
    const std::uint64_t count = std::min(kPiece, range.end - at);
    if (budget < count) return false;
    budget -= count;
    if (std::memcmp(copy + (at - range.begin), HostPointer(at), count) != 0) return false;
  }
  return true;
}

bool AreWrittenAlike(const std::uint8_t* copy, const std::uint8_t* shadow, const ByteRange& range) {
  const std::size_t words = WordsOf(range);
  if (!HasPartOfWord(range)) return std::memcmp(copy, shadow, words) == 0;
  const auto is_same = [&](std::size_t word) { return !((copy[word] ^ shadow[word]) & BitsOf(range, word)); };
  return is_same(0) && is_same(words - 1) && (words < 3 || std::memcmp(copy + 1, shadow + 1, words - 2) == 0);
}

}  // namespace

RangeCopy::RangeCopy(const ByteRanges& ranges, const GlobalMemory& memory) {
  std::size_t bytes = 0, words = 0;
  for (const ByteRange& range : ranges) {
    bytes += static_cast<std::size_t>(range.end - range.begin);
    words += WordsOf(range);
  }
  bytes_.reserve(bytes);
  written_.reserve(words);
  for (const ByteRange& range : ranges) {
    bytes_.insert(bytes_.end(), HostPointer(range.begin), HostPointer(range.end));
    const std::uint8_t* shadow = memory.Shadow(range.begin);
    written_.insert(written_.end(), shadow, shadow + WordsOf(range));
  }
}

std::uint64_t RangeCopy::BytesOf(const ByteRanges& ranges) {
  std::uint64_t bytes = ranges.size() * sizeof(ByteRange);
  for (const ByteRange& range : ranges) bytes += range.end - range.begin + WordsOf(range);
  return bytes;
}

bool RangeCopy::IsAsIn(const GlobalMemory& memory, const ByteRanges& ranges, std::uint64_t& budget) const {
  const std::byte* bytes = bytes_.data();
  const std::uint8_t* written = written_.data();
  for (const ByteRange& range : ranges) {
    if (!AreSame(bytes, range, budget)) return false;
    if (!AreWrittenAlike(written, memory.Shadow(range.begin), range)) return false;
    bytes += range.end - range.begin;
    written += WordsOf(range);
  }
  return true;
}

void RangeCopy::Restore(const GlobalMemory& memory, const ByteRanges& ranges) const {
  const std::byte* bytes = bytes_.data();
  const std::uint8_t* written = written_.data();
  for (const ByteRange& range : ranges) {
    std::memcpy(HostPointer(range.begin), bytes, range.end - range.begin);
    std::uint8_t* shadow = memory.Shadow(range.begin);
    const std::size_t words = WordsOf(range);
    for (const std::size_t edge : {std::size_t{0}, words - 1}) {
      const std::uint8_t bits = BitsOf(range, edge);
      shadow[edge] = static_cast<std::uint8_t>((shadow[edge] & ~bits) | (written[edge] & bits));
    }
    if (words > 2) std::memcpy(shadow + 1, written + 1, words - 2);
    bytes += range.end - range.begin;
    written += words;
  }
}

}  // namespace warplings::vgpu
