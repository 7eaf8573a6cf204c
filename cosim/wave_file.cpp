// SPDX-License-Identifier: Apache-2.0
#include "cosim/wave_file.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <utility>

#include "base/assert.hpp"
#include "base/environment_error.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "cosim/build_tool.hpp"
#include "cosim/verilator.hpp"
#include "files/kept_files.hpp"
#include "files/named_files.hpp"
#include "files/sha256.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;

// What is used of the C interface in gtkwave/fstapi.h of Verilator's include folder.
struct FstWriter {
  void* (*create)(const char* file, int compressed_hierarchy);
  void (*close)(void* context);
  void (*set_timescale)(void* context, int exponent);
  void (*set_pack_type)(void* context, int type);
  void (*set_date)(void* context, const char* text);
  void (*set_scope)(void* context, int type, const char* name, const char* component);
  void (*set_upscope)(void* context);
  std::uint32_t (*create_var)(void* context, int type, int direction, std::uint32_t bits,
                              const char* name, std::uint32_t alias);
  void (*emit_time)(void* context, std::uint64_t time);
  void (*emit_value)(void* context, std::uint32_t handle, const void* value);
  void (*emit_text)(void* context, std::uint32_t handle, const void* value, std::uint32_t length);
};

namespace {

// Values of enumerations of fstapi.h.
constexpr int kLz4 = 2;
constexpr int kModule = 0;
constexpr int kWire = 16;
constexpr int kString = 21;
constexpr int kFemtoseconds = -15;

fs::path writer_library() {
  const WorkFolder looking;
  const fs::path include = verilator_include(looking.path());
  const fs::path sources = include / "gtkwave";
  const std::vector<std::string> names = {"fstapi.c", "lz4.c", "fastlz.c"};
  std::vector<std::string> command = {
      "g++", "-x", "c", "-O2", "-w", "-fPIC", "-shared", "-DFST_CONFIG_INCLUDE=\"fst_config.h\""};
  Sha256 hash;
  for (const std::string& word : command) hash.add_field(word);
  std::vector<fs::path> files;
  for (const std::string& name : names) files.push_back(sources / name);
  hash_with_named_files(hash, sources, files, {sources});
  return cached_file("fst-writer", hash.hex(), ".so", [&](const fs::path& work) {
    for (const fs::path& file : files) command.push_back(file.string());
    command.insert(command.end(), {"-lz", "-o", "writer.so"});
    run_tool(command, work, "compile.log", "compiling Verilator's writer of waveforms");
    return work / "writer.so";
  });
}

FstWriter load_writer() {
  const fs::path library = writer_library();
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw EnvironmentError(fmt::format("cannot load {}", dlerror()));
  const auto find = [&](auto& function, const char* name) {
    void* const found = dlsym(handle, name);
    if (found == nullptr)
      throw EnvironmentError(fmt::format("{}: {}", library.string(), dlerror()));
    function = reinterpret_cast<std::decay_t<decltype(function)>>(found);
  };
  FstWriter writer;
  find(writer.create, "fstWriterCreate");
  find(writer.close, "fstWriterClose");
  find(writer.set_timescale, "fstWriterSetTimescale");
  find(writer.set_pack_type, "fstWriterSetPackType");
  find(writer.set_date, "fstWriterSetDate");
  find(writer.set_scope, "fstWriterSetScope");
  find(writer.set_upscope, "fstWriterSetUpscope");
  find(writer.create_var, "fstWriterCreateVar");
  find(writer.emit_time, "fstWriterEmitTimeChange");
  find(writer.emit_value, "fstWriterEmitValueChange");
  find(writer.emit_text, "fstWriterEmitVariableLengthValueChange");
  return writer;
}

const FstWriter& fst_writer() {
  static const FstWriter writer = load_writer();
  return writer;
}

}  // namespace

// The library unlinks what has the name of its file, a device included, so it writes to a folder of
// ours.
WaveFile::WaveFile(fs::path file) : file_(std::move(file)), writer_(fst_writer()) {
  std::error_code none;
  if (fs::is_regular_file(file_, none) || !fs::exists(file_, none))
    save_file_ = fs::path(file_) += ".gtkw";
  for (const fs::path& one : {file_, save_file_})
    if (!one.empty()) check_output(one);
  context_ = writer_.create((work_.path() / "waves.fst").c_str(), 1);
  if (context_ == nullptr)
    throw EnvironmentError(work_.path().string() + ": the waveform cannot be written");
  writer_.set_timescale(context_, kFemtoseconds);
  writer_.set_pack_type(context_, kLz4);
  writer_.set_date(context_, "");  // the same run gives the same bytes
}

WaveFile::~WaveFile() {
  if (context_ != nullptr) writer_.close(context_);
}

void WaveFile::begin_scope(const std::string& name) {
  writer_.set_scope(context_, kModule, name.c_str(), nullptr);
  scopes_.push_back(name);
}

void WaveFile::end_scope() {
  writer_.set_upscope(context_);
  scopes_.pop_back();
}

unsigned WaveFile::number(const std::string& name, unsigned bits) {
  assert(bits >= 1 && bits <= 64);
  return add(name, bits);
}

unsigned WaveFile::text(const std::string& name) { return add(name, 0); }

unsigned WaveFile::add(const std::string& name, unsigned bits) {
  Signal signal;
  for (const std::string& scope : scopes_) signal.name += scope + ".";
  signal.name += name;
  signal.bits = bits;
  signal.handle =
      writer_.create_var(context_, bits == 0 ? kString : kWire, 0, bits, name.c_str(), 0);
  signals_.push_back(signal);
  return static_cast<unsigned>(signals_.size() - 1);
}

void WaveFile::set(unsigned signal, std::uint64_t value) {
  Signal& s = signals_[signal];
  assert(s.bits != 0);
  if (s.known && s.value == value) return;
  s.value = value;
  note_change(signal);
}

void WaveFile::set(unsigned signal, const char* value) {
  Signal& s = signals_[signal];
  assert(s.bits == 0);
  if (s.known && s.text == value) return;  // the texts are literals, or last as long as the file
  s.text = value;
  note_change(signal);
}

void WaveFile::note_change(unsigned signal) {
  Signal& s = signals_[signal];
  s.known = true;
  if (std::exchange(s.changed, true)) return;
  changed_.push_back(signal);
}

void WaveFile::at(Femtoseconds time) {
  if (first_ == kNever) first_ = time;
  writer_.emit_time(context_, time);
  for (const unsigned signal : changed_) {
    Signal& s = signals_[signal];
    s.changed = false;
    const bool first = !std::exchange(s.in_file, true);
    const bool same =
        std::exchange(s.shown, s.value) == s.value && std::exchange(s.shown_text, s.text) == s.text;
    if (same && !first) continue;  // it has come back to what it was
    if (s.bits == 0) {
      const std::string_view text(s.text);
      writer_.emit_text(context_, s.handle, text.data(), static_cast<std::uint32_t>(text.size()));
      continue;
    }
    char digits[64];
    for (unsigned i = 0; i < s.bits; ++i) digits[i] = s.value >> (s.bits - 1 - i) & 1 ? '1' : '0';
    writer_.emit_value(context_, s.handle, digits);
  }
  changed_.clear();
}

void WaveFile::finish() {
  writer_.close(std::exchange(context_, nullptr));
  write_text(file_, read_text(work_.path() / "waves.fst"));
  if (!save_file_.empty()) write_text(save_file_, save_text());
}

// A number is shown in decimal (@24), a bit as a line (@28), a text as it is (@20). A scope begins
// with a line of its own (@200, then a name behind a dash).
std::string WaveFile::save_text() const {
  std::string text = fmt::format("[dumpfile] \"{}\"\n[timestart] {}\n[sst_expanded] 1\n",
                                 file_.filename().string(), first_ == kNever ? 0 : first_);
  std::string scope;
  for (const Signal& s : signals_) {
    const std::size_t dot = s.name.rfind('.');
    const std::string in = dot == std::string::npos ? "" : s.name.substr(0, dot);
    if (in != scope) text += fmt::format("@200\n-{}\n", in);
    scope = in;
    text += s.bits == 0 ? "@20\n" : s.bits == 1 ? "@28\n" : "@24\n";
    text += s.name + (s.bits > 1 ? fmt::format("[{}:0]", s.bits - 1) : "") + "\n";
  }
  return text;
}

}  // namespace warpmem::cosim
