// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warplings {

/// Decides whether a file that has another name, too, is read. A copy that `cp -al` or `rsync --link-dest`
/// made of a class has such files all over, and they are the students' own. Who can plant a hard link gets
/// another file graded as if it were handed in: the solution, or another student's. So a linked file is read
/// only if
///
/// - it belongs to the user to whom the folder that it lies in belongs: a user who links a file of somebody
///   else's into a folder does not become its owner;
/// - no other entry of the class has it, too, where everything belongs to the one who unpacked it;
/// - it is no file of the workbook's own.
class HardLinks {
 public:
  /// `own_folders` are the grader's, such as the solutions. Nothing is looked up before the first linked
  /// file.
  HardLinks(std::filesystem::path class_folder, std::vector<std::filesystem::path> own_folders)
      : class_folder_(std::move(class_folder)), own_folders_(std::move(own_folders)) {}

  /// Why a linked file is not read, worded to follow its path; empty: it is. `folder` is the one that it lies
  /// in.
  std::string ProblemOf(const struct stat& file, const struct stat& folder);

 private:
  using Inode = std::pair<dev_t, ino_t>;
  struct Seen {
    std::map<Inode, std::set<std::string>> entries;  ///< Of the class, by the linked files in them.
    std::set<Inode> own;
    bool complete = true;
  };

  static void AddLinked(const std::filesystem::path& path, const std::string& entry, Seen& seen);
  Seen Look() const;

  const std::filesystem::path class_folder_;
  const std::vector<std::filesystem::path> own_folders_;
  std::optional<Seen> seen_;
};

/// As HardLinks::ProblemOf; without `links` no linked file is read. Empty for a file with one name.
std::string HardLinkProblem(const struct stat& file, const struct stat& folder, HardLinks* links);

}  // namespace warplings
