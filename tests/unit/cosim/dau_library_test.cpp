// SPDX-License-Identifier: Apache-2.0
// Units built on demand: the cache, processes that build at once, tools that are missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string>
#include <systemc>

#include "base/errors.hpp"
#include "cosim/unit_adapters.hpp"
#include "cosim/unit_factories.hpp"
#include "support/scratch_folder.hpp"
#include "units/dau/dau_bench_stimulus.hpp"

namespace warpmem::cosim {
namespace {

namespace fs = std::filesystem;
using mha::DauIn;
using mha::DauSize;
using testing::HasSubstr;

constexpr DauSize kSize{4, 2, 2};

/// Returns the places of libraries that are not optimised: none of these tests runs for long.
UnitPlaces places_of_short_runs() {
  UnitPlaces places = default_places();
  places.short_run = true;
  return places;
}

/// The test has a cache of its own. Verilator's runtime is in it, which takes longest and is no
/// unit's: it comes from the cache of all tests.
class DauLibraryCache : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path common =
        build_unit(View::rtl, shape_of<units::DauDescription>(kSize), places_of_short_runs())
            .parent_path();
    setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
    fs::create_directory(cache_ / "warpmem");
    for (const auto& entry : fs::directory_iterator(common))
      if (entry.path().extension() == ".o" || entry.path().extension() == ".gch")
        fs::copy_file(entry.path(), cache_ / "warpmem" / entry.path().filename());
  }

  std::set<std::string> libraries() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(cache_ / "warpmem")) {
      EXPECT_TRUE(entry.is_regular_file()) << entry.path() << " was left behind";
      if (entry.path().extension() == ".so") names.insert(entry.path().filename());
    }
    return names;
  }

  const test::ScratchFolder scratch_;
  const fs::path cache_ = scratch_.path();
};

std::unique_ptr<mha::Dau> make_library_dau(View view, const DauSize& size,
                                           const UnitPlaces& places) {
  return std::make_unique<LoadedDau>(view, size, places);
}

/// All answers of a unit to the directed vectors.
std::string answers(mha::Dau& dau) {
  std::string text;
  for (const DauIn& in : dau_directed_vectors(dau.size())) {
    const mha::DauOut out = dau.eval(in);
    dau.commit(in);
    for (const std::uint32_t n : {std::uint32_t{out.req_ready}, std::uint32_t{out.rf}, out.req_set,
                                  out.req_slot, std::uint32_t{out.req_link}, out.n_free})
      text += std::to_string(n) + " ";
  }
  return text;
}

TEST_F(DauLibraryCache, TheSecondTimeComesFromTheCache) {
  const std::string built = answers(*make_library_dau(View::rtl, kSize, places_of_short_runs()));
  const std::set<std::string> first = libraries();
  ASSERT_EQ(first.size(), 1u);
  const fs::path library = cache_ / "warpmem" / *first.begin();
  const fs::path same = cache_ / "same";
  fs::create_hard_link(library, same);
  EXPECT_EQ(answers(*make_library_dau(View::rtl, kSize, places_of_short_runs())), built);
  EXPECT_EQ(libraries(), first);
  EXPECT_TRUE(fs::equivalent(library, same));  // no other file has taken its place
}

TEST_F(DauLibraryCache, WithoutTheCacheItIsBuiltAnew) {
  for (const View view : {View::rtl, View::systemc}) {
    const std::string name = view == View::rtl ? "dau-rtl-" : "dau-systemc-";
    const std::string built = answers(*make_library_dau(view, kSize, places_of_short_runs()));
    const std::set<std::string> names = libraries();
    const auto file = std::find_if(names.begin(), names.end(), [&](const std::string& library) {
      return library.rfind(name, 0) == 0;
    });
    ASSERT_NE(file, names.end());
    fs::last_write_time(cache_ / "warpmem" / *file, fs::file_time_type());
    UnitPlaces places = places_of_short_runs();
    places.use_cache = false;
    EXPECT_EQ(answers(*make_library_dau(view, kSize, places)), built);
    EXPECT_NE(fs::last_write_time(cache_ / "warpmem" / *file), fs::file_time_type());
    EXPECT_EQ(libraries(), names);
  }
}

TEST_F(DauLibraryCache, ViewsAndSizesHaveLibrariesOfTheirOwn) {
  make_library_dau(View::rtl, kSize, places_of_short_runs());
  make_library_dau(View::systemc, kSize, places_of_short_runs());
  make_library_dau(View::systemc, {4, 2, 1}, places_of_short_runs());
  make_library_dau(View::core, kSize, places_of_short_runs());
  EXPECT_EQ(libraries().size(), 4u);
}

TEST(DauLibrary, FactoriesGiveEveryView) {
  const auto systemc = unit_factories(default_places()).dau(View::systemc, kSize);
  const auto rtl = unit_factories(default_places()).dau(View::rtl, kSize);
  EXPECT_EQ(answers(*systemc), answers(*rtl));
}

TEST(DauLibrary, ResetBringsBackTheBeginning) {
  for (const View view : {View::core, View::systemc, View::rtl}) {
    const auto dau = make_library_dau(view, kSize, places_of_short_runs());
    const std::string first = answers(*dau);
    DauIn primary;
    primary.req_valid = true;
    dau->commit(primary);
    EXPECT_EQ(dau->eval({}).n_free, kSize.sets - 1);
    dau->reset();
    EXPECT_EQ(dau->eval({}).n_free, kSize.sets);
    EXPECT_EQ(answers(*dau), first);
  }
}

TEST(DauLibrary, TwoUnitsOfOneLibraryAreApart) {
  for (const View view : {View::core, View::systemc, View::rtl}) {
    const auto a = make_library_dau(view, kSize, places_of_short_runs());
    const auto b = make_library_dau(view, kSize, places_of_short_runs());
    DauIn primary;
    primary.req_valid = true;
    a->commit(primary);
    EXPECT_EQ(a->eval({}).n_free, kSize.sets - 1);
    EXPECT_EQ(b->eval({}).n_free, kSize.sets);
  }
}

/// Makes and uses a unit in the middle of a process, while time passes.
struct Caller : sc_core::sc_module {
  SC_HAS_PROCESS(Caller);
  explicit Caller(sc_core::sc_module_name name) : sc_module(name) { SC_THREAD(run); }
  void run() {
    wait(5, sc_core::SC_NS);
    const auto dau = make_library_dau(View::systemc, kSize, places_of_short_runs());
    text = answers(*dau);
    before = sc_core::sc_time_stamp();
    wait(5, sc_core::SC_NS);
    dau->reset();
    again = answers(*dau);
  }
  std::string text, again;
  sc_core::sc_time before;
};

TEST(DauLibrary, TheModuleRunsInsideAProcessOfASimulation) {
  Caller caller("caller");
  sc_core::sc_start();
  EXPECT_EQ(caller.before, sc_core::sc_time(5, sc_core::SC_NS));
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(10, sc_core::SC_NS));
  EXPECT_EQ(caller.again, caller.text);
  EXPECT_EQ(answers(*make_library_dau(View::rtl, kSize, places_of_short_runs())), caller.text);
}

TEST_F(DauLibraryCache, ProcessesThatBuildAtOnce) {
  constexpr int kProcesses = 3;
  pid_t children[kProcesses];
  for (pid_t& child : children) {
    child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int status = 1;
      try {
        status =
            make_library_dau(View::systemc, kSize, places_of_short_runs())->eval({}).n_free == 4
                ? 0
                : 2;
      } catch (...) {
      }
      _exit(status);
    }
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(libraries().size(), 1u);
}

TEST_F(DauLibraryCache, MissingToolsAreNamedWithTheirPackage) {
  const auto message = [](View view) {
    try {
      make_library_dau(view, kSize, places_of_short_runs());
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("built");
  };
  const std::string path = getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  EXPECT_THAT(message(View::rtl), HasSubstr("apt-get install verilator"));
  EXPECT_THAT(message(View::systemc), HasSubstr("apt-get install g++"));
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(libraries().empty());
}

TEST_F(DauLibraryCache, SourcesThatAreNotThere) {
  UnitPlaces places = places_of_short_runs();
  places.rtl = cache_ / "no_rtl";
  EXPECT_THROW(make_library_dau(View::rtl, kSize, places), UserError);
}

// Numbers that the pins of the RTL cannot carry head no chain.
TEST(DauLibrary, NumbersBeyondThePins) {
  for (const View view : {View::core, View::systemc, View::rtl}) {
    const auto dau = make_library_dau(view, kSize, places_of_short_runs());
    DauIn in;
    in.req_valid = true;
    dau->commit(in);  // set 0 heads a chain
    for (const std::uint32_t number : {4u, 8u, 65536u, 0x80000000u}) {
      DauIn beyond;
      beyond.req_valid = true;
      beyond.req_secondary = true;
      beyond.req_head = number;
      beyond.ret_valid = true;
      beyond.ret_head = number;
      EXPECT_TRUE(dau->eval(beyond).rf) << number;
      EXPECT_FALSE(dau->eval(beyond).req_ready) << number;
      dau->commit(beyond);
      EXPECT_EQ(dau->eval({}).n_free, 3u) << number;
      EXPECT_FALSE(dau->eval({}).release_busy) << number;
    }
  }
}

}  // namespace
}  // namespace warpmem::cosim
