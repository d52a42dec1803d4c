// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grader/core/finding.h"
#include "grader/virtual_gpu/ptx/module.h"

/// A kernel made ready to run: the form in which the decoder hands PTX to the interpreter.
namespace warplings::vgpu {

/// One bit a lane.
using Mask = std::uint32_t;
inline constexpr int kWarpSize = 32;
inline constexpr Mask kAllLanes = 0xffffffffu;

/// Generic addresses of shared and local memory. Every block sees its shared memory, and every thread
/// its local memory, at the same generic address, as on hardware; global memory lies at 0x3000'…
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
  kReturn,    ///< From a device function.
  kBarrier,   ///< bar.sync and its kin: waits for other warps.
  kClock,     ///< Reads a clock: the handler finds the time in BlockContext::clock.
  kTryWait,   ///< A test in a loop until it is true: where it is false, others run first.
  kWarpSync,  ///< …..sync with a member mask: waits for other lanes of the warp, then runs the handler.
};

/// Where an operand's 32 lanes lie: two bits choose one of WarpContext::base, the rest is an offset in
/// bytes. Registers, broadcast constants and special registers are thus read by the same code.
using OperandRef = std::uint32_t;
enum class Bank : std::uint32_t { kRegisters = 0, kConstants = 1, kSpecials = 2 };
inline constexpr OperandRef kNoOperand = 0xffffffffu;
constexpr OperandRef MakeOperand(Bank bank, std::uint32_t offset) {
  return (static_cast<std::uint32_t>(bank) << 30) | offset;
}

/// What an opcode's words chose. Each word of an opcode that matters to a handler sets bits here.
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
inline constexpr std::uint32_t kVolatile = 1u << 17;  // volatile, relaxed, acquire, release
inline constexpr std::uint32_t kInteger = 1u << 18;   // rni, rzi, …: round to an integral value
inline constexpr std::uint32_t kWrap = 1u << 19;      // shf.wrap
inline constexpr std::uint32_t kToSpace = 1u << 20;   // cvta.to
inline constexpr std::uint32_t kApprox = 1u << 21;
inline constexpr std::uint32_t kNegate = 1u << 22;  // the source predicate is !p
inline constexpr std::uint32_t kFrame = 1u << 23;   // ld.param, st.param: of a call, not of the launch
}  // namespace mods

struct Inst {
  Handler handler = nullptr;
  /// By convention: destinations first, then sources. Memory: up to four values in 0 to 3, the address in
  /// 4. Member mask of a …..sync: 4. Second (predicate) destination: 5.
  OperandRef op[6] = {kNoOperand, kNoOperand, kNoOperand, kNoOperand, kNoOperand, kNoOperand};
  OperandRef guard = kNoOperand;  ///< A predicate's mask.
  std::int64_t imm = 0;           ///< Of a memory access: offset. Others: see the handler.
  std::int32_t target = -1;       ///< Of a branch.
  std::int32_t reconverge = -1;   ///< Of a branch: where diverged lanes meet again; -1: at the exit.
  std::uint32_t mods = 0;
  std::int32_t location = -1;  ///< Into Program::locations.
  std::uint32_t index = 0;     ///< Its own position.
  std::uint16_t row = 0;       ///< Of the instruction table.
  Control control = Control::kNone;
  bool guard_negated = false;
  bool communicates = false;             ///< Atomic or volatile: what others do may decide what it gives.
  bool is_join = false;                  ///< Some branch reconverges here.
  std::uint8_t register_bytes = 0;       ///< Width of op[0]'s lanes where it may differ from the type's.
  std::uint8_t source_bytes = 0;         ///< Likewise of op[1].
  std::uint8_t address_bytes = 8;        ///< Width of the address operand's lanes.
  std::uint8_t shared_access_bytes = 0;  ///< Element size, if this may access shared memory.
  Access access = Access::kNone;         ///< Of a memory instruction.
  bool is_async_copy = false;            ///< cp.async: reads global memory, writes shared memory.
  std::uint16_t flops = 0;               ///< Floating-point operations a lane.
  bool is_aligned = true;                ///< Barrier: the whole warp must arrive at once.
  bool is_volatile = false;              ///< ….volatile
  bool is_compare_and_swap = false;      ///< atom.cas
  bool orders = false;                   ///< A fence, or an access that acquires or releases.
  std::uint8_t global_store_bytes = 0;   ///< Element size, if this may write global memory.
  std::uint32_t line = 0;  ///< The first instruction of the same source line: findings fold by it.
};

/// A named piece of a block's shared memory. Between pieces lie gaps, so that an overflow does not
/// land in a neighbour unseen; a gap is a multiple of 128 bytes and leaves the banks as they are.
struct SharedArray {
  std::string name;  ///< As the student wrote it: "Mds".
  std::uint32_t offset = 0, bytes = 0;
  bool is_dynamic = false;  ///< extern __shared__: its size comes with the launch.
};

/// Memory of a function's activation that holds, for each lane, one parameter or result: `bytes` a lane,
/// one lane after the other, from `offset` in the activation's frame.
struct FrameSlot {
  std::uint32_t offset = 0, bytes = 0;
};

/// Functions that nvcc leaves to the runtime system.
enum class Builtin : std::uint8_t { kNone, kPrintf, kAssertFail, kMalloc, kFree };

/// A variable in local memory, as far as the PTX tells: where it begins in its function's frame.
struct LocalObject {
  std::uint32_t offset = 0, bytes = 0;
};

/// A device function, or the kernel itself (the first one).
struct FunctionCode {
  std::string plain_name;
  std::int32_t entry = 0;         ///< Into Program::code.
  std::uint32_t frame_bytes = 0;  ///< Registers, parameters, results of its calls.
  std::uint32_t local_bytes = 0;  ///< Per thread.
  /// Hidden registers that hold the addresses of its local variables in the activation at hand.
  std::vector<std::pair<OperandRef, std::uint32_t>> local_addresses;
  std::vector<LocalObject> locals;  ///< By offset; gaps between them.
  bool is_decoded = false;
  std::vector<FrameSlot> parameters, results;
  Builtin builtin = Builtin::kNone;
};

/// A call: which of the caller's slots go where.
struct CallSite {
  std::int32_t function = -1;  ///< Into Program::functions; -1: op[1] holds its address.
  std::vector<FrameSlot> arguments, results;
};

/// Addresses of functions, for indirect calls: not memory.
inline constexpr std::uint64_t kFunctionBase = 0x1002'0000'0000;
inline constexpr std::uint64_t kFunctionStride = 16;

/// Which special register a slot of Bank::kSpecials holds.
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
  std::vector<Inst> code;            ///< Of all functions, the kernel's first.
  std::vector<std::string> opcodes;  ///< Of `code`, as PTX spells them; for reports.
  FunctionCode kernel;
  /// By position in the PTX module; those that the kernel cannot reach are not decoded.
  std::vector<FunctionCode> functions;
  /// Registers of instructions that have many of them; their op says where theirs begin.
  std::vector<OperandRef> operand_lists;
  std::vector<CallSite> calls;                           ///< Inst::imm of a call chooses one.
  std::vector<std::vector<std::int32_t>> branch_tables;  ///< Of brx.idx: positions in `code`.
  std::vector<SourceLine> locations;
  std::vector<std::byte> constants;  ///< Bank::kConstants: immediates, 32 lanes each.
  struct SpecialSlot {
    Special special;
    std::uint32_t offset = 0;
  };
  std::vector<SpecialSlot> specials;
  std::uint32_t special_bytes = 0;
  std::vector<SharedArray> shared;
  std::uint32_t shared_bytes = 0;         ///< With gaps, without the dynamic array.
  std::uint32_t static_shared_bytes = 0;  ///< As a compiler counts it.
  /// Per thread: room for the locals of the kernel and of all functions, and for recursion.
  std::uint32_t local_bytes = 0;
  struct Parameter {
    std::uint32_t offset = 0, bytes = 0;
  };
  std::vector<Parameter> parameters;
  std::uint32_t argument_bytes = 0;
  /// Has global atomics, volatile or ordered accesses, fences, or a heap: what one block does may be what
  /// another waits for.
  bool blocks_communicate = false;
  bool has_strong_accesses = false;  ///< Atomics, volatile or relaxed accesses, in any memory.
  bool has_fences = false;           ///< Fences, or accesses that acquire or release.
  bool is_debug = false;             ///< Compiled with -G: every variable lies in local memory.
  std::uint32_t max_threads = 0;     ///< .maxntid; 0: none.
  Dim3 required_threads{0, 0, 0};

  SourceLine Where(const Inst& inst) const {
    return inst.location < 0 ? SourceLine{} : locations[static_cast<std::size_t>(inst.location)];
  }
};

}  // namespace warplings::vgpu
