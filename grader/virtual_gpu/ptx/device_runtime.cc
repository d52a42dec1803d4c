// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/device_runtime.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "grader/core/error_texts.h"

namespace warplings::ptx {
namespace {

constexpr std::string_view kPrefix = "__cudaCDP2";

constexpr const char* kHead = ".version 6.0\n.target sm_60\n.address_size 64\n";

constexpr const char* kSetConditional = R"(
.visible .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [handle];
  ld.param.u32 %r1, [value];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

constexpr const char* kRuntime = R"(
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 pointer);
.extern .func (.param .b32 result) __warplings_note_error(.param .b32 error);

.visible .func (.param .b32 result) __cudaCDP2Malloc(.param .b64 to, .param .b64 bytes)
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [bytes];
  {
    .param .b64 wanted;
    .param .b64 made;
    st.param.b64 [wanted], %rd2;
    call.uni (made), malloc, (wanted);
    ld.param.b64 %rd3, [made];
  }
  st.u64 [%rd1], %rd3;
  mov.u32 %r1, 0;
  setp.ne.s64 %p1, %rd3, 0;
  @%p1 bra done;
  {
    .param .b32 error;
    .param .b32 noted;
    st.param.b32 [error], 2;
    call.uni (noted), __warplings_note_error, (error);
    ld.param.b32 %r1, [noted];
  }
done:
  st.param.b32 [result], %r1;
  ret;
}

.visible .func (.param .b32 result) __cudaCDP2Free(.param .b64 pointer)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [pointer];
  {
    .param .b64 freed;
    st.param.b64 [freed], %rd1;
    call.uni free, (freed);
  }
  st.param.b32 [result], 0;
  ret;
}

.visible .func (.param .b32 result) __cudaCDP2StreamCreateWithFlags(.param .b64 to, .param .b32 flags)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  mov.u64 %rd2, 256;
  st.u64 [%rd1], %rd2;
  st.param.b32 [result], 0;
  ret;
}

.visible .func (.param .b32 result) __cudaCDP2EventCreateWithFlags(.param .b64 to, .param .b32 flags)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  mov.u64 %rd2, 257;
  st.u64 [%rd1], %rd2;
  st.param.b32 [result], 0;
  ret;
}

.visible .func (.param .b32 result) __cudaCDP2GetDevice(.param .b64 to)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, 0;
  st.u32 [%rd1], %r1;
  st.param.b32 [result], 0;
  ret;
}

.visible .func (.param .b32 result) __cudaCDP2GetDeviceCount(.param .b64 to)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, 1;
  st.u32 [%rd1], %r1;
  st.param.b32 [result], 0;
  ret;
}
)";

/// A function that returns one text of an error, by its number. The texts lie in one variable, each with a 0
/// at its end; the first one is that of a number which is no error's.
std::string TextOfError(const std::string& function, const char* ErrorText::*text) {
  const std::string variable = "__warplings" + function.substr(kPrefix.size());
  std::string texts = kNoErrorsText, choices, bytes;
  for (const ErrorText& error : kErrorTexts) {
    texts += '\0';
    choices += "  setp.eq.s32 %p1, %r1, " + std::to_string(error.number) + ";\n  @%p1 mov.u64 %rd1, " +
               std::to_string(texts.size()) + ";\n";
    texts += error.*text;
  }
  for (const char character : texts) bytes += std::to_string(static_cast<int>(character)) + ", ";
  return ".global .align 1 .b8 " + variable + "[" + std::to_string(texts.size() + 1) + "] = {" + bytes +
         "0};\n.visible .func (.param .b64 result) " + function + R"((.param .b32 error)
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<4>;
  ld.param.u32 %r1, [error];
  mov.u64 %rd1, 0;
)" + choices +
         "  mov.u64 %rd2, " + variable + R"(;
  add.s64 %rd3, %rd2, %rd1;
  cvta.global.u64 %rd3, %rd3;
  st.param.b64 [result], %rd3;
  ret;
}
)";
}

/// Functions that have nothing to do, with the types of their parameters.
constexpr std::pair<const char*, const char*> kIdle[] = {
    {"__cudaCDP2StreamDestroy", ".param .b64 a"},
    {"__cudaCDP2StreamWaitEvent", ".param .b64 a, .param .b64 b, .param .b32 c"},
    {"__cudaCDP2StreamWaitEvent_ptsz", ".param .b64 a, .param .b64 b, .param .b32 c"},
    {"__cudaCDP2EventRecord", ".param .b64 a, .param .b64 b"},
    {"__cudaCDP2EventRecord_ptsz", ".param .b64 a, .param .b64 b"},
    {"__cudaCDP2EventRecordWithFlags", ".param .b64 a, .param .b64 b, .param .b32 c"},
    {"__cudaCDP2EventRecordWithFlags_ptsz", ".param .b64 a, .param .b64 b, .param .b32 c"},
    {"__cudaCDP2EventDestroy", ".param .b64 a"},
};

bool Mention(std::span<const std::string> texts, const char* name) {
  return std::ranges::any_of(texts,
                             [&](const std::string& text) { return text.find(name) != std::string::npos; });
}

}  // namespace

std::optional<std::string> DeviceRuntimeFor(std::span<const std::string> texts, bool may_launch) {
  const bool sets = Mention(texts, "cudaGraphSetConditional");
  const bool launches = may_launch && Mention(texts, "__cudaCDP2");
  if (!sets && !launches) return std::nullopt;
  std::string text = kHead;
  if (sets) text += kSetConditional;
  if (!launches) return text;
  text += kRuntime;
  for (const auto& [name, parameters] : kIdle) {
    text += std::string(".visible .func (.param .b32 result) ") + name + "(" + parameters +
            ")\n{\n  st.param.b32 [result], 0;\n  ret;\n}\n";
  }
  for (const auto& [function, of_error] : {std::pair{"__cudaCDP2GetErrorName", &ErrorText::name},
                                           std::pair{"__cudaCDP2GetErrorString", &ErrorText::text}}) {
    if (Mention(texts, function)) text += TextOfError(function, of_error);
  }
  return text;
}

}  // namespace warplings::ptx
