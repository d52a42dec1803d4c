// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "grader/runtime/driver.h"

namespace warplings::runtime {
namespace {

/// Files end here: a device takes no larger image (fatbin::kMaxPayloadBytes).
constexpr std::size_t kMaxImageBytes = std::size_t{64} << 20;

constexpr std::uint32_t kFatbinMagic = 0xBA55ED50, kWrapperMagic = 0x466243B1, kElfMagic = 0x464C457F;
/// Of what LinkImages makes: a ContainerHeader, and containers behind it.
constexpr std::uint32_t kLinkedMagic = 0x4B4E4C57;

const Refused kNoImage{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
const Refused kIsMachineCode{CudaError::kNoKernelImageForDevice, protocol::Refusal::kMachineCode};

/// Headers of a container and of its one entry, as grader/fatbin/fatbin.cc reads them.
struct ContainerHeader {
  std::uint32_t magic = kFatbinMagic;
  std::uint16_t version = 1, header_bytes = 16;
  std::uint64_t bytes = 0;  ///< Behind this header.
};
struct EntryHeader {
  std::uint16_t kind = 1;  ///< PTX.
  std::uint16_t version = 0x101;
  std::uint32_t header_bytes = 64;
  std::uint64_t padded_bytes = 0;
  std::uint64_t packed_bytes = 0;
  std::uint16_t minor = 0, major = 0;
  std::uint32_t sm = 0;
  std::uint64_t unused = 0;
  std::uint64_t flags = 0;
  std::uint64_t more_unused = 0;
  std::uint64_t raw_bytes = 0;
};
static_assert(sizeof(ContainerHeader) == 16 && sizeof(EntryHeader) == 64);

/// The number behind `word`; 0 if there is none.
std::uint32_t NumberBehind(std::string_view text, std::string_view word) {
  std::uint32_t number = 0;
  const std::size_t at = text.find(word);
  if (at != text.npos) std::from_chars(text.data() + at + word.size(), text.data() + text.size(), number);
  return number;
}

/// PTX text as nvcc would embed it. What a device of an older card cannot run, it refuses.
std::vector<std::byte> WrapPtx(std::string_view text) {
  const std::size_t target = text.find(".target");
  EntryHeader entry;
  entry.sm = target == text.npos ? 0 : NumberBehind(text.substr(target), "sm_");
  entry.padded_bytes = (text.size() + 7) / 8 * 8;
  ContainerHeader container;
  container.bytes = sizeof entry + entry.padded_bytes;
  std::vector<std::byte> wrapped(sizeof container + container.bytes);
  std::memcpy(wrapped.data(), &container, sizeof container);
  std::memcpy(wrapped.data() + sizeof container, &entry, sizeof entry);
  std::memcpy(wrapped.data() + sizeof container + sizeof entry, text.data(), text.size());
  return wrapped;
}

Outcome Wrap(std::string_view text, ModuleImage& read) {
  // Without it, a driver does not take the text for PTX (seen on an H200).
  if (text.find(".version") == text.npos) return CudaError::kInvalidKernelImage;
  read = {WrapPtx(text), true};
  return {};
}

/// What is behind the header of a linked image; `bytes` are at least that long.
Outcome ReadLinked(const std::byte* image, std::size_t bytes, ModuleImage& read) {
  ContainerHeader header;
  if (bytes < sizeof header) return CudaError::kInvalidKernelImage;
  std::memcpy(&header, image, sizeof header);
  if (header.bytes > bytes - sizeof header) return CudaError::kInvalidKernelImage;
  read.containers.assign(image + sizeof header, image + sizeof header + header.bytes);
  return {};
}

std::uint32_t MagicOf(const char* image, std::size_t bytes) {
  std::uint32_t magic = 0;
  if (bytes >= sizeof magic) std::memcpy(&magic, image, sizeof magic);
  return magic;
}

}  // namespace

Outcome ReadModuleImage(const void* image, ModuleImage& read) {
  if (image == nullptr) return kNoImage;
  const auto* bytes = static_cast<const char*>(image);
  // Text may be shorter than a magic number, and ends with a zero.
  switch (MagicOf(bytes, strnlen(bytes, sizeof(std::uint32_t)))) {
    case kElfMagic: return kIsMachineCode;
    case kWrapperMagic: {  // {magic, version, pointer to the container}
      const void* container = nullptr;
      std::memcpy(&container, bytes + 8, sizeof container);
      return ReadModuleImage(container, read);
    }
    case kFatbinMagic: {
      ContainerHeader header;
      std::memcpy(&header, bytes, sizeof header);
      if (header.bytes > kMaxImageBytes) return CudaError::kInvalidKernelImage;
      const auto* begin = static_cast<const std::byte*>(image);
      read.containers.assign(begin, begin + header.header_bytes + header.bytes);
      return {};
    }
    // Of the program's own memory: trusted to be as long as it says, as a container is.
    case kLinkedMagic: return ReadLinked(static_cast<const std::byte*>(image), kMaxImageBytes, read);
    default: return Wrap({bytes, strnlen(bytes, kMaxImageBytes)}, read);
  }
}

Outcome ReadModuleBytes(std::string_view bytes, ModuleImage& read) {
  if (bytes.data() == nullptr) return kNoImage;
  const auto image = std::as_bytes(std::span(bytes));
  switch (MagicOf(bytes.data(), bytes.size())) {
    case kElfMagic: return kIsMachineCode;
    case kFatbinMagic: read.containers.assign(image.begin(), image.end()); return {};
    case kLinkedMagic: return ReadLinked(image.data(), image.size(), read);
    default: return Wrap(bytes.substr(0, bytes.find('\0')), read);
  }
}

std::vector<std::byte> LinkImages(std::span<const ModuleImage> images) {
  // As in a program of several objects: first what nvlink made of them, here nothing, then each by itself.
  ContainerHeader header{.magic = kLinkedMagic}, nothing;
  header.bytes = sizeof nothing;
  for (const ModuleImage& image : images) header.bytes += image.containers.size();
  std::vector<std::byte> linked(sizeof header + sizeof nothing);
  std::memcpy(linked.data(), &header, sizeof header);
  std::memcpy(linked.data() + sizeof header, &nothing, sizeof nothing);
  for (const ModuleImage& image : images)
    linked.insert(linked.end(), image.containers.begin(), image.containers.end());
  return linked;
}

Outcome ReadModuleFile(const char* name, ModuleImage& read) {
  if (name == nullptr) return kNoImage;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name, "rb"), std::fclose);
  if (file == nullptr) return Refused{kFileNotFound, protocol::Refusal::kNoSuchFile};
  std::string text;
  std::array<char, 65536> piece;
  for (std::size_t got; (got = std::fread(piece.data(), 1, piece.size(), file.get())) > 0;) {
    text.append(piece.data(), got);
    if (text.size() > kMaxImageBytes) return CudaError::kInvalidKernelImage;
  }
  if (std::ferror(file.get()) != 0) return Refused{kFileNotFound, protocol::Refusal::kNoSuchFile};
  return ReadModuleBytes(text, read);
}

}  // namespace warplings::runtime
