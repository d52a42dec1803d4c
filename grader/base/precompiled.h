// SPDX-License-Identifier: Apache-2.0
// What most of our sources include, compiled once. Nobody includes this file: the build puts it in front of
// each source of a room that depends on base/ (meson.build), and `-Dprecompiled=false` leaves it out, which
// CI does once, so that a source that forgets an #include of its own is seen.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
