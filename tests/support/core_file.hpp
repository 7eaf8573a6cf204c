// SPDX-License-Identifier: Apache-2.0
// The core of a whole MSHR file beside a miss handler, without a library.
#pragma once

#include <functional>

#include "cache/mha/mshr_file.hpp"

namespace warpmem::mha {

/// Changes what a file answers.
using Lie = std::function<void(const MshrIn&, MshrOut&)>;

/// `lie` may be empty, and outlives the file.
template <class Core>
class LyingFile final : public MshrFile {
 public:
  LyingFile(const char* name, const Lie& lie) : name_(name), lie_(lie) { core_.reset(); }
  const char* name() const override { return name_; }
  MshrOut eval(const MshrIn& in) const override {
    MshrOut out = core_.eval(in);
    if (lie_) lie_(in, out);
    return out;
  }
  void commit(const MshrIn& in) override { core_.commit(in); }

 private:
  Core core_;
  const char* name_;
  const Lie& lie_;
};

}  // namespace warpmem::mha
