// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grader/core/finding.h"
#include "grader/virtual_gpu/ptx/module.h"

/// A decoded kernel: the form of PTX that the decoder produces and the interpreter executes.
namespace warplings::vgpu {

/// One bit per lane.
using Mask = std::uint32_t;
inline constexpr int kWarpSize = 32;
inline constexpr Mask kAllLanes = 0xffffffffu;

/// Windows of generic addresses for shared and local memory. As on hardware, every block sees its shared
/// memory, and every thread its local memory, at the same generic address; global memory is above
/// kFirstDeviceAddress.
inline constexpr std::uint64_t kSharedWindow = 0x1000'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x1001'0000'0000;
inline constexpr std::uint64_t kWindowBytes = 0x0100'0000;

struct WarpContext;
struct Inst;

/// Executes one instruction for the lanes in `mask` (never empty).
using Handler = void (*)(WarpContext& warp, const Inst& inst, Mask mask);

/// Instructions that the scheduler handles itself, because they move the program counter or wait.
enum class Control : std::uint8_t {
  kNone,
  kBranch,
  kBranchTable,  ///< brx.idx: imm chooses one of Program::branch_tables.
  kExit,
  kTrap,
  kCall,
  kReturn,    ///< Return from a device function.
  kBarrier,   ///< bar.sync and the like: waits for other warps.
  kClock,     ///< Reads a clock: the handler finds the time in BlockContext::clock.
  kTryWait,   ///< A test that programs repeat until it is true; if it is false, other warps run first.
  kWarpSync,  ///< …..sync with a member mask: waits for the other lanes in the mask, then calls the handler.
};

/// Where the 32 lanes of an operand are stored: two bits select one of WarpContext::base, the rest is an
/// offset in bytes. So registers, broadcast constants and special registers are read by the same code.
using OperandRef = std::uint32_t;
enum class Bank : std::uint32_t { kRegisters = 0, kConstants = 1, kSpecials = 2 };
inline constexpr OperandRef kNoOperand = 0xffffffffu;
constexpr OperandRef MakeOperand(Bank bank, std::uint32_t offset) {
  return (static_cast<std::uint32_t>(bank) << 30) | offset;
}

/// The modifiers of an opcode. Each modifier that matters to a handler sets bits here.
namespace mods {
inline constexpr std::uint32_t kFtz = 1u << 0;
inline constexpr std::uint32_t kSat = 1u << 1;
inline constexpr std::uint32_t kRoundShift = 2;  // 2 bits: rn, rz, rm, rp
inline constexpr std::uint32_t kRoundMask = 3u << kRoundShift;
inline constexpr std::uint32_t kRoundZero = 1u << kRoundShift;
inline constexpr std::uint32_t kRoundDown = 2u << kRoundShift;
inline constexpr std::uint32_t kRoundUp = 3u << kRoundShift;
inline constexpr std::uint32_t kCompareShift = 4;  // 5 bits: Comparison
inline constexpr std::uint32_t kCompareMask = 31u << kCompareShift;
inline constexpr std::uint32_t kBoolShift = 9;  // 2 bits: none, and, or, xor
inline constexpr std::uint32_t kBoolMask = 3u << kBoolShift;
inline constexpr std::uint32_t kVectorShift = 11;  // 2 bits: log2 of the vector's length
inline constexpr std::uint32_t kVectorMask = 3u << kVectorShift;
inline constexpr std::uint32_t kModeShift = 13;  // 4 bits: atomic operation, shuffle or vote mode, …
inline constexpr std::uint32_t kModeMask = 15u << kModeShift;
inline constexpr std::uint32_t kStrong = 1u << 17;   // volatile, relaxed, acquire, release
inline constexpr std::uint32_t kInteger = 1u << 18;  // rni, rzi, …: round to an integral value
inline constexpr std::uint32_t kWrap = 1u << 19;     // shf.wrap
inline constexpr std::uint32_t kToSpace = 1u << 20;  // cvta.to
inline constexpr std::uint32_t kApprox = 1u << 21;
inline constexpr std::uint32_t kNegate = 1u << 22;  // the source predicate is !p
inline constexpr std::uint32_t kFrame = 1u << 23;   // ld.param, st.param: of a call, not of the launch
inline constexpr std::uint32_t kVolatile = 1u << 24;
inline constexpr std::uint32_t kOrders = 1u << 25;       // acquire, release, acq_rel
inline constexpr std::uint32_t kBeyondBlock = 1u << 26;  // a fence's scope is wider than the block
inline constexpr std::uint32_t kAligned = 1u << 27;      // of a barrier: whole warps arrive
inline constexpr std::uint32_t kCachePolicy = 1u << 28;  // .L2::cache_hint: a policy is among the operands
inline constexpr std::uint32_t kReadOnly = 1u << 29;     // ld.global.nc: nobody writes there meanwhile
}  // namespace mods

struct Inst {
  Handler handler = nullptr;
  /// Destinations begin at index 0, sources at 1. Up to four destinations (a vector, the parts of a value)
  /// begin at 0, and so do the values that a store writes. Index 3 is the predicate of a barrier's reduction,
  /// index 4 the value that is unpacked.
  OperandRef op[5] = {kNoOperand, kNoOperand, kNoOperand, kNoOperand, kNoOperand};
  OperandRef guard = kNoOperand;  ///< A predicate's mask.
  Control control = Control::kNone;
  bool guard_negated = false;
  bool communicates = false;  ///< Atomic or volatile: its result may depend on other blocks.
  bool is_join = false;       ///< A branch reconverges here.
  std::uint32_t mods = 0;
  std::int64_t imm = 0;               ///< Memory access: offset. Others: see the handler.
  OperandRef address = kNoOperand;    ///< Memory access: address; copy: address of the target.
  std::uint32_t index = 0;            ///< Its own position in Program::code.
  std::int32_t target = -1;           ///< Of a branch.
  std::int32_t reconverge = -1;       ///< Branch: where diverged lanes reconverge; -1: at the exit.
  OperandRef members = kNoOperand;    ///< Member mask of a ….sync.
  OperandRef predicate = kNoOperand;  ///< The second destination of "d|p" and of "p|q".
  OperandRef carry = kNoOperand;      ///< CC.CF, for instructions that read or write it.
  std::int32_t location = -1;         ///< Into Program::locations.
  /// Index of the first instruction of the same source line, by which findings are merged.
  std::uint32_t line = 0;
  Access access = Access::kNone;         ///< Of a memory instruction.
  std::uint16_t row = 0;                 ///< Of the instruction table.
  std::uint16_t flops = 0;               ///< Floating-point operations per lane.
  std::uint8_t register_bytes = 0;       ///< Width of op[0]'s lanes, if it may differ from the type's.
  std::uint8_t source_bytes = 0;         ///< The same for op[1].
  std::uint8_t address_bytes = 8;        ///< Width of the address operand's lanes.
  std::uint8_t shared_access_bytes = 0;  ///< Element size, if this may access shared memory.
  std::uint8_t global_store_bytes = 0;   ///< Element size, if this may write global memory.
  bool is_async_copy = false;            ///< cp.async: reads global memory, writes shared memory.
  bool is_aligned = true;                ///< Barrier: the whole warp must arrive at once.
  bool is_volatile = false;              ///< ….volatile
  bool is_compare_and_swap = false;      ///< atom.cas
  bool orders = false;                   ///< A fence, or an access with acquire or release semantics.
  /// A load, but not of floats. A struct is copied in words that hold the padding between its members, too.
  bool may_read_padding = false;
  /// A load that more threads execute than use its value: into Program::used_when; -1: all may use it.
  std::int16_t used_when = -1;
  /// The same for each other load from shared memory: asked where nobody has set what it loads.
  std::int16_t unset_when = -1;
};

/// A comparison (setp) that has the same result for a thread as long as its kernel runs. It leaves its result
/// in its op[0], a scratch register.
struct LaneComparison {
  Inst compare;
  bool holds = true;  ///< The result that is asked for.
};
/// When a lane uses a value: if, in one of these lists, all comparisons are as asked for.
using UsedWhen = std::vector<std::vector<LaneComparison>>;

/// A named array in a block's shared memory. There are gaps between arrays, so that an overflow does not hit
/// the next array unnoticed; a gap is a multiple of 128 bytes, so that banks do not change.
struct SharedArray {
  std::string name;  ///< Name in the student's source: "Mds".
  std::uint32_t offset = 0, bytes = 0;
  bool is_dynamic = false;   ///< extern __shared__: the launch determines its size.
  bool is_variable = false;  ///< Declared without brackets: it has no elements.
};

/// A parameter or result in the frame of a function's activation: `bytes` bytes per lane, lane after lane,
/// from `offset` on.
struct FrameSlot {
  std::uint32_t offset = 0, bytes = 0;
};

/// An array that code computes addresses from.
struct AddressBase {
  enum class Kind : std::uint8_t {
    kShared,    ///< `value`: the array's offset in shared memory.
    kArgument,  ///< `value`: where in the launch's arguments its pointer is, if it is one.
    kVariable,  ///< `value`: its address.
  };
  Kind kind = Kind::kShared;
  std::uint64_t value = 0;
  friend bool operator==(const AddressBase&, const AddressBase&) = default;
};

/// Functions of the device runtime, which nvcc only declares.
enum class Builtin : std::uint8_t {
  kNone,
  kPrintf,
  kAssertFail,
  kMalloc,
  kFree,
  // Of kernels that launch kernels (device_launches.h).
  kLaunchBuffer,
  kLaunch,
  kCopy,
  kFill,
  kLastError,
  kPeekAtLastError,
  kNoteError,
};
constexpr bool IsOfDeviceRuntime(Builtin builtin) {
  return builtin >= Builtin::kLaunchBuffer;
}

/// A variable in local memory: its offset in the function's frame, which is all that the PTX shows.
struct LocalObject {
  std::uint32_t offset = 0, bytes = 0;
};

/// A device function, or the kernel itself (the first one).
struct FunctionCode {
  std::string plain_name;
  std::int32_t entry = 0;         ///< Into Program::code.
  std::uint32_t frame_bytes = 0;  ///< Registers, parameters, results of its calls.
  std::uint32_t local_bytes = 0;  ///< Per thread.
  /// Hidden registers with the addresses of its local variables in the present activation.
  std::vector<std::pair<OperandRef, std::uint32_t>> local_addresses;
  std::vector<LocalObject> locals;  ///< By offset; gaps between them.
  bool is_decoded = false;
  std::vector<FrameSlot> parameters, results;
  Builtin builtin = Builtin::kNone;
};

/// A call: the caller's slots for arguments and results.
struct CallSite {
  std::int32_t function = -1;  ///< Into Program::functions; -1: op[1] holds its address.
  std::vector<FrameSlot> arguments, results;
};

/// Addresses of functions for indirect calls; they are not in memory.
inline constexpr std::uint64_t kFunctionBase = 0x1002'0000'0000;
inline constexpr std::uint64_t kFunctionStride = 16;

/// The special registers in Bank::kSpecials.
enum class Special : std::uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLaneId,
  kWarpId,
  kNwarpId,
  kSmId,
  kNsmId,
  kGridId,
  kLaneMaskEq,
  kLaneMaskLt,
  kLaneMaskLe,
  kLaneMaskGt,
  kLaneMaskGe,
  kDynamicSharedBytes,
  kTotalSharedBytes,
  kEnvReg1,
  kEnvReg2,
  kOne,
  kZero,
};

struct Program {
  std::string name;                  ///< Mangled.
  std::string plain_name;            ///< "tiled_kernel"
  std::vector<Inst> code;            ///< The code of all functions; the kernel is first.
  std::vector<std::string> opcodes;  ///< The PTX opcodes of `code`, for reports.
  /// By instruction of `code`: the arrays that its addresses are computed from, bits by number in
  /// address_bases. For reports: which array an access means that is outside of all.
  std::vector<std::uint64_t> bases;
  std::vector<AddressBase> address_bases;
  FunctionCode kernel;
  /// Indexed by position in the PTX module; functions that the kernel cannot reach are not decoded.
  std::vector<FunctionCode> functions;
  /// Register lists of instructions with many registers; the instruction's op is the start of its list.
  std::vector<OperandRef> operand_lists;
  std::vector<CallSite> calls;                           ///< Indexed by Inst::imm of a call.
  std::vector<UsedWhen> used_when;                       ///< Indexed by Inst::used_when, unset_when.
  std::vector<std::vector<std::int32_t>> branch_tables;  ///< Of brx.idx: positions in `code`.
  std::vector<SourceLine> locations;
  std::vector<int> caller_lines;     ///< Of each of these.
  std::vector<std::byte> constants;  ///< Bank::kConstants: immediates, 32 lanes each.
  struct SpecialSlot {
    Special special;
    std::uint32_t offset = 0;
  };
  std::vector<SpecialSlot> specials;
  std::uint32_t special_bytes = 0;
  std::vector<SharedArray> shared;
  std::uint32_t shared_bytes = 0;         ///< Including gaps, without the dynamic array.
  std::uint32_t static_shared_bytes = 0;  ///< Without gaps, as the compiler reports it.
  /// Whether anything can access the dynamic bytes of a launch. Otherwise no array ends there, and what gets
  /// to them has left its own array.
  bool uses_dynamic_shared = false;
  /// Per thread: room for the locals of the kernel and of all functions, and for recursion.
  std::uint32_t local_bytes = 0;
  struct Parameter {
    std::uint32_t offset = 0, bytes = 0;
  };
  std::vector<Parameter> parameters;
  std::uint32_t argument_bytes = 0;
  /// The kernel uses global atomics, volatile or ordered accesses, fences, or the heap, so a block may wait
  /// for another one.
  bool blocks_communicate = false;
  /// Some thread may learn what another has done: it uses what an atomic, a volatile or a relaxed access, in
  /// any memory, has given it.
  bool uses_strong_values = false;
  /// Some loop ends, or goes on, by what a strong access has read; or nobody can tell.
  bool waits_for_values = false;
  bool has_fences = false;           ///< Fences, or accesses that acquire or release.
  bool is_debug = false;             ///< Compiled with -G: every variable is in local memory.
  std::uint32_t live_registers = 0;  ///< The most at a time, of one function (CountLiveRegisters).
  std::uint32_t max_threads = 0;     ///< .maxntid; 0: none.
  Dim3 required_threads{0, 0, 0};

  SourceLine Where(const Inst& inst) const {
    return inst.location < 0 ? SourceLine{} : locations[static_cast<std::size_t>(inst.location)];
  }
  /// The line that calls the inlined function which Where() is in; 0 if it is in none.
  int CallerLine(const Inst& inst) const {
    return inst.location < 0 ? 0 : caller_lines[static_cast<std::size_t>(inst.location)];
  }
};

}  // namespace warplings::vgpu
