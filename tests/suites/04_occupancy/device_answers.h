// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/device/device_profile.h"
#include "tests/suites/common/step_search.h"
#include "tests/suites/host_function.h"

namespace warplings::pick_device {

struct Question {
  std::vector<const DeviceProfile*> devices;  ///< Present, by their numbers.
  std::uint64_t bytes = 0;
};

/// The devices with these ids, one after another.
Question Machine(const std::vector<std::string>& ids, std::uint64_t bytes);

int BestDevice(const Question& question);

/// Steps: which devices are looked at, how much memory is enough, what the kind decides, what ranks devices
/// of one kind, which of equals stays, what is answered where none is of use.
const step_search::Calculation<Question, int>& Device();

/// The misconceptions behind `all`.
std::vector<Fact> FactsOf(const std::vector<Asked<Question, int>>& all);

/// What the wrong ones of `all` have in common, as an advice; empty: nothing.
Message Advise(const std::vector<Asked<Question, int>>& all);

/// "virtual:orin,t4".
std::string SpecOf(const Question& question);
/// "orin, t4".
Message DevicesInWords(const Question& question);
/// "orin, t4: 4 GiB".
Message InWords(const Question& question);
/// "1: t4".
Message InWords(const Question& question, int device);

/// What decides between two devices: memory, multiprocessors and clock rate.
Message NumbersOf(const Question& q, int device, int other);

/// What the suite asks: the machines, each with several numbers of bytes.
std::vector<std::vector<std::string>> Machines();
/// And one machine whose devices are numbered in every order, and where the integrated one has the most
/// cycles: whoever goes through them carries something along from each to the next.
std::vector<std::vector<std::string>> Orders();
std::vector<std::uint64_t> Sizes();

}  // namespace warplings::pick_device
