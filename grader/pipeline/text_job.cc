// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/text_job.h"

#include <system_error>
#include <utility>

#include "grader/base/atomic_file.h"
#include "grader/messages/class.h"

namespace warplings {

Result<CheckJob> MakeTextJob(const TextToCheck& text, const DeviceChoice& device, std::uint64_t seed,
                             const std::filesystem::path& folder) {
  const std::string name = text.exercise->id + ".cu";
  std::error_code ignored;  // Writing says what is wrong.
  std::filesystem::create_directories(folder, ignored);
  if (const Status written = WriteFileAtomically(folder / name, text.source); !written) {
    return GraderError(written.error().message, say::free_space_or_set_tmpdir());
  }
  Submission submission;
  submission.exercise = text.exercise;
  submission.file = folder / name;
  submission.display_name = name;
  submission.source = text.source;
  submission.answers = text.answers;
  return CheckJob{std::move(submission), {.device = device, .seed = seed, .speed = SpeedMode::kMeasure}};
}

}  // namespace warplings
