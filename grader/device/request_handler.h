// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <vector>

#include "grader/device/model/ledger.h"
#include "grader/device/model/local_device.h"
#include "grader/device/protocol.h"
#include "grader/device/recorder.h"
#include "grader/device/session.h"

namespace warplings {

/// Executes requests: has the ledger check that the connection owns the objects that it names and that counts
/// and ranges are valid, and calls the device. Knows nothing about sockets; the server checks which calls a
/// connection may make.
class RequestHandler {
 public:
  /// Functions that only the server can provide.
  struct Hooks {
    std::function<CudaResult<ClientId>(UniqueFd socket, const protocol::AttachClient& request)> attach;
    std::function<void(ClientId client)> drop;
    std::function<protocol::Served(ClientId client, bool hold)> hold;
    std::function<std::vector<protocol::Violation>()> take_violations;
    std::function<protocol::InternalFaults()> take_internal_faults;
  };

  /// `devices` by ordinal; at least one.
  RequestHandler(std::vector<LocalDevice*> devices, ClientLimits limits, Hooks hooks)
      : devices_(std::move(devices)), hooks_(std::move(hooks)), ledger_(limits), uses_(devices_.size()) {}

  /// Executes a call, each row of calls.h by a function of its own: Handle(session, Launch{…}) calls
  /// HandleLaunch.
#define WARPLINGS_HANDLE(opcode, Request, ...)                                                \
  CudaResult<protocol::ReplyTo<protocol::Request>> Handle(Session& session,                   \
                                                          const protocol::Request& request) { \
    DeviceFor(session).Serve(session.client);                                                 \
    return Handle##Request(session, request);                                                 \
  }
  WARPLINGS_CALLS(WARPLINGS_HANDLE)
#undef WARPLINGS_HANDLE

  /// True while this client's requests must wait because its recorded call is timed.
  bool Suspends(ClientId client) const {
    return recorder_.Suspends(client);
  }

  /// Frees everything that the connection owned, on all devices.
  void Forget(const Session& session);
  std::size_t device_count() const {
    return devices_.size();
  }
  const Ledger& ledger() const {
    return ledger_;
  }

 private:
  // Those for memory and work, for streams and events, and for timed runs have a source of their own:
  // request_handler_memory.cc, request_handler_streams.cc, request_handler_timing.cc.
#define WARPLINGS_HANDLE(opcode, Request, ...) \
  CudaResult<protocol::ReplyTo<protocol::Request>> Handle##Request(Session&, const protocol::Request&);
  WARPLINGS_CALLS(WARPLINGS_HANDLE)
#undef WARPLINGS_HANDLE

  LocalDevice& DeviceFor(const Session& session) {
    return *devices_[session.device];
  }
  void ForgetOnDevice(const Ledger::Place& owner);
  /// Frees the memory that a recording has kept.
  void ReleaseKept();
  /// LocalDevice::Allocate. If that fails while a recording keeps freed memory, gives up replaying it, frees
  /// that memory and tries again.
  CudaResult<Allocation> AllocateDespiteRecording(Session& session, const protocol::Allocate& request);
  /// Counts the copy or fill, of which this is a piece, unless it is the judge's.
  void NoteUse(const Session& session, protocol::Amount protocol::DeviceUse::*of,
               const protocol::Piece& piece);
  /// Counts them, and adds a warning about them to the device's findings, if checks are on.
  void ReportLeaks(std::size_t device, const Ledger::Leaks& leaks);

  /// Does a copy or a fill of memory at these addresses in a stream of the session's device, in its place
  /// among the work of other devices whose memory it is.
  template <class Copy>
  CudaStatus InPlace(const Session& session, StreamId stream, std::initializer_list<DevicePointer> addresses,
                     const Copy& copy);

  CudaStatus CheckPiece(const Session& session, DevicePointer address, const protocol::Piece& piece) const;

  const std::vector<LocalDevice*> devices_;
  const Hooks hooks_;
  Ledger ledger_;
  Recorder recorder_;
  std::vector<protocol::DeviceUse> uses_;      ///< By device, without what the ledger knows.
  bool checks_ = ObservationOptions{}.checks;  ///< The last that were set.
  std::chrono::steady_clock::time_point live_start_;
};

}  // namespace warplings
