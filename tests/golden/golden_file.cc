// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/golden_file.h"

#include <zstd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

namespace warplings::vgpu {
namespace {

constexpr std::string_view kMagic = "WGR1";
constexpr std::size_t kMaximumBytes = std::size_t{256} << 20;

void PutString(std::string& bytes, std::string_view text) {
  const auto length = static_cast<std::uint32_t>(text.size());
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes.append(text);
}

/// Takes length and bytes off the front; false at a cut.
bool TakeString(std::string_view& bytes, std::string_view& text) {
  std::uint32_t length;
  if (bytes.size() < sizeof length) return false;
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (bytes.size() < length) return false;
  text = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return true;
}

Error Broken(const std::filesystem::path& file) {
  return GraderError(file.string() + " is not a file of golden results.");
}

}  // namespace

Status WriteGolden(const std::filesystem::path& file, const GoldenResults& golden) {
  std::string bytes(kMagic);
  PutString(bytes, golden.device);
  for (const auto& [opcode, values] : golden.results) {
    PutString(bytes, opcode);
    PutString(bytes, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]});
  }
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 19);
  if (ZSTD_isError(size)) return GraderError(std::string("zstd: ") + ZSTD_getErrorName(size));
  std::ofstream out(file, std::ios::binary);
  out.write(packed.data(), static_cast<std::streamsize>(size));
  if (!out.flush()) return GraderError("Cannot write " + file.string());
  return Unit{};
}

Result<GoldenResults> ReadGolden(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return GraderError("Cannot read " + file.string());
  const std::string packed{std::istreambuf_iterator<char>(in), {}};
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size > kMaximumBytes) return Broken(file);
  std::string bytes(size, '\0');
  const std::size_t unpacked = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(unpacked) || unpacked != size) return Broken(file);

  std::string_view rest = bytes, device, opcode, values;
  if (!rest.starts_with(kMagic)) return Broken(file);
  rest.remove_prefix(kMagic.size());
  if (!TakeString(rest, device)) return Broken(file);
  GoldenResults golden;
  golden.device = device;
  while (!rest.empty()) {
    if (!TakeString(rest, opcode) || !TakeString(rest, values)) return Broken(file);
    std::vector<std::uint64_t>& kept = golden.results[std::string(opcode)];
    kept.resize(values.size() / sizeof kept[0]);
    std::memcpy(kept.data(), values.data(), kept.size() * sizeof kept[0]);
  }
  return golden;
}

}  // namespace warplings::vgpu
