// SPDX-License-Identifier: Apache-2.0
// A PTX module: parsed once, bound to a device memory, launched any number of times.
//
//   ptx::Module module(text, "app.ptx");        // UserError with file:line on a syntax error
//   module.bind(memory);                         // places and initialises the module's variables
//   auto grid = ptx::make_grid(module, "_Z3addPf", {4}, {256}, 0, arguments, memory);
//   run_functional(*grid);                       // program/functional.hpp, or give it to the
//   machine
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "program/device_memory.hpp"
#include "program/program.hpp"

namespace warpmem::program::ptx {

/// This is one kernel parameter: its place in the parameter block.
struct Parameter {
  std::string name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t alignment = 1;
};

/// This is one kernel of a module.
struct Entry {
  std::string name;  ///< name as in the PTX (mangled)
  unsigned line = 0;
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;      ///< end of the last parameter
  std::uint64_t static_shared_bytes = 0;  ///< bytes of the kernel and the functions it reaches
  std::uint32_t max_threads = 0;          ///< .maxntid or .reqntid, threads a CTA; 0: not stated
  std::optional<Dim3> cluster;            ///< .reqnctapercluster
  bool allocates = false;                 ///< it reaches malloc() or free()
};

/// This is a module-level variable that lives in device memory (.global or .const).
struct Variable {
  std::string name;
  Space space = Space::global;  ///< global or constant
  std::uint64_t bytes = 0;      ///< 0: declared .extern here and defined in another module
  std::uint32_t alignment = 1;
  Addr address = 0;  ///< 0 before bind()
};

/// What a launch needs to know beside the kernel's name.
struct KernelFacts {
  unsigned registers_per_thread = 0;  ///< 32-bit registers, estimated by liveness
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t local_bytes = 0;  ///< a thread
  std::uint32_t max_threads = 0;
};

namespace detail {
struct ModuleData;
}

class Module {
 public:
  /// `name` is only for messages. Throws UserError for text that is not PTX ISA 6.x or older.
  /// Instructions the interpreter lacks are reported when a kernel that contains them is launched.
  /// `early_loads`: as the assembler for a chip does, loads go ahead of what does not need them
  /// (docs/mechanisms.md 1.1).
  Module(std::string_view text, std::string name, bool early_loads = false);
  ~Module();
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;

  const std::string& name() const;
  const std::vector<Entry>& entries() const;
  /// nullptr when there is none.
  const Entry* find_entry(std::string_view entry) const;
  const std::vector<Variable>& variables() const;
  const Variable* find_variable(std::string_view variable) const;

  /// Allocates the variables (each its own allocation, never released) and writes their initial
  /// values. It is to be called once, before the first launch. Throws UserError when memory is
  /// full.
  /// `placed`: variables that are elsewhere, by name, with their values.
  void bind(DeviceMemory& memory, const std::map<std::string, Addr>& placed = {});
  /// Writes the initial value of a variable that names no other to `to`, which has zeros.
  void write_initial(std::string_view variable, std::uint8_t* to) const;
  bool bound() const;

  /// Registers, shared and local memory of a kernel, without launching it (cudaFuncGetAttributes,
  /// occupancy). Needs bind(). Throws UserError as make_grid does.
  KernelFacts facts(std::string_view entry) const;

  const detail::ModuleData& data() const { return *data_; }
  detail::ModuleData& data() { return *data_; }

 private:
  std::unique_ptr<detail::ModuleData> data_;
};

/// Makes one launch. `module` must be bound to `memory`; both must outlive the grid. `parameters`
/// is the parameter block laid out as Entry::parameters says. Throws UserError for a kernel that is
/// not there, a parameter block of the wrong size, an empty grid or block, a block over .maxntid,
/// and an instruction that is not supported (with line).
/// `cluster`: CTAs of a cluster, where the launch says so; else the kernel may
/// (.reqnctapercluster). `grid_barrier`: a zeroed word in device memory at which the blocks of a
/// cooperative launch meet; 0: the launch is none. `heap`: of malloc(), laid out as
/// heap_library.hpp says, where the kernel allocates.
std::unique_ptr<Grid> make_grid(const Module& module, std::string_view entry, Dim3 grid, Dim3 block,
                                std::uint64_t dynamic_shared_bytes,
                                const std::vector<std::uint8_t>& parameters, DeviceMemory& memory,
                                std::optional<Dim3> cluster = std::nullopt, Addr grid_barrier = 0,
                                Addr heap = 0);

/// These are generic addresses of shared and local memory: no host pointer and no device address
/// has these high bits. The low 32 bits are the offset in the CTA's shared or the thread's local
/// memory.
inline constexpr Addr kSharedWindow = Addr(1) << 56;
inline constexpr Addr kLocalWindow = Addr(2) << 56;
inline constexpr std::uint64_t kWindowBytes = std::uint64_t(1) << 32;

/// Calls nested deeper than this are an error.
inline constexpr unsigned kMaxCallDepth = 128;
/// So is more local memory of a thread, all calls together, ...
inline constexpr std::uint64_t kMaxLocalBytes = 512 * 1024;
/// ... or more registers and call parameters of a warp.
inline constexpr std::uint64_t kMaxStackBytes = std::uint64_t(64) << 20;

}  // namespace warpmem::program::ptx
