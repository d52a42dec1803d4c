// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/fact.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/speed_result.h"
#include "grader/core/test_result.h"
#include "grader/core/worker_program.h"

namespace warplings {

/// The messages between RunSuite and a suite program. Both include this file.
///
///     warplings ── one SuiteOrder, then end of file ──▶ suite program   (--order-fd)
///     warplings ◀── one JSON object a line ─────────── suite program   (--result-fd)
///
/// The lines are {"start": NAME} before each test, {"test": TestResult} after it, and finally one {"end": …}.
/// A suite that ends without the last one has crashed, in the test that started last.

/// What a suite does about speed: nothing; measure it on a card; rehearse all steps of the measurement on the
/// virtual GPU; or estimate it from the virtual GPU's counts.
enum class SpeedMode { kOff, kMeasure, kRehearse, kEstimate };

struct SuiteOrder {
  std::string exercise;        ///< Id: "tiled_matmul".
  WorkerProgram worker;        ///< The submission's.
  std::string device_program;  ///< Path of the device process's program.
  std::string device;          ///< "virtual:a100", "gpu:0".
  /// Runs in place of device_program on a card: the same program under a tool; or "".
  std::string card_program;
  /// The virtual device on which every call runs before it runs on the card ("virtual:h200"): it detects
  /// errors that hardware hides and counts what hardware does not report. "" if `device` itself is virtual.
  std::string watcher;
  /// If true, only the card decides: the watcher's counts are used, its findings are ignored.
  bool card_decides = false;
  std::uint64_t seed = 0;
  /// Bytes of memory that each device process may use, when several checks run at once; 0: half of what may
  /// be used at all (usable_memory.h).
  std::uint64_t memory_bytes = 0;
  std::string answers;  ///< Text of the submission's answers file.
  /// Also record what the page of a profile shows: requests in full, maps of the outputs, every formula.
  bool detailed = false;
  SpeedMode speed = SpeedMode::kOff;
  WorkerProgram baseline, reference;  ///< To compare with; the reference may be empty.
};

/// The watcher's counts of one kernel, summed over the calls that also ran on the card.
struct CardKernel {
  std::string kernel;
  Counts totals;
};

/// How a test's wrong values came about, and what to do about it.
struct Explained {
  std::string test;  ///< Its name.
  Explanation explanation;
  Message advice;  ///< The test's explained_step.
};

struct SuiteEnd {
  std::vector<Fact> facts;
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

/// Includes the newline.
std::string WriteLine(const SuiteLine& line);
Result<SuiteLine> ReadLine(std::string_view line);

}  // namespace warplings
