// SPDX-License-Identifier: Apache-2.0
// Accesses whose pattern is known (AccessPattern) take short cuts through bounds, checks, counters and moves.
// Random kernels, faulty ones among them, must show the same with and without.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "grader/core/json.h"
#include "tests/support/drawn.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu {
namespace {

constexpr std::uint32_t kBlocks = 5, kThreads = 80, kArrayBytes = 1 << 16;

/// Writes kernels k(a, b) that loop a few times over random accesses to 4 KiB of shared memory and to two
/// arrays of 64 KiB. The lanes' distances are mostly those of the round before. Some kernels are careful:
/// they fill shared memory first, meet after each access, and each thread stores to elements of its own.
class KernelWriter {
 public:
  explicit KernelWriter(unsigned seed) : random_(seed) {}

  std::string Text() {
    std::string body = careful_ ? kFillTile : "";
    for (int i = 0; i < 14; ++i) body += Statement() + (careful_ ? "bar.sync 0;\n" : "");
    return R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b) {
.reg .pred %p<3>; .reg .b16 %h<2>; .reg .b32 %r<20>; .reg .b64 %d<20>;
.shared .align 16 .b8 tile[4096];
.shared .align 16 .b8 other[64];
ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 0; mov.u32 %r4, tile;
mov.u32 %r10, 7; mov.u64 %d10, 9; mov.u16 %h0, 5;
mov.u32 %r11, 1; mov.u32 %r12, 2; mov.u32 %r13, 3;
again:
)" + body + R"(
add.u32 %r3, %r3, 1;
setp.lt.u32 %p2, %r3, 5;
@%p2 bra again;
ret;
})";
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <std::size_t kCount>
  const char* OneOf(const char* const (&choices)[kCount]) {
    return choices[Below(kCount)];
  }

  /// Chances of a fault.
  bool Seldom(int n) { return !careful_ && !Below(n); }

  std::string Statement() {
    switch (Below(8)) {
      case 0: return "bar.sync 0;\n";
      case 1: return OneOf({"bar.sync 0;\n", "bar.warp.sync -1;\n", "membar.cta;\n", "bar.sync 0;\n"});
      case 2:
      case 3: return Guarded(Global());
      default: return Guarded(Shared());
    }
  }

  /// Some accesses are those of some threads only.
  std::string Guarded(const std::string& access) {
    if (Below(3)) return access;
    const std::string limit = std::to_string(Below(2) ? 1 + Below(79) : 32 * (1 + Below(2)));
    const std::string compare = OneOf({"lt", "ge"});
    const std::string guard = "setp." + compare + ".u32 %p1, %r1, " + limit + ";\n";
    const std::size_t last = access.rfind('\n', access.size() - 2) + 1;
    return access.substr(0, last) + guard + "@%p1 " + access.substr(last);
  }

  /// Leaves in %r6 which element of `width` bytes a thread accesses.
  std::string Element(int width) {
    // Half of the accesses are close together, so that one meets the traces of several others.
    const bool close = Below(2);
    const std::string stride = std::to_string(close ? 1 : OneOfInts({0, 1, 1, 2, 3, 8, 16, 32, 33}));
    std::string text = OneOf({"mov.u32 %r5, %r1;\n", "mov.u32 %r5, %r1;\n", "shr.u32 %r5, %r1, 4;\n",
                              "and.b32 %r5, %r1, 15;\n", "and.b32 %r5, %r1, 7;\n", "shr.u32 %r5, %r1, 3;\n",
                              "xor.b32 %r5, %r1, 1;\n", "shr.u32 %r5, %r1, 1;\n", "sub.u32 %r5, 79, %r1;\n"});
    text += "mul.lo.u32 %r6, %r5, " + stride + ";\n";
    if (!close && Below(3)) text += "mad.lo.u32 %r6, %r3, " + std::to_string(Below(70)) + ", %r6;\n";
    if (!close && !Below(6)) text += "mad.lo.u32 %r6, %r1, %r3, %r6;\n";  // another pattern each round
    text += "and.b32 %r6, %r6, " + std::to_string(4096 / width - 1) + ";\n";
    if (Seldom(12)) text += "add.u32 %r6, %r6, " + std::to_string(1 + Below(8)) + ";\n";  // too far, perhaps
    return text;
  }
  int OneOfInts(std::initializer_list<int> choices) { return choices.begin()[Below(int(choices.size()))]; }

  struct Operation {
    const char *load, *store;  ///< Without space and address.
    int width;
  };
  Operation SomeWidth() {
    static constexpr Operation kOperations[] = {
        {"u32 %r10", "u32 %r10", 4},
        {"u8 %r10", "u8 %r10", 1},
        {"u16 %h0", "u16 %h0", 2},
        {"u64 %d10", "u64 %d10", 8},
        {"v2.u32 {%r10,%r11}", "v2.u32 {%r10,%r11}", 8},
        {"v4.u32 {%r10,%r11,%r12,%r13}", "v4.u32 {%r10,%r11,%r12,%r13}", 16}};
    // Words are most of what programs access, and what most short cuts are for.
    if (bytes_too_ && !Below(4)) return kOperations[1 + Below(2)];
    return kOperations[Below(5) ? 0 : 3 + Below(3)];
  }

  std::string Shared() {
    if (careful_ && !Below(3)) return "mad.lo.u32 %r7, %r1, 4, %r4;\nst.shared.u32 [%r7+256], %r3;\n";
    const Operation operation = SomeWidth();
    const std::string width = std::to_string(operation.width);
    std::string text = Element(operation.width) + "mad.lo.u32 %r7, %r6, " + width + ", %r4;\n";
    if (Seldom(20)) text += "add.u32 %r7, %r7, 1;\n";  // misaligned
    if (Seldom(8) && operation.width == 4)
      return text + OneOf({"atom.shared.add.u32 %r10, [%r7], 1;\n", "ld.volatile.shared.u32 %r10, [%r7];\n",
                           "st.volatile.shared.u32 [%r7], %r3;\n"});
    if (!Below(8)) {
      text += "cvt.u64.u32 %d5, %r7;\ncvta.shared.u64 %d6, %d5;\n";
      return text + Access("", operation, "%d6");
    }
    return text + Access(".shared", operation, "%r7");
  }
  std::string Access(const std::string& space, const Operation& operation, const std::string& address) {
    if (careful_ || Below(2)) return "ld" + space + "." + operation.load + ", [" + address + "];\n";
    // What is stored: the same by all threads, or not.
    const std::string value = Below(2) ? "mov.u32 %r10, %r1;\n" : "";
    return value + "st" + space + "." +
           std::string(operation.store).insert(OpcodeLength(operation), "[" + address + "], ") + ";\n";
  }
  static std::size_t OpcodeLength(const Operation& operation) {
    return std::string(operation.store).find(' ') + 1;
  }

  std::string Global() {
    const Operation operation = SomeWidth();
    std::string text = Element(operation.width);
    if (!blocks_meet_) text += "mad.lo.u32 %r6, %r2, " + std::to_string(4096 / operation.width) + ", %r6;\n";
    if (Seldom(15)) text += "add.u32 %r6, %r6, 65000;\n";  // outside
    text += "mul.wide.u32 %d5, %r6, " + std::to_string(operation.width) + ";\n";
    text += std::string("add.u64 %d6, %d5, ") + OneOf({"%d1", "%d2"}) + ";\n";
    if (Seldom(8) && operation.width == 4) return text + "st.volatile.global.u32 [%d6], %r3;\n";
    return text + Access(".global", operation, "%d6");
  }

  static constexpr const char* kFillTile = R"(
mad.lo.u32 %r7, %r1, 64, %r4;
setp.lt.u32 %p1, %r1, 64;
@%p1 st.shared.v4.u32 [%r7], {%r3, %r3, %r3, %r3};
@%p1 st.shared.v4.u32 [%r7+16], {%r3, %r3, %r3, %r3};
@%p1 st.shared.v4.u32 [%r7+32], {%r3, %r3, %r3, %r3};
@%p1 st.shared.v4.u32 [%r7+48], {%r3, %r3, %r3, %r3};
bar.sync 0;
)";

  std::mt19937 random_;
  const bool bytes_too_ = random_() % 4 == 0;
  const bool careful_ = random_() % 3 == 0;
  /// Of arrays in which blocks race, what each saw by itself is not reported.
  const bool blocks_meet_ = random_() % 4 == 0;
};

struct Shown {
  std::string text;  ///< Findings, counts by instruction, and what memory holds at the end.
  std::map<FindingKind, int> kinds;
};

Shown ShownBy(const std::string& text, bool recognise_patterns, const ObservationOptions& observation) {
  VirtualGpuOptions options;
  options.host_threads = 1;
  options.recognise_patterns = recognise_patterns;
  auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), options).value();
  const DevicePointer a = device->Allocate(kArrayBytes, AllocationKind::kDevice)->address;
  const DevicePointer b = device->Allocate(kArrayBytes, AllocationKind::kDevice)->address;
  std::vector<std::uint32_t> values(kArrayBytes / 4 - 200);  // the rest is not initialised
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = i;
  EXPECT_TRUE(device->CopyIn(a, AsBytes(values), 0).ok());
  EXPECT_TRUE(device->CopyIn(b, AsBytes(values), 0).ok());
  auto module = device->LoadModule(0, WrapPtx(text));
  EXPECT_TRUE(module.ok()) << module.error().message << text;
  if (!module.ok()) return {};
  LaunchRequest request;
  request.kernel = device->FindKernel(*module, "k")->id;
  request.grid = {kBlocks, 1, 1};
  request.block = {kThreads, 1, 1};
  request.arguments = Arguments().Add(a).Add(b).bytes();
  device->SetObservation(observation);
  EXPECT_TRUE(device->Launch(request).ok());
  Shown shown;
  const auto findings = device->TakeFindings();
  for (const Finding& finding : findings) ++shown.kinds[finding.kind];
  std::vector<std::byte> memory(2 * kArrayBytes);
  EXPECT_TRUE(device->CopyOut(std::span(memory).first(kArrayBytes), a, 0).ok());
  EXPECT_TRUE(device->CopyOut(std::span(memory).last(kArrayBytes), b, 0).ok());
  const nlohmann::json all = {{"findings", findings},
                              {"launches", device->TakeLaunches()},
                              {"kernels", device->TakeProfile()},
                              {"memory", std::hash<std::string_view>()(
                                             {reinterpret_cast<const char*>(memory.data()), memory.size()})}};
  shown.text = DumpJson(all, 1);
  return shown;
}

TEST(AccessPatterns, ChangeNoResultFindingOrCount) {
  RUN_ONE_IN(3);
  ObservationOptions observation;
  observation.profile = true;
  std::map<FindingKind, int> kinds;
  int clean = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string text = KernelWriter(seed).Text();
    const Shown general = ShownBy(text, false, observation);
    ASSERT_EQ(ShownBy(text, true, observation).text, general.text) << "seed " << seed << "\n" << text;
    for (const auto& [kind, count] : general.kinds) kinds[kind] += count;
    clean += general.kinds.empty();
  }
  // They are worth running: all that can be found is there.
  EXPECT_GE(kinds[FindingKind::kRace], 100);
  EXPECT_GE(kinds[FindingKind::kUninitialised], 100);
  EXPECT_GE(kinds[FindingKind::kOutOfBounds], 20);
  EXPECT_GE(kinds[FindingKind::kMisaligned], 10);
  EXPECT_GE(clean, 50);
}

TEST(AccessPatterns, ChangeNothingWithoutChecks) {
  ObservationOptions observation;
  observation.profile = true;
  observation.checks = false;
  for (unsigned seed = 1000; seed < 1100; ++seed) {
    const std::string text = KernelWriter(seed).Text();
    ASSERT_EQ(ShownBy(text, true, observation).text, ShownBy(text, false, observation).text)
        << "seed " << seed << "\n"
        << text;
  }
}

}  // namespace
}  // namespace warplings::vgpu
