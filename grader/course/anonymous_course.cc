// SPDX-License-Identifier: Apache-2.0
#include "grader/course/anonymous_course.h"

#include <sstream>

#include "grader/workbook/table_reader.h"

namespace warplings {
namespace {

using Rename = std::function<std::optional<std::string>(const std::string& student)>;

/// A table that has already been validated as an extension, so `student` is a text.
void RenameExtensions(toml::table& assignment, const Rename& rename) {
  toml::array* extensions = assignment["extension"].as_array();
  if (extensions == nullptr) return;
  toml::array renamed;
  for (toml::node& node : *extensions) {
    toml::table* extension = node.as_table();
    if (extension == nullptr) continue;
    const auto student = (*extension)["student"].value<std::string>();
    const auto known = student ? rename(*student) : std::nullopt;
    if (!known) continue;
    extension->insert_or_assign("student", *known);
    extension->erase("reason");
    renamed.push_back(std::move(*extension));
  }
  if (renamed.empty()) {
    assignment.erase("extension");
  } else {
    assignment.insert_or_assign("extension", std::move(renamed));
  }
}

}  // namespace

Result<std::string> AnonymousCourse(std::string_view text, const std::string& name, const Rename& rename) {
  try {
    toml::table root = ParseToml(text, {name, "Correct it there."});
    if (toml::table* course = root["course"].as_table()) course->erase("roster");
    if (toml::array* assignments = root["assignment"].as_array()) {
      for (toml::node& each : *assignments) {
        if (each.is_table()) RenameExtensions(*each.as_table(), rename);
      }
    }
    std::ostringstream written;
    written << root << "\n";
    return written.str();
  } catch (const BrokenToml& broken) {
    return broken.error;
  }
}

}  // namespace warplings
