// SPDX-License-Identifier: Apache-2.0
#include "grader/build/source_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

#include "grader/base/unique_fd.h"
#include "grader/messages/build.h"

namespace warplings {

namespace {

using Source = std::variant<std::string, RefusedSource>;

Result<std::string> ReadUpTo(int fd, std::size_t limit, const std::string& name) {
  std::string text(limit, '\0');
  std::size_t size = 0;
  while (size < limit) {
    ssize_t got = read(fd, text.data() + size, limit - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return UsageError(say::cannot_read_because(name, std::strerror(errno)));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

/// Length of the well-formed UTF-8 sequence at the start of `text` (Unicode 15, table 3-7); 0 if none.
std::size_t SequenceLength(std::string_view text) {
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    unsigned low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    unsigned low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// Number of the first line that is not UTF-8 or holds a NUL; nothing for good text.
std::optional<std::ptrdiff_t> FirstBadLine(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = text[at] == '\0' ? 0 : SequenceLength(text.substr(at));
    if (length == 0)
      return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    at += length;
  }
  return std::nullopt;
}

std::optional<RefusedSource> Refuse(const std::string& text, const std::string& name) {
  if (text.size() > kMaxSourceBytes) {
    return RefusedSource{Verdict::kCompileError, say::file_too_large(name), say::hand_in_source()};
  }
  if (std::ranges::all_of(text, [](unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); })) {
    return RefusedSource{Verdict::kMissingEntry, say::file_empty(name), say::start_from_starter()};
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return RefusedSource{Verdict::kCompileError, say::file_is_utf16(name), say::save_as_utf8()};
  }
  if (auto line = FirstBadLine(text)) {
    return RefusedSource{Verdict::kCompileError, say::line_is_no_utf8(name, static_cast<int>(*line)),
                         say::save_line_as_utf8()};
  }
  return std::nullopt;
}

}  // namespace

Result<Source> ReadSource(const std::filesystem::path& file, const std::string& display_name) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  UniqueFd fd(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!fd) {
    return UsageError(say::cannot_read_because(display_name, std::strerror(errno)),
                      errno == ENOENT ? say::check_path() : say::check_files_permissions());
  }
  struct stat status {};
  if (fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return UsageError(
        S_ISDIR(status.st_mode) ? say::is_a_folder(display_name) : say::no_regular_file(display_name),
        say::name_one_file());
  }
  // One byte more than the limit tells a file at the limit from one beyond it, even while it grows.
  auto text = ReadUpTo(fd.get(), kMaxSourceBytes + 1, display_name);
  if (!text) return text.error();
  if (auto refused = Refuse(*text, display_name)) return Source(std::move(*refused));
  return Source(std::move(*text));
}

}  // namespace warplings
