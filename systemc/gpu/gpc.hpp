// SPDX-License-Identifier: Apache-2.0
// The network between the SMs of a GPC: a crossbar with a port for each SM in both directions, over
// which the CTAs of clusters reach each other. A packet may go to several SMs: the network copies
// it, and its sender's port is taken once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/address_map.hpp"
#include "base/params.hpp"
#include "base/protocol_checker.hpp"
#include "noc/crossbar.hpp"
#include "sm/sm.hpp"

namespace warpmem::gpu {

class Gpc {
 public:
  struct Params {
    std::uint32_t sms = 0;  ///< SMs of a GPC, the last one may have fewer; 0: there are no clusters
    std::uint32_t latency = 64;      ///< cycles from an SM to another, 1..4096
    std::uint32_t flit_bytes = 32;   ///< bytes that a port moves in a cycle, 1..256
    std::uint32_t header_bytes = 8;  ///< bytes of a packet besides its data, 0..64
    std::uint32_t queue = 8;         ///< packets that wait at an SM in each direction, 1..256

    static constexpr std::uint32_t kMostSms = 64;
    bool enabled() const { return sms != 0; }
    void describe(Schema& schema);
  };

  /// `sms` are those of the GPC, whose clock is `domain`. `checks`: a checker of the protocol sits
  /// on every link.
  Gpc(const std::string& name, const Params& params, ClockDomain& domain, TransactionPool& pool,
      std::vector<sm::Sm*> sms, bool checks);

  bool idle() const { return network_->idle(); }
  std::string describe() const { return network_->describe(); }
  void register_stats(StatRegistry& registry, unsigned index);

 private:
  template <class Initiator, class Target>
  void connect(Initiator& from, Target& to, bool checks);

  AddressMap map_;  // ports by address
  std::unique_ptr<noc::Crossbar> network_;
  std::vector<sm::Sm*> sms_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
};

}  // namespace warpmem::gpu
