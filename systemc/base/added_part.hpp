// SPDX-License-Identifier: Apache-2.0
// Calls into parts from outside the tree: whatever they do wrong is one message that names them.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"

namespace warpmem {

/// Returns what is known of the exception that is being handled: its text, or else its type.
std::string text_of_exception();

/// The files of the plugins that have been loaded.
std::vector<std::string>& plugin_files();
/// Returns " (plugins: ...)" for a message of which part it is not known, or nothing without any.
std::string loaded_plugins();

/// Calls `act`, which is of the part that `who` names. A SimulationError takes the place of what it
/// throws, unless that is one already, or a UserError: these have a message.
template <class Act>
auto call_added(const std::string& who, Act&& act) -> decltype(act()) {
  try {
    return std::forward<Act>(act)();
  } catch (const UserError&) {
    throw;
  } catch (const SimulationError&) {
    throw;
  } catch (...) {
    throw SimulationError(who + ": " + text_of_exception());
  }
}

}  // namespace warpmem
