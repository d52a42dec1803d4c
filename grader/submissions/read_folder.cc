// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>

#include "grader/base/text.h"
#include "grader/base/thrown.h"
#include "grader/base/unique_fd.h"
#include "grader/build/source_file.h"
#include "grader/submissions/read_handed_in.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

/// Throws where the machine is short of something, which is no fault of the file's.
std::string CannotBeRead(int fault) {
  ThrowIfExhausted({fault, std::system_category()});
  return std::string("cannot be read: ") + std::strerror(fault);
}

/// Fills in the text, or why there is none. `path` has no links left.
void ReadText(const fs::path& path, HandedInFile& file, HardLinks* links) {
  const UniqueFd parent(::open(fs::absolute(path).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent) {
    file.problem = CannotBeRead(errno);
    return;
  }
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const UniqueFd fd(::openat(parent.get(), path.filename().c_str(),
                             O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!fd) {
    file.problem = CannotBeRead(errno);
    return;
  }
  struct stat status {
  }, folder{};
  if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    file.problem = "is no ordinary file";
    return;
  }
  if (::fstat(parent.get(), &folder) != 0) {
    file.problem = CannotBeRead(errno);
    return;
  }
  // It is read once, here: what somebody writes to it later by its other name changes no grade.
  file.problem = HardLinkProblem(status, folder, links);
  if (!file.problem.empty()) return;
  file.modified_at = status.st_mtim.tv_sec;
  std::string text(kMaxSourceBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(fd.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) file.problem = CannotBeRead(errno);
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (!file.problem.empty()) return;
  text.resize(size);
  text.shrink_to_fit();
  file.text = std::move(text);
}

bool IsBelow(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

class FolderReader {
 public:
  FolderReader(fs::path root, const ReadLimits& limits, HardLinks* links)
      : root_(std::move(root)), limits_(limits), links_(links) {}

  HandedIn Read() {
    ReadFolder(root_, "", 0);
    std::ranges::sort(found_.files, {}, &HandedInFile::path);
    return std::move(found_);
  }

 private:
  void Problem(std::string problem) {
    if (found_.problem.empty()) found_.problem = std::move(problem);
  }

  void ReadFolder(const fs::path& folder, const std::string& prefix, std::size_t depth) {
    if (depth > limits_.depth) {
      return Problem("the folders lie more than " + std::to_string(limits_.depth) + " deep in each other");
    }
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      if (++count_ > limits_.entries) {
        return Problem("there are more than " + std::to_string(limits_.entries) + " files");
      }
      entries.push_back(entry->path());
    }
    ThrowIfExhausted(error);
    if (error)
      Problem("the folder " + (prefix.empty() ? "itself" : prefix) + " cannot be read: " + error.message());
    for (const fs::path& entry : entries) ReadEntry(entry, prefix + entry.filename().string(), depth);
  }

  void ReadEntry(const fs::path& entry, const std::string& name, std::size_t depth) {
    if (IsClutter(name)) return;
    std::error_code error;
    const fs::file_type type = fs::symlink_status(entry, error).type();
    if (type == fs::file_type::directory) return ReadFolder(entry, name + "/", depth + 1);
    HandedInFile file;
    file.path = name;
    if (IsKept(name) || MayHoldProgram(name)) ReadFile(entry, type, file);
    found_.files.push_back(std::move(file));
  }

  void ReadFile(const fs::path& entry, fs::file_type type, HandedInFile& file) {
    fs::path path = entry;
    if (type == fs::file_type::symlink) {
      std::error_code error;
      path = fs::canonical(entry, error);
      ThrowIfExhausted(error);
      if (error) {
        file.problem = "is a link to nothing";
      } else if (!IsBelow(path, root_)) {
        file.problem = "is a link that leaves the folder";
      }
    } else if (type != fs::file_type::regular) {
      file.problem = "is no ordinary file";
    }
    if (!file.problem.empty()) return;
    ReadText(path, file, links_);
    // Long notes leave room for programs.
    if (!IsKept(file.path) && kept_ + file.text.size() > limits_.kept_bytes / 2) {
      file.text.clear();
      return;
    }
    kept_ += file.text.size();
    if (kept_ <= limits_.kept_bytes) return;
    file.text.clear();
    file.problem = "is not read: there is too much text in all";
  }

  const fs::path root_;
  const ReadLimits& limits_;
  HardLinks* const links_;
  HandedIn found_;
  std::size_t count_ = 0;
  std::uintmax_t kept_ = 0;
};

}  // namespace

HandedIn ReadFolder(const fs::path& folder, const ReadLimits& limits, HardLinks* links) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  ThrowIfExhausted(error);
  if (error) return {{}, "the folder cannot be read: " + error.message()};
  return FolderReader(root, limits, links).Read();
}

namespace {

/// Files of one student that lie beside other students'. An archive among them is read like a student's whole
/// one; what all of them may take together is as much as one. The latest are read first, since they count.
class LooseFilesReader {
 public:
  LooseFilesReader(const std::vector<LooseFile>& files, const ReadLimits& limits, HardLinks* links)
      : files_(files), limits_(limits), left_(limits), links_(links) {
    for (const LooseFile& loose : files) ++uses_[loose.name];
  }

  Result<HandedIn> Read() {
    std::vector<const LooseFile*> latest_first;
    for (const LooseFile& loose : files_) latest_first.push_back(&loose);
    std::ranges::stable_sort(latest_first, std::greater(), &LooseFile::order);
    std::map<const LooseFile*, std::vector<HandedInFile>> read;
    for (const LooseFile* loose : latest_first) {
      if (left_.entries == 0) {
        Problem("there are more than " + std::to_string(limits_.entries) + " files");
        break;
      }
      --left_.entries;
      if (const Status done = ReadOne(*loose, read[loose]); !done) return done.error();
    }
    for (const LooseFile& loose : files_) std::ranges::move(read[&loose], std::back_inserter(found_.files));
    return std::move(found_);
  }

 private:
  void Problem(const std::string& problem) {
    if (found_.problem.empty()) found_.problem = problem;
  }

  /// Two downloads of one file keep their names apart by what the LMS put in front.
  std::string PathOf(const LooseFile& loose, const std::string& name) const {
    return uses_.at(loose.name) == 1 ? name : loose.path.filename().string() + "/" + name;
  }

  Status ReadOne(const LooseFile& loose, std::vector<HandedInFile>& into) {
    if (IsArchiveName(loose.name)) return ReadPacked(loose, into);
    HandedInFile file;
    file.path = PathOf(loose, loose.name);
    file.order = loose.order;
    if (IsKept(loose.name) || MayHoldProgram(loose.name)) {
      ReadText(loose.path, file, links_);
      if (!IsKept(loose.name) && file.text.size() > left_.kept_bytes / 2) {
        file.text.clear();
      } else if (file.text.size() > left_.kept_bytes) {
        file.text.clear();
        file.problem = "is not read: there is too much text in all";
      }
      left_.kept_bytes -= file.text.size();
    }
    into.push_back(std::move(file));
    return Unit{};
  }

  Status ReadPacked(const LooseFile& loose, std::vector<HandedInFile>& into) {
    const std::string path = PathOf(loose, loose.name);
    if (left_.archives == 0) {
      Problem("there are more than " + std::to_string(limits_.archives) + " archives");
      return Unit{};
    }
    --left_.archives;
    auto packed = ReadArchive(loose.path, left_, links_);
    if (!packed) return packed.error();
    const bool is_first = left_.unpacked_bytes == limits_.unpacked_bytes;
    if (!packed->problem.empty())
      Problem(path + ": " + packed->problem + (is_first ? "" : ", with the archives before it"));
    left_.unpacked_bytes -= std::min<std::uintmax_t>(left_.unpacked_bytes, packed->unpacked_bytes);
    left_.entries -= std::min<std::size_t>(left_.entries, packed->entries);
    for (HandedInFile& file : packed->files) {
      left_.kept_bytes -= std::min<std::uintmax_t>(left_.kept_bytes, file.text.size());
      file.order = loose.order;
      // That is what has to be handed in again.
      if (!file.problem.empty()) file.problem = "in " + path + " " + file.problem;
      if (!loose.folder.empty()) {
        file.path = loose.folder + file.path;
      } else if (uses_.at(loose.name) > 1) {
        file.path = PathOf(loose, file.path);
      }
      into.push_back(std::move(file));
    }
    return Unit{};
  }

  const std::vector<LooseFile>& files_;
  const ReadLimits limits_;
  ReadLimits left_;
  HardLinks* const links_;
  std::map<std::string, std::size_t> uses_;
  HandedIn found_;
};

/// "attempt_1/" of "attempt_1/work.zip"; empty for what lies in the student's folder itself. Nothing for what
/// lies deeper, or in another folder.
std::optional<std::string> FolderOfArchive(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == path.npos) return "";
  const bool is_attempt = InLowerCase(path).starts_with("attempt") && path.find('/', slash + 1) == path.npos;
  return is_attempt ? std::optional(path.substr(0, slash + 1)) : std::nullopt;
}

/// Of the files that were found in a folder, the archives that lie in itself or in an attempt's folder, where
/// that has no program in it.
std::vector<LooseFile> ArchivesOf(const fs::path& folder, const HandedIn& found) {
  std::vector<LooseFile> archives;
  for (const HandedInFile& file : found.files) {
    const auto in = IsArchiveName(file.path) ? FolderOfArchive(file.path) : std::nullopt;
    if (!in) continue;
    const bool has_program = std::ranges::any_of(found.files, [&](const HandedInFile& each) {
      return each.path.starts_with(*in) && each.path.ends_with(".cu");
    });
    std::error_code error;
    if (!has_program && fs::symlink_status(folder / file.path, error).type() == fs::file_type::regular)
      archives.push_back({folder / file.path, file.path.substr(in->size()), 0, *in});
  }
  return archives;
}

/// A student's folder. If it has no program in it, but archives, as Moodle's folders have where a student
/// handed in one, then what is in these counts. The same of a folder attempt_1, attempt_2, … in it.
Result<HandedIn> ReadFolderOrItsArchives(const fs::path& folder, const ReadLimits& limits, HardLinks* links) {
  HandedIn found = ReadFolder(folder, limits, links);
  const std::vector<LooseFile> archives = ArchivesOf(folder, found);
  if (archives.empty()) return found;
  auto packed = LooseFilesReader(archives, limits, links).Read();
  if (!packed) return packed.error();
  std::erase_if(found.files, [&](const HandedInFile& file) {
    return std::ranges::any_of(
        archives, [&](const LooseFile& archive) { return archive.folder + archive.name == file.path; });
  });
  std::ranges::move(packed->files, std::back_inserter(found.files));
  std::ranges::stable_sort(found.files, {}, &HandedInFile::path);
  if (found.problem.empty()) found.problem = std::move(packed->problem);
  return found;
}

}  // namespace

Result<HandedIn> ReadHandedIn(const StudentEntry& student, const ReadLimits& limits, HardLinks* links) {
  switch (student.kind) {
    case StudentEntry::Kind::kFolder: return ReadFolderOrItsArchives(student.path, limits, links);
    case StudentEntry::Kind::kArchive: return ReadArchive(student.path, limits, links);
    case StudentEntry::Kind::kFiles: return LooseFilesReader(student.files, limits, links).Read();
    case StudentEntry::Kind::kUnusable: break;
  }
  return HandedIn{{}, "the entry " + student.problem};
}

}  // namespace warplings
