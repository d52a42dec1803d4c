// SPDX-License-Identifier: Apache-2.0
#include "grader/device/device_spec.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "grader/messages/device.h"

namespace warplings {
namespace {

Error NoSuchDevice(const std::string& text) {
  std::string known;
  for (const DeviceProfile& profile : DeviceProfiles()) known += (known.empty() ? "" : ", ") + profile.id;
  return UsageError(say::no_such_device(text), say::names_of_devices(known));
}

Result<DeviceSpec> ParseCard(const std::string& text) {
  int ordinal = 0;
  if (text != "gpu") {
    const char* end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data() + std::string_view("gpu:").size(), end, ordinal);
    if (fault != std::errc() || stop != end || ordinal < 0) return NoSuchDevice(text);
  }
  return DeviceSpec{.card = ordinal, .profiles = {}};
}

}  // namespace

std::string DeviceSpec::Name() const {
  if (card) return "gpu:" + std::to_string(*card);
  std::string name;
  for (const DeviceProfile* profile : profiles) name += (name.empty() ? "virtual:" : ",") + profile->id;
  return name;
}

int DeviceSpec::LowestCapability() const {
  auto capability = [](const DeviceProfile* profile) { return profile->major * 10 + profile->minor; };
  return capability(*std::ranges::min_element(profiles, {}, capability));
}

Result<DeviceSpec> ParseDeviceSpec(const std::string& text) {
  if (text == "gpu" || text.starts_with("gpu:")) return ParseCard(text);
  constexpr std::string_view kKind = "virtual", kKindWithProfiles = "virtual:";
  std::string_view ids = text == kKind ? kDefaultProfile : std::string_view();
  if (text.starts_with(kKindWithProfiles)) ids = std::string_view(text).substr(kKindWithProfiles.size());
  DeviceSpec spec;
  for (bool more = true; more;) {
    std::size_t comma = ids.find(',');
    const DeviceProfile* profile = FindDeviceProfile(ids.substr(0, comma));
    if (profile == nullptr) return NoSuchDevice(text);
    spec.profiles.push_back(profile);
    more = comma != std::string_view::npos;
    if (more) ids.remove_prefix(comma + 1);
  }
  if (spec.profiles.size() > kMaxDevices) {
    return UsageError(say::too_many_devices(text, spec.profiles.size()), say::most_devices(kMaxDevices));
  }
  return spec;
}

}  // namespace warplings
