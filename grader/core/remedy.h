// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplings {

/// What is to be done about something that cannot be graded, at the end of the reason: by the instructor, who
/// reads it first, and by the student, to whom the reason is handed on.
struct Remedy {
  std::string_view of_instructor, of_student;
};

inline constexpr Remedy kAskAgain{"; ask for it again", "; hand it in again"};
inline constexpr Remedy kAskForZip{"; ask for a .zip or a .tar.gz", "; hand in a .zip or a .tar.gz"};
inline constexpr Remedy kUnpack{"; unpack it in the student's folder, and grade again",
                                "; unpack it, and hand in what is in it"};
/// After what else is to be done: "rename it to scale.cu".
inline constexpr Remedy kGradeAgain{", and grade again", ", and hand it in again"};

/// A reason that says to the instructor what to do, in the words for the student.
inline std::string ForStudent(std::string reason) {
  for (const Remedy& each : {kAskAgain, kAskForZip, kUnpack, kGradeAgain}) {
    for (std::size_t at = reason.find(each.of_instructor); at != std::string::npos;
         at = reason.find(each.of_instructor, at)) {
      reason.replace(at, each.of_instructor.size(), each.of_student);
      at += each.of_student.size();
    }
  }
  return reason;
}

}  // namespace warplings
