// SPDX-License-Identifier: Apache-2.0
#include "grader/base/file_checksum.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "grader/base/unique_fd.h"

namespace warplings {
namespace {

/// FNV-1a's step on words of 8 bytes instead of bytes, in lanes that do not wait for each other. The
/// product's upper half is folded in, so that every bit of a word changes every bit of the sum after two
/// steps.
class WordSum {
 public:
  static constexpr std::size_t kLanes = 4, kStride = kLanes * sizeof(std::uint64_t);

  void AddStride(const char* bytes) {
    std::array<std::uint64_t, kLanes> words;
    std::memcpy(words.data(), bytes, sizeof words);
    for (std::size_t lane = 0; lane < kLanes; ++lane) Mix(lanes_[lane], words[lane]);
  }

  std::uint64_t Finish() const {
    std::uint64_t sum = kPrime;
    for (const std::uint64_t lane : lanes_) Mix(sum, lane);
    return sum;
  }

 private:
  static constexpr std::uint64_t kPrime = 0x9e3779b97f4a7c15;

  static void Mix(std::uint64_t& sum, std::uint64_t word) {
    sum = (sum ^ word) * kPrime;
    sum ^= sum >> 32;
  }

  std::array<std::uint64_t, kLanes> lanes_{1, 2, 3, 4};
};

/// Fills the buffer as far as the file goes; nothing after an error.
std::optional<std::size_t> ReadFull(int fd, std::vector<char>& buffer) {
  std::size_t size = 0;
  while (size < buffer.size()) {
    const ssize_t got = read(fd, buffer.data() + size, buffer.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return size;
}

}  // namespace

std::optional<std::string> FileChecksum(const std::filesystem::path& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::vector<char> buffer(std::size_t{256} << 10);
  static_assert((256 << 10) % WordSum::kStride == 0);
  WordSum sum;
  std::uint64_t total = 0;
  for (;;) {
    const auto size = ReadFull(file.get(), buffer);
    if (!size) return std::nullopt;
    total += *size;
    // The last stride is filled up with zeros; the size tells them from the file's own.
    const std::size_t whole = (*size + WordSum::kStride - 1) / WordSum::kStride * WordSum::kStride;
    std::memset(buffer.data() + *size, 0, whole - *size);
    for (std::size_t at = 0; at < whole; at += WordSum::kStride) sum.AddStride(buffer.data() + at);
    if (*size < buffer.size()) break;
  }
  std::array<char, 48> text;
  std::snprintf(text.data(), text.size(), "%llu-%016llx", static_cast<unsigned long long>(total),
                static_cast<unsigned long long>(sum.Finish()));
  return text.data();
}

}  // namespace warplings
