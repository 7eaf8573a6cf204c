// SPDX-License-Identifier: Apache-2.0
// Unified virtual memory in the memory system: the TLBs between ports and L1Ds, the GMMU, the two
// directions of the link and host memory.
//
//   port --> Tlb --mem--> L1d        Tlb --gmmu--> Gmmu --> PcieLink (in, out) --> HostMemory
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stats.hpp"
#include "base/transaction.hpp"
#include "uvm/gmmu.hpp"
#include "uvm/hooks.hpp"
#include "uvm/host_memory.hpp"
#include "uvm/pcie_link.hpp"
#include "uvm/tlb.hpp"

namespace warpmem::memory {

class UnifiedMemory {
 public:
  UnifiedMemory(const uvm::UvmParams& params, unsigned sms, ClockDomain& clock,
                TransactionPool& pool, uvm::DeviceHooks hooks);

  uvm::Tlb& tlb(unsigned sm) { return *tlbs_[sm]; }
  /// Calls connect(initiator port, target port) for every link among its own modules.
  template <class Connect>
  void connect(Connect&& connect) {
    for (unsigned i = 0; i < tlbs_.size(); ++i) connect(tlbs_[i]->gmmu, gmmu_->port(i));
    connect(gmmu_->to_device(), link_in_->in);
    connect(link_in_->host, host_->reads);
    connect(gmmu_->to_host(), link_out_->in);
    connect(link_out_->host, host_->writes);
  }

  /// The program got device memory, or gave it back, managed or not.
  void allocated(Addr begin, std::uint64_t bytes, bool managed);
  /// Returns the number of bytes of device memory that belong to nobody now; where the memory was
  /// managed they are whole pages.
  std::uint64_t released(Addr begin, std::uint64_t bytes);
  /// Takes a call of cudaMemPrefetchAsync, which is carried out before the next launch.
  void prefetch(Addr begin, std::uint64_t bytes, bool to_device);
  /// The host read [begin, begin + bytes): managed pages of it are in host memory afterwards.
  void host_read(Addr begin, std::uint64_t bytes);
  /// The host wrote `data` there: managed pages of the range are in host memory afterwards, with
  /// these bytes. Calls other(address, bytes) for what is not managed.
  void host_wrote(Addr begin, std::uint64_t bytes, const std::uint8_t* data,
                  const std::function<void(Addr, std::uint64_t)>& other);
  /// To be called before a launch: device memory is given out. Pages beyond it leave, and then what
  /// the program wants moved ahead moves. True: `moved` will be called when it has, and end_moves()
  /// is due then.
  bool begin_launch(std::function<void()> moved);
  /// Throws SimulationError when pages are still under way.
  void end_moves();

  /// Returns whether the page of a byte lies in host memory; read_host() reads bytes there.
  bool in_host_memory(Addr address) const;
  void read_host(Addr address, unsigned bytes, std::uint8_t* out) const {
    host_->read(address, bytes, out);
  }
  unsigned page_bytes() const { return static_cast<unsigned>(table_.page_bytes()); }

  bool idle() const;
  std::uint64_t work_done() const { return gmmu_->work_done(); }
  /// Returns whether the host handles faults or a transfer occupies the link; either ends at a
  /// known time.
  bool waits_for_host() const {
    return gmmu_->host_busy() || link_in_->moving() || link_out_->moving();
  }
  std::string describe() const;
  std::string storage() const { return gmmu_->storage(); }
  void register_stats(StatRegistry& registry);
  std::uint64_t requests_from_sms() const;
  uvm::Gmmu& gmmu() { return *gmmu_; }
  /// The link's directions: host to device, and device to host.
  uvm::PcieLink& link_in() { return *link_in_; }
  uvm::PcieLink& link_out() { return *link_out_; }

 private:
  struct Ahead {
    Addr begin = 0;
    std::uint64_t bytes = 0;
    bool to_device = true;
  };
  void take_back(uvm::PageNumber page);
  /// Begins the next calls of prefetch() up to one in the other direction, which waits for them:
  /// its pages may be theirs. Returns false when there are none.
  bool move_ahead();

  uvm::UvmParams params_;
  uvm::DeviceHooks hooks_;
  uvm::PageTable table_;
  std::unique_ptr<uvm::Gmmu> gmmu_;
  std::vector<std::unique_ptr<uvm::Tlb>> tlbs_;
  std::unique_ptr<uvm::PcieLink> link_in_, link_out_;
  std::unique_ptr<uvm::HostMemory> host_;
  std::vector<Ahead> ahead_;
  Cycle ahead_since_ = 0;
  std::uint64_t ahead_cycles_ = 0;
  std::uint64_t unmanaged_bytes_ = 0;
  std::vector<std::uint8_t> page_;  // bytes of one page on its way
};

}  // namespace warpmem::memory
