// SPDX-License-Identifier: Apache-2.0
#include "grader/base/thrown.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <new>
#include <stdexcept>

namespace warplings {
namespace {

template <class T>
std::string Described(const T& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return DescribeThrown();
  }
}

template <class T>
Error ErrorFrom(const T& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return ErrorOfThrown();
  }
}

TEST(Thrown, IsDescribedByItsTypeAndItsWords) {
  EXPECT_EQ(Described(std::length_error("vector::reserve")), "std::length_error: vector::reserve");
  EXPECT_EQ(Described(std::bad_alloc()), "std::bad_alloc: std::bad_alloc");
  EXPECT_EQ(Described(7), "int");
}

TEST(Thrown, IsTheGradersFaultAndSaysWhatToDo) {
  const Error memory = ErrorFrom(std::bad_alloc()), other = ErrorFrom(std::out_of_range("at 5"));
  EXPECT_EQ(memory.blame, Blame::kGrader);
  EXPECT_EQ(English(memory.message), "the grader ran out of memory");
  EXPECT_NE(English(memory.next_step).find("--jobs 1"), std::string::npos);
  EXPECT_EQ(other.blame, Blame::kGrader);
  EXPECT_EQ(English(other.message), "the grader itself failed: std::out_of_range: at 5");
  EXPECT_NE(English(other.next_step).find("report"), std::string::npos);
}

TEST(Thrown, AShortageIsNoFaultOfTheFiles) {
  EXPECT_THROW(ThrowIfExhausted(std::make_error_code(std::errc::not_enough_memory)), std::bad_alloc);
  EXPECT_THROW(ThrowIfExhausted({EMFILE, std::system_category()}), std::system_error);
  EXPECT_NO_THROW(ThrowIfExhausted({}));
  EXPECT_NO_THROW(ThrowIfExhausted({EACCES, std::system_category()}));
}

}  // namespace
}  // namespace warplings
