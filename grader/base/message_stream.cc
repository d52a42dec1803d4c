// SPDX-License-Identifier: Apache-2.0
// Apart from message.cc, which every worker is linked with: streams would nearly double its size, and what is
// linked anew at each save is waited for.
#include <ostream>

#include "grader/base/message.h"

namespace warplings {

std::ostream& operator<<(std::ostream& out, const Message& message) {
  return out << English(message);
}

}  // namespace warplings
