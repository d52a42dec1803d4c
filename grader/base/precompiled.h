// SPDX-License-Identifier: Apache-2.0
// The precompiled header: the standard headers that most of our sources include. No source includes this
// file. The build puts it in front of each source of every room that depends on base/ (meson.build); of tests
// it puts precompiled_tests.h there. GoogleTest's header would cost each source a quarter of a second for
// reading it.
// `-Dprecompiled=false` leaves it out; CI builds once that way, to find sources that lack an #include of
// their own.

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
