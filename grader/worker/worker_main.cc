// SPDX-License-Identifier: Apache-2.0
// main() of the program that a submission is linked into. It reads call requests from the control socket,
// makes the calls, and answers. It shares its process with the student's code and could not defend itself;
// therefore the judge checks what it sends, and it holds nothing worth stealing.
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>
#include <span>

#include "grader/device/host_fault.h"
#include "grader/worker/entry.h"
#include "grader/worker/protocol.h"

extern "C" int cudaPeekAtLastError();
extern "C" int cudaSetDevice(int device);

namespace warplings::worker {
namespace {

std::uint64_t current_call = 0;

bool Send(const CallAnswer& answer) {
  std::vector<std::byte> packet = wire::Encode(answer);
  ssize_t sent = 0;
  do sent = send(kControlNumber, packet.data(), packet.size(), MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(packet.size());
}

/// Says why the abort() that follows happens, then gets out of the way: the next failure throws.
void ReportOutOfMemory() {
  std::set_new_handler(nullptr);
  Send({.number = current_call, .kind = AnswerKind::kOutOfMemory, .result = {}, .last_error = 0});
}

/// Says where the fault happened, then ends the process by the same signal. A heap that the submission has
/// destroyed may fault in here again: the signal has its default action by then, and only the hint is lost.
void ReportFault(int number, siginfo_t* info, void* context) {
  Send({.number = current_call,
        .kind = AnswerKind::kFault,
        .result = {},
        .last_error = 0,
        .fault = ReadHostFault(info, context)});
  // Pending until the handler returns. Without it, a signal that was raised would be forgotten.
  raise(number);
}

/// Before the static constructors of a submission, which may fault, too.
__attribute__((constructor(101))) void CatchFaults() {
  HandleHostFaults(ReportFault);
}

/// The next call; nothing when the judge has gone.
std::optional<CallRequest> Receive() {
  static std::byte packet[kMaxPacketBytes];
  ssize_t got = 0;
  do got = recv(kControlNumber, packet, sizeof packet, 0);
  while (got < 0 && errno == EINTR);
  if (got <= 0) return std::nullopt;
  return wire::Decode<CallRequest>(std::span(packet, static_cast<std::size_t>(got)));
}

CallAnswer Answer(const CallRequest& request) {
  CallAnswer answer;
  answer.number = request.number;
  // A submission may have made another one current in an earlier call.
  cudaSetDevice(request.device);
  std::optional<Value> result = CallEntry(request.arguments);
  if (!result) {
    answer.kind = AnswerKind::kBadArguments;
    for (const std::size_t size : SizesOfEntry()) answer.result.push_back(static_cast<std::byte>(size));
    return answer;
  }
  answer.result = std::move(*result);
  answer.last_error = cudaPeekAtLastError();
  return answer;
}

}  // namespace
}  // namespace warplings::worker

int main() {
  using namespace warplings::worker;
  prctl(PR_SET_DUMPABLE, 0);
  std::set_new_handler(ReportOutOfMemory);
  if (!Send({.number = 0, .kind = AnswerKind::kReady, .result = {}, .last_error = 0})) return 1;
  while (std::optional<CallRequest> request = Receive()) {
    current_call = request->number;
    CallAnswer answer = Answer(*request);
    // What was printed belongs to this call: it must be in the pipe before the answer is.
    std::fflush(nullptr);
    if (!Send(answer)) return 1;
  }
  return 0;
}
