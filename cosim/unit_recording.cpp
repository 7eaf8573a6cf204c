// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_recording.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/errors.hpp"

namespace warpmem::cosim {

RecordingRequest parse_recording(const std::string& text) {
  const auto wrong = [&text] {
    return UserError("'" + text + "' is not UNIT=FILE or UNIT:INSTANCE=FILE");
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) throw wrong();
  RecordingRequest request;
  request.unit = text.substr(0, equals);
  request.file = text.substr(equals + 1);
  const std::size_t colon = request.unit.find(':');
  if (colon == std::string::npos) return request;
  const char* const end = request.unit.data() + request.unit.size();
  const auto [stop, error] =
      std::from_chars(request.unit.data() + colon + 1, end, request.instance);
  if (error != std::errc() || stop != end || colon == 0) throw wrong();
  request.unit.resize(colon);
  return request;
}

UnitRecordings::UnitRecordings(std::vector<RecordingRequest> requests,
                               std::vector<WaveRequest> waves)
    : waves_(std::move(waves)) {
  for (RecordingRequest& request : requests) {
    entries_.emplace_back();
    entries_.back().request = std::move(request);
  }
}

void UnitRecordings::require_all() const {
  for (const Entry& entry : entries_)
    if (!entry.recorder)
      throw UserError(fmt::format("--record-unit {0}:{1}: this machine has {2} of {0} with pins",
                                  entry.request.unit, entry.request.instance, entry.made));
  waves_.require_all();
}

std::vector<std::string> UnitRecordings::finish() {
  std::vector<std::string> lines;
  for (const Entry& entry : entries_) {
    entry.recorder->finish();
    lines.push_back(fmt::format("{}:{}: {} cycles recorded in {}", entry.request.unit,
                                entry.request.instance, entry.recorder->cycles(),
                                entry.request.file.string()));
  }
  for (std::string& line : waves_.finish()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace warpmem::cosim
