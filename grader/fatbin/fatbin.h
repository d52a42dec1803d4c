// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/base/result.h"

/// Reads device code that nvcc embeds in programs, and what can be learnt from programs and cubins without
/// running them. The bytes are untrusted: every offset and length is checked before use.
namespace warplings::fatbin {

/// Maximum unpacked size of an entry.
inline constexpr std::uint64_t kMaxPayloadBytes = std::uint64_t{64} << 20;
inline constexpr std::size_t kMaxEntries = 1024;

enum class EntryKind : std::uint8_t { kPtx, kCubin };
enum class Compression : std::uint8_t { kNone, kZstd, kLz4 };

/// One image of a fatbin: device code for one architecture, as PTX or machine code. Other kinds of images
/// (LTO intermediate code, …) are skipped.
struct Entry {
  EntryKind kind = EntryKind::kPtx;
  int sm = 0;                                ///< 80 for sm_80 or compute_80.
  int version_major = 0, version_minor = 0;  ///< PTX: ISA version; cubin: format version.
  Compression compression = Compression::kNone;
  std::uint64_t raw_bytes = 0;        ///< Size when unpacked.
  std::span<const std::byte> stored;  ///< The bytes in the container, which must outlive the entry.
};

/// Reads the entries of a container (0xBA55ED50 …) in order. Bytes after the container's own length are
/// ignored.
Result<std::vector<Entry>> ReadFatbin(std::span<const std::byte> container);

/// The device code of one program: a fatbin, or what nvcc -rdc=true makes of several object files: the fatbin
/// that it linked, which holds machine code alone, and behind it the fatbins of the objects.
struct Fatbins {
  std::vector<Entry> linked;
  std::vector<std::vector<Entry>> objects;
};

/// Reads containers that follow each other without gaps.
Result<Fatbins> ReadFatbins(std::span<const std::byte> bytes);

/// Returns the unpacked image.
Result<std::vector<std::byte>> Unpack(const Entry& entry);
/// Returns the unpacked text of a PTX entry, without the zero bytes of padding.
Result<std::string> UnpackPtx(const Entry& entry);

/// The PTX entry with the highest architecture that a device of compute capability `sm` (80 for 8.0) can run.
/// The error lists the available architectures and says how to compile.
Result<Entry> SelectPtx(std::span<const Entry> entries, int sm);

/// The PTX of the whole program: of the linked fatbin or, where that has none, of each object. Those of
/// NVIDIA's library for kernels that launch kernels are left out: it stands in programs that make no use of
/// it, too.
Result<std::vector<Entry>> SelectAllPtx(const Fatbins& fatbins, int sm);

/// The cubin that such a device runs: same major version, and the highest minor version that is not above the
/// device's. Nothing if there is none, because programs may contain only PTX.
std::optional<Entry> SelectCubin(std::span<const Entry> entries, int sm);

}  // namespace warplings::fatbin
