// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/result_versions.h"

#include <array>
#include <fstream>
#include <optional>
#include <vector>

#include "grader/base/sha256.h"
#include "grader/build/toolchain.h"
#include "grader/messages/check_faults.h"

namespace warplings {
namespace {

Result<std::string> HashFile(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return GraderError(say::part_of_grader_missing(file.string()), say::build_program());
  }
  Sha256 hash;
  std::array<char, 64 << 10> piece;
  while (stream.read(piece.data(), piece.size()), stream.gcount() > 0) {
    hash.Add({piece.data(), static_cast<std::size_t>(stream.gcount())});
  }
  return hash.Finish();
}

Result<std::string> HashFiles(const std::vector<std::filesystem::path>& files, const std::string& extra) {
  Sha256 hash;
  hash.AddField(extra);
  for (const std::filesystem::path& file : files) {
    const auto one = HashFile(file);
    if (!one) return one.error();
    hash.AddField(*one);
  }
  return hash.Finish();
}

}  // namespace

Result<std::string> SuiteVersion(const Exercise& exercise, const Layout& layout) {
  return HashFiles(
      {layout.SuiteProgram(exercise.chapter, exercise.id), exercise.contract,
       layout.EntryObject(exercise.chapter, exercise.id), exercise.contract.parent_path() / "chapter.toml"},
      exercise.id);
}

Result<std::string> GraderVersion(const Layout& layout) {
  const auto toolchain = FindToolchain(ThisLayout().root);
  if (!toolchain) return toolchain.error();
  const auto cuda_major = CudaMajor(*toolchain);
  if (!cuda_major) return cuda_major.error();
  return HashFiles({layout.DeviceProgram(), layout.WorkerArchive(), layout.RuntimeArchive(*cuda_major)},
                   toolchain->Identity());
}

}  // namespace warplings
