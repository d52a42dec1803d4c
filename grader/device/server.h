// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <list>
#include <memory>
#include <vector>

#include "grader/device/request_handler.h"

namespace warplings {

/// Serves Devices to the trusted control connection and to any number of untrusted ones, from one
/// thread (protocol.h has the theory of operation). No client can make it block, crash, or do another
/// client's requests out of turn.
class DeviceServer {
 public:
  /// `devices` by ordinal; at least one.
  DeviceServer(std::vector<Device*> devices, UniqueFd control, protocol::ClientLimits limits = {});
  ~DeviceServer();

  /// Serves until the control connection closes; an error where that ended out of order.
  Status Run();

 private:
  Session& control() { return sessions_.front(); }
  Session& AddSession(UniqueFd socket);
  CudaResult<ClientId> Attach(UniqueFd socket, bool deliver_printed);
  /// Marks a connection for removal at the end of the round; `violation` is empty for an orderly end.
  void Close(Session& session, std::string violation);
  void RemoveClosed();

  /// Serve, and what becomes of a connection for which there is no memory.
  void ServeInMemory(Session& session, bool readable);
  /// Reads what is there and handles at most one request, so that every client gets its turn.
  void Serve(Session& session, bool readable);
  bool HasWholeFrame(const Session& session) const;
  void ServeFrame(Session& session);
  void Dispatch(Session& session, const protocol::FrameHeader& header, std::span<const std::byte> body);
  template <class Row>
  void ServeRequest(Session& session, const protocol::FrameHeader& header, std::span<const std::byte> body);
  template <class Request>
  void RecordRefusal(const Session& session, const Request& request, const CudaFault& fault);
  /// Answers a request for which there was no memory: an ordinary CUDA error, whatever the call.
  void RefuseForMemory(Session& session, const protocol::FrameHeader& request);
  void SendReply(Session& session, const protocol::FrameHeader& request, std::vector<std::byte> body);

  const std::vector<Device*> devices_;
  RequestHandler handler_;
  std::list<Session> sessions_;  ///< The control connection first; addresses stay.
  std::vector<protocol::Violation> violations_;
  ClientId last_client_ = 0;
  std::string control_fault_;
  /// What Run waits for; AddSession makes room in both, so that waiting needs no memory.
  std::vector<pollfd> entries_;
  std::vector<Session*> polled_;          ///< The entries' sessions.
  std::unique_ptr<std::byte[]> reserve_;  ///< MakeReserve in server.cc.
};

}  // namespace warplings
