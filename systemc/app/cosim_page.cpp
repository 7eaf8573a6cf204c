// SPDX-License-Identifier: Apache-2.0
#include "app/cosim_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace warpmem::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHead =
    "# Class, SystemC and RTL in lockstep\n\n"
    "Written by `warpmem cosim UNIT --cycles N --seed S --page docs/lockstep.md`, which repeats a "
    "run\n"
    "exactly. All outputs and the state that the views show are compared in every cycle; what the\n"
    "situations are, and how often each was met, is in the command's output. Lines and toggles of "
    "the\nRTL are counted in the first million cycles; what is excluded stands with its reason in\n"
    "`rtl/UNIT/coverage_exclusions.txt`. Those of the DAU are counted with 16 sets, none reserved, "
    "where no\nbit is constant. With the SystemC and RTL of a whole MSHR file runs a plain model, "
    "for the class, a "
    "miss\nhandler, has no pins.\n\n"
    "| unit | size | seed | cycles | resets | differences | situations | lines | toggles | "
    "excluded "
    "|\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";

constexpr const char* kCorners =
    "\n## Corners\n\n"
    "`warpmem cosim UNIT` runs these sizes as well when it is told none: the least value of each "
    "parameter,\nthe largest where a run of seconds allows it, odd sizes, sizes around 32 and 64, "
    "and the other sizes of\n`configs/`. What no row has, such as more than 96 entries of an MSHR "
    "file or 128 sets of a DAU, is not\nchecked until it is asked for, as by `-p ENTRIES=256`. A "
    "small size cannot be in every situation within\nits few cycles. Of slots of more than 32 bits "
    "the lowest 32 are compared.\n\n"
    "| unit | size | seed | cycles | resets | differences | situations |\n"
    "|---|---|---:|---:|---:|---:|---:|\n";

constexpr const char* kFiles =
    "\n"
    "## Whole MSHR files in the machine\n"
    "\n"
    "`l1d.mshr.file` and `l2.mshr.file` put the core, the SystemC or the RTL of a handler's whole "
    "file beside\n"
    "the handler of every L1D or L2 bank. The file is shown what happens to the handler, and every "
    "answer of\n"
    "it is compared. The handler's answers count, so the statistics are those of a run without the "
    "file; a\n"
    "difference ends the run with unit, instance, GPU cycle and status 3.\n"
    "\n"
    "- **Clock.** The file gets an edge at the end of each cycle in which its handler drains or "
    "releases, or in\n"
    "  which a request, a return or a departure is shown to it. In other cycles nothing would "
    "change.\n"
    "- **Requests.** Compared are: primary or secondary, accepted or refused, and why. What the "
    "cache or a\n"
    "  search refuses before the handler decides is not shown; one that is refused and followed by "
    "another in\n"
    "  the same cycle is looked at without an edge. `tsma` and `htsma` must name the class's "
    "entry, `dl_mshr` its\n"
    "  set and whether it is linked; of `mshr_conventional` and `mshr_set_assoc` the entry must be "
    "free and of\n"
    "  the block's set, for the classes number theirs otherwise. `htsma` must also be in the "
    "class's branch of\n"
    "  Listing 5.1 and, unless `pipelined`, call the misses critical that take the class two "
    "cycles.\n"
    "- **Lines.** With a request `htsma` gets the line to be replaced and its hit bit from the "
    "cache's tags. Share\n"
    "  bit, IDX and share counter are kept from the file's own answers, so that the class's are "
    "compared, too.\n"
    "- **Returns** wait before the file while an entry drains; the classes queue them inside. In "
    "between the\n"
    "  class takes no merge, and the cache asks for none.\n"
    "- **Sectors.** On a sectored cache the file has as many sectors as an entry tracks "
    "(`mshr.granularity`). It is\n"
    "  shown what a miss lacks and what the cache keeps beside the entry, and must name the "
    "sectors "
    "that the cache\n"
    "  fetches. What arrives of an entry is shown when nothing waits that is to drain, at the "
    "latest with its last\n"
    "  sectors, and these when the class begins to drain.\n"
    "- **Departures.** The file keeps a token of each request. What leaves must be the target that "
    "leaves the\n"
    "  class in that cycle, from the entry or set that stored it, with the same block and "
    "`rsp_last`. After\n"
    "  each edge the next target and the number of free entries must be the class's (of more than "
    "64 entries,\n"
    "  where the pins are not read, only those of `dl_mshr`).\n"
    "- **What a file cannot do in a cycle.** In `mshr_conventional`, `mshr_set_assoc` and the "
    "s-MSHR of `htsma`\n"
    "  an entry whose last request leaves is free, its block forgotten and the s-MSHR empty one "
    "cycle later than\n"
    "  in the class. Where that decides an answer the file gets two edges in the cycle: the "
    "departure, then the\n"
    "  request; so it does for each further miss of a cache with several miss ports. A note of the "
    "run, also in\n"
    "  its manifest, says how many there were. `dl_mshr` must have one edge a cycle, because its "
    "DAU frees a set\n"
    "  at each; beside a handler it has `RELEASES=SETS`, with which drained chains wait for their "
    "release and a\n"
    "  block is forgotten as in the class. `tsma`, and with it the array of `htsma`, does the same "
    "as its class.\n"
    "- **A file of two cycles.** With `file_pipelined` the file beside the DL-MSHR is "
    "`dl_mshr_pipe`, which goes\n"
    "  behind the class: of a cycle it is shown the return at once, the departure and the request "
    "an edge later,\n"
    "  and its answer and free sets are compared another edge later, all as above. It gets edges "
    "until that is\n"
    "  done, two further ones when the class has nothing left. Of several requests of a cycle the "
    "last one is\n"
    "  shown; the note counts the others. Data in the cycle behind a primary miss end the run "
    "with a message.\n"
    "- **Not shown**: a request that takes over a prefetch (it has the prefetch's token), an entry "
    "that is\n"
    "  closed to merges, the cycles of a search without tail pointer, the second cycle of a "
    "critical miss.\n"
    "\n"
    "The pins carry whole block numbers (`ADDR_BITS=64`). With `--rtl` a user's file stands in the "
    "view `rtl`.\n";

/// Returns a text like "19 of 19", over all lists of situations.
std::string situations(const Json& document) {
  std::size_t met = 0, all = 0;
  for (const char* const list : {"states", "transitions", "coverage"}) {
    if (!document.contains(list)) continue;
    for (const auto& [name, count] : document[list].items()) {
      ++all;
      met += count != 0;
    }
  }
  return fmt::format("{} of {}", met, all);
}

/// These are the columns of a run that both tables have.
std::string row_start(const CosimOutcome& outcome) {
  const Json& d = outcome.json;
  return fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |", d["unit"].get<std::string>(),
                     outcome.size, d["seed"].get<std::uint64_t>(), d["cycles"].get<std::uint64_t>(),
                     d["resets"].get<std::uint64_t>(), outcome.equal ? "none" : "**one**",
                     situations(d));
}

std::string row_of(const CosimOutcome& outcome) {
  const std::string row = row_start(outcome);
  if (outcome.corner) return row + "\n";
  if (outcome.code.empty()) return row + " | | |\n";
  const auto lines = outcome.code.lines(), toggles = outcome.code.toggles();
  return row + fmt::format(" {:.1f} % | {:.1f} % | {} |\n", lines.percent(), toggles.percent(),
                           lines.excluded + toggles.excluded);
}

/// These are rows by unit, of the table of usual sizes and of that of the corners.
struct Rows {
  std::map<std::string, std::string> usual, corners;
};

Rows parse(const std::string& page) {
  Rows rows;
  auto* table = &rows.usual;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("## ", 0) == 0) table = &rows.corners;
    if (line.rfind("| `", 0) == 0) (*table)[line.substr(3, line.find('`', 3) - 3)] += line + "\n";
  }
  return rows;
}

}  // namespace

std::string cosim_page(const std::vector<std::string>& units,
                       const std::vector<CosimOutcome>& outcomes, const std::string& earlier) {
  Rows rows = parse(earlier);
  for (const CosimOutcome& outcome : outcomes) {
    const std::string unit = outcome.json["unit"];
    if (!outcome.corner) {
      rows.usual[unit].clear();
      rows.corners[unit].clear();
    }
    (outcome.corner ? rows.corners : rows.usual)[unit] += row_of(outcome);
    // What is counted at a corner are the unit's lines and toggles all the same.
    if (outcome.corner && !outcome.code.empty()) {
      CosimOutcome usual =
          *std::find_if(outcomes.begin(), outcomes.end(),
                        [&](const CosimOutcome& o) { return !o.corner && o.json["unit"] == unit; });
      usual.code = outcome.code;
      rows.usual[unit] = row_of(usual);
    }
  }
  std::string page = kHead;
  for (const std::string& unit : units) page += rows.usual[unit];
  page += kCorners;
  for (const std::string& unit : units) page += rows.corners[unit];
  return page + kFiles;
}

}  // namespace warpmem::app
