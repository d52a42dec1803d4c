// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/decoder.h"

#include "grader/fatbin/device_names.h"
#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/decode/function_decoder.h"
#include "grader/virtual_gpu/decode/program_builder.h"
#include "grader/virtual_gpu/machine/layout.h"

namespace warplings::vgpu {
namespace {

/// Bytes of local memory per thread for recursion and indirect calls, in addition to the local variables of
/// all functions. The default stack of a CUDA thread is 1 KiB.
constexpr std::uint32_t kSpareLocalBytes = 8192;

/// Gives the instructions of each source line one number.
void NumberLines(Program& program) {
  std::map<std::pair<std::string, int>, std::uint32_t> first;
  for (Inst& inst : program.code) {
    inst.line = inst.index;
    if (const SourceLine where = program.Where(inst); where.line)
      inst.line = first.emplace(std::pair(where.file, where.line), inst.index).first->second;
  }
}

/// Decodes what is called, and what that calls, and so on.
Status DecodeCallees(ProgramBuilder& builder) {
  Program& program = *builder.program;
  const auto& functions = builder.module.functions;
  auto decode = [&](std::size_t index) -> Status {
    FunctionCode& code = program.functions[index];
    if (code.is_decoded || code.builtin != Builtin::kNone) return Unit{};
    code.builtin = builder.BuiltinOf(functions[index]);
    // On one host thread, in the order of the blocks.
    if (code.builtin == Builtin::kMalloc || code.builtin == Builtin::kFree || IsOfDeviceRuntime(code.builtin))
      program.blocks_communicate = true;
    if (code.builtin != Builtin::kNone) return Unit{};
    if (functions[index].is_extern) {
      return SubmissionError(say::kernel_calls_undefined(fatbin::DemangledName(functions[index].name)));
    }
    code.is_decoded = true;  // before its own calls ask for it again
    return DecodeFunction(builder, functions[index], code);
  };
  bool all = false;
  while (!builder.wanted.empty() || (builder.calls_indirectly && !all)) {
    if (builder.wanted.empty()) {
      // An indirect call may reach any function. One that cannot be decoded is refused when it is reached.
      all = true;
      for (std::size_t i = 0; i < functions.size(); ++i) {
        if (!functions[i].is_entry && !decode(i)) program.functions[i].is_decoded = false;
      }
      continue;
    }
    const std::size_t index = builder.wanted.back();
    builder.wanted.pop_back();
    if (auto done = decode(index); !done) return done;
  }
  return Unit{};
}

}  // namespace

Result<std::unique_ptr<Program>> Decode(const Engine& engine, const ptx::Module& module,
                                        const ptx::Function& function, const SymbolTable& symbols,
                                        SourceLine& refused_at, bool may_launch) {
  ProgramBuilder builder(engine, module, symbols, may_launch);
  Program& program = *builder.program;
  program.name = function.name;
  program.plain_name = fatbin::DemangledName(function.name);
  program.is_debug = module.is_debug;
  program.max_threads = function.max_threads;
  program.required_threads = function.required_threads;
  program.functions.resize(module.functions.size());
  auto shared = LayOutShared(module, function, program);
  if (!shared) return shared.error();
  builder.shared = std::move(shared).value();
  auto parameters = LayOutParameters(function, program);
  if (!parameters) return parameters.error();
  builder.parameters = std::move(parameters).value();
  Status done = DecodeFunction(builder, function, program.kernel);
  if (done) done = DecodeCallees(builder);
  refused_at = builder.refused_at;
  if (!done) return done.error();
  NumberLines(program);
  std::uint64_t local_bytes = program.kernel.local_bytes;
  if (!program.calls.empty()) {
    for (const FunctionCode& callee : program.functions) local_bytes += callee.local_bytes;
    local_bytes += kSpareLocalBytes;
  }
  auto fits = CheckSize(function.name, say::of_local_memory_with_calls, local_bytes,
                        kMaxLocalBytes + kSpareLocalBytes);
  if (!fits) return fits.error();
  program.local_bytes = static_cast<std::uint32_t>(local_bytes);
  return std::move(builder.program);
}

}  // namespace warplings::vgpu
