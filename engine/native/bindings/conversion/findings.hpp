// Findings of the native check, converted to the classes of the Python check (checking/local_check.py, records/),
// so that findings of both checks can be compared.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>
#include <vector>

#include "bindings/interfaces/any_game.hpp"
#include "records/check/local_check.hpp"

namespace proofbase {

Report to_report(std::size_t checked, const std::vector<Finding>& findings);

/// Appends a finding without a claim to a Python list.
void append_fault(nb::handle faults, std::string_view key, const char* rule, const char* detail);

}  // namespace proofbase
