// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// A file of a student's folder or archive. Only files that an exercise may use (IsKept), or that may be
/// meant for one (MayHoldProgram), have `text`.
/// It is cut one byte after the maximum size of a submission, so that a file that is too large can be
/// recognised.
struct HandedInFile {
  /// Relative to the student's folder, with slashes: "chapters/01_x/a.cu". May contain any bytes.
  std::string path;
  std::string text;
  /// Why there is no text, worded to follow the path: "is a link". Empty if there is none.
  std::string problem;
  std::int64_t modified_at = 0;  ///< The file's modification time in seconds since 1970, UTC; 0: unknown.
  std::int64_t order = 0;  ///< Orders attempts by the LMS's numbers: later ones are larger; 0: no number.
};

/// Everything that a student handed in, sorted by path.
struct HandedIn {
  std::vector<HandedInFile> files;
  /// Why not everything could be read: "the archive is damaged". Empty if all was read.
  std::string problem;
  /// What reading an archive took of its limits.
  std::uint64_t entries = 0, unpacked_bytes = 0;
};

/// Limits on how much one student can make the grader read: in a folder, in an archive, or in all loose files
/// and archives that an LMS put beside those of others. A workbook has about a hundred small files.
struct ReadLimits {
  std::size_t entries = 10'000;
  std::size_t depth = 32;                                     ///< Levels of nested folders.
  std::uintmax_t kept_bytes = std::uintmax_t{32} << 20;       ///< Total size of the texts that are kept.
  std::uintmax_t unpacked_bytes = std::uintmax_t{256} << 20;  ///< Unpacked size of an archive, or of all.
  std::size_t archives = 20;  ///< Archives; each is read by a process of its own.
};

/// A path as the student meant it, where the file's ending was changed on the way: "a/scale.cu" for
/// "a/scale.cu.txt" and "a/scale.cpp". Other paths as they are.
std::string AsCuPath(std::string_view path);

/// The same of TOML: "a/ask.toml" for "a/ask.toml.txt", as Windows' editor saves it.
std::string AsTomlPath(std::string_view path);

/// Files whose text is kept: those that end in .cu or .toml, in any case, or whose ending AsCuPath or
/// AsTomlPath corrects.
bool IsKept(std::string_view path);

/// Files that may be a program under a wrong name: notes.txt, or a name without an ending. Their text is
/// kept, too, so that whoever hands in such a file is told.
bool MayHoldProgram(std::string_view path);

/// True for the archives that can be read: .zip, .tar.gz, .tgz, .tar, in any case.
bool IsArchiveName(std::string_view path);

/// The ending of the name of an archive that is not read: ".7z", ".rar", ".tar.xz", in any case. "" for
/// others.
std::string_view OtherArchiveEnding(std::string_view path);

/// True for files that operating systems, editors and version control add and no student wrote: __MACOSX/,
/// ._a.cu, .DS_Store, .git/. Other hidden files and folders count as the student's.
bool IsClutter(std::string_view path);

/// The last component of `path`.
std::string_view FileNameOf(std::string_view path);

}  // namespace warplings
