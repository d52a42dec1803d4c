// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/locations.h"

#include <algorithm>
#include <array>

#include "grader/messages/ptx.h"

namespace warplings::ptx {
namespace {

constexpr std::uint64_t kMaxNumber = 0x7FFF'FFFF;

int TakeInt(Scanner& scanner, std::string_view what) {
  return static_cast<int>(scanner.TakeUnsigned(what, kMaxNumber));
}

}  // namespace

bool IsToolkitPath(std::string_view path) {
  // /usr/local may hold a user's own tree: only its cuda and cuda-N.M are NVIDIA's.
  constexpr std::array kRoots = {"/usr/include/",    "/usr/lib/",  "/usr/lib64/", "/usr/local/cuda/",
                                 "/usr/local/cuda-", "/opt/cuda/", "/opt/nvidia/"};
  constexpr std::array kPieces = {"/targets/x86_64-linux/include/",
                                  "/targets/sbsa-linux/include/",
                                  "/nvidia/cu13/",
                                  "/nvidia/cu12/",
                                  "/nvidia/cuda_runtime/",
                                  "/include/cccl/",
                                  "/include/crt/",
                                  "/include/cooperative_groups",
                                  "/include/cuda/std/",
                                  "/include/cub/",
                                  "/include/thrust/",
                                  "/include/device_",
                                  "/include/sm_",
                                  "/include/cuda_",
                                  "/include/c++/"};
  return std::ranges::any_of(kRoots, [&](std::string_view root) { return path.starts_with(root); }) ||
         std::ranges::any_of(kPieces, [&](std::string_view piece) { return path.find(piece) != path.npos; });
}

void LocationTable::TakeLoc(Scanner& scanner) {
  Entry entry;
  entry.ptx_line = scanner.line();
  const int file = TakeInt(scanner, "the file of .loc");
  const int line = TakeInt(scanner, "the line of .loc");
  entry.at = {file, line, TakeInt(scanner, "the column of .loc")};
  while (scanner.TryTake(',')) {
    if (scanner.TryTake("function_name")) {
      scanner.TakeDottedIdentifier("a label of .debug_str");
      if (scanner.TryTake('+')) scanner.TakeUnsigned("an offset", kMaxNumber);
    } else if (scanner.TryTake("inlined_at")) {
      const int site_file = TakeInt(scanner, "the file of inlined_at");
      const int site_line = TakeInt(scanner, "the line of inlined_at");
      entry.call_site = {site_file, site_line, TakeInt(scanner, "the column of inlined_at")};
      entry.is_inlined = true;
    } else {
      scanner.FailExpected("function_name or inlined_at");
    }
  }
  if (line == 0) return;
  if (entry.is_inlined) {
    const auto parent = latest_.find(entry.call_site);
    if (parent != latest_.end()) entry.parent = parent->second;
  }
  current_ = static_cast<std::int32_t>(entries_.size());
  latest_[entry.at] = current_;
  entries_.push_back(entry);
}

std::vector<Location> LocationTable::Resolve(const std::map<int, int>& file_index,
                                             const std::vector<std::string>& files) const {
  const auto file_of = [&](const Position& position, int ptx_line) {
    const auto found = file_index.find(std::get<0>(position));
    if (found == file_index.end()) {
      throw ParseFailure{ptx_line, say::loc_of_no_file(std::get<0>(position)), {}};
    }
    return found->second;
  };
  std::vector<bool> is_toolkit;
  for (const std::string& file : files) is_toolkit.push_back(IsToolkitPath(file));

  // Parents come before their children, so each entry can take over what its parent found.
  struct Chain {
    int outermost_file = -1;
    int where_file = -1, where_line = 0;  ///< The nearest line of a student's file; file -1: none.
    int caller_line = 0;                  ///< The next one outward, if it is in the same file.
  };
  std::vector<Chain> chains;
  std::vector<Location> locations;
  for (const Entry& entry : entries_) {
    const int file = file_of(entry.at, entry.ptx_line);
    Chain chain{file, -1, 0, 0};
    if (entry.parent >= 0) {
      chain = chains[static_cast<std::size_t>(entry.parent)];
    } else if (entry.is_inlined && std::get<1>(entry.call_site) != 0) {
      const int site = file_of(entry.call_site, entry.ptx_line);
      chain = {site, site, std::get<1>(entry.call_site), 0};
    }
    if (chain.where_file < 0 || !is_toolkit[static_cast<std::size_t>(file)] || file == chain.outermost_file) {
      chain.caller_line = chain.where_file == file ? chain.where_line : 0;
      chain.where_file = file;
      chain.where_line = std::get<1>(entry.at);
    }
    chains.push_back(chain);
    locations.push_back({chain.where_file, chain.where_line, file, std::get<1>(entry.at), chain.caller_line});
  }
  return locations;
}

}  // namespace warplings::ptx
