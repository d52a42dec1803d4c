// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <span>

#include "grader/base/unique_fd.h"
#include "grader/base/wire.h"
#include "grader/core/layout.h"
#include "grader/messages/class.h"
#include "grader/sandbox/process.h"
#include "grader/submissions/archive_reader.h"
#include "grader/submissions/read_handed_in.h"

namespace warplings {
namespace {

using sandbox::ProgramEnd;

HandedIn Broken(const std::string& why) {
  return {{}, "the archive is not usable: " + why};
}

/// The reader ended before it looked at the archive: what ended it is not the archive.
Error ReaderFailed(const sandbox::Finished& reader) {
  const std::string said = reader.output.substr(0, reader.output.find('\n'));
  return GraderError(said.empty() ? say::archive_reader_did_not_start() : say::archive_reader_said(said),
                     say::build_again_and_doctor());
}

std::string DescribeFailure(const ProgramEnd& end) {
  switch (end.kind) {
    case ProgramEnd::Kind::kTimeLimit: return "it takes too long to read";
    case ProgramEnd::Kind::kOutputLimit: return "there is too much in it";
    case ProgramEnd::Kind::kSignalled:
      return "reading it ended in " + English(sandbox::DescribeSignal(end.code));
    default: return "it cannot be read";
  }
}

}  // namespace

sandbox::ProcessRequest ArchiveReaderRequest(int archive, const ReadLimits& limits) {
  constexpr std::uintmax_t kRoomForPaths = 64u << 20;
  sandbox::ProcessRequest request;
  request.policy = sandbox::ReaderPolicy(ThisLayout().ArchiveReader());
  request.policy.limits.output_bytes = limits.kept_bytes + kRoomForPaths;
  request.program = {sandbox::kReaderProgram, std::to_string(limits.entries), std::to_string(limits.depth),
                     std::to_string(limits.kept_bytes), std::to_string(limits.unpacked_bytes)};
  request.passed = {{archive, kArchiveNumber}};
  return request;
}

Result<HandedIn> ConcludeReading(const sandbox::Finished& reader) {
  if (!reader.output.starts_with(kReadyMark)) return ReaderFailed(reader);
  if (!reader.end.succeeded()) return Broken(DescribeFailure(reader.end));
  const auto answer = std::as_bytes(std::span(reader.output).subspan(kReadyMark.size()));
  auto handed_in = wire::Decode<HandedIn>(answer);
  return handed_in ? std::move(*handed_in) : Broken("it cannot be read");
}

Result<HandedIn> ReadArchive(const std::filesystem::path& file, const ReadLimits& limits, HardLinks* links) {
  const UniqueFd archive(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!archive) return Broken(std::strerror(errno));
  struct stat status {};
  if (::fstat(archive.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return Broken("it is no ordinary file");
  struct stat folder {};
  if (::stat(std::filesystem::absolute(file).parent_path().c_str(), &folder) != 0)
    return Broken(std::strerror(errno));
  if (const std::string linked = HardLinkProblem(status, folder, links); !linked.empty())
    return HandedIn{{}, "the archive " + linked};
  if (status.st_size == 0) return Broken("it is empty");
  const auto reader = sandbox::RunToEnd(ArchiveReaderRequest(archive.get(), limits));
  if (!reader) return reader.error();
  return ConcludeReading(*reader);
}

}  // namespace warplings
