// SPDX-License-Identifier: Apache-2.0
// Rows that no instruction case can test (instruction_cases.h): parameters, calls, branches, clocks, hints
// and what is each device's own. Each has a kernel here that executes it and states the value it must give.
#include <gtest/gtest.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <set>

#include "grader/device/texture_descriptor.h"
#include "grader/virtual_gpu/decode/decoder.h"
#include "grader/virtual_gpu/ptx/parser.h"
#include "tests/golden/instruction_cases.h"
#include "tests/support/virtual_gpu_testing.h"

namespace warplings::vgpu {
namespace {

constexpr std::uint32_t kThreads = 32;
constexpr std::uint32_t kStructBytes = 32;

/// Byte i of the structure that every kernel gets as its second parameter.
constexpr std::uint8_t StructByte(std::uint32_t i) {
  return static_cast<std::uint8_t>(i * 37 + 150);
}
template <class T>
T FromStruct(std::uint32_t offset) {
  std::uint8_t bytes[sizeof(T)];
  for (std::uint32_t i = 0; i < sizeof(T); ++i) bytes[i] = StructByte(offset + i);
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

struct OwnCase {
  const char* name;
  /// Leaves its result in %rd0. %r0 is the thread, %rd1 the address of 256 bytes that are zero, 8 of them for
  /// each thread at %rd2; `structure` is the second parameter.
  const char* body;
  std::function<std::uint64_t(std::uint32_t thread)> expected;
  const char* before = "";  ///< Functions and variables of the module.
};

std::string TextOf(const OwnCase& one) {
  return std::string(".version 8.0\n.target sm_90\n.address_size 64\n") + one.before +
         ".visible .entry k(.param .u64 out, .param .align 16 .b8 structure[32], .param .u64 data)\n{\n"
         "  .reg .pred %p<8>;\n  .reg .b16 %h<16>;\n  .reg .b32 %r<32>;\n  .reg .b64 %rd<32>;\n"
         "  .reg .b64 %address<4>;\n"
         "  mov.u32 %r0, %tid.x;\n  ld.param.u64 %rd1, [data];\n  mul.wide.u32 %rd2, %r0, 8;\n"
         "  add.s64 %rd2, %rd1, %rd2;\n  mov.u64 %rd0, 0;\n" +
         one.body +
         "\n  ld.param.u64 %address0, [out];\n  mul.wide.u32 %address1, %r0, 8;\n"
         "  add.s64 %address2, %address0, %address1;\n  st.global.u64 [%address2], %rd0;\n  ret;\n}\n";
}

std::uint64_t Extended(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

/// A device function that takes and gives a parameter of each width.
constexpr const char* kWidths = R"(
.func (.param .b64 r0) widths(.param .b8 a, .param .b16 b, .param .b32 c, .param .b64 d)
{
  .reg .b16 %h<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  ld.param.u8 %r0, [a];
  ld.param.s16 %r1, [b];
  ld.param.s32 %rd0, [c];
  ld.param.u64 %rd1, [d];
  cvt.u64.u32 %rd2, %r0;
  cvt.s64.s32 %rd3, %r1;
  add.s64 %rd4, %rd0, %rd1;
  add.s64 %rd4, %rd4, %rd2;
  add.s64 %rd4, %rd4, %rd3;
  st.param.b64 [r0], %rd4;
  ret.uni;
}
)";

// --- Textures and surfaces. A kernel writes the descriptor and the texels, 10 to 40, itself.
// -------------------

std::string MakesObject(std::uint64_t magic) {
  std::string body = "setp.ne.u32 %p0, %r0, 0; @%p0 bra made;\n";
  const auto store = [&](const char* type, std::size_t offset, std::uint64_t value) {
    body += "st.global." + std::string(type) + " [%rd1+" + std::to_string(offset) + "], " +
            std::to_string(value) + ";\n";
  };
  store("u64", offsetof(TextureDescriptor, magic), magic);
  body += "add.s64 %rd3, %rd1, 96; st.global.u64 [%rd1+8], %rd3;\n";
  store("u64", offsetof(TextureDescriptor, row_bytes), 32);
  store("u64", offsetof(TextureDescriptor, slice_bytes), 32);
  const std::uint64_t extents[] = {4, 1, 1, 1};
  for (std::size_t k = 0; k < 4; ++k) store("u32", offsetof(TextureDescriptor, width) + 4 * k, extents[k]);
  store("u8", offsetof(TextureDescriptor, channels), 1);
  store("u8", offsetof(TextureDescriptor, channel_bytes), 4);
  store("u8", offsetof(TextureDescriptor, format), 1);  // unsigned
  for (std::size_t k = 0; k < 3; ++k)
    store("u8", offsetof(TextureDescriptor, address_modes) + k, 1);  // clamp
  for (std::size_t k = 0; k < 4; ++k) store("u32", 96 + 4 * k, 10 * (k + 1));
  return body + "made:\nbar.sync 0;\nand.b32 %r1, %r0, 3;\ncvt.rn.f32.u32 %r2, %r1;\n";
}
std::string Add(const std::string& type, const std::string& reg) {
  return " cvt.u64." + type + " %rd4, " + reg + "; add.s64 %rd0, %rd0, %rd4;\n";
}
std::uint64_t Texel(std::uint32_t thread) {
  return 10 * (thread % 4 + 1);
}

struct TestedGeometry {
  const char *word, *coordinates, *whole_coordinates, *gradient;
};
constexpr TestedGeometry kGeometries[] = {
    {"1d", "{%r2}", "{%r1}", "{%r2}"},
    {"2d", "{%r2, %r2}", "{%r1, %r1}", "{%r2, %r2}"},
    {"3d", "{%r2, %r2, %r2, %r2}", "{%r1, %r1, %r1, %r1}", "{%r2, %r2, %r2, %r2}"},
    {"a1d", "{%r1, %r2}", "{%r1, %r1}", "{%r2}"},
    {"a2d", "{%r1, %r2, %r2, %r2}", "{%r1, %r1, %r1, %r1}", "{%r2, %r2}"}};

/// Each geometry has one row of texels, whatever the other coordinates; of a cube each direction leads to the
/// first of them.
std::string Fetches() {
  std::string body = MakesObject(TextureDescriptor::kTexture);
  const auto fetch = [&](const std::string& opcode, const std::string& from) {
    body += opcode + " {%r4, _, _, _}, [%rd1, " + from + ";" + Add("u32", "%r4");
  };
  for (const TestedGeometry& one : kGeometries) {
    const std::string word = one.word, at = std::string(one.coordinates) + "]";
    fetch("tex." + word + ".v4.u32.f32", at);
    fetch("tex.level." + word + ".v4.u32.f32", at + ", %r2");
    fetch("tex.grad." + word + ".v4.u32.f32", at + ", " + one.gradient + ", " + one.gradient);
    fetch("tex." + word + ".v4.u32.s32", std::string(one.whole_coordinates) + "]");
  }
  for (const char* word : {"cube", "acube"}) {
    const std::string at = "{%r2, %r2, %r2, %r2}]", all = ", {%r2, %r2, %r2, %r2}";
    fetch("tex." + std::string(word) + ".v4.u32.f32", at);
    fetch("tex.level." + std::string(word) + ".v4.u32.f32", at + ", %r2");
    fetch("tex.grad." + std::string(word) + ".v4.u32.f32", at + all + all);
  }
  return body;
}
std::string Gathers() {
  return MakesObject(TextureDescriptor::kTexture) +
         "add.rn.f32 %r3, %r2, 0f3f800000;\n"
         "tld4.r.2d.v4.u32.f32 {_, _, _, %r4}|%p1, [%rd1, {%r3, %r3}];" +
         Add("u32", "%r4") + "tld4.r.a2d.v4.u32.f32 {_, _, _, %r4}, [%rd1, {%r1, %r3, %r3, %r3}];" +
         Add("u32", "%r4") + "txq.width.b32 %r4, [%rd1];" + Add("u32", "%r4") + "selp.u32 %r4, 100, 0, %p1;" +
         Add("u32", "%r4");
}
std::string Surfaces() {
  std::string body = MakesObject(TextureDescriptor::kSurface);
  body += "shl.b32 %r5, %r1, 2; and.b32 %r6, %r1, 1; shl.b32 %r6, %r6, 3; mov.u32 %r7, 0;\n";
  struct {
    const char *type, *reg, *x, *wide, *value;
  } constexpr kTypes[] = {{"b8", "%h1", "%r5", "u16", "%h2"},
                          {"b16", "%h1", "%r5", "u16", "%h2"},
                          {"b32", "%r4", "%r5", "u32", "%r8"},
                          {"b64", "%rd5", "%r6", "u64", "%rd6"}};
  // Which of them counts bytes of x, and which are 0.
  struct {
    const char *word, *before, *after;
  } constexpr kPlaces[] = {{"1d", "", ""},
                           {"2d", "", ", %r7"},
                           {"3d", "", ", %r7, %r7, %r7"},
                           {"a1d", "%r7, ", ""},
                           {"a2d", "%r7, ", ", %r7, %r7"}};
  const auto at = [](const auto& place, const char* x) {
    return std::string("[%rd1, {") + place.before + x + place.after + "}]";
  };
  for (const auto& place : kPlaces) {
    for (const auto& type : kTypes) {
      body += std::string("suld.b.") + place.word + "." + type.type + ".trap {" + type.reg + "}, " +
              at(place, type.x) + ";" + Add(type.wide, type.reg);
    }
  }
  body += "suq.width.b32 %r4, [%rd1];" + Add("u32", "%r4");
  body += "bar.sync 0; setp.eq.u32 %p2, %r0, 0;\n mov.u16 %h2, 10; mov.u32 %r8, 10;\n";
  body += "mov.u64 %rd6, " + std::to_string(10 + (std::uint64_t{20} << 32)) + ";\n";
  for (const auto& place : kPlaces) {
    for (const auto& type : kTypes) {
      body += std::string("@%p2 sust.b.") + place.word + "." + type.type + ".trap " + at(place, "%r7") +
              ", {" + type.value + "};\n";
    }
  }
  return body + "bar.sync 0; suld.b.1d.b32.zero {%r4}, [%rd1, {%r7}];" + Add("u32", "%r4");
}
const std::string& Kept(std::string text) {
  static std::deque<std::string> kept;
  return kept.emplace_back(std::move(text));
}

const std::vector<OwnCase>& OwnCases() {
  static const std::vector<OwnCase> cases = {
      {"absolute differences of halves",
       "mov.u32 %r1, 0x7fff8000; mov.u32 %r2, 0x80010005; vabsdiff2.u32.u32.u32.add %r3, %r1, %r2, %r0;\n"
       "vabsdiff2.u32.s32.s32 %r4, %r1, %r2, %r0; cvt.u64.u32 %rd3, %r3; cvt.u64.u32 %rd4, %r4;\n"
       "shl.b64 %rd4, %rd4, 32; or.b64 %rd0, %rd3, %rd4;",
       [](std::uint32_t t) { return (std::uint64_t{0xfffe'8005} << 32) | (2 + 0x7ffb + t); }},
      {"fetches of each geometry", Kept(Fetches()).c_str(),
       [](std::uint32_t t) { return 20 * Texel(t) + 6 * Texel(0); }},
      {"gathered texels, and the width", Kept(Gathers()).c_str(),
       [](std::uint32_t t) { return 2 * Texel(t) + 4 + 100; }},
      {"surfaces", Kept(Surfaces()).c_str(),
       [](std::uint32_t t) {
         const std::uint32_t even = t % 2 * 2;
         return 15 * Texel(t) + 5 * (Texel(even) + (Texel(even + 1) << 32)) + 4 + Texel(0);
       }},
      {"ld.param of unsigned bytes", "ld.param.u8 %r1, [structure+3]; cvt.u64.u32 %rd0, %r1;",
       [](auto) { return FromStruct<std::uint8_t>(3); }},
      {"ld.param of signed bytes", "ld.param.s8 %r1, [structure+1]; cvt.s64.s32 %rd0, %r1;",
       [](auto) { return Extended(FromStruct<std::int8_t>(1)); }},
      {"ld.param of unsigned halves",
       "ld.param.v2.u16 {%h0, %h1}, [structure+4]; mul.wide.u16 %r1, %h0, %h1; cvt.u64.u32 %rd0, %r1;",
       [](auto) { return std::uint64_t{FromStruct<std::uint16_t>(4)} * FromStruct<std::uint16_t>(6); }},
      {"ld.param of signed halves", "ld.param.s16 %rd0, [structure+8];",
       [](auto) { return Extended(FromStruct<std::int16_t>(8)); }},
      {"ld.param of words",
       "ld.param.v4.u32 {%r1, %r2, %r3, _}, [structure+16]; add.u32 %r1, %r1, %r2; xor.b32 %r1, %r1, %r3; "
       "cvt.u64.u32 %rd0, %r1;",
       [](auto) {
         return (FromStruct<std::uint32_t>(16) + FromStruct<std::uint32_t>(20)) ^
                FromStruct<std::uint32_t>(24);
       }},
      {"ld.param of signed words", "ld.param.s32 %rd0, [structure+4];",
       [](auto) { return Extended(FromStruct<std::int32_t>(4)); }},
      {"ld.param of 64 bits", "ld.param.v2.u64 {%rd3, %rd4}, [structure+16]; sub.s64 %rd0, %rd3, %rd4;",
       [](auto) { return FromStruct<std::uint64_t>(16) - FromStruct<std::uint64_t>(24); }},
      {"call with parameters of each width", R"(
  { .param .b8 p0; .param .b16 p1; .param .b32 p2; .param .b64 p3; .param .b64 back;
  cvt.u16.u32 %h0, %r0;
  sub.s16 %h1, 0, %h0;
  mul.wide.u32 %rd3, %r0, 1000003;
  neg.s32 %r1, %r0;
  st.param.b8 [p0], %h0;
  st.param.b16 [p1], %h1;
  st.param.b32 [p2], %r1;
  st.param.b64 [p3], %rd3;
  call.uni (back), widths, (p0, p1, p2, p3);
  ld.param.u64 %rd0, [back]; })",
       [](std::uint32_t t) { return std::uint64_t{t} * 1000003 - t; }, kWidths},
      {"bra and exit", R"(
  setp.ge.u32 %p0, %r0, 16;
  @%p0 bra upper;
  mov.u64 %rd0, 5;
  bra.uni meet;
upper:
  mov.u64 %rd0, 7;
  setp.eq.u32 %p1, %r0, 31;
  mov.u64 %rd3, 9;
  ld.param.u64 %address0, [out];
  @%p1 st.global.u64 [%address0+248], %rd3;
  @%p1 exit;
meet:)",
       [](std::uint32_t t) { return t == 31  ? 9u
                                    : t < 16 ? 5u
                                             : 7u; }},
      {"brx.idx", R"(
  and.b32 %r1, %r0, 3;
  brx.idx %r1, table;
table: .branchtargets zero, one, two, one;
zero:
  mov.u64 %rd0, 100;
  bra meet;
one:
  mov.u64 %rd0, 200;
  bra meet;
two:
  mov.u64 %rd0, 300;
meet:
  activemask.b32 %r2;
  popc.b32 %r3, %r2;
  cvt.u64.u32 %rd3, %r3;
  add.s64 %rd0, %rd0, %rd3;)",
       [](std::uint32_t t) {
         return std::uint64_t{t % 4 == 0 ? 100u : t % 4 == 2 ? 300u : 200u} + 32;
       }},
      {"clocks go on", R"(
  mov.u64 %rd3, %clock64;
  mov.u32 %r1, %clock;
  mov.u64 %rd4, %globaltimer;
  mov.u64 %rd5, %clock64;
  mov.u32 %r2, %clock;
  setp.gt.u64 %p0, %rd5, %rd3;
  setp.gt.u32 %p1, %r2, %r1;
  and.pred %p2, %p0, %p1;
  selp.u64 %rd0, 1, 0, %p2;)",
       [](auto) { return 1u; }},
      {"hints change nothing", R"(
  st.global.u64 [%rd2], %rd2;
  prefetch.global.L1 [%rd2];
  prefetch.L2 [%rd2];
  prefetch.global.L2::evict_last [%rd2];
  prefetchu.L1 [%rd2];
  applypriority.global.L2::evict_normal [%rd1], 128;
  pmevent 3;
  ld.global.u64 %rd3, [%rd2];
  sub.s64 %rd0, %rd3, %rd1;
  discard.global.L2 [%rd1], 128;)",
       [](std::uint32_t t) { return std::uint64_t{t} * 8; }},
      {"cache policies", R"(
  createpolicy.fractional.L2::evict_last.b64 %rd3, 0.5;
  createpolicy.range.global.L2::evict_first.L2::evict_unchanged.b64 %rd4, [%rd1], 128, 256;
  cvt.u64.u32 %rd5, %r0;
  st.global.L1::no_allocate.L2::cache_hint.u64 [%rd2], %rd5, %rd3;
  red.global.add.L2::cache_hint.u64 [%rd2], 1000, %rd3;
  ld.global.nc.L2::cache_hint.L2::128B.u64 %rd0, [%rd2], %rd4;)",
       [](std::uint32_t t) { return std::uint64_t{t} + 1000; }},
      {"generic addresses of shared memory", R"(
  .shared .align 8 .b8 slots[256];
  shl.b32 %r1, %r0, 3;
  mov.u32 %r2, slots;
  add.u32 %r2, %r2, %r1;
  cvt.u64.u32 %rd3, %r2;
  cvta.shared.u64 %rd4, %rd3;
  add.u32 %r3, %r0, 77;
  st.u32 [%rd4], %r3;
  cvta.to.shared.u64 %rd5, %rd4;
  ld.shared.u32 %r4, [%rd5];
  cvt.u64.u32 %rd0, %r4;)",
       [](std::uint32_t t) { return std::uint64_t{t} + 77; }},
      {"generic addresses of local memory", R"(
  .local .align 8 .b8 own[16];
  mov.u64 %rd3, own;
  cvta.local.u64 %rd4, %rd3;
  add.u32 %r3, %r0, 78;
  st.u32 [%rd4+8], %r3;
  cvta.to.local.u64 %rd5, %rd4;
  ld.local.u32 %r4, [%rd5+8];
  cvt.u64.u32 %rd0, %r4;)",
       [](std::uint32_t t) { return std::uint64_t{t} + 78; }},
      {"pending counts of barriers in shared memory", R"(
  .shared .align 8 .b8 barriers[256];
  mov.u32 %r1, barriers;
  mad.lo.u32 %r2, %r0, 8, %r1;
  cvt.u64.u32 %rd3, %r2;
  cvta.shared.u64 %rd4, %rd3;
  mbarrier.init.shared.b64 [%r2], 5;
  mbarrier.arrive.shared.b64 %rd5, [%r2];
  mbarrier.arrive.shared.b64 %rd5, [%r2];
  mbarrier.pending_count.b64 %r3, %rd5;
  mbarrier.inval.shared.b64 [%r2];
  mbarrier.init.b64 [%rd4], 9;
  mbarrier.arrive.b64 %rd5, [%rd4];
  mbarrier.pending_count.b64 %r4, %rd5;
  mbarrier.inval.b64 [%rd4];
  mad.lo.u32 %r5, %r4, 100, %r3;
  cvt.u64.u32 %rd0, %r5;)",
       // Tokens hold what was pending before the arrival that gave them: 5 and 4, then 9.
       [](auto) { return 904u; }},
      {"a breakpoint without a debugger", "brkpt; mov.u64 %rd0, 3;", [](auto) { return 3u; }},
  };
  return cases;
}

class OwnCaseRunner {
 public:
  OwnCaseRunner() : device_(MakeVirtualGpu(*FindDeviceProfile("h200"), {}).value()) {}

  std::vector<std::uint64_t> Run(const OwnCase& one) {
    const std::vector<std::uint64_t> zeros(kThreads, 0);
    std::vector<std::uint64_t> out = zeros;
    const DevicePointer results = Array(zeros), data = Array(zeros);
    auto module = device_->LoadModule(0, WrapPtx(TextOf(one)));
    if (!module) return Complain(one, English(module.error().message));
    auto kernel = device_->FindKernel(*module, "k");
    if (!kernel) return Complain(one, English(kernel.error().message));
    std::vector<std::byte> arguments(56);
    std::memcpy(arguments.data(), &results, 8);
    for (std::uint32_t i = 0; i < kStructBytes; ++i) arguments[16 + i] = std::byte{StructByte(i)};
    std::memcpy(arguments.data() + 48, &data, 8);
    LaunchRequest launch;
    launch.kernel = kernel->id;
    launch.block = {kThreads, 1, 1};
    launch.arguments = arguments;
    EXPECT_TRUE(device_->Launch(launch).ok()) << one.name;
    EXPECT_TRUE(device_->CopyOut(std::as_writable_bytes(std::span(out)), results, 0).ok()) << one.name;
    for (const Finding& finding : device_->TakeFindings()) Complain(one, English(finding.message));
    return out;
  }

 private:
  DevicePointer Array(const std::vector<std::uint64_t>& values) {
    const DevicePointer address =
        device_->Allocate(values.size() * sizeof(std::uint64_t), AllocationKind::kDevice)->address;
    EXPECT_TRUE(device_->CopyIn(address, AsBytes(values), 0).ok());
    return address;
  }
  static std::vector<std::uint64_t> Complain(const OwnCase& one, const std::string& what) {
    ADD_FAILURE() << one.name << ": " << what;
    return std::vector<std::uint64_t>(kThreads, 0);
  }

  std::unique_ptr<LocalDevice> device_;
};

TEST(RowsWithoutCases, GiveTheValuesThatTheirKernelsState) {
  OwnCaseRunner runner;
  for (const OwnCase& one : OwnCases()) {
    const auto out = runner.Run(one);
    for (std::uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(out[t], one.expected(t)) << one.name << ", " << t;
  }
}

/// The rows that a kernel's instructions were decoded to.
std::set<std::size_t> RowsOf(const OwnCase& one) {
  std::set<std::size_t> rows;
  auto module = ptx::ParseModule(TextOf(one));
  EXPECT_TRUE(module.ok()) << one.name;
  if (!module) return rows;
  SourceLine refused_at;
  for (const ptx::Function& function : module->functions) {
    if (!function.is_entry) continue;
    auto program = Decode(BestEngine(), *module, function, {}, refused_at);
    EXPECT_TRUE(program.ok()) << one.name << ": " << (program ? "" : English(program.error().message));
    if (!program) continue;
    for (const Inst& inst : (*program)->code) rows.insert(inst.row);
  }
  return rows;
}

TEST(Rows, EachHasAnExecutedTest) {
  std::set<std::size_t> tested;
  for (const OwnCase& one : OwnCases()) tested.merge(RowsOf(one));
  for (std::size_t row : RowsWithoutCases(BestEngine().rows)) {
    const std::string form = BestEngine().rows[row].form;
    if (form == "trap") continue;  // VirtualGpuTest has kernels that stop themselves
    EXPECT_TRUE(tested.contains(row)) << form << " " << BestEngine().rows[row].operands.text()
                                      << ": neither a golden case nor a kernel in rows_without_cases_test.cc";
  }
}

}  // namespace
}  // namespace warplings::vgpu
