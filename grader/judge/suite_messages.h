// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/speed_result.h"
#include "grader/core/test_result.h"

namespace warplings {

/// What RunSuite and a suite program say to each other: the one definition, included by both.
///
///     warplings ── one SuiteOrder, then end of file ──▶ suite program   (--order-fd)
///     warplings ◀── one JSON object a line ─────────── suite program   (--result-fd)
///
/// The lines are {"start": NAME} before and {"test": TestResult} after each test, and one {"end": …} at
/// last. A suite that ends without it has crashed, in the test whose start came last.
/// What a suite is to do about speed: measure it on a card; take all steps of that on the virtual GPU; or
/// estimate it from the virtual GPU's counts.
enum class SpeedMode { kOff, kMeasure, kRehearse, kEstimate };

struct SuiteOrder {
  std::string exercise;        ///< Id: "tiled_matmul".
  std::string worker;          ///< The submission's worker program.
  std::string device_program;  ///< Of the device process.
  std::string device;          ///< "virtual:a100", "gpu:0".
  std::string card_program;    ///< Stands in for device_program on a card: the same under a tool, or "".
  /// For a card: the virtual device on which every call runs first ("virtual:h200"), since it sees what
  /// hardware hides and counts what hardware does not tell; "" where `device` is virtual itself.
  std::string watcher;
  /// Only the card decides; the watcher's counts are used, its findings are not.
  bool card_decides = false;
  std::uint64_t seed = 0;
  /// What each device process may have of the machine's memory, where other checks run beside this one; 0:
  /// half.
  std::uint64_t memory_bytes = 0;
  std::string answers;  ///< Text of the submission's answers file.
  /// Keep also what a profile's page draws: requests in full, maps of the outputs, every formula.
  bool detailed = false;
  SpeedMode speed = SpeedMode::kOff;
  std::string baseline, reference;  ///< Worker programs to compare with; the reference may be "".
};

/// A misconception as the suite knows it; title and message stand in chapter.toml.
struct Recognised {
  std::string id;
  std::string evidence;  ///< In one line; names a test where it can.
  /// Names of the failing tests that it explains. Empty: those that fail as the test named in `evidence` does
  /// (grader/pipeline/first_advice.h).
  std::vector<std::string> tests{};
};

/// One kernel's counts by the watcher, summed over the calls that also ran on the card.
struct CardKernel {
  std::string kernel;
  Counts totals;
};

/// How a test came to its wrong values, and what to do about it where no misconception says so.
struct Explained {
  std::string test;  ///< Its name.
  Explanation explanation;
  std::string advice;  ///< Takes the place of the test's own next step; "": that one stays.
};

struct SuiteEnd {
  std::vector<Recognised> misconceptions;
  std::vector<KernelResources> resources;
  std::string student_output;
  std::optional<SpeedResult> speed{};
  std::vector<CardKernel> card_kernels{};
  std::vector<Explained> explained{};
};

struct SuiteStart {
  std::string test;
};

using SuiteLine = std::variant<SuiteStart, TestResult, SuiteEnd>;

std::string WriteOrder(const SuiteOrder& order);
Result<SuiteOrder> ReadOrder(std::string_view text);

/// With the newline.
std::string WriteLine(const SuiteLine& line);
Result<SuiteLine> ReadLine(std::string_view line);

}  // namespace warplings
