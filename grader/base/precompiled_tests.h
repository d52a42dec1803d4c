// SPDX-License-Identifier: Apache-2.0
// What stands in front of each source of a test (precompiled.h).
#include <gtest/gtest.h>

#include "grader/base/precompiled.h"
