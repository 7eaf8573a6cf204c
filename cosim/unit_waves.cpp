// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_waves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/errors.hpp"
#include "cosim/hardware_unit.hpp"

namespace warpmem::cosim {

namespace {

/// Reads a number from `text`; false when it is something else or nothing.
bool read_number(const std::string& text, unsigned* number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *number);
  return error == std::errc() && stop == end;
}

/// The part behind `mark`, which `text` loses with it; empty: there is no mark.
std::string split_behind(std::string* text, char mark) {
  const std::size_t at = text->find(mark);
  if (at == std::string::npos) return "";
  const std::string behind = text->substr(at + 1);
  text->resize(at);
  return behind;
}

}  // namespace

bool chooses(const std::string& key, const std::string& view_key) {
  return !view_key.empty() && key.size() > view_key.size() &&
         key.compare(key.size() - view_key.size() - 1, std::string::npos, "." + view_key) == 0;
}

WaveRequest parse_waves(const std::string& text) {
  const auto wrong = [&text] {
    return UserError("'" + text +
                     "' is not INSTANCE=FILE with an instance such as l1d.3.mshr.dau; where a "
                     "module has several such units, :NUMBER follows it");
  };
  WaveRequest request;
  request.instance = text;
  request.file = split_behind(&request.instance, '=');
  std::string rest = request.instance;
  const bool several = rest.find(':') != std::string::npos;
  const std::string number = split_behind(&rest, ':');
  if (several && !read_number(number, &request.number)) throw wrong();
  std::string level = rest;
  std::string index = split_behind(&level, '.');
  const std::string key = split_behind(&index, '.');
  unsigned module = 0;
  if (request.file.empty() || key.empty() || !read_number(index, &module)) throw wrong();
  request.module = fmt::format("{}{}{}", level, level == "l2" ? "_" : "", module);
  request.key = level + "." + key;
  const auto& units = hardware_units();
  if (std::none_of(units.begin(), units.end(),
                   [&](const auto& unit) { return chooses(request.key, unit->view_key()); }))
    throw UserError(fmt::format("--waves {}: {} chooses the view of no unit", text, request.key));
  return request;
}

WaveRecordings::WaveRecordings(std::vector<WaveRequest> requests) {
  for (WaveRequest& request : requests) {
    entries_.emplace_back();
    entries_.back().request = std::move(request);
  }
}

bool WaveRecordings::in_construction(Entry* entry) {
  const sc_core::sc_module* const module = sc_core::sc_get_curr_simcontext()->hierarchy_curr();
  if (module == nullptr || entry->request.module != module->basename()) return false;
  entry->module = module->name();
  return true;
}

void WaveRecordings::require_all() const {
  for (const Entry& entry : entries_)
    if (!entry.waves)
      throw UserError(fmt::format("--waves {}: {} has {} of these units", entry.request.instance,
                                  entry.request.module,
                                  entry.made == 0 ? "none" : std::to_string(entry.made)));
}

std::vector<std::string> WaveRecordings::finish() {
  std::vector<std::string> lines;
  for (const Entry& entry : std::exchange(entries_, {})) lines.push_back(entry.waves->finish());
  return lines;
}

}  // namespace warpmem::cosim
