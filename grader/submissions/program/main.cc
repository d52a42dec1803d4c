// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <clocale>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/wire.h"
#include "grader/base/write_all.h"
#include "grader/sandbox/confine.h"
#include "grader/submissions/archive_reader.h"
#include "grader/submissions/unpack_archive.h"

/// Reads one archive that a student handed in. ReadArchive starts it, in a sandbox: what a hostile archive
/// makes of libarchive finds no network, no other process and, but for the libraries that this program was
/// loaded from, no file. Once it is loaded, it gives up opening files, too, and only then looks at the
/// archive.
namespace warplings {
namespace {

constexpr int kStandardOutput = 1;

template <class Number>
bool ReadNumber(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

int Fail(const std::string& message) {
  std::printf("warplings-read-archive: %s\n", message.c_str());
  return 1;
}

int Main(int argc, char** argv) {
  ReadLimits limits;
  if (argc != 5 || !ReadNumber(argv[1], limits.entries) || !ReadNumber(argv[2], limits.depth) ||
      !ReadNumber(argv[3], limits.kept_bytes) || !ReadNumber(argv[4], limits.unpacked_bytes)) {
    return Fail("usage: warplings-read-archive ENTRIES DEPTH KEPT_BYTES UNPACKED_BYTES");
  }
  // Or libarchive could not give a name that the archive says is UTF-8.
  std::setlocale(LC_CTYPE, "C.UTF-8");
  if (const Status confined = sandbox::ConfineThisProcess(sandbox::SeccompProfile::kWorker, 0); !confined) {
    return Fail(English(confined.error().message));
  }
  if (!WriteAll(kStandardOutput, kReadyMark)) return 1;
  const std::vector<std::byte> answer = wire::Encode(ReadArchiveEntries(kArchiveNumber, limits));
  return WriteAll(kStandardOutput, {reinterpret_cast<const char*>(answer.data()), answer.size()}) ? 0 : 1;
}

}  // namespace
}  // namespace warplings

int main(int argc, char** argv) {
  return warplings::Main(argc, argv);
}
