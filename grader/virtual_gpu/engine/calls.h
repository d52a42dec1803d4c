// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: calls of device functions and of built-in functions (vprintf, malloc, …).
#pragma once

#include <algorithm>
#include <cstring>

#include "grader/messages/findings.h"
#include "grader/virtual_gpu/engine/block_run.h"
#include "grader/virtual_gpu/instructions/builtins.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

inline void BlockRun::OpenFrame(const FunctionCode& function, std::byte* frame, u32 local) {
  std::memset(frame, 0, function.frame_bytes);
  for (const auto& [operand, offset] : function.local_addresses) {
    u64* lanes = reinterpret_cast<u64*>(frame + (operand & 0x3fffffffu));
    for (int i = 0; i < kWarpSize; ++i) lanes[i] = local + offset;
  }
}

inline void BlockRun::CloseFrame(Divergence& divergence) {
  if (!divergence.callee_frame) return;
  frames_.Release(divergence.callee->frame_bytes, divergence.callee_frame);
  divergence.callee_frame = nullptr;
}

inline void BlockRun::CopySlots(const std::vector<FrameSlot>& from, const std::byte* from_frame,
                                const std::vector<FrameSlot>& to, std::byte* to_frame, Mask mask) {
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    const std::size_t bytes = std::min(from[i].bytes, to[i].bytes);
    ForEachLane(mask, [&](int lane) {
      const auto l = static_cast<std::size_t>(lane);
      std::memcpy(to_frame + to[i].offset + l * to[i].bytes, from_frame + from[i].offset + l * from[i].bytes,
                  bytes);
    });
  }
}

inline bool BlockRun::Call(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask) {
  const Program& program = *grid_.program;
  const CallSite& call = program.calls[static_cast<std::size_t>(in.imm)];
  std::size_t index = static_cast<std::size_t>(call.function);
  if (call.function < 0) {
    const u64* target = warp.Lanes<const u64>(in.op[1]);
    const u64 first = target[__builtin_ctz(mask)];
    const Mask same = mask & BitOfEach([&](int i) { return target[i] == first; });
    if (same != mask) ReconvergeBehind(warp, slot, mask);
    mask = same;
    index = static_cast<std::size_t>((first - kFunctionBase) / kFunctionStride);
    const bool known = first >= kFunctionBase && (first - kFunctionBase) % kFunctionStride == 0 &&
                       index < program.functions.size();
    if (!known ||
        (!program.functions[index].is_decoded && program.functions[index].builtin == Builtin::kNone) ||
        program.functions[index].parameters.size() != call.arguments.size()) {
      block_.faults->Trap(warp, in, mask, say::bad_indirect_call());
      stopped_by_ = Outcome::kTrapped;
      return false;
    }
  }
  SplitOff(warp, slot, mask);
  const FunctionCode& function = program.functions[index];
  if (function.builtin != Builtin::kNone) return CallBuiltins(warp, slot, in, function.builtin, call);

  Split& caller = warp.splits[slot];
  std::byte* frame = frames_.Take(function.frame_bytes);
  if (!frame || caller.local_top + function.local_bytes > program.local_bytes) {
    block_.faults->StackOverflow(warp, in, mask);
    stopped_by_ = Outcome::kTrapped;
    return false;
  }
  OpenFrame(function, frame, caller.local_top);
  for (Observer* observer : block_.observers)
    observer->OnFrameOpened(warp, function, caller.local_top, caller.mask);
  CopySlots(call.arguments, caller.frame, function.parameters, frame, caller.mask);
  Divergence divergence{caller.pc + 1, caller.mask,      0,     caller.node,
                        caller.frame,  caller.local_top, &call, &function};
  divergence.callee_frame = frame;
  const std::int32_t node = AddDivergence(warp, divergence);
  warp.splits[slot].pc = function.entry;
  warp.splits[slot].node = node;
  warp.splits[slot].frame = frame;
  warp.splits[slot].local_top += function.local_bytes;
  return true;
}

inline void BlockRun::ReconvergeBehind(WarpContext& warp, std::size_t slot, Mask lanes) {
  const Split& split = warp.splits[slot];
  const bool waits_there = split.node >= 0 && !DivergenceOf(warp, split.node).call &&
                           DivergenceOf(warp, split.node).reconverge == split.pc + 1;
  if (waits_there || lanes != split.mask) return;
  const std::int32_t node = AddDivergence(
      warp, {split.pc + 1, lanes, 0, split.node, split.frame, split.local_top, nullptr, nullptr, nullptr});
  warp.splits[slot].node = node;
}

inline bool BlockRun::CallBuiltins(WarpContext& warp, std::size_t slot, const Inst& in, Builtin builtin,
                                   const CallSite& call) {
  bool go_on = true;
  ForEachLane(warp.splits[slot].mask, [&](int lane) {
    go_on = CallBuiltin(warp, in, lane, builtin, call, warp.splits[slot].frame) && go_on;
  });
  ++warp.splits[slot].pc;
  if (!go_on) stopped_by_ = Outcome::kAssertFailed;
  return go_on;
}

inline void BlockRun::Return(WarpContext& warp, std::size_t slot, Mask mask) {
  SplitOff(warp, slot, mask);
  const Split done = warp.splits[slot];
  warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(slot));
  std::int32_t node = done.node;
  while (node >= 0 && !DivergenceOf(warp, node).call) {
    const std::int32_t parent = DivergenceOf(warp, node).parent;
    LeaveDivergence(warp, node, mask);
    node = parent;
  }
  if (node < 0) return;  // Does not happen: device functions are only entered by calls.
  Divergence& called = DivergenceOf(warp, node);
  CopySlots(called.callee->results, done.frame, called.call->results, called.frame, mask);
  for (Observer* observer : block_.observers)
    observer->OnFrameClosed(warp, *called.callee, called.local_top, mask);
  called.arrived |= mask;
  if (called.arrived == called.mask) Complete(warp, called);
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
