// SPDX-License-Identifier: Apache-2.0
// Cases of atom and red of bfloat16, of min and max of half precision and of several elements, each
// lane on 16 bytes of its own.
#pragma once

#include <cstddef>
#include <cstring>

#include "program/functional.hpp"
#include "unit/program/ptx_conformance_async_write.hpp"

namespace warpmem::program::ptx {
namespace conformance {

struct ElementForm {
  std::string op;    ///< with .noftz
  std::string type;  ///< of a register
  unsigned bytes;    ///< of an element, of which a register may have two
  std::vector<std::uint64_t> values;
  std::function<std::uint64_t(std::uint64_t, std::uint64_t)> now;
};

inline std::vector<ElementForm> element_forms() {
  std::vector<ElementForm> forms;
  const auto narrow = [&](const char* op, bool bfloat, auto now) {
    for (const char* pair : {"", "x2"})
      forms.push_back({std::string(op) + ".noftz", std::string(bfloat ? "bf16" : "f16") + pair, 2,
                       bfloat ? bfloat_values() : half_values(), now});
  };
  narrow("add", true, bfloat_sum);
  narrow("add", false, [](auto a, auto b) { return half_fma(a, 0x3c00, b); });
  for (const bool least : {true, false}) {
    const char* const op = least ? "min" : "max";
    narrow(op, true, [=](auto a, auto b) { return least_or_most(least, a, b, bfloat_nan); });
    narrow(op, false, [=](auto a, auto b) { return least_or_most(least, a, b, half_nan); });
  }
  for (const AtomicForm& f : atomic_forms())
    if (f.op == "add" && f.type == "f32")
      forms.push_back(
          {"add", "f32", 4, f.values, [f](auto a, auto b) { return f.now(a, b, 0, false); }});
  return forms;
}

inline bool is_pair_of(const ElementForm& f) { return f.type.find("x2") != std::string::npos; }

constexpr unsigned kPlaceBytes = 16, kElementLanes = 64;

struct Places {
  std::uint8_t memory[kElementLanes][kPlaceBytes], value[kElementLanes][kPlaceBytes],
      before[kElementLanes][kPlaceBytes];
};

inline std::string element_kernel(const ElementForm& f, const std::string& spelling,
                                  const std::string& space, unsigned count, bool returns) {
  const unsigned each = f.bytes * (is_pair_of(f) ? 2 : 1);
  const std::string bits = ".b" + std::to_string(8 * each);
  std::string text = ".visible .entry k(.param .u64 p) {\n.reg .b64 %d<3>; .reg .b32 %t; .reg " +
                     bits + " %v<4>; .reg " + bits +
                     " %o<4>;\n.shared .align 16 .b8 words[1024];\nld.param.u64 %d0, [p];\n"
                     "mov.u32 %t, %tid.x; mul.wide.u32 %d1, %t, 16; add.u64 %d0, %d0, %d1;\n"
                     "mov.u64 %d2, words; add.u64 %d2, %d2, %d1;\n";
  const auto list = [&](const std::string& reg) {
    std::string all;
    for (unsigned k = 0; k < count; ++k) all += (k == 0 ? "" : ", ") + reg + std::to_string(k);
    return count == 1 ? all : "{" + all + "}";
  };
  const auto move = [&](const std::string& op, const std::string& base, std::size_t from,
                        const std::string& reg) {
    for (unsigned k = 0; k < count; ++k) {
      const std::string place = "[" + base + "+" + std::to_string(from + k * each) + "]";
      const std::string name = reg + std::to_string(k);
      text += op + bits + " " + (op[0] == 's' ? place + ", " + name : name + ", " + place) + ";\n";
    }
  };
  const bool shared = space == ".shared";
  if (shared) {
    move("ld.global", "%d0", 0, "%v");
    move("st.shared", "%d2", 0, "%v");
  }
  move("ld.global", "%d0", offsetof(Places, value), "%v");
  text += spelling + " " + (returns ? list("%o") + ", " : "") + "[" + (shared ? "%d2" : "%d0") +
          "], " + list("%v") + ";\n";
  if (returns) move("st.global", "%d0", offsetof(Places, before), "%o");
  if (shared) {
    move("ld.shared", "%d2", 0, "%v");
    move("st.global", "%d0", 0, "%v");
  }
  return text + "ret;\n}\n";
}

inline void check_elements(const ElementForm& f, const std::string& spelling,
                           const std::string& space, unsigned count, bool returns) {
  const unsigned elements = count * (is_pair_of(f) ? 2 : 1);
  DeviceMemory memory(1 << 20);
  Module module(header() + element_kernel(f, spelling, space, count, returns), "elements.ptx");
  module.bind(memory);
  const Addr at = memory.allocate(sizeof(Places));
  Places given{};
  std::size_t next = 0;
  for (unsigned i = 0; i < kElementLanes; ++i)
    for (unsigned k = 0; k < elements; ++k, ++next) {
      const std::size_t n = f.values.size();
      std::memcpy(given.memory[i] + k * f.bytes, &f.values[next % n], f.bytes);
      std::memcpy(given.value[i] + k * f.bytes, &f.values[(next / n + next) % n], f.bytes);
    }
  std::memcpy(DeviceMemory::host(at), &given, sizeof given);
  const auto grid =
      make_grid(module, "k", {1}, {kElementLanes}, 0, Arguments().add(at).bytes(), memory);
  run_functional(*grid, 0, ~std::uint64_t(0), FunctionalLimits{});
  Places got;
  std::memcpy(&got, DeviceMemory::host(at), sizeof got);
  for (unsigned i = 0; i < kElementLanes; ++i)
    for (unsigned k = 0; k < elements; ++k) {
      const auto element = [&](const std::uint8_t* place) {
        std::uint64_t v = 0;
        std::memcpy(&v, place + k * f.bytes, f.bytes);
        return v;
      };
      const std::uint64_t a = element(given.memory[i]), b = element(given.value[i]);
      ASSERT_EQ(element(got.memory[i]), f.now(a, b)) << "lane " << i << ", element " << k;
      if (returns) {
        ASSERT_EQ(element(got.before[i]), a) << "lane " << i << ", element " << k;
      }
    }
}

}  // namespace conformance

inline Cases element_atomic_cases() {
  using namespace conformance;
  Cases c;
  for (const ElementForm& f : element_forms())
    for (const unsigned count : {1u, 2u, 4u})
      for (const std::string space : {"", ".global", ".shared"})
        for (const bool returns : {true, false}) {
          const bool known = f.type == "f32" || (f.op == "add.noftz" && f.type[0] == 'f');
          if (count == 1 ? known : space == ".shared") continue;
          const std::string several = count == 1 ? "" : ".v" + std::to_string(count);
          const std::string spelling =
              (returns ? "atom" : "red") + space + "." + f.op + several + "." + f.type;
          c.push_back({spelling, [=] { check_elements(f, spelling, space, count, returns); }});
        }
  return c;
}

}  // namespace warpmem::program::ptx
