// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "grader/base/unique_fd.h"
#include "grader/build/source_file.h"
#include "grader/submissions/read_handed_in.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

std::string CannotBeRead(int fault) {
  return std::string("cannot be read: ") + std::strerror(fault);
}

/// Fills in the text, or why there is none. `path` has no links left.
void ReadText(const fs::path& path, HandedInFile& file) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!fd) {
    file.problem = CannotBeRead(errno);
    return;
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    file.problem = "is no ordinary file";
    return;
  }
  // What it is linked to may be another student's, or the solution, and change behind our back.
  if (status.st_nlink > 1) {
    file.problem = "is a hard link: the same file has another name; grade a copy of the class (cp -r)";
    return;
  }
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
  FolderReader(fs::path root, const ReadLimits& limits) : root_(std::move(root)), limits_(limits) {}

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
    if (IsKept(name)) ReadFile(entry, type, file);
    found_.files.push_back(std::move(file));
  }

  void ReadFile(const fs::path& entry, fs::file_type type, HandedInFile& file) {
    fs::path path = entry;
    if (type == fs::file_type::symlink) {
      std::error_code error;
      path = fs::canonical(entry, error);
      if (error) {
        file.problem = "is a link to nothing";
      } else if (!IsBelow(path, root_)) {
        file.problem = "is a link that leaves the folder";
      }
    } else if (type != fs::file_type::regular) {
      file.problem = "is no ordinary file";
    }
    if (!file.problem.empty()) return;
    ReadText(path, file);
    kept_ += file.text.size();
    if (kept_ <= limits_.kept_bytes) return;
    file.text.clear();
    file.problem = "is not read: there is too much text in all";
  }

  const fs::path root_;
  const ReadLimits& limits_;
  HandedIn found_;
  std::size_t count_ = 0;
  std::uintmax_t kept_ = 0;
};

}  // namespace

HandedIn ReadFolder(const fs::path& folder, const ReadLimits& limits) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return {{}, "the folder cannot be read: " + error.message()};
  return FolderReader(root, limits).Read();
}

namespace {

/// Files that lie beside other students'. An archive among them is read like a student's whole one.
Result<HandedIn> ReadLooseFiles(const std::vector<LooseFile>& files, const ReadLimits& limits) {
  HandedIn found;
  std::map<std::string, std::size_t> uses;
  for (const LooseFile& loose : files) ++uses[loose.name];
  for (const LooseFile& loose : files) {
    // Two downloads of one file keep their names apart by what the LMS put in front.
    const std::string path =
        uses[loose.name] == 1 ? loose.name : loose.path.filename().string() + "/" + loose.name;
    if (IsArchiveName(loose.name)) {
      auto packed = ReadArchive(loose.path, limits);
      if (!packed) return packed.error();
      if (!packed->problem.empty() && found.problem.empty()) found.problem = path + ": " + packed->problem;
      for (HandedInFile& file : packed->files) {
        file.order = loose.order;
        if (uses[loose.name] > 1) file.path = loose.path.filename().string() + "/" + file.path;
        found.files.push_back(std::move(file));
      }
      continue;
    }
    HandedInFile file;
    file.path = path;
    file.order = loose.order;
    if (IsKept(loose.name)) ReadText(loose.path, file);
    found.files.push_back(std::move(file));
  }
  return found;
}

}  // namespace

Result<HandedIn> ReadHandedIn(const StudentEntry& student, const ReadLimits& limits) {
  switch (student.kind) {
    case StudentEntry::Kind::kFolder: return ReadFolder(student.path, limits);
    case StudentEntry::Kind::kArchive: return ReadArchive(student.path, limits);
    case StudentEntry::Kind::kFiles: return ReadLooseFiles(student.files, limits);
    case StudentEntry::Kind::kUnusable: break;
  }
  return HandedIn{{}, "the entry " + student.problem};
}

}  // namespace warplings
