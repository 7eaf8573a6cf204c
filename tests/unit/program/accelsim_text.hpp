// SPDX-License-Identifier: Apache-2.0
// Small traces in Accel-Sim's format, as text, and what is read of them.
#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "program/trace/accelsim_kernel.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::program::trace::test {

inline const std::string kExit = "0030 ffffffff 0 EXIT 0 0 0\n";

inline std::string header(const std::string& version = "70", const std::string& grid = "(1,1,1)",
                          const std::string& block = "(32,1,1)", const std::string& tracer = "4") {
  return "-kernel name = k\n-kernel id = 1\n-grid dim = " + grid + "\n-block dim = " + block +
         "\n-shmem = 0\n-nregs = 16\n-binary version = " + version +
         "\n-cuda stream id = 0\n-shmem base_addr = 0x00007f3c00000000\n"
         "-local mem base_addr = 0x00007f3e00000000\n-nvbit version = 0.0\n"
         "-accelsim tracer version = " +
         tracer + "\n-enable lineinfo = 0\n\n#traces format = ...\n\n";
}
inline std::string block(const std::string& steps, unsigned count,
                         const std::string& at = "0,0,0") {
  return "#BEGIN_TB\n\nthread block = " + at + "\n\nwarp = 0\ninsts = " + std::to_string(count) +
         "\n" + steps + "\n#END_TB\n";
}
/// Returns a trace whose one warp executes `step` and EXIT.
inline std::string with(const std::string& step, const std::string& version = "80") {
  return header(version) + block(step + "\n" + kExit, 2);
}

class Folder : public warpmem::test::ScratchFolder {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string file = *this / name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
};

struct Read {
  Notes notes;
  std::unique_ptr<AccelsimKernel> kernel;
  std::vector<CtaTrace> ctas;
  const WarpTrace& warp() const { return ctas.at(0).warps.at(0); }
  const InstInfo& inst(unsigned step = 0) const { return kernel->inst(warp().steps[step].inst); }
};
inline std::unique_ptr<Read> read(const std::string& text, const std::string& name = "k.traceg") {
  Folder folder;
  auto r = std::make_unique<Read>();
  r->kernel = std::make_unique<AccelsimKernel>(folder.write(name, text), r->notes);
  CtaTrace cta;
  while (r->kernel->next_cta(cta)) r->ctas.push_back(cta);
  return r;
}
inline std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const UserError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace warpmem::program::trace::test
