// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/unpack_archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "grader/build/source_file.h"
#include "grader/core/remedy.h"

namespace warplings {
namespace {

struct CloseArchive {
  void operator()(archive* reader) const { archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, CloseArchive>;

std::string FaultOf(archive* reader) {
  const char* text = archive_error_string(reader);
  return text == nullptr ? "unknown fault" : text;
}

/// Few formats on purpose: each that libarchive may try is more code that a hostile file can reach.
Reader Open(int fd) {
  Reader reader(archive_read_new());
  if (!reader) return nullptr;
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip(reader.get());
  constexpr std::size_t kBlock = 64 << 10;
  if (archive_read_open_fd(reader.get(), fd, kBlock) != ARCHIVE_OK) return nullptr;
  return reader;
}

/// Archives from elsewhere: backslashes for slashes, and "./" in front.
std::string NormalPath(archive_entry* entry) {
  const char* name = archive_entry_pathname(entry);
  if (name == nullptr) name = archive_entry_pathname_utf8(entry);
  std::string path = name == nullptr ? "" : name;
  if (path.find('/') == std::string::npos) std::ranges::replace(path, '\\', '/');
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

bool Leaves(std::string_view path) {
  return path.starts_with('/') || path == ".." || path.starts_with("../") || path.ends_with("/..") ||
         path.find("/../") != std::string_view::npos;
}

class EntryReader {
 public:
  EntryReader(archive* reader, const ReadLimits& limits) : reader_(reader), limits_(limits) {}

  HandedIn Read() {
    archive_entry* entry = nullptr;
    while (found_.problem.empty()) {
      const int status = archive_read_next_header(reader_, &entry);
      if (status == ARCHIVE_EOF) break;
      if (status == ARCHIVE_RETRY) continue;
      if (status < ARCHIVE_WARN) {
        found_.problem = "the archive is damaged: " + FaultOf(reader_) + std::string(kAskAgain.of_instructor);
        break;
      }
      Take(entry);
    }
    // Two gigabytes of zeros are such an archive, too: a tar ends at the first two blocks of them.
    if (count_ == 0 && found_.problem.empty())
      found_.problem = "the archive is empty: there is no file in it";
    std::ranges::stable_sort(found_.files, {}, &HandedInFile::path);
    found_.entries = count_;
    found_.unpacked_bytes = unpacked_;
    return std::move(found_);
  }

 private:
  void Take(archive_entry* entry) {
    if (++count_ > limits_.entries) {
      found_.problem = "the archive has more than " + std::to_string(limits_.entries) + " files";
      return;
    }
    // What a tar holds has to be decompressed to be skipped.
    unpacked_ += static_cast<std::uintmax_t>(std::max<std::int64_t>(0, archive_entry_size(entry)));
    if (unpacked_ > limits_.unpacked_bytes) {
      found_.problem =
          "the archive unpacks to more than " + std::to_string(limits_.unpacked_bytes >> 20) + " MiB";
      return;
    }
    HandedInFile file{NormalPath(entry), "", "", std::max<std::int64_t>(0, archive_entry_mtime(entry)), 0};
    const bool is_link = archive_entry_hardlink(entry) != nullptr || archive_entry_symlink(entry) != nullptr;
    if (file.path.empty() || IsClutter(file.path)) return;
    if (!is_link && archive_entry_filetype(entry) == AE_IFDIR) return;
    if (std::ranges::count(file.path, '/') > static_cast<std::ptrdiff_t>(limits_.depth)) {
      file.problem = "lies too many folders deep";
    } else if (Leaves(file.path)) {
      file.problem = "has a path that leaves the folder";
    } else if (is_link) {
      file.problem = "is a link in the archive; hand in the file itself";
    } else if (archive_entry_filetype(entry) != AE_IFREG) {
      file.problem = "is no ordinary file";
    } else if (archive_entry_is_encrypted(entry) > 0) {
      file.problem = "is encrypted";
    } else if (IsKept(file.path) || MayHoldProgram(file.path)) {
      ReadText(file);
      if (!IsKept(file.path)) file.problem.clear();  // It may be meant for an exercise; that is all.
    }
    if (IsKept(file.path) || file.problem.empty()) found_.files.push_back(std::move(file));
  }

  void ReadText(HandedInFile& file) {
    std::string text(kMaxSourceBytes + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
      const la_ssize_t got = archive_read_data(reader_, text.data() + size, text.size() - size);
      if (got < 0) {
        file.problem = "is damaged: " + FaultOf(reader_) + std::string(kAskAgain.of_instructor);
        return;
      }
      if (got == 0) break;
      size += static_cast<std::size_t>(got);
    }
    // Long notes leave room for programs.
    if (!IsKept(file.path) && kept_ + size > limits_.kept_bytes / 2) return;
    kept_ += size;
    if (kept_ > limits_.kept_bytes) {
      file.problem = "is not read: there is too much text in all";
      return;
    }
    text.resize(size);
    text.shrink_to_fit();
    file.text = std::move(text);
  }

  archive* reader_;
  const ReadLimits& limits_;
  HandedIn found_;
  std::size_t count_ = 0;
  std::uintmax_t unpacked_ = 0, kept_ = 0;
};

}  // namespace

HandedIn ReadArchiveEntries(int fd, const ReadLimits& limits) {
  const Reader reader = Open(fd);
  if (!reader) return {{}, "it is no .zip, .tar or .tar.gz archive"};
  return EntryReader(reader.get(), limits).Read();
}

}  // namespace warplings
