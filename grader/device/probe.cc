// SPDX-License-Identifier: Apache-2.0
#include "grader/device/probe.h"

#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "grader/base/program_output.h"
#include "grader/messages/device.h"

namespace warplings {
namespace {

/// A driver that has to wake up its card takes seconds.
constexpr std::chrono::seconds kPatience{20};
constexpr std::size_t kLongestDescription = 8192;

/// First line and the rest.
std::pair<std::string, std::string> SplitLine(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return {text, ""};
  std::string rest = text.substr(end + 1);
  while (rest.ends_with('\n')) rest.pop_back();
  return {text.substr(0, end), rest};
}

}  // namespace

bool MayHaveCard() {
  // Whoever hides the cards from CUDA hides them from us.
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible != nullptr && (*visible == '\0' || std::strcmp(visible, "-1") == 0)) return false;
  return ::access("/dev/nvidiactl", F_OK) == 0 || ::access("/dev/dxg", F_OK) == 0;
}

Result<FoundCard> ParseFoundCard(const std::string& line) {
  FoundCard card;
  const char* end = line.data() + line.size();
  const auto [stop, fault] = std::from_chars(line.data(), end, card.capability);
  if (fault != std::errc() || stop == end || *stop != ' ' || card.capability <= 0) {
    return GraderError(say::no_card_described(line));
  }
  card.name.assign(stop + 1, end);
  return card;
}

Result<FoundCard> ProbeCard(const std::filesystem::path& device_program, int ordinal) {
  const auto output = CaptureOutput({device_program.string(), "--describe", "gpu:" + std::to_string(ordinal)},
                                    ErrorText::kShown, {.time = kPatience, .bytes = kLongestDescription});
  if (!output) return GraderError(output.error().message, say::build_warplings_again());
  const auto [first, rest] = SplitLine(output->text);
  if (output->status == 0) {
    auto card = ParseFoundCard(first);
    if (card) card->place = rest;
    return card;
  }
  const bool by_signal = output->timed_out || output->status > 128;
  if (!by_signal && !first.empty()) return GraderError(first, rest);
  return GraderError(say::driver_hangs(), say::use_virtual_meanwhile());
}

}  // namespace warplings
