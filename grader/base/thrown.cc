// SPDX-License-Identifier: Apache-2.0
#include "grader/base/thrown.h"

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <typeinfo>

#include "grader/base/messages.h"

namespace warplings {
namespace {

/// The name of the type that is being handled; the type may be one of C, as after `throw 7`.
std::string TypeOfThrown() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "a foreign exception";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
  return name ? name.get() : type->name();
}

}  // namespace

std::string DescribeThrown() {
  try {
    throw;
  } catch (const std::exception& thrown) {
    return TypeOfThrown() + ": " + thrown.what();
  } catch (...) {
    return TypeOfThrown();
  }
}

Error ErrorOfThrown() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return GraderError(say::out_of_memory(), say::check_fewer_at_a_time());
  } catch (...) {
    return GraderError(say::grader_failed(DescribeThrown()), say::report_fault_of_warplings());
  }
}

void ThrowIfExhausted(const std::error_code& error) {
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  if (error == std::errc::too_many_files_open || error == std::errc::too_many_files_open_in_system)
    throw std::system_error(error);
}

}  // namespace warplings
