// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/ascii_output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>

#include "grader/base/ascii.h"
#include "grader/base/characters.h"
#include "grader/base/write_all.h"
#include "grader/cli/standard_streams.h"

namespace warplings {
namespace {

struct Edge {
  int fd;
  std::string begun{};  ///< Bytes of a character whose end has not come yet.
};

/// How many bytes at the end of `text` begin a character that is not whole.
std::size_t BytesBegun(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;
    return CharacterBytes(byte) > back ? back : 0;
  }
  return 0;
}

ssize_t WriteThrough(void* cookie, const char* bytes, std::size_t size) {
  Edge& edge = *static_cast<Edge*>(cookie);
  std::string text = edge.begun + std::string(bytes, size);
  edge.begun = text.substr(text.size() - BytesBegun(text));
  text.resize(text.size() - edge.begun.size());
  return WriteAll(edge.fd, ToAscii(text)) ? static_cast<ssize_t>(size) : 0;
}

/// Never closed: as its stream, it lasts as long as the process.
std::FILE* Through(Edge* edge, int buffering) {
  cookie_io_functions_t functions{};
  functions.write = WriteThrough;
  std::FILE* stream = ::fopencookie(edge, "w", functions);
  if (stream != nullptr) std::setvbuf(stream, nullptr, buffering, BUFSIZ);
  return stream;
}

}  // namespace

void WriteAsciiOnly() {
  static Edge out{STDOUT_FILENO}, err{STDERR_FILENO};
  // glibc lets both be assigned to, and all of printf, puts and putchar follow.
  if (std::FILE* stream = Through(&out, ::isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF)) stdout = stream;
  if (std::FILE* stream = Through(&err, _IONBF)) stderr = stream;
}

void PutAsItIs(std::string_view text) {
  std::fflush(stdout);
  if (!WriteAll(STDOUT_FILENO, text)) NoteLostOutput(errno);
}

}  // namespace warplings
