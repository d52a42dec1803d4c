// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <list>
#include <memory>
#include <vector>

#include "grader/device/model/local_device.h"
#include "grader/device/request_handler.h"

namespace warplings {

/// Serves Devices to the trusted control connection and to any number of untrusted ones, in a single thread
/// (protocol.h has the theory of operation). No client can make it block or crash, or get more than its turn.
class DeviceServer {
 public:
  /// `devices` by ordinal; at least one.
  DeviceServer(std::vector<LocalDevice*> devices, UniqueFd control, ClientLimits limits = {});
  ~DeviceServer();

  /// Serves until the control connection closes; an error if that violated the protocol.
  Status Run();

 private:
  Session& control() { return sessions_.front(); }
  Session& AddSession(UniqueFd socket);
  CudaResult<ClientId> Attach(UniqueFd socket, const protocol::AttachClient& request);
  /// Marks a connection for removal at the end of the round; `violation` is empty for a regular end.
  void Close(Session& session, std::string violation);
  void RemoveClosed();

  /// What poll has found of this client: one of its messages, or its end.
  void ServeClient(Session& session, short events);
  /// Calls Serve; closes the connection if anything is thrown that no refusal could be sent for.
  void ServeGuarded(Session& session, bool readable);
  /// Reads what is available and handles at most one request, so that every client gets its turn.
  void Serve(Session& session, bool readable);
  /// Whether the input from that byte on begins with a whole request.
  bool HasWholeFrame(const Session& session, std::size_t offset = 0) const;
  void ServeFrame(Session& session);
  void Dispatch(Session& session, const protocol::FrameHeader& header, std::span<const std::byte> body);
  template <class Row>
  void ServeRequest(Session& session, const protocol::FrameHeader& header, std::span<const std::byte> body);
  template <class Request>
  void RecordRefusal(const Session& session, const Request& request, const CudaFault& fault);
  /// In a catch block: replies to the request with an ordinary CUDA error.
  void RefuseForThrown(Session& session, const protocol::FrameHeader& request);
  /// In a catch block: notes for the judge what was thrown. Throws nothing itself.
  CudaError NoteThrown();
  /// The control connection's replies are sent together where it asked several things at once.
  void SendReply(Session& session, const protocol::FrameHeader& request, std::vector<std::byte> body);
  void SendUnsent(Session& session);
  void SendToClient(Session& session, std::span<const std::byte> frame);

  const std::vector<LocalDevice*> devices_;
  RequestHandler handler_;
  /// The control connection is the first. A list, so that addresses stay valid.
  std::list<Session> sessions_;
  std::vector<protocol::Violation> violations_;
  protocol::InternalFaults faults_;  ///< Since the judge last asked.
  ClientId last_client_ = 0;
  std::string control_fault_;
  /// The descriptors that Run polls. AddSession reserves room in both vectors, so that polling needs no
  /// allocation.
  std::vector<pollfd> entries_;
  std::vector<Session*> polled_;          ///< The session of each entry.
  std::unique_ptr<std::byte[]> reserve_;  ///< MakeReserve in server.cc.
};

}  // namespace warplings
