// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/covered_texts.h"

#include <cstdint>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/base/atomic_file.h"
#include "grader/base/read_file.h"
#include "grader/base/sha256.h"
#include "grader/base/wire.h"
#include "grader/messages/workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// More than all texts of a tree take together. Keeps a link to a huge file, made by mistake, from filling
/// memory.
constexpr std::uintmax_t kMaxTextBytes = 1 << 20, kMaxCoveredBytes = 16 << 20;

std::string HashOf(std::string_view bytes) {
  Sha256 hash;
  hash.Add(bytes);
  return hash.Finish();
}

constexpr std::string_view kHead =
    "Texts of Warplings that are not to be read by chance. No secret: the program reads them.\n";

struct CoveredContent {
  std::vector<std::pair<std::string, std::string>> texts;
};

/// Makes bytes unreadable, and readable when called again: each is XORed with one of xorshift64's.
std::string Covered(std::string_view bytes) {
  std::uint64_t state = 0x9E3779B97F4A7C15;
  std::string out(bytes);
  for (char& byte : out) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ static_cast<unsigned char>(state >> 32));
  }
  return out;
}

Result<std::string> ReadTextOf(const fs::path& path, const std::string& name, std::uintmax_t most) {
  std::error_code fault;
  const std::uintmax_t bytes = fs::is_regular_file(path, fault) ? fs::file_size(path, fault) : 0;
  if (fault || !fs::is_regular_file(path, fault)) return UsageError(say::no_such_file(name));
  if (bytes > most) return UsageError(say::file_larger_than(name, most >> 20));
  auto text = ReadFile(path);
  if (!text) return UsageError(say::file_cannot_be_read(name));
  return *std::move(text);
}

}  // namespace

std::string CoverTexts(const TextsByName& texts) {
  CoveredContent content{{texts.begin(), texts.end()}};
  const std::vector<std::byte> bytes = wire::Encode(content);
  const std::string plain(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::string(kHead) + HashOf(plain) + "\n" + Covered(plain);
}

Result<TextsByName> UncoverTexts(std::string_view covered) {
  const Error damaged =
      UsageError(say::covered_texts_damaged(kCoveredTextsFile), say::unpack_edition_again());
  if (!covered.starts_with(kHead)) return damaged;
  covered.remove_prefix(kHead.size());
  const std::size_t end = covered.find('\n');
  if (end == std::string_view::npos) return damaged;
  const std::string_view hash = covered.substr(0, end);
  const std::string plain = Covered(covered.substr(end + 1));
  if (HashOf(plain) != hash) return damaged;
  const auto content = wire::Decode<CoveredContent>(std::as_bytes(std::span(plain)));
  if (!content) return damaged;
  return TextsByName{content->texts.begin(), content->texts.end()};
}

const Result<TextsByName>& TreeTexts::Covered() {
  if (covered_) return *covered_;
  std::error_code fault;
  if (!fs::exists(root_ / kCoveredTextsFile, fault)) return covered_.emplace(TextsByName{});
  const auto bytes = ReadTextOf(root_ / kCoveredTextsFile, kCoveredTextsFile, kMaxCoveredBytes);
  return covered_.emplace(bytes ? UncoverTexts(*bytes) : Result<TextsByName>(bytes.error()));
}

bool TreeTexts::Has(const std::string& name) {
  std::error_code fault;
  if (fs::exists(root_ / name, fault)) return true;
  const auto& covered = Covered();
  return !covered || covered->contains(name);  // What is damaged is reported by Read.
}

Result<std::string> TreeTexts::Read(const std::string& name) {
  std::error_code fault;
  if (!fs::exists(root_ / name, fault)) {
    const auto& covered = Covered();
    if (!covered) return covered.error();
    if (const auto text = covered->find(name); text != covered->end()) return text->second;
  }
  return ReadTextOf(root_ / name, name, kMaxTextBytes);
}

Result<fs::path> BaselineFile(const Exercise& exercise) {
  std::error_code fault;
  if (fs::exists(exercise.baseline, fault)) return exercise.baseline;
  const fs::path name = fs::path("reference/baselines") / exercise.chapter / (exercise.id + ".cu");
  // The tree's root: four levels up from ROOT/reference/baselines/CHAPTER/EXERCISE.cu.
  const fs::path root = exercise.baseline.parent_path().parent_path().parent_path().parent_path();
  const auto text = TreeTexts(root).Read(name.string());
  if (!text) return text.error();
  const fs::path file = fs::temp_directory_path(fault) / name;
  fs::create_directories(file.parent_path(), fault);
  if (const Status written = WriteFileAtomically(file, *text); !written) return written.error();
  return file;
}

}  // namespace warplings
