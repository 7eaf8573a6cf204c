// SPDX-License-Identifier: Apache-2.0
// A CTA that passes everything on to another one: a base for those that watch what it does.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "program/program.hpp"

namespace warpmem::program {

class ForwardedCta : public Cta {
 public:
  const InstInfo* next(unsigned warp) const override { return cta_->next(warp); }
  const Issue& execute(unsigned warp) override { return cta_->execute(warp); }
  void stop_waiting(unsigned warp) override { cta_->stop_waiting(warp); }
  std::string waits_for(unsigned warp) const override { return cta_->waits_for(warp); }
  unsigned copies_arrived(unsigned warp) override { return cta_->copies_arrived(warp); }
  std::uint8_t* shared_memory() override { return cta_->shared_memory(); }
  unsigned bulk_arrived(unsigned warp, const InstInfo& inst, unsigned lane, std::uint32_t mbarrier,
                        std::uint32_t bytes) override {
    return cta_->bulk_arrived(warp, inst, lane, mbarrier, bytes);
  }
  unsigned peer_mbarrier(std::uint32_t pc, std::uint32_t mbarrier, MbarrierOp op,
                         std::uint32_t number) override {
    return cta_->peer_mbarrier(pc, mbarrier, op, number);
  }

 protected:
  explicit ForwardedCta(std::unique_ptr<Cta> cta) : cta_(std::move(cta)) {}
  Cta& watched() { return *cta_; }

 private:
  std::unique_ptr<Cta> cta_;
};

}  // namespace warpmem::program
