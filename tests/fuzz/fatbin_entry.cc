// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "grader/base/unique_fd.h"
#include "grader/fatbin/cubin.h"
#include "grader/fatbin/device_names.h"
#include "grader/fatbin/executable.h"
#include "grader/fatbin/fatbin.h"
#include "tests/fuzz/entries.h"
#include "tests/fuzz/require.h"

namespace warplings::fuzz {
namespace {

/// Entries that are unpacked; a loader unpacks one.
constexpr std::size_t kUnpacked = 4;

void ReadCubin(std::span<const std::byte> bytes) {
  const auto kernels = fatbin::ReadCubin(bytes);
  if (!kernels) return RequireMessage(English(kernels.error().message));
  for (const auto& kernel : *kernels)
    Require(!kernel.resources.kernel.empty() || kernel.mangled.empty(), "a name is lost");
}

void UnpackEntry(const fatbin::Entry& entry) {
  const auto raw = fatbin::Unpack(entry);
  if (!raw) return RequireMessage(English(raw.error().message));
  Require(raw->size() == entry.raw_bytes, "an image of another size than its entry says");
  if (entry.kind == fatbin::EntryKind::kCubin) return ReadCubin(*raw);
  const auto text = fatbin::UnpackPtx(entry);
  Require(text.ok(), "PTX that unpacks once and not again");
  Require(text->empty() || text->back() != '\0', "PTX with its padding");
}

void ReadContainer(std::span<const std::byte> bytes) {
  const auto entries = fatbin::ReadFatbin(bytes);
  if (!entries) return RequireMessage(English(entries.error().message));
  for (std::size_t i = 0; i < std::min(entries->size(), kUnpacked); ++i) UnpackEntry((*entries)[i]);
  for (const int sm : {75, 80, 90}) {
    const auto ptx = fatbin::SelectPtx(*entries, sm);
    if (!ptx) RequireMessage(English(ptx.error().message));
    if (ptx) Require(ptx->kind == fatbin::EntryKind::kPtx && ptx->sm <= sm, "PTX that does not run there");
    const auto cubin = fatbin::SelectCubin(*entries, sm);
    if (cubin)
      Require(cubin->kind == fatbin::EntryKind::kCubin && cubin->sm <= sm, "a cubin for another card");
  }
}

void ReadContainers(std::span<const std::byte> bytes) {
  const auto fatbins = fatbin::ReadFatbins(bytes);
  if (!fatbins) return RequireMessage(English(fatbins.error().message));
  const auto chosen = fatbin::SelectAllPtx(*fatbins, 80);
  if (!chosen) return RequireMessage(English(chosen.error().message));
  for (const fatbin::Entry& entry : *chosen)
    Require(entry.kind == fatbin::EntryKind::kPtx && entry.sm <= 80, "PTX that does not run there");
}

void ReadProgram(std::span<const std::byte> bytes) {
  const UniqueFd file(::memfd_create("fuzz", MFD_CLOEXEC));
  Require(::write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "no file");
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  const auto info = fatbin::ReadExecutable(path);
  const auto major = fatbin::RuntimeMajorOf(path);
  if (!info) RequireMessage(English(info.error().message));
  if (!major) RequireMessage(English(major.error().message));
  if (major) Require(info.ok() && *major == info->cudart_major, "two answers about one program");
}

}  // namespace

void ReadDeviceCode(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  ReadContainer(bytes);
  ReadContainers(bytes);
  ReadCubin(bytes);
  if (text.starts_with(ELFMAG)) ReadProgram(bytes);
  if (text.starts_with("_Z")) Require(!fatbin::DemangledName(text).empty(), "a name is lost");
}

}  // namespace warplings::fuzz
