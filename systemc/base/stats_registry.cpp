// SPDX-License-Identifier: Apache-2.0
// Takes snapshots: what each launch added, by path and by instance.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/errors.hpp"
#include "base/stats.hpp"
#include "base/stats_detail.hpp"

namespace warpmem {

using stats_detail::Account;
using stats_detail::Entries;
using stats_detail::Entry;
using stats_detail::Kind;
using stats_detail::Path;
using stats_detail::registration_error;
using stats_detail::Row;

struct StatRegistry::Impl {
  std::map<std::pair<std::string, unsigned>, StatGroup> groups;
  stats_detail::Words words;
  Account account;
  std::vector<Path> unused;  // paths that are not in the results yet, by name
  bool frozen = false;
  bool in_kernel = false;
  bool keeps_instances = false;
  std::string kernel;
  std::uint64_t launch = 0;  // number of that kernel's launch
  Row begin;                 // row at begin_kernel, instances apart
  Row end;                   // the same at end_kernel; kept to reuse its storage

  /// Calls visit(path) for all paths.
  template <class Visit>
  void for_each_path(Visit&& visit) const {
    for (const Path& path : account.paths) visit(path);
    for (const Path& path : unused) visit(path);
  }
  void freeze();
  void show_used();
  void update();
  void snapshot(Row& row) const;
  void record();
  std::string broken_laws() const;
};

namespace {

void check_same_names(const Entries& first, const Entries& other) {
  const std::string where = other.path + "[" + std::to_string(other.index) + "]";
  if (first.entries.size() != other.entries.size())
    registration_error(where + " registers " + std::to_string(other.entries.size()) +
                       " statistics, the first instance " + std::to_string(first.entries.size()));
  const auto same = [](const stats_detail::Probe& a, const stats_detail::Probe& b) {
    return a.name == b.name && a.grows == b.grows;
  };
  if (!std::equal(first.probes.begin(), first.probes.end(), other.probes.begin(),
                  other.probes.end(), same))
    registration_error(where + " registers other levels and amounts than the first instance");
  for (std::size_t i = 0; i < first.entries.size(); ++i) {
    const Entry& a = first.entries[i];
    const Entry& b = other.entries[i];
    if (a.name != b.name || a.kind != b.kind)
      registration_error(fmt::format("{} registers {} {} where the first instance registers {} {}",
                                     where, kind_name(b.kind), b.name, kind_name(a.kind), a.name));
    if (a.kind == Kind::histogram && a.histogram->bounds() != b.histogram->bounds())
      registration_error(fmt::format("{} registers histogram {} with other bounds", where, b.name));
  }
}

bool by_name(const Path& a, const Path& b) { return a.name < b.name; }

/// Combines the cells of one instance (or of one row) into another.
void combine(const std::vector<Entry>& entries, const std::uint64_t* from, std::uint64_t* into) {
  for (const Entry& entry : entries) {
    if (entry.kind == Kind::peak) {
      *into = std::max(*into, *from);
      ++into, ++from;
    } else {
      for (std::size_t n = entry.cells(); n != 0; --n) *into++ += *from++;
    }
  }
}

/// Computes what a launch added to one instance, in place in `end`: differences, and peaks as they
/// stand.
void subtract(const std::vector<Entry>& entries, const std::uint64_t* begin, std::uint64_t* end) {
  for (const Entry& entry : entries) {
    const std::size_t cells = entry.cells();
    if (entry.kind != Kind::peak)
      for (std::size_t i = 0; i < cells; ++i) end[i] -= begin[i];
    begin += cells;
    end += cells;
  }
}

}  // namespace

void StatRegistry::Impl::freeze() {
  if (frozen) return;
  frozen = true;
  std::size_t base = 0;
  std::size_t instance_base = 0;
  for (auto& [key, group] : groups) {  // sorted by path, then index
    group.impl_->frozen = true;
    if (account.paths.empty() || account.paths.back().name != key.first) {
      Path path;
      path.name = key.first;
      path.base = base;
      path.instance_base = instance_base;
      for (const Entry& entry : group.impl_->entries) {
        path.offsets.push_back(path.cells);
        path.cells += entry.cells();
      }
      base += path.cells;
      account.paths.push_back(std::move(path));
    }
    Path& path = account.paths.back();
    path.instances.push_back(group.impl_.get());
    check_same_names(*path.instances.front(), *group.impl_);
    instance_base += path.cells;
  }
  account.total.assign(base, 0);
  account.instance_total.assign(instance_base, 0);
  begin.assign(instance_base, 0);
  end.assign(instance_base, 0);
  const auto used = [](const Path& path) { return path.used(); };
  const auto first = std::stable_partition(account.paths.begin(), account.paths.end(), used);
  std::move(first, account.paths.end(), std::back_inserter(unused));
  account.paths.erase(first, account.paths.end());
}

// Their cells are in the rows of earlier launches, too.
void StatRegistry::Impl::show_used() {
  for (auto path = unused.begin(); path != unused.end();) {
    if (!path->used()) {
      ++path;
      continue;
    }
    const auto place = std::upper_bound(account.paths.begin(), account.paths.end(), *path, by_name);
    account.paths.insert(place, std::move(*path));
    path = unused.erase(path);
  }
}

void StatRegistry::Impl::update() {
  for (auto& [key, group] : groups)
    for (const auto& bring_up_to_date : group.impl_->updates) bring_up_to_date();
}

void StatRegistry::Impl::snapshot(Row& row) const {
  for_each_path([&row](const Path& path) {
    std::uint64_t* out = row.data() + path.instance_base;
    for (const Entries* instance : path.instances)
      for (const Entry& entry : instance->entries) {
        entry.read(out);
        out += entry.cells();
      }
  });
}

void StatRegistry::Impl::record() {
  account.kernels.push_back({kernel, Row(account.total.size(), 0), launch, {}, {}});
  Row& row = account.kernels.back().row;
  for_each_path([&](const Path& path) {
    for (std::size_t i = 0; i < path.instances.size(); ++i) {
      const std::size_t at = path.instance_base + i * path.cells;
      subtract(path.entries(), &begin[at], &end[at]);
      combine(path.entries(), &end[at], &row[path.base]);
      combine(path.entries(), &end[at], &account.instance_total[at]);
    }
    combine(path.entries(), &row[path.base], &account.total[path.base]);
  });
  show_used();
  if (keeps_instances) account.kernels.back().instances = end;
}

std::string StatRegistry::Impl::broken_laws() const {
  std::string broken;
  for_each_path([&](const Path& path) {
    for (const Entries* instance : path.instances)
      for (const stats_detail::Law& law : instance->laws) {
        const std::string sides = law.check();
        if (sides.empty()) continue;
        if (!broken.empty()) broken += "\n";
        broken += path.name;
        if (path.instances.size() > 1) broken += "[" + std::to_string(instance->index) + "]";
        broken += ": conservation law '" + law.name + "' broken in kernel " + kernel + ": " + sides;
      }
  });
  return broken;
}

StatRegistry::StatRegistry() : impl_(std::make_unique<Impl>()) {}
StatRegistry::~StatRegistry() = default;

StatGroup& StatRegistry::group(std::string_view path, unsigned index) {
  const auto [it, is_new] = impl_->groups.try_emplace({std::string(path), index});
  StatGroup& group = it->second;
  if (is_new) {
    if (impl_->frozen)
      registration_error(std::string(path) + " is registered after the first kernel began");
    group.impl_ = std::make_shared<StatGroup::Impl>();
    group.impl_->path = path;
    group.impl_->index = index;
    group.impl_->words = &impl_->words;
    const auto note_if_alike = [&](auto other) {
      if (other->first.first == path) group.impl_->alike = other->second.impl_.get();
    };
    if (it != impl_->groups.begin()) note_if_alike(std::prev(it));
    if (std::next(it) != impl_->groups.end()) note_if_alike(std::next(it));
  }
  return group;
}

void StatRegistry::begin_kernel(const std::string& name, std::uint64_t launch) {
  if (impl_->in_kernel) registration_error("kernel " + name + " begins within another");
  impl_->freeze();
  impl_->in_kernel = true;
  impl_->kernel = name;
  impl_->launch = launch != 0 ? launch : impl_->account.kernels.size() + 1;
  impl_->update();
  impl_->for_each_path([](const Path& path) {
    for (const Entries* instance : path.instances)
      for (const Entry& entry : instance->entries)
        if (entry.peak != nullptr) *entry.peak = 0;
  });
  impl_->snapshot(impl_->begin);
}

void StatRegistry::leave_out_time() {
  if (!impl_->in_kernel) registration_error("time is left out that belongs to no kernel");
  for (auto& [path, group] : impl_->groups)
    for (const auto& leave_out : group.impl_->leave_outs) leave_out();
}

void StatRegistry::end_kernel(std::vector<KernelRun> together) {
  if (!impl_->in_kernel) registration_error("a kernel ends that did not begin");
  impl_->in_kernel = false;
  impl_->update();
  impl_->snapshot(impl_->end);
  impl_->record();
  impl_->account.kernels.back().together = std::move(together);
  const std::string broken = impl_->broken_laws();
  if (!broken.empty()) throw SimulationError(broken);
}

void StatRegistry::keep_instances() { impl_->keeps_instances = true; }

const Account& StatRegistry::account() const {
  impl_->freeze();
  return impl_->account;
}

std::vector<Path> StatRegistry::all_paths() const {
  impl_->freeze();
  std::vector<Path> paths;
  impl_->for_each_path([&paths](const Path& path) { paths.push_back(path); });
  std::sort(paths.begin(), paths.end(), by_name);
  return paths;
}

std::string StatRegistry::csv() const {
  impl_->freeze();
  return stats_detail::to_csv(impl_->account);
}

std::string StatRegistry::table() const {
  impl_->freeze();
  return stats_detail::to_table(impl_->account);
}

}  // namespace warpmem
