// SPDX-License-Identifier: Apache-2.0
#include "grader/device/server.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

#include "grader/base/thrown.h"
#include "grader/device/refusals.h"
#include "grader/fatbin/device_names.h"
#include "grader/messages/device.h"

namespace warplings {

using protocol::FrameHeader;

namespace {

/// Limit on recorded violations; a client is disconnected after its first, so honest use never reaches it.
constexpr std::size_t kMaxViolations = 1024;

/// Given back when memory has run out, so that there is some for saying so. Null where there is none to put
/// by.
std::unique_ptr<std::byte[]> MakeReserve() {
  constexpr std::size_t kBytes = 256 << 10;
  return std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[kBytes]);
}

bool MayMake(const Session& session, protocol::Asker asker) {
  switch (asker) {
    case protocol::Asker::kEveryone: return true;
    case protocol::Asker::kPrinter: return session.trusted || session.deliver_printed;
    case protocol::Asker::kJudge: break;
  }
  return session.trusted;
}

std::vector<std::byte> RefusalBody(const CudaFault& fault) {
  return wire::Encode(protocol::ReplyHead{static_cast<std::int32_t>(fault.code), fault.message});
}

template <class Reply>
std::vector<std::byte> ReplyBody(Reply& reply) {
  wire::Encoder encoder;
  protocol::ReplyHead head;
  encoder(head, reply);
  return std::move(encoder).Take();
}

}  // namespace

DeviceServer::DeviceServer(std::vector<LocalDevice*> devices, UniqueFd control, ClientLimits limits)
    : devices_(std::move(devices)),
      handler_(devices_, limits,
               {.attach =
                    [this](UniqueFd socket, const protocol::AttachClient& request) {
                      return Attach(std::move(socket), request);
                    },
                .drop =
                    [this](ClientId client) {
                      for (Session& session : sessions_) {
                        if (session.client == client && !session.trusted) Close(session, "");
                      }
                    },
                .hold =
                    [this](ClientId client, bool hold) {
                      protocol::Served served;
                      for (Session& session : sessions_) {
                        if (session.client != client || session.trusted) continue;
                        session.held = hold;
                        served = std::exchange(session.served, {});
                      }
                      return served;
                    },
                .take_violations = [this] { return std::exchange(violations_, {}); },
                .take_internal_faults = [this] { return std::exchange(faults_, {}); }}) {
  AddSession(std::move(control)).trusted = true;
  reserve_ = MakeReserve();
}

DeviceServer::~DeviceServer() = default;

Session& DeviceServer::AddSession(UniqueFd socket) {
  Session made;
  made.socket = std::move(socket);
  made.uploads.resize(devices_.size());
  entries_.reserve(sessions_.size() + 1);
  polled_.reserve(sessions_.size() + 1);
  return sessions_.emplace_back(std::move(made));
}

Status DeviceServer::Run() {
  while (control().socket.valid()) {
    entries_.clear();
    polled_.clear();
    int timeout = -1;
    for (Session& session : sessions_) {
      if (!session.trusted && handler_.Suspends(session.client)) continue;
      // Of a client that is held only its end is waited for (POLLHUP needs no asking).
      entries_.push_back({session.socket.get(), static_cast<short>(session.held ? 0 : POLLIN), 0});
      polled_.push_back(&session);
      if (!session.held && HasWholeFrame(session)) timeout = 0;
    }
    if (poll(entries_.data(), entries_.size(), timeout) < 0 && errno != EINTR) {
      return GraderError(say::device_cannot_wait(std::strerror(errno)));
    }
    // The judge last: it asks what a program has left once that has ended, and what its end releases has been
    // told by then. Attach appends to sessions_ meanwhile; those come in the next round.
    for (std::size_t i = 1; i < polled_.size(); ++i) ServeClient(*polled_[i], entries_[i].revents);
    RemoveClosed();
    ServeGuarded(control(), entries_[0].revents != 0);
    RemoveClosed();
  }
  if (!control_fault_.empty()) return GraderError(say::of_control_connection(control_fault_));
  return Unit{};
}

CudaResult<ClientId> DeviceServer::Attach(UniqueFd socket, const protocol::AttachClient& request) {
  int type = 0;
  socklen_t size = sizeof type;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != protocol::kSocketType) {
    return CudaFault{CudaError::kInvalidValue, say::no_socket_of_protocol()};
  }
  Session& session = AddSession(std::move(socket));
  session.client = ++last_client_;
  session.deliver_printed = request.deliver_printed;
  session.image = request.image;
  return session.client;
}

void DeviceServer::Close(Session& session, std::string violation) {
  if (!session.socket.valid()) return;
  session.socket.reset();
  if (violation.empty()) return;
  if (session.trusted)
    control_fault_ = std::move(violation);
  else if (violations_.size() < kMaxViolations)
    violations_.push_back({session.client, std::move(violation)});
}

void DeviceServer::RemoveClosed() {
  for (auto session = std::next(sessions_.begin()); session != sessions_.end();) {
    if (session->socket.valid()) {
      ++session;
      continue;
    }
    try {
      handler_.Forget(*session);
    } catch (...) {
      NoteThrown();  // What it owned may stay; the judge starts a new process.
    }
    session = sessions_.erase(session);
  }
}

bool DeviceServer::HasWholeFrame(const Session& session, std::size_t offset) const {
  const std::size_t there = session.input.size() - offset;
  if (there < sizeof(FrameHeader)) return false;
  FrameHeader header;
  std::memcpy(&header, session.input.data() + offset, sizeof header);
  // A header that is refused at sight needs no body.
  return header.length > protocol::kMaxClientFrame || there - sizeof header >= header.length;
}

void DeviceServer::ServeClient(Session& session, short events) {
  const bool has_ended = (events & (POLLHUP | POLLERR)) != 0;
  if (session.held) {
    if (has_ended) Close(session, "");
    return;
  }
  ServeGuarded(session, events != 0);
  // Who has ended had at most one request without a reply; behind it stands the end.
  for (int left = 2; has_ended && session.socket.valid() && left > 0; --left) ServeGuarded(session, true);
}

void DeviceServer::ServeGuarded(Session& session, bool readable) {
  try {
    Serve(session, readable);
  } catch (...) {
    // Not even a refusal could be sent, or part of a message is lost: the connection is of no more use.
    NoteThrown();
    Close(session, "");
  }
}

void DeviceServer::Serve(Session& session, bool readable) {
  // The request of another connection may have suspended this one in the same round.
  if (!session.socket.valid() || handler_.Suspends(session.client)) return;
  if (readable && !HasWholeFrame(session)) {
    std::size_t room = sizeof(FrameHeader) + protocol::kMaxClientFrame - session.input.size();
    ChannelStatus status = ReceiveSome(session.socket.get(), room, session.input,
                                       session.trusted ? &session.received_fds : nullptr);
    if (status == ChannelStatus::kClosed) return Close(session, "");
  }
  if (HasWholeFrame(session)) ServeFrame(session);
}

void DeviceServer::ServeFrame(Session& session) {
  FrameHeader header;
  std::memcpy(&header, session.input.data(), sizeof header);
  if (header.length > protocol::kMaxClientFrame) {
    return Close(session, "announced a message of " + std::to_string(header.length) + " bytes");
  }
  if (header.sequence != session.sequence + 1) return Close(session, "sent messages out of sequence");
  session.sequence = header.sequence;
  session.of_driver = (header.device & protocol::kOfDriver) != 0;
  const std::size_t device = header.device & ~protocol::kOfDriver;
  if (device >= devices_.size()) return Close(session, "named a device that does not exist");
  session.device = device;
  auto frame = std::span(session.input).first(sizeof header + header.length);
  session.more_asked = HasWholeFrame(session, frame.size());
  try {
    Dispatch(session, header, frame.subspan(sizeof header));
  } catch (...) {
    RefuseForThrown(session, header);
  }
  session.input.erase(session.input.begin(),
                      session.input.begin() + static_cast<std::ptrdiff_t>(frame.size()));
}

void DeviceServer::RefuseForThrown(Session& session, const FrameHeader& header) {
  reserve_.reset();
  const CudaError code = NoteThrown();
  session.reply_fd = -1;
  SendReply(session, header,
            RefusalBody({code, code == CudaError::kMemoryAllocation
                                   ? "The device process has no memory left for this."
                                   : "The device process itself failed: " + DescribeThrown() + "."}));
  reserve_ = MakeReserve();
}

CudaError DeviceServer::NoteThrown() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    ++faults_.memory;
    return CudaError::kMemoryAllocation;
  } catch (...) {
    try {
      if (faults_.thrown.empty()) faults_.thrown = DescribeThrown();
    } catch (const std::bad_alloc&) {
      ++faults_.memory;
    }
    return CudaError::kUnknown;
  }
}

template <class Request>
void DeviceServer::ServeRequest(Session& session, const FrameHeader& header,
                                std::span<const std::byte> body) {
  constexpr bool kIsHello = std::is_same_v<Request, protocol::Hello>;
  if (session.greeted == kIsHello) return Close(session, "sent a message before or after its time");
  if (!MayMake(session, protocol::CallOf<Request>::kRow.asker))
    return Close(session, "sent a message that is reserved to the grader");
  Request request{};
  if (!wire::DecodeInto(body, request)) return Close(session, "sent a message that does not decode");

  session.reply_fd = -1;
  auto reply = handler_.Handle(session, request);
  if constexpr (kIsHello) {
    session.greeted = reply.ok();
    // There was no memory, or no descriptor, to share with it: none of its calls will work.
    if (!reply && reply.error().code == CudaError::kMemoryAllocation) ++faults_.memory;
  }
  if (!session.socket.valid()) return;  // DropClient of itself cannot be, but costs nothing to survive.
  if (!reply) {
    if (!session.trusted) RecordRefusal(session, request, reply.error());
    return SendReply(session, header, RefusalBody(reply.error()));
  }
  SendReply(session, header, ReplyBody(*reply));
}

template <class Request>
void DeviceServer::RecordRefusal(const Session& session, const Request& request, const CudaFault& fault) {
  constexpr const protocol::CallRow& kRow = protocol::CallOf<Request>::kRow;
  if (kRow.name.empty()) return;
  std::string kernel;
  if constexpr (std::is_same_v<Request, protocol::Launch> ||
                std::is_same_v<Request, protocol::ValidateLaunch>) {
    if (const auto* known = handler_.ledger().FindKernel(session.place(), request.request.kernel))
      kernel = known->name;
  } else if constexpr (std::is_same_v<Request, protocol::FindKernel>) {
    kernel = fatbin::DemangledName(request.name);
  }
  if (auto finding = FindingForRefusal(kRow, fault, std::move(kernel), session.of_driver)) {
    devices_[session.device]->AddFinding(*std::move(finding));
  }
}

void DeviceServer::SendReply(Session& session, const FrameHeader& request, std::vector<std::byte> body) {
  std::vector<std::byte> frame;
  protocol::AppendFrame({.id = request.id, .sequence = request.sequence}, body, frame);
  if (!session.trusted) return SendToClient(session, frame);
  // Who asked several things at once waits for all of them. A descriptor comes with the first byte of its own
  // reply.
  constexpr std::size_t kMostUnsent = 64 << 10;
  const bool waits = session.more_asked && session.reply_fd < 0 && frame.size() < kMostUnsent;
  if (!waits || session.unsent.size() > kMostUnsent) SendUnsent(session);
  if (waits) {
    session.unsent.insert(session.unsent.end(), frame.begin(), frame.end());
  } else if (SendAll(session.socket.get(), frame, session.reply_fd, std::nullopt) != ChannelStatus::kOk) {
    Close(session, "");
  }
}

void DeviceServer::SendUnsent(Session& session) {
  if (session.unsent.empty()) return;
  const ChannelStatus status = SendAll(session.socket.get(), session.unsent, -1, std::nullopt);
  session.unsent.clear();
  if (status != ChannelStatus::kOk) Close(session, "");
}

void DeviceServer::SendToClient(Session& session, std::span<const std::byte> frame) {
  // Waiting for a client that does not read would stop the service for all; a reply always fits the socket
  // of one that waits for its reply before it asks again.
  const ChannelStatus status = SendNow(session.socket.get(), frame, session.reply_fd);
  if (status == ChannelStatus::kWouldBlock)
    Close(session, "does not read the replies to its messages");
  else if (status != ChannelStatus::kOk)
    Close(session, "");
}

void DeviceServer::Dispatch(Session& session, const FrameHeader& header, std::span<const std::byte> body) {
  using ServeFunction = void (DeviceServer::*)(Session&, const FrameHeader&, std::span<const std::byte>);
#define WARPLINGS_SERVE(opcode, Request, ...) &DeviceServer::ServeRequest<protocol::Request>,
  static constexpr ServeFunction kServers[] = {WARPLINGS_CALLS(WARPLINGS_SERVE)};
#undef WARPLINGS_SERVE
  if (header.id >= std::size(kServers)) return Close(session, "sent a message that does not exist");
  (this->*kServers[header.id])(session, header, body);
}

}  // namespace warplings
