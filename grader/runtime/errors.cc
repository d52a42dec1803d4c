// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "grader/core/error_texts.h"
#include "grader/runtime/runtime.h"

namespace warplings::runtime {
namespace {

// Fetching the last error clears it even where the fault behind it stays: the calls that follow fail anew
// (seen on an H200; testdata/errors_after_fault.expected).

const ErrorText* Find(int number) {
  auto found = std::ranges::find(kErrorTexts, number, &ErrorText::number);
  return found == std::end(kErrorTexts) ? nullptr : found;
}

}  // namespace
}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

WARPLINGS_API int cudaGetLastError() {
  CudaError last = LastError();
  LastError() = CudaError::kSuccess;
  return static_cast<int>(last);
}

WARPLINGS_API int cudaPeekAtLastError() {
  return static_cast<int>(LastError());
}

WARPLINGS_API const char* cudaGetErrorName(int error) {
  const ErrorText* found = Find(error);
  return found == nullptr ? kNoErrorsText : found->name;
}

WARPLINGS_API const char* cudaGetErrorString(int error) {
  const ErrorText* found = Find(error);
  return found == nullptr ? kNoErrorsText : found->text;
}
