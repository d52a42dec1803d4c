// SPDX-License-Identifier: Apache-2.0
#include "grader/fatbin/fatbin.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace warplings::fatbin::fatbin_test {
namespace {

using Bytes = std::vector<std::byte>;

template <class T>
void Append(Bytes& bytes, T value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

template <class T>
void Put(Bytes& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

std::string Text(std::size_t repeats) {
  std::string text = ".version 8.0\n";
  for (std::size_t i = 0; i < repeats; ++i) text += "\tadd.f32 %f1, %f2, %f3;\n";
  return text;
}

Bytes Packed(const std::string& raw, Compression compression) {
  Bytes packed(std::max(ZSTD_compressBound(raw.size()),
                        static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(raw.size())))));
  if (compression == Compression::kZstd) {
    packed.resize(ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 3));
  } else if (compression == Compression::kLz4) {
    packed.resize(static_cast<std::size_t>(
        LZ4_compress_default(raw.data(), reinterpret_cast<char*>(packed.data()), static_cast<int>(raw.size()),
                             static_cast<int>(packed.size()))));
  } else {
    packed.assign(reinterpret_cast<const std::byte*>(raw.data()),
                  reinterpret_cast<const std::byte*>(raw.data()) + raw.size());
  }
  return packed;
}

/// One entry as nvcc lays it out, its payload padded to 8 bytes.
Bytes MakeEntry(std::uint16_t kind, std::uint32_t sm, const std::string& raw, Compression compression) {
  const Bytes packed = Packed(raw, compression);
  const bool is_packed = compression != Compression::kNone;
  Bytes entry;
  Append<std::uint16_t>(entry, kind);
  Append<std::uint16_t>(entry, 0x101);
  Append<std::uint32_t>(entry, 64);
  Append<std::uint64_t>(entry, (packed.size() + 7) / 8 * 8);
  Append<std::uint32_t>(entry, is_packed ? static_cast<std::uint32_t>(packed.size()) : 0);
  Append<std::uint32_t>(entry, 0);
  Append<std::uint16_t>(entry, 4);  // Minor, major.
  Append<std::uint16_t>(entry, 8);
  Append<std::uint32_t>(entry, sm);
  Append<std::uint64_t>(entry, 0);
  const std::uint64_t flag = compression == Compression::kZstd  ? 0x8000
                             : compression == Compression::kLz4 ? 0x2000
                                                                : 0;
  Append<std::uint64_t>(entry, 0x11 | flag);
  Append<std::uint64_t>(entry, 0);
  Append<std::uint64_t>(entry, is_packed ? raw.size() : 0);
  entry.insert(entry.end(), packed.begin(), packed.end());
  entry.resize((entry.size() + 7) / 8 * 8);
  return entry;
}

Bytes MakeFatbin(const std::vector<Bytes>& entries) {
  Bytes body;
  for (const Bytes& entry : entries) body.insert(body.end(), entry.begin(), entry.end());
  Bytes fatbin;
  Append<std::uint32_t>(fatbin, 0xBA55ED50);
  Append<std::uint16_t>(fatbin, 1);
  Append<std::uint16_t>(fatbin, 16);
  Append<std::uint64_t>(fatbin, body.size());
  fatbin.insert(fatbin.end(), body.begin(), body.end());
  return fatbin;
}

std::vector<Entry> MustRead(const Bytes& fatbin) {
  const auto entries = ReadFatbin(fatbin);
  EXPECT_TRUE(entries.ok()) << entries.error().message;
  return entries.ok() ? *entries : std::vector<Entry>();
}

std::string ErrorOf(const Bytes& fatbin) {
  const auto entries = ReadFatbin(fatbin);
  EXPECT_FALSE(entries.ok());
  if (entries.ok()) return "";
  EXPECT_EQ(entries.error().blame, Blame::kSubmission);
  EXPECT_FALSE(entries.error().next_step.empty());
  return English(entries.error().message);
}

Bytes Joined(const std::vector<Bytes>& fatbins) {
  Bytes all;
  for (const Bytes& fatbin : fatbins) all.insert(all.end(), fatbin.begin(), fatbin.end());
  return all;
}

/// The architectures of the PTX that a device of compute capability 8.0 runs; "" and why, if there is none.
std::string ChosenPtx(const Bytes& bytes) {
  const auto fatbins = ReadFatbins(bytes);
  if (!fatbins) return "malformed: " + English(fatbins.error().message);
  const auto chosen = SelectAllPtx(*fatbins, 80);
  if (!chosen) return "none: " + English(chosen.error().message);
  std::string text;
  for (const Entry& entry : *chosen) text += std::to_string(entry.sm) + " ";
  return text;
}

TEST(SeveralFatbins, OfOneItsPtxIsChosen) {
  const Bytes ptx = MakeEntry(1, 75, Text(1), Compression::kZstd);
  const Bytes cubin = MakeEntry(2, 80, "machine code", Compression::kZstd);
  EXPECT_EQ(ChosenPtx(MakeFatbin({cubin, ptx})), "75 ");
  EXPECT_EQ(ChosenPtx(MakeFatbin({cubin})),
            "none: the program has no PTX for compute_80 or older, only machine code for sm_80");
}

TEST(SeveralFatbins, OfALinkedProgramThePtxOfEachObjectIsChosen) {
  const Bytes linked = MakeFatbin({MakeEntry(2, 80, "machine code", Compression::kNone)});
  const Bytes one =
      MakeFatbin({MakeEntry(2, 80, "one", Compression::kZstd), MakeEntry(1, 70, Text(1), Compression::kZstd),
                  MakeEntry(1, 80, Text(2), Compression::kZstd)});
  const Bytes two = MakeFatbin({MakeEntry(1, 75, Text(3), Compression::kLz4)});
  const Bytes empty = MakeFatbin({});
  EXPECT_EQ(ChosenPtx(Joined({linked, one, empty, two})), "80 75 ");
  EXPECT_EQ(ChosenPtx(Joined({empty, one, two})), "80 75 ");
  EXPECT_EQ(ChosenPtx(Joined({empty, empty})),
            "none: the program has no device code, and so no PTX for "
            "compute_80 or older");
  const Bytes whole = MakeFatbin({MakeEntry(1, 52, Text(1), Compression::kNone)});
  EXPECT_EQ(ChosenPtx(Joined({whole, one, two})), "52 ") << "linked as PTX";
}

TEST(SeveralFatbins, AnObjectWithoutPtxIsNamed) {
  const Bytes linked = MakeFatbin({MakeEntry(2, 80, "machine code", Compression::kNone)});
  const Bytes one = MakeFatbin({MakeEntry(1, 80, Text(1), Compression::kZstd)});
  const Bytes two = MakeFatbin({MakeEntry(2, 80, "two", Compression::kZstd)});
  EXPECT_EQ(ChosenPtx(Joined({linked, one, two})),
            "none: the program has no PTX for compute_80 or older, only machine code for sm_80");
  // Other kinds of entries, such as code for optimisation at link time, are not read.
  EXPECT_EQ(ChosenPtx(Joined({linked, MakeFatbin({MakeEntry(8, 80, "other", Compression::kNone)})})),
            "none: the program has no PTX for compute_80 or older, only machine code for sm_80");
}

TEST(SeveralFatbins, TheLibraryForLaunchesByKernelsIsLeftOut) {
  const std::string sign = "__CNPRT_VERSION_NUMBER__";
  const Bytes one = MakeFatbin({MakeEntry(1, 80, Text(1), Compression::kZstd)});
  const Bytes as_ptx = MakeFatbin({MakeEntry(1, 80, Text(1) + sign, Compression::kZstd)});
  const Bytes as_cubin = MakeFatbin({MakeEntry(2, 80, "machine code " + sign, Compression::kZstd),
                                     MakeEntry(1, 120, Text(1) + sign, Compression::kZstd)});
  const Bytes empty = MakeFatbin({});
  EXPECT_EQ(ChosenPtx(Joined({empty, one, as_ptx})), "80 ");
  EXPECT_EQ(ChosenPtx(Joined({empty, as_cubin, one})), "80 ");
  EXPECT_EQ(ChosenPtx(Joined({empty, as_cubin})), "");
}

TEST(SeveralFatbins, WhatTheyNeedIsLimited) {
  std::vector<Bytes> many(kMaxEntries + 1, MakeFatbin({}));
  EXPECT_EQ(ChosenPtx(Joined(many)),
            "malformed: the embedded device code is malformed: it has more than 1024 entries");
  Bytes large = MakeEntry(1, 80, Text(10), Compression::kZstd);
  Put<std::uint64_t>(large, 56, kMaxPayloadBytes);
  const Bytes object = MakeFatbin({large});
  EXPECT_EQ(
      ChosenPtx(Joined({MakeFatbin({}), object, object})),
      "none: the embedded device code is malformed: its object files unpack to more than 67108864 bytes");
}

TEST(SeveralFatbins, WhatFollowsMustBeWhole) {
  const Bytes one = MakeFatbin({MakeEntry(1, 80, Text(1), Compression::kZstd)});
  Bytes cut = Joined({one, one});
  cut.resize(cut.size() - 8);
  EXPECT_EQ(ChosenPtx(cut),
            "malformed: the embedded device code is malformed: it is shorter than its header says");
  cut.resize(one.size() + 8);
  EXPECT_EQ(ChosenPtx(cut), "malformed: the embedded device code is malformed: its header is cut off");
}

class Compressions : public testing::TestWithParam<Compression> {};

TEST_P(Compressions, PtxComesOutAsItWentIn) {
  const Bytes fatbin = MakeFatbin({MakeEntry(1, 80, Text(100), GetParam())});
  const std::vector<Entry> entries = MustRead(fatbin);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].kind, EntryKind::kPtx);
  EXPECT_EQ(entries[0].sm, 80);
  EXPECT_EQ(entries[0].version_major, 8);
  EXPECT_EQ(entries[0].version_minor, 4);
  EXPECT_EQ(entries[0].compression, GetParam());
  const auto text = UnpackPtx(entries[0]);
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(*text, Text(100));
}

TEST_P(Compressions, AWrongSizeIsNamed) {
  if (GetParam() == Compression::kNone) return;  // The stored size is the size.
  for (const int change : {-1, 1, 4096}) {
    Bytes entry = MakeEntry(1, 80, Text(100), GetParam());
    Put<std::uint64_t>(entry, 56, Text(100).size() + static_cast<std::size_t>(change));
    const Bytes fatbin = MakeFatbin({entry});
    const auto raw = Unpack(MustRead(fatbin)[0]);
    ASSERT_FALSE(raw.ok());
    EXPECT_NE(English(raw.error().message).find("does not unpack to the size"), std::string::npos);
    EXPECT_FALSE(UnpackPtx(MustRead(fatbin)[0]).ok());
  }
}

TEST_P(Compressions, DamageIsNeverFatal) {
  std::mt19937 random(7);
  const Bytes whole =
      MakeFatbin({MakeEntry(2, 80, Text(30), GetParam()), MakeEntry(1, 90, Text(50), GetParam())});
  for (int i = 0; i < 3000; ++i) {
    Bytes damaged = whole;
    if (i % 3 == 0) damaged.resize(random() % damaged.size());
    for (int flips = 0; flips < i % 4 && !damaged.empty(); ++flips) {
      damaged[random() % std::min<std::size_t>(damaged.size(), i % 2 == 0 ? 96 : damaged.size())] =
          static_cast<std::byte>(random());
    }
    const auto entries = ReadFatbin(damaged);
    if (!entries) continue;
    for (const Entry& entry : *entries) (void)Unpack(entry).ok();
  }
}

INSTANTIATE_TEST_SUITE_P(All, Compressions,
                         testing::Values(Compression::kNone, Compression::kZstd, Compression::kLz4));

TEST(Fatbin, OtherKindsAreLeftOut) {
  const Bytes fatbin =
      MakeFatbin({MakeEntry(8, 80, "LTO", Compression::kNone), MakeEntry(2, 90, "ELF", Compression::kNone)});
  const auto entries = MustRead(fatbin);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].kind, EntryKind::kCubin);
}

TEST(Fatbin, BytesBehindItAreIgnored) {
  Bytes fatbin = MakeFatbin({MakeEntry(1, 80, "x", Compression::kNone)});
  fatbin.resize(fatbin.size() + 100);
  EXPECT_EQ(MustRead(fatbin).size(), 1u);
  EXPECT_TRUE(MustRead(MakeFatbin({})).empty());
}

TEST(FatbinErrors, AreNamed) {
  const Bytes good = MakeFatbin({MakeEntry(1, 80, Text(3), Compression::kZstd)});
  const std::string begin = "the embedded device code is malformed: ";
  EXPECT_EQ(ErrorOf({}), begin + "its header is cut off");
  EXPECT_EQ(ErrorOf(Bytes(64)), begin + "it does not begin with the magic number");
  Bytes bad = good;
  Put<std::uint16_t>(bad, 4, 2);
  EXPECT_EQ(ErrorOf(bad), "embedded device code of version 2 is not known");
  bad = good;
  Put<std::uint16_t>(bad, 6, 8);
  EXPECT_EQ(ErrorOf(bad), begin + "its header is cut off");
  bad = good;
  Put<std::uint64_t>(bad, 8, ~std::uint64_t{0});
  EXPECT_EQ(ErrorOf(bad), begin + "it is shorter than its header says");
  bad = good;
  Put<std::uint64_t>(bad, 8, 40);
  EXPECT_EQ(ErrorOf(bad), begin + "an entry's header is cut off");
  bad = good;
  Put<std::uint32_t>(bad, 16 + 4, 0);
  EXPECT_EQ(ErrorOf(bad), begin + "an entry's header is 0 bytes long");
  bad = good;
  Put<std::uint32_t>(bad, 16 + 4, 0xFFFFFFFF);
  EXPECT_EQ(ErrorOf(bad), begin + "an entry's header is 4294967295 bytes long");
  bad = good;
  Put<std::uint64_t>(bad, 16 + 8, ~std::uint64_t{0} - 63);
  EXPECT_EQ(ErrorOf(bad), begin + "an entry of 18446744073709551552 bytes reaches past the end");
  bad = good;
  Put<std::uint32_t>(bad, 16 + 16, 1 << 20);
  EXPECT_EQ(ErrorOf(bad), begin + "an entry's compressed length is larger than the entry");
  bad = good;
  Put<std::uint64_t>(bad, 16 + 56, kMaxPayloadBytes + 1);
  EXPECT_EQ(ErrorOf(bad), begin + "an entry unpacks to 67108865 bytes; the limit is 67108864");
  EXPECT_EQ(
      ErrorOf(MakeFatbin(std::vector<Bytes>(kMaxEntries + 1, MakeEntry(8, 80, "", Compression::kNone)))),
      begin + "it has more than 1024 entries");
}

Entry Of(EntryKind kind, int sm) {
  Entry entry;
  entry.kind = kind;
  entry.sm = sm;
  return entry;
}

TEST(Select, ThePtxNearestBelowTheDevice) {
  const std::vector<Entry> entries = {Of(EntryKind::kPtx, 75), Of(EntryKind::kCubin, 80),
                                      Of(EntryKind::kPtx, 90), Of(EntryKind::kPtx, 80)};
  EXPECT_EQ(SelectPtx(entries, 86)->sm, 80);
  EXPECT_EQ(SelectPtx(entries, 75)->sm, 75);
  EXPECT_EQ(SelectPtx(entries, 120)->sm, 90);
  const auto none = SelectPtx(entries, 70);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(English(none.error().message),
            "the program has no PTX for compute_70 or older, only PTX for compute_75, machine code for "
            "sm_80, PTX for "
            "compute_90, PTX for compute_80");
  EXPECT_EQ(English(none.error().next_step),
            "compile with nvcc -arch=sm_70 or -gencode arch=compute_70,code=compute_70");
  EXPECT_NE(English(SelectPtx({}, 80).error().message).find("no device code"), std::string::npos);
}

TEST(Select, TheCubinOfTheSameMajor) {
  const std::vector<Entry> entries = {Of(EntryKind::kCubin, 75), Of(EntryKind::kCubin, 80),
                                      Of(EntryKind::kCubin, 86), Of(EntryKind::kPtx, 87),
                                      Of(EntryKind::kCubin, 100)};
  EXPECT_EQ(SelectCubin(entries, 80)->sm, 80);
  EXPECT_EQ(SelectCubin(entries, 89)->sm, 86);
  EXPECT_FALSE(SelectCubin(entries, 90).has_value());
  EXPECT_EQ(SelectCubin(entries, 103)->sm, 100);
  EXPECT_FALSE(SelectCubin(entries, 120).has_value());
}

}  // namespace
}  // namespace warplings::fatbin::fatbin_test
