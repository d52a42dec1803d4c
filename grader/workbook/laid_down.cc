// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/laid_down.h"

#include <algorithm>
#include <fstream>

#include "grader/base/read_file.h"
#include "grader/base/sha256.h"
#include "grader/messages/workbook.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr std::size_t kHashDigits = 64;
constexpr std::string_view kVersionLine = "# warplings ";

bool IsHash(std::string_view text) {
  return text.size() == kHashDigits &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

bool StarterListHas(const std::filesystem::path& root, const std::string& path, const std::string& hash) {
  const std::string list = ReadFile(root / kStarterList).value_or("");
  return ("\n" + list).find("\n" + hash + "  " + path + "\n") != std::string::npos;
}

bool StarterListNames(const std::filesystem::path& root, const std::string& path) {
  return ReadFile(root / kStarterList).value_or("").find("  " + path + "\n") != std::string::npos;
}

std::string HashOfText(std::string_view text) {
  Sha256 hash;
  hash.Add(text);
  return hash.Finish();
}

std::string LaidDownText(const LaidDown& laid_down) {
  std::string text =
      std::string(kVersionLine) + laid_down.version +
      "\n# SHA-256 of each version of a file that `warplings` put here. `warplings update` replaces a "
      "file\n# that is still one of them, and leaves every other one to you.\n";
  for (const auto& [path, hashes] : laid_down.files) {
    for (const std::string& hash : hashes) text += hash + "  " + path + "\n";
  }
  return text;
}

Result<LaidDown> ReadLaidDown(const std::filesystem::path& workbook) {
  const std::filesystem::path file = LaidDownFile(workbook);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return UsageError(say::cannot_read(file.string()), say::check_permissions());
  LaidDown laid_down;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.starts_with(kVersionLine)) laid_down.version = line.substr(kVersionLine.size());
    if (line.empty() || line.starts_with("#")) continue;
    const std::string hash = line.substr(0, kHashDigits);
    if (!IsHash(hash) || line.size() < kHashDigits + 3 || line.compare(kHashDigits, 2, "  ") != 0) {
      return UsageError(say::no_hash_and_path(file.string(), number), say::remove_line_of_laid_down());
    }
    laid_down.files[line.substr(kHashDigits + 2)].insert(hash);
  }
  if (stream.bad()) return UsageError(say::cannot_read(file.string()), say::check_permissions());
  return laid_down;
}

}  // namespace warplings
