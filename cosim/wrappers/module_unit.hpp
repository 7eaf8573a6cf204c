// SPDX-License-Identifier: Apache-2.0
// The ABI of an SC_MODULE, for the wrappers that are compiled on demand. Each unit runs on a
// SystemC context of its own, which stands at time zero: the simulation around it, which may be in
// the middle of a process, neither sees its signals nor waits for them.
#pragma once

#include <systemc>
#include <type_traits>

#include "cosim/wrappers/unit_abi.hpp"

namespace warpmem::cosim {

/// Makes a context the current one for as long as this object lives.
class CurrentContext {
 public:
  explicit CurrentContext(sc_core::sc_simcontext* context) {
    sc_core::sc_curr_simcontext = context;
  }
  ~CurrentContext() { sc_core::sc_curr_simcontext = outer_; }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  sc_core::sc_simcontext* const outer_ = sc_core::sc_curr_simcontext;
};

/// The signal for a port.
template <class Port>
using SignalOf = sc_core::sc_signal<typename Port::data_type>;

template <class Value, class Field>
void write_pin(sc_core::sc_signal<Value>& pin, Field field) {
  pin.write(Value(field));
}

template <class Field>
void read_pin(const sc_core::sc_signal<bool>& pin, Field& field) {
  field = pin.read();
}
template <int kWidth, class Field>
void read_pin(const sc_core::sc_signal<sc_dt::sc_uint<kWidth>>& pin, Field& field) {
  field = static_cast<Field>(pin.read().to_uint64());
}
template <int kWidth, class Field>
void read_pin(const sc_core::sc_signal<sc_dt::sc_int<kWidth>>& pin, Field& field) {
  field = static_cast<Field>(pin.read().to_int64());
}
/// These two give the first 64 bits.
template <int kWidth, class Field>
void read_pin(const sc_core::sc_signal<sc_dt::sc_biguint<kWidth>>& pin, Field& field) {
  field = static_cast<Field>(pin.read().to_uint64());
}
template <int kWidth, class Field>
void read_pin(const sc_core::sc_signal<sc_dt::sc_bv<kWidth>>& pin, Field& field) {
  std::uint64_t bits = pin.read().get_word(0);
  if (kWidth > 32) bits |= std::uint64_t{pin.read().get_word(1)} << 32;
  field = static_cast<Field>(bits);
}

/// `Pins` has the module as `module`, bound to signals that it owns, with `clk` and `rst_n` among
/// them, drive(in), and sample(out).
template <class Pins, class Unit, class Reader>
class ModuleInstance {
 public:
  using In = typename Unit::In;

  ModuleInstance() {
    const CurrentContext current(context_);
    pins_ = new Pins();
    context_->initialize(true);
    reset();
  }
  ~ModuleInstance() {
    const CurrentContext current(context_);
    delete pins_;
    delete context_;
  }
  ModuleInstance(const ModuleInstance&) = delete;
  ModuleInstance& operator=(const ModuleInstance&) = delete;

  void eval(const In& in, typename Unit::Out* out) {
    settle(in);
    pins_->sample(*out);
  }
  void commit(const In& in) {
    settle(in);
    const CurrentContext current(context_);
    pins_->clk.write(true);
    run();
    settled_ = false;
  }
  void reset() {
    const CurrentContext current(context_);
    pins_->rst_n.write(false);
    settled_ = false;
    commit(in_);  // reset wins over whatever the inputs are
    pins_->rst_n.write(true);
  }
  typename Unit::State state() { return reader_.of_core(pins_->module.registers()); }

 private:
  /// Lets the inputs reach the outputs.
  void settle(const In& in) {
    if (settled_ && in == in_) return;
    in_ = in;
    const CurrentContext current(context_);
    pins_->clk.write(false);
    pins_->drive(in);
    run();
    settled_ = true;
  }
  /// Runs delta cycles until nothing changes.
  void run() {
    do {
      context_->simulate(sc_core::SC_ZERO_TIME);
    } while (sc_core::sc_pending_activity_at_current_time(context_));
  }

  sc_core::sc_simcontext* const context_ = new sc_core::sc_simcontext();
  Pins* pins_;
  Reader reader_;
  In in_;
  bool settled_ = false;  // outputs are those of in_ before the clock edge
};

template <class Pins, class Unit, class Reader>
const UnitAbi<Unit>* module_abi() {
  using Abi = UnitAbi<Unit>;
  using In = typename Abi::In;
  using Instance = ModuleInstance<Pins, Unit, Reader>;
  static constexpr auto kOf = [](void* unit) -> Instance& { return *static_cast<Instance*>(unit); };
  static constexpr Abi kAbi = {
      []() -> void* { return new Instance(); },
      [](void* unit) { delete static_cast<Instance*>(unit); },
      [](void* unit) { kOf(unit).reset(); },
      [](void* unit, const In* in, typename Abi::Out* out) { kOf(unit).eval(*in, out); },
      [](void* unit, const In* in) { kOf(unit).commit(*in); },
      [](void* unit, typename Abi::State* state) { *state = kOf(unit).state(); },
      []() -> const char* { return nullptr; },
      [](void*, const char*) { return false; },
      [](void*, const char*) { return false; }};
  return &kAbi;
}

}  // namespace warpmem::cosim
