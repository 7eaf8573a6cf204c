// SPDX-License-Identifier: Apache-2.0
#include "gpu/gpc.hpp"

namespace warpmem::gpu {

namespace {

/// Requests without a response of each SM that the network keeps account of; more wait at the SMs.
constexpr unsigned kInFlight = 1024;

AddressMapParams ports_by_address(std::size_t ports) {
  AddressMapParams params;
  params.partitions = static_cast<std::uint32_t>(ports);
  params.interleave_bytes = std::uint64_t(1) << sm::ClusterUnit::kPortBits;
  params.slices = 1;
  return params;
}

noc::Crossbar::Params network_params(const Gpc::Params& params, ClockDomain& domain) {
  noc::Crossbar::Params network;
  network.clock_hz = domain.hertz();
  network.flit_bytes = params.flit_bytes;
  network.header_bytes = params.header_bytes;
  network.latency = params.latency;
  network.request_queue = network.response_queue = params.queue;
  return network;
}

}  // namespace

Gpc::Gpc(const std::string& name, const Params& params, ClockDomain& domain, TransactionPool& pool,
         std::vector<sm::Sm*> sms, bool checks)
    : map_(ports_by_address(sms.size())),
      network_(std::make_unique<noc::Crossbar>(name.c_str(), domain, network_params(params, domain),
                                               map_, static_cast<unsigned>(sms.size()))),
      sms_(std::move(sms)) {
  network_->enable_copies(pool);
  network_->set_in_flight(kInFlight * static_cast<unsigned>(sms_.size()));
  for (unsigned i = 0; i < sms_.size(); ++i) {
    sm::ClusterUnit& unit = *sms_[i]->cluster_unit();
    connect(unit.out.socket, network_->input(i).socket, checks);
    connect(network_->output(i).socket, unit.in.socket, checks);
  }
}

template <class Initiator, class Target>
void Gpc::connect(Initiator& from, Target& to, bool checks) {
  if (!checks) return from.bind(to);
  checkers_.push_back(std::make_unique<ProtocolChecker>(
      (std::string(network_->basename()) + "_checker" + std::to_string(checkers_.size())).c_str()));
  from.bind(checkers_.back()->target);
  checkers_.back()->initiator.bind(to);
}

void Gpc::register_stats(StatRegistry& registry, unsigned index) {
  network_->register_stats(registry, index, "gpc");
  StatGroup& g = registry.group("gpc", index);
  const auto sum = [this](std::uint64_t sm::ClusterUnit::Traffic::*of) {
    std::uint64_t all = 0;
    for (sm::Sm* const sm : sms_) all += sm->cluster_unit()->traffic().*of;
    return all;
  };
  using Traffic = sm::ClusterUnit::Traffic;
  g.law("packets of the GPC's SMs", [sum] {
    return expect_equal("packets sent, with their copies", sum(&Traffic::sent), "packets taken",
                        sum(&Traffic::taken));
  });
  g.law("bytes of the GPC's SMs", [sum] {
    return expect_equal("bytes sent, with their copies", sum(&Traffic::sent_bytes), "bytes taken",
                        sum(&Traffic::taken_bytes));
  });
  g.law("arrivals between the GPC's SMs", [sum] {
    return expect_equal("notices sent, with their copies", sum(&Traffic::notices_sent),
                        "notices taken", sum(&Traffic::notices_taken));
  });
}

void Gpc::Params::describe(Schema& s) {
  s.integer("sms", sms, {0, kMostSms},
            "SMs of a graphics processing cluster, counted from SM 0, the last one may have fewer; "
            "the blocks of a cluster run in one. 0 = there are none, and kernels with clusters do "
            "not run",
            "0: chosen; NVIDIA, H100 white paper (2022): 18 where all SMs are there");
  s.only_if(
      "gpc.sms > 0", [this] { return enabled(); },
      [&] {
        s.integer("latency", latency, {1, 4096},
                  "SM cycles of the network between the SMs of a GPC, from one to another",
                  "chosen");
        s.integer("flit_bytes", flit_bytes, {1, 256},
                  "bytes that a port of this network moves in an SM cycle", "as noc.flit_bytes");
        s.integer("header_bytes", header_bytes, {0, 64},
                  "bytes that a packet of this network takes besides its data",
                  "as noc.header_bytes");
        s.integer("queue", queue, {1, 256},
                  "packets that wait between an SM and this network, in each direction", "chosen");
      });
}

}  // namespace warpmem::gpu
