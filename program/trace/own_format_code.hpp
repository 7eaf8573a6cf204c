// SPDX-License-Identifier: Apache-2.0
// What a launch of a trace file says before its steps: its static instructions and its tensor maps,
// each checked by itself.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "program/trace/own_format_blocks.hpp"
#include "program/trace/trace.hpp"
#include "program/trace/unique_pcs.hpp"

namespace warpmem::program::trace {

/// An instruction of the launch, and where its last use in the file began.
struct KnownInst {
  InstInfo info;
  std::string mnemonic;
  Addr last_base = 0;
};

/// Reads the records of instructions and tensor maps. Throws UserError for whatever is wrong.
class CodeReader {
 public:
  explicit CodeReader(BlockReader& in) : in_(in) {}

  /// Begins a launch, whose traits outlive it.
  void begin(const KernelTraits& traits) {
    traits_ = &traits;
    insts_.clear();
    pcs_.clear();
    tensor_maps_.clear();
  }
  void read_instruction();
  void read_tensor_map();
  Space read_space();

  /// References stay valid until the next launch.
  std::deque<KnownInst>& insts() { return insts_; }
  const std::deque<KnownInst>& insts() const { return insts_; }
  const std::vector<TensorMap>& tensor_maps() const { return tensor_maps_; }

 private:
  void read_async_part(InstInfo& i);
  void check_peer_write(const InstInfo& i) const;
  void check_bulk_copy(const InstInfo& i) const;
  std::uint16_t read_register(std::uint64_t count);

  BlockReader& in_;
  const KernelTraits* traits_ = nullptr;
  std::deque<KnownInst> insts_;
  UniquePcs pcs_;
  std::vector<TensorMap> tensor_maps_;
};

}  // namespace warpmem::program::trace
