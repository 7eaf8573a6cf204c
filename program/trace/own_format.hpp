// SPDX-License-Identifier: Apache-2.0
// warpmem's own trace format: one file, zstd blocks with checksums, written and read in one pass
// with memory for one CTA. docs/trace-format.md describes every byte.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "program/trace/trace.hpp"

namespace warpmem::program::trace {

/// Returns whether the file begins with the magic of this format.
bool is_own_format(const std::string& path);

/// Opens a file of this format. Whatever is wrong with it throws UserError with the byte offset,
/// here or at the command or CTA where it lies; next() returns false only behind a whole trace.
std::unique_ptr<TraceReader> open_own_format(const std::string& path);

/// What a file may hold; writer and reader refuse more.
struct OwnFormatLimits {
  static constexpr std::size_t kTextBytes = 1u << 16;       ///< a name, a mnemonic, a note
  static constexpr std::uint32_t kInstructions = 1u << 20;  ///< static, a kernel
  static constexpr std::uint32_t kTensorMaps = 1u << 20;    ///< a kernel
  static constexpr std::uint64_t kCtaSteps = 1u << 26;      ///< warp instructions a CTA
  static constexpr std::uint64_t kCtaAddresses = 1u << 26;  ///< lane addresses a CTA
  static constexpr std::uint32_t kGridX = 0x7fffffff, kGridYz = 65535;
  static constexpr std::uint64_t kBlockThreads = 1024;
  static constexpr std::size_t kNotes = 4096;
};

/// Writes a trace. Calls come in the order in which things happened; a wrong order is asserted.
/// The file gets its name at finish(), so that no half of a trace ever carries it.
class OwnFormatWriter {
 public:
  /// Throws UserError when the file cannot be written; so does every other function.
  explicit OwnFormatWriter(const std::string& path);
  /// Without finish() nothing is left.
  ~OwnFormatWriter();

  void allocate(Addr address, std::uint64_t bytes, bool managed);
  void release(Addr address);
  void host_wrote(Addr address, std::uint64_t bytes);
  void host_read(Addr address, std::uint64_t bytes);
  void prefetch(Addr address, std::uint64_t bytes, bool to_device);

  void begin_kernel(const KernelTraits& traits);
  /// Static instructions get numbers from 0 in each kernel, before a CTA uses them.
  std::uint32_t add_instruction(const InstInfo& inst, const std::string& mnemonic);
  /// Tensor maps likewise.
  std::uint32_t add_tensor_map(const TensorMap& map);
  /// Every warp ends with the step that leaves it without lanes, and with no other such step.
  void cta(const CtaTrace& cta);
  void end_kernel();

  /// Writes a sentence for whoever reads the trace.
  void note(const std::string& text);
  void finish();

  std::uint64_t warp_instructions() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Copies what the host did; a launch CTA by CTA.
void copy_command(const Command& from, OwnFormatWriter& to);
/// Copies one launch, CTA by CTA. `each_cta`, when given, is called after each.
void copy_kernel(KernelTrace& from, OwnFormatWriter& to,
                 const std::function<void(std::uint64_t)>& each_cta = {});

}  // namespace warpmem::program::trace
