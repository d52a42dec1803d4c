// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/hard_links.h"

#include <algorithm>

#include "grader/base/text.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCopy = "; if it is the student's own, grade a copy of the class (cp -r)";

/// Calls `use` for each file below a folder, without following links. False if not all could be seen.
template <class Use>
bool EachFile(const fs::path& folder, Use use) {
  constexpr std::size_t kMost = 2'000'000;
  std::error_code error;
  std::size_t count = 0;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (++count > kMost) return false;
    use(entry->path());
  }
  return !error;
}

}  // namespace

void HardLinks::AddLinked(const fs::path& path, const std::string& entry, Seen& seen) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink < 2) return;
  const Inode inode{status.st_dev, status.st_ino};
  if (entry.empty()) {
    seen.own.insert(inode);
  } else {
    seen.entries[inode].insert(entry);
  }
}

HardLinks::Seen HardLinks::Look() const {
  Seen seen;
  seen.complete = EachFile(class_folder_, [&](const fs::path& path) {
    AddLinked(path, path.lexically_relative(class_folder_).begin()->string(), seen);
  });
  // A workbook need not have all of these folders.
  for (const fs::path& folder : own_folders_)
    EachFile(folder, [&](const fs::path& path) { AddLinked(path, "", seen); });
  return seen;
}

std::string HardLinks::ProblemOf(const struct stat& file, const struct stat& folder) {
  if (file.st_uid != folder.st_uid) {
    return std::string("is a hard link to a file of another user: its owner is not that of the folder") +
           kCopy;
  }
  if (!seen_) seen_ = Look();
  const Inode inode{file.st_dev, file.st_ino};
  if (seen_->own.contains(inode)) return "is a hard link to a file of the workbook's own";
  const auto known = seen_->entries.find(inode);
  if (!seen_->complete || known == seen_->entries.end()) {
    return std::string("is a hard link, and not all of the class could be searched for its other name") +
           kCopy;
  }
  if (known->second.size() < 2) return "";
  std::string names;
  for (const std::string& each : known->second) names += (names.empty() ? "" : " and ") + Printable(each);
  return "is a hard link: " + names + " have one and the same file" + kCopy;
}

std::string HardLinkProblem(const struct stat& file, const struct stat& folder, HardLinks* links) {
  if (file.st_nlink < 2) return "";
  if (links != nullptr) return links->ProblemOf(file, folder);
  return std::string("is a hard link: the same file has another name") + kCopy;
}

}  // namespace warplings
