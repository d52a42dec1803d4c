// SPDX-License-Identifier: Apache-2.0
#include "grader/fatbin/fatbin.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "grader/messages/programs.h"

namespace warplings::fatbin {
namespace {

// The layout was determined from the output of nvcc 12 and 13; all fields are little-endian.
constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::uint16_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kEntryHeaderBytes = 64;
constexpr std::uint16_t kKindPtx = 1;
constexpr std::uint16_t kKindElf = 2;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;

/// The caller has checked that `offset` and the field lie inside.
template <class T>
T Field(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Error MalformedFatbin(const Message& what) {
  return SubmissionError(say::malformed_device_code(what), say::compile_anew());
}

/// Reads the entry whose header begins at the front of `rest`; `length` becomes header and payload
/// together. Entries of kinds that we do not read give no value.
Result<std::optional<Entry>> ReadEntry(std::span<const std::byte> rest, std::size_t& length) {
  if (rest.size() < kEntryHeaderBytes) return MalformedFatbin(say::entry_header_cut_off());
  const auto kind = Field<std::uint16_t>(rest, 0);
  const std::uint64_t header_bytes = Field<std::uint32_t>(rest, 4);
  const auto padded_bytes = Field<std::uint64_t>(rest, 8);
  if (header_bytes < kEntryHeaderBytes || header_bytes > rest.size()) {
    return MalformedFatbin(say::entry_header_bytes(say::Count(header_bytes, "byte")));
  }
  if (padded_bytes > rest.size() - header_bytes) {
    return MalformedFatbin(say::entry_beyond_end(std::to_string(padded_bytes)));
  }
  length = static_cast<std::size_t>(header_bytes + padded_bytes);
  if (kind != kKindPtx && kind != kKindElf) return std::optional<Entry>();

  const auto flags = Field<std::uint64_t>(rest, 40);
  Entry entry;
  entry.kind = kind == kKindPtx ? EntryKind::kPtx : EntryKind::kCubin;
  entry.version_minor = Field<std::uint16_t>(rest, 24);
  entry.version_major = Field<std::uint16_t>(rest, 26);
  entry.sm = static_cast<int>(std::min(Field<std::uint32_t>(rest, 28), 0xFFFFu));
  entry.compression = (flags & kFlagZstd) != 0  ? Compression::kZstd
                      : (flags & kFlagLz4) != 0 ? Compression::kLz4
                                                : Compression::kNone;
  const bool packed = entry.compression != Compression::kNone;
  const std::uint64_t stored_bytes = packed ? Field<std::uint32_t>(rest, 16) : padded_bytes;
  if (stored_bytes > padded_bytes) return MalformedFatbin(say::entry_longer_than_itself());
  entry.raw_bytes = packed ? Field<std::uint64_t>(rest, 56) : stored_bytes;
  if (entry.raw_bytes > kMaxPayloadBytes) {
    return MalformedFatbin(say::entry_unpacks_to(std::to_string(entry.raw_bytes), kMaxPayloadBytes));
  }
  entry.stored = rest.subspan(static_cast<std::size_t>(header_bytes), static_cast<std::size_t>(stored_bytes));
  return std::optional<Entry>(entry);
}

/// Reads the header of the container at the front of `bytes`; gives where its entries lie.
Result<std::span<const std::byte>> FindEntries(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes) return MalformedFatbin(say::header_cut_off());
  if (Field<std::uint32_t>(bytes, 0) != kMagic) return MalformedFatbin(say::no_magic_number());
  const auto version = Field<std::uint16_t>(bytes, 4);
  if (version != kVersion) {
    return SubmissionError(say::unknown_version_of_device_code(version), say::compile_with_cuda());
  }
  const std::size_t header_bytes = Field<std::uint16_t>(bytes, 6);
  if (header_bytes < kHeaderBytes || header_bytes > bytes.size())
    return MalformedFatbin(say::header_cut_off());
  const auto length = Field<std::uint64_t>(bytes, 8);
  if (length > bytes.size() - header_bytes) return MalformedFatbin(say::shorter_than_header_says());
  return bytes.subspan(header_bytes, static_cast<std::size_t>(length));
}

Result<std::vector<Entry>> ReadEntries(std::span<const std::byte> rest) {
  std::vector<Entry> entries;
  for (std::size_t count = 0; !rest.empty(); ++count) {
    if (count == kMaxEntries) return MalformedFatbin(say::too_many_entries(kMaxEntries));
    std::size_t length = 0;
    const Result<std::optional<Entry>> entry = ReadEntry(rest, length);
    if (!entry) return entry.error();
    if (entry->has_value()) entries.push_back(**entry);
    rest = rest.subspan(length);
  }
  return entries;
}

/// Whether this is of libcudadevrt, whose every image has this variable.
bool IsDeviceRuntime(const Entry& entry) {
  constexpr std::string_view kItsVersion = "__CNPRT_VERSION_NUMBER__";
  const auto raw = Unpack(entry);
  if (!raw) return false;
  const std::string_view text(reinterpret_cast<const char*>(raw->data()), raw->size());
  return text.find(kItsVersion) != text.npos;
}

std::string Describe(std::span<const Entry> entries) {
  std::string text;
  for (const Entry& entry : entries) {
    text += text.empty() ? "" : ", ";
    text += (entry.kind == EntryKind::kPtx ? "PTX for compute_" : "machine code for sm_") +
            std::to_string(entry.sm);
  }
  return text;
}

}  // namespace

Result<std::vector<Entry>> ReadFatbin(std::span<const std::byte> container) {
  const auto entries = FindEntries(container);
  if (!entries) return entries.error();
  return ReadEntries(*entries);
}

Result<Fatbins> ReadFatbins(std::span<const std::byte> bytes) {
  Fatbins fatbins;
  std::size_t count = 0;
  for (bool is_first = true; is_first || !bytes.empty(); is_first = false) {
    const auto place = FindEntries(bytes);
    if (!place) return place.error();
    auto entries = ReadEntries(*place);
    if (!entries) return entries.error();
    bytes = bytes.subspan(static_cast<std::size_t>(place->data() - bytes.data()) + place->size());
    count += entries->size() + 1;
    if (count > kMaxEntries) return MalformedFatbin(say::too_many_entries(kMaxEntries));
    if (is_first) {
      fatbins.linked = std::move(entries).value();
    } else if (!entries->empty()) {  // A file without device code has an empty one.
      fatbins.objects.push_back(std::move(entries).value());
    }
  }
  return fatbins;
}

Result<std::vector<std::byte>> Unpack(const Entry& entry) {
  if (entry.raw_bytes > kMaxPayloadBytes) return MalformedFatbin(say::entry_too_large());
  if (entry.compression == Compression::kNone) {
    return std::vector<std::byte>(entry.stored.begin(), entry.stored.end());
  }
  std::vector<std::byte> raw(static_cast<std::size_t>(entry.raw_bytes));
  // kMaxPayloadBytes keeps all sizes within LZ4's int.
  static_assert(kMaxPayloadBytes <= LZ4_MAX_INPUT_SIZE);
  bool whole = false;
  if (entry.compression == Compression::kZstd) {
    const std::size_t written =
        ZSTD_decompress(raw.data(), raw.size(), entry.stored.data(), entry.stored.size());
    whole = !ZSTD_isError(written) && written == raw.size();
  } else if (entry.stored.size() <= LZ4_MAX_INPUT_SIZE) {
    const int written = LZ4_decompress_safe(
        reinterpret_cast<const char*>(entry.stored.data()), reinterpret_cast<char*>(raw.data()),
        static_cast<int>(entry.stored.size()), static_cast<int>(raw.size()));
    whole = written >= 0 && static_cast<std::size_t>(written) == raw.size();
  }
  if (!whole) return MalformedFatbin(say::entry_of_other_size());
  return raw;
}

Result<std::string> UnpackPtx(const Entry& entry) {
  const Result<std::vector<std::byte>> raw = Unpack(entry);
  if (!raw) return raw.error();
  std::string text(reinterpret_cast<const char*>(raw->data()), raw->size());
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

Result<Entry> SelectPtx(std::span<const Entry> entries, int sm) {
  const Entry* best = nullptr;
  for (const Entry& entry : entries) {
    if (entry.kind != EntryKind::kPtx || entry.sm > sm) continue;
    if (best == nullptr || entry.sm > best->sm) best = &entry;
  }
  if (best != nullptr) return *best;
  return SubmissionError(entries.empty() ? say::no_ptx_nor_anything(sm) : say::no_ptx(sm, Describe(entries)),
                         say::compile_for(sm));
}

Result<std::vector<Entry>> SelectAllPtx(const Fatbins& fatbins, int sm) {
  auto linked = SelectPtx(fatbins.linked, sm);
  if (linked || fatbins.objects.empty()) {
    if (!linked) return linked.error();
    return std::vector<Entry>{*linked};
  }
  std::vector<Entry> chosen;
  std::uint64_t unpacked = 0;
  for (const std::vector<Entry>& object : fatbins.objects) {
    const auto ptx = SelectPtx(object, sm);
    const Entry& entry = ptx ? *ptx : object.front();
    unpacked += entry.raw_bytes;
    if (unpacked > kMaxPayloadBytes) return MalformedFatbin(say::objects_unpack_to(kMaxPayloadBytes));
    if (IsDeviceRuntime(entry)) continue;
    if (!ptx) return ptx.error();
    chosen.push_back(entry);
  }
  if (chosen.empty() && !fatbins.linked.empty()) return linked.error();
  return chosen;
}

std::optional<Entry> SelectCubin(std::span<const Entry> entries, int sm) {
  const Entry* best = nullptr;
  for (const Entry& entry : entries) {
    if (entry.kind != EntryKind::kCubin || entry.sm / 10 != sm / 10 || entry.sm > sm) continue;
    if (best == nullptr || entry.sm > best->sm) best = &entry;
  }
  return best == nullptr ? std::nullopt : std::optional<Entry>(*best);
}

}  // namespace warplings::fatbin
