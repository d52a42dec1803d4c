// SPDX-License-Identifier: Apache-2.0
#include "grader/base/pipe.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace warplings {
namespace {

TEST(Pipe, LeadsFromOneEndToTheOtherAndIsNotInherited) {
  const auto pipe = MakePipe();
  ASSERT_TRUE(pipe.ok());
  char read = 0;
  EXPECT_EQ(::write(pipe->write.get(), "x", 1), 1);
  EXPECT_EQ(::read(pipe->read.get(), &read, 1), 1);
  EXPECT_EQ(read, 'x');
  for (const UniqueFd* end : {&pipe->read, &pipe->write}) EXPECT_EQ(::fcntl(end->get(), F_GETFD), FD_CLOEXEC);
}

TEST(Pipe, WithoutDescriptorsIsTheGradersFault) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{3, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto pipe = MakePipe();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_FALSE(pipe.ok());
  EXPECT_EQ(pipe.error().blame, Blame::kGrader);
  EXPECT_EQ(English(pipe.error().message), "Cannot create a pipe: Too many open files.");
}

}  // namespace
}  // namespace warplings
