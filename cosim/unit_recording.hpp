// SPDX-License-Identifier: Apache-2.0
// Recordings of what units have on their pins during a run of the whole machine, as stimulus for
// lockstep. A unit is recorded in its views other than the class, where it has pins.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "cosim/unit_stream.hpp"
#include "cosim/unit_waves.hpp"

namespace warpmem::cosim {

struct RecordingRequest {
  std::string unit;       ///< name of the unit, "dau"
  unsigned instance = 0;  ///< the machine's first one of that name is 0, in order of construction
  std::filesystem::path file;
};

/// Parses "UNIT=FILE" or "UNIT:INSTANCE=FILE". Throws UserError.
RecordingRequest parse_recording(const std::string& text);

class UnitRecorderBase {
 public:
  UnitRecorderBase(const RecordingRequest& request, const UnitParameters& parameters)
      : writer_(request.file, request.unit, parameters) {}
  virtual ~UnitRecorderBase() = default;
  virtual void finish() = 0;
  std::uint64_t cycles() const { return cycles_; }

 protected:
  UnitStreamWriter writer_;
  std::uint64_t cycles_ = 0;
};

/// This takes one cycle's inputs of the unit with this description.
template <class Unit>
class UnitRecorder final : public UnitRecorderBase {
 public:
  using In = typename Unit::In;
  using UnitRecorderBase::UnitRecorderBase;

  /// Takes the inputs of the next cycle.
  void add(const In& in) {
    ++cycles_;
    if (repeated_ != 0 && in == last_) {
      ++repeated_;
      return;
    }
    flush();
    last_ = in;
    repeated_ = 1;
  }
  void finish() override {
    flush();
    writer_.finish();
  }

 private:
  void flush() {
    if (repeated_ == 0) return;
    writer_.put(repeated_);
    In::fields([this](const char*, auto field, unsigned,
                      const char* = nullptr) { writer_.put(std::uint64_t{last_.*field}); },
               Unit::kSizes[0]);
    writer_.end_record();
    repeated_ = 0;
  }

  In last_;
  std::uint64_t repeated_ = 0;
};

/// Reads back what a recorder has written.
template <class Unit>
class UnitRecording {
 public:
  using In = typename Unit::In;
  /// Opens a file. Throws UserError for one that cannot be read or that belongs to another unit.
  explicit UnitRecording(const std::filesystem::path& file) : reader_(file) {
    if (reader_.unit() != Unit::kName)
      throw UserError(file.string() + ": a recording of " + reader_.unit() + ", not of " +
                      Unit::kName);
  }

  const UnitParameters& parameters() const { return reader_.parameters(); }
  /// Gives the inputs of the next cycle; false at the end.
  bool next(In* in) {
    if (left_ == 0) {
      if (!reader_.next_record()) return false;
      left_ = reader_.number();
      if (left_ == 0) reader_.broken("a record of no cycles");
      In::fields(
          [this](const char*, auto field, unsigned, const char* = nullptr) {
            in_.*field = static_cast<std::decay_t<decltype(in_.*field)>>(reader_.number());
          },
          Unit::kSizes[0]);
    }
    --left_;
    *in = in_;
    return true;
  }

 private:
  UnitStreamReader reader_;
  In in_;
  std::uint64_t left_ = 0;
};

/// These are the recordings of one run, and its waveforms.
class UnitRecordings {
 public:
  explicit UnitRecordings(std::vector<RecordingRequest> requests,
                          std::vector<WaveRequest> waves = {});

  /// Returns the recorder of the unit that is being made, or nullptr. Throws UserError when its
  /// file cannot be written. It lives as long as this object.
  template <class Unit>
  UnitRecorder<Unit>* recorder(const UnitParameters& parameters) {
    UnitRecorder<Unit>* result = nullptr;
    for (Entry& entry : entries_) {
      if (entry.request.unit != Unit::kName) continue;
      if (entry.made++ != entry.request.instance || result != nullptr) continue;
      auto recorder = std::make_unique<UnitRecorder<Unit>>(entry.request, parameters);
      result = recorder.get();
      entry.recorder = std::move(recorder);
    }
    return result;
  }

  WaveRecordings& waves() { return waves_; }

  /// Throws UserError when a unit was asked for that the machine does not have.
  void require_all() const;
  /// Writes the files and returns a line for each.
  std::vector<std::string> finish();

 private:
  struct Entry {
    RecordingRequest request;
    unsigned made = 0;
    std::unique_ptr<UnitRecorderBase> recorder;
  };
  std::vector<Entry> entries_;
  WaveRecordings waves_;
};

}  // namespace warpmem::cosim
