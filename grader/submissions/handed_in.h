// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// A file of a student's folder or archive. Only files that an exercise could want (.cu and .toml) have
/// their text here, up to one byte beyond what a submission may have, so that too much is seen as such.
struct HandedInFile {
  std::string path;  ///< From the student's folder on, with slashes: "chapters/01_x/a.cu". Any bytes.
  std::string text;
  std::string problem;  ///< Why there is no text, to be read after the path: "is a link"; else empty.
  std::int64_t modified_at = 0;  ///< The file's own time, seconds since 1970, UTC; 0: unknown.
  std::int64_t order = 0;        ///< Of attempts, as an LMS numbers what comes in: later is larger; 0: none.

  template <class Archive>
  void Fields(Archive& archive) {
    archive(path, text, problem, modified_at, order);
  }
};

/// All that a student handed in, in the order of the paths.
struct HandedIn {
  std::vector<HandedInFile> files;
  std::string problem;  ///< Why not everything could be read: "the archive is damaged"; else empty.

  template <class Archive>
  void Fields(Archive& archive) {
    archive(files, problem);
  }
};

/// Bounds on what one student can make the grader read. A workbook has some hundred small files.
struct ReadLimits {
  std::size_t entries = 10'000;
  std::size_t depth = 32;                                     ///< Folders in folders.
  std::uintmax_t kept_bytes = std::uintmax_t{32} << 20;       ///< Text of all files that are kept.
  std::uintmax_t unpacked_bytes = std::uintmax_t{256} << 20;  ///< Of an archive.
};

/// Files whose text is kept: those that end in .cu or .toml, in any case.
bool IsKept(std::string_view path);

/// An archive that is read: .zip, .tar.gz, .tgz, .tar, in any case.
bool IsArchiveName(std::string_view path);

/// What systems and editors add and no student wrote: __MACOSX/, ._a.cu, .DS_Store, .git/. Other hidden files
/// and folders are somebody's.
bool IsClutter(std::string_view path);

/// The last component.
std::string_view FileNameOf(std::string_view path);

}  // namespace warplings
