// SPDX-License-Identifier: Apache-2.0
// That the conformance cases cover what the interpreter accepts: each opcode's grammar is written
// down loosely (every modifier and type at every place), the interpreter says which spellings it
// takes, and each of those must be the spelling of a case. Nothing may be accepted and not tested.
#include <algorithm>
#include <map>
#include <set>

#include "program/ptx/lower.hpp"
#include "unit/program/ptx_conformance_async_write.hpp"
#include "unit/program/ptx_conformance_atomic.hpp"
#include "unit/program/ptx_conformance_bfloat.hpp"
#include "unit/program/ptx_conformance_bits.hpp"
#include "unit/program/ptx_conformance_bulk.hpp"
#include "unit/program/ptx_conformance_compare.hpp"
#include "unit/program/ptx_conformance_convert.hpp"
#include "unit/program/ptx_conformance_element_atomic.hpp"
#include "unit/program/ptx_conformance_flow.hpp"
#include "unit/program/ptx_conformance_fragments.hpp"
#include "unit/program/ptx_conformance_integer.hpp"
#include "unit/program/ptx_conformance_load_matrix.hpp"
#include "unit/program/ptx_conformance_matrix.hpp"
#include "unit/program/ptx_conformance_mbarrier.hpp"
#include "unit/program/ptx_conformance_memory.hpp"
#include "unit/program/ptx_conformance_scalar_video.hpp"
#include "unit/program/ptx_conformance_texture.hpp"

namespace warpmem::program::ptx {
namespace {

using Words = std::vector<std::string>;

const Words kTypes = {"u8",  "s8",  "b8",  "u16", "s16", "b16", "f16",  "f16x2", "u32",   "s32",
                      "b32", "f32", "u64", "s64", "b64", "f64", "pred", "bf16",  "bf16x2"};
const Words kRounding = {"", "rn", "rz", "rm", "rp"};
const Words kFtz = {"", "ftz"};
const Words kSat = {"", "sat"};
const Words kSpaces = {"", "global", "shared", "local", "const", "param"};
const Words kRelations = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                          "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
const Words kBool = {"", "and", "or", "xor"};

/// A grammar has slots of modifiers, and operands: 1 and 2 are registers of the first and second
/// type, r, l and p of 32 bits, 64 bits and a predicate; A is an address; H is 16, K is 128; the
/// rest stands for itself.
struct Grammar {
  std::string opcode;
  std::vector<Words> slots;
  Words operands;
};

std::vector<Grammar> grammars() {
  const Words& t = kTypes;
  std::vector<Grammar> g = {
      {"add", {kRounding, kFtz, {"", "sat", "cc"}, t}, {"1,1,1"}},
      {"sub", {kRounding, kFtz, {"", "sat", "cc"}, t}, {"1,1,1"}},
      {"mul", {{"", "lo", "hi", "wide"}, kRounding, kFtz, kSat, t}, {"1,1,1", "l,1,1"}},
      {"mad",
       {{"", "lo", "hi", "wide"}, kRounding, kFtz, {"", "sat", "cc"}, t},
       {"1,1,1,1", "l,1,1,l"}},
      {"madc", {{"", "lo", "hi", "wide"}, {"", "cc"}, t}, {"1,1,1,1"}},
      {"addc", {{"", "cc"}, t}, {"1,1,1"}},
      {"subc", {{"", "cc"}, t}, {"1,1,1"}},
      {"mul24", {{"", "lo", "hi"}, kSat, t}, {"1,1,1"}},
      {"mad24", {{"", "lo", "hi"}, kSat, t}, {"1,1,1,1"}},
      {"fma", {kRounding, kFtz, {"", "sat", "relu"}, t}, {"1,1,1,1"}},
      {"div", {{"", "approx", "full"}, kRounding, kFtz, kSat, t}, {"1,1,1"}},
      {"sad", {t}, {"1,1,1,1"}},
      {"dp4a", {t, t}, {"r,1,2,r"}},
      {"dp2a", {{"", "lo", "hi"}, t, t}, {"r,1,2,r"}},
      {"shl", {t}, {"1,1,r"}},
      {"shr", {t}, {"1,1,r"}},
      {"bfind", {{"", "shiftamt"}, t}, {"r,1"}},
      {"bfe", {t}, {"1,1,r,r"}},
      {"bfi", {t}, {"1,1,1,r,r"}},
      {"fns", {t}, {"1,1,1,1"}},
      {"bmsk", {{"", "clamp", "wrap"}, t}, {"1,1,1"}},
      {"szext", {{"", "clamp", "wrap"}, t}, {"1,1,1"}},
      {"prmt", {t, {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}}, {"1,1,1,1"}},
      {"shf", {{"l", "r"}, {"", "clamp", "wrap"}, t}, {"1,1,1,r"}},
      {"lop3", {t}, {"1,1,1,1,0"}},
      {"copysign", {t}, {"1,1,1"}},
      {"testp",
       {{"finite", "infinite", "number", "notanumber", "normal", "subnormal"}, t},
       {"p,1"}},
      {"setp", {kRelations, kBool, kFtz, t}, {"p,1,1", "p,1,1,p"}},
      {"set", {kRelations, kBool, kFtz, t, t}, {"1,2,2", "1,2,2,p"}},
      {"selp", {t}, {"1,1,1,p"}},
      {"slct", {kFtz, t, t}, {"1,1,1,2"}},
      {"cvt",
       {{"", "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"}, kFtz, {"", "sat", "relu"}, t, t},
       {"1,2"}},
      {"cvt",
       {{"", "rn", "rz", "rm"},
        kFtz,
        {"", "sat", "relu"},
        {"f16x2", "bf16x2"},
        {"f32", "f64", "f16"}},
       {"r,r,r"}},
      {"cvt", {{"rna", "rn"}, kFtz, kSat, {"tf32"}, {"f32", "f64", "f16"}}, {"r,r"}},
      {"mov", {t}, {"1,1"}},
      {"cvta", {{"", "to"}, kSpaces, t}, {"1,1"}},
      {"isspacep", {kSpaces}, {"p,l"}},
      {"prefetch", {kSpaces, {"", "L1", "L2", "L2::evict_last", "L2::evict_normal"}}, {"A"}},
      {"applypriority", {{"", "global"}, {"", "L2::evict_normal"}}, {"A,K"}},
      {"discard", {{"", "global"}, {"", "L2"}}, {"A,K"}},
      {"prefetchu", {kSpaces, {"", "L1", "L2"}}, {"A"}},
      {"cp",
       {{"async"},
        {"", "ca", "cg", "commit_group", "wait_group", "wait_all"},
        {"", "shared", "shared::cta", "local"},
        {"", "global", "const"},
        {"", "L2::cache_hint"},
        {"", "L2::64B", "L2::128B", "L2::256B"}},
       {"", "0", "A,A,H", "A,A,H,l"}},
      {"createpolicy",
       {{"", "fractional", "range", "cvt"},
        {"", "global", "L2"},
        {"", "L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"},
        {"", "L2::evict_first", "L2::evict_unchanged"},
        {"", "b64", "b32"}},
       {"l", "l,l", "l,A,H,H"}},
      {"cp",
       {{"async"},
        {"mbarrier"},
        {"", "arrive"},
        {"", "noinc"},
        {"", "shared", "shared::cta", "shared::cluster"},
        {"", "b64"}},
       {"A"}},
      {"cp",
       {{"async"},
        {"bulk"},
        {"", "tensor", "prefetch", "commit_group", "wait_group"},
        {"", "L2", "read"},
        {"", "shared::cluster", "shared::cta", "global", "const"},
        {"", "global", "shared::cta"},
        {"", "mbarrier::complete_tx::bytes", "bulk_group"},
        {"", "multicast::cluster"},
        {"", "L2::cache_hint"}},
       {"", "0", "A,H", "A,H,l", "A,A,H", "A,A,H,l", "A,A,H,A", "A,A,H,A,l", "A,A,H,A,H",
        "A,A,H,A,H,l"}},
      {"bra", {{"", "uni"}}, {"L"}},
      {"brx", {{"", "idx"}, {"", "uni"}}, {"r,T"}},
      {"call", {{"", "uni"}}, {"F"}},
      {"pmevent", {{"", "mask"}}, {"0"}},
      {"nanosleep", {t}, {"r"}},
      {"activemask", {t}, {"r"}},
      {"elect", {{"", "sync"}}, {"r,r"}},
      {"griddepcontrol", {{"", "wait", "launch_dependents"}}, {""}},
      {"membar", {{"", "cta", "gl", "sys", "gpu"}}, {""}},
      {"fence",
       {{"", "sc", "acq_rel", "mbarrier_init", "proxy"},
        {"", "release", "async"},
        {"", "cta", "cluster", "gl", "gpu", "sys", "global", "shared::cta", "shared::cluster"}},
       {""}},
      {"mbarrier",
       {{"init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "test_wait",
         "try_wait", "pending_count"},
        {"", "expect_tx", "noComplete", "parity"},
        {"", "release", "acquire", "relaxed"},
        {"", "cta", "cluster", "gpu"},
        {"", "shared", "shared::cta", "shared::cluster", "global"},
        {"b64"}},
       {"A", "A,r", "l,A", "l,A,r", "p,A,l", "p,A,r", "p,A,r,r", "r,l"}},
      {"vote", {{"", "sync"}, {"all", "any", "uni", "ballot"}, t}, {"1,p", "1,p,r"}},
      {"redux", {{"", "sync"}, {"add", "min", "max", "and", "or", "xor"}, t}, {"r,r,r"}},
      {"match", {{"", "sync"}, {"any", "all"}, t}, {"r,1,r"}},
      {"shfl", {{"", "sync"}, {"up", "down", "bfly", "idx"}, t}, {"r,1,r,r", "r,1,r,r,r"}}};
  const Words multiplied = {"bf16", "f16", "tf32", "s8", "u8", "f32"}, sums = {"f32", "f16", "s32"};
  const Words sixteen = {"{r,r,r,r},{r,r},{r},{r,r,r,r}", "{r,r,r,r},{r,r,r,r},{r,r},{r,r,r,r}",
                         "{r,r},{r,r},{r},{r,r}", "{r,r},{r,r,r,r},{r,r},{r,r}"};
  const Words eight = {"{r,r},{r},{r},{r,r}"};
  const Words sixteen_or_eight = {sixteen[0], sixteen[1], eight[0]};
  g.push_back({"mma",
               {{"sync"},
                {"aligned"},
                {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16", "m16n8k32", "m16n8k64"},
                {"row", "col"},
                {"row", "col"},
                {"", "satfinite"},
                sums,
                multiplied,
                multiplied,
                sums},
               sixteen});
  g.push_back({"mma",
               {{"sync"},
                {"aligned"},
                {"m8n8k8", "m8n8k16", "m8n8k32", "m8n8k64"},
                {"row", "col"},
                {"row", "col"},
                {"", "satfinite"},
                sums,
                multiplied,
                multiplied,
                sums},
               eight});
  const Words nibbles = {"s4", "u4", "s8"};
  g.push_back({"mma",
               {{"sync"},
                {"aligned"},
                {"m8n8k16", "m8n8k32", "m8n8k64", "m16n8k16", "m16n8k32", "m16n8k64", "m16n8k128"},
                {"row"},
                {"col"},
                {"", "satfinite"},
                {"s32", "f32"},
                nibbles,
                nibbles,
                {"s32"}},
               sixteen_or_eight});
  g.push_back({"mma",
               {{"sync"},
                {"aligned"},
                {"m8n8k64", "m8n8k128", "m8n8k256", "m16n8k64", "m16n8k128", "m16n8k256"},
                {"row", "col"},
                {"col"},
                {"", "satfinite"},
                {"s32", "f32"},
                {"b1"},
                {"b1", "u4"},
                {"s32"},
                {"", "xor", "and", "or"},
                {"", "popc"}},
               sixteen_or_eight});
  g.push_back({"mma",
               {{"sync"},
                {"aligned"},
                {"m8n8k4", "m16n8k4", "m16n8k8"},
                {"row", "col"},
                {"row", "col"},
                {"", "satfinite"},
                {"f64"},
                {"f64"},
                {"f64"},
                {"f64"}},
               {"{l,l},{l},{l},{l,l}", "{l,l,l,l},{l,l},{l},{l,l,l,l}"}});
  g.push_back({"ldmatrix",
               {{"sync"},
                {"aligned"},
                {"", "m8n8", "m8n16"},
                {"", "x1", "x2", "x3", "x4"},
                {"", "trans"},
                {"", "m8n8"},
                {"", "shared", "shared::cta", "shared::cluster", "global"},
                {"b16", "b8", "b32"}},
               {"r,A", "{r},A", "{r,r},A", "{r,r,r,r},A"}});
  // wmma becomes loads, stores and mma, so that no opcode of the table stands for it.
  const Words wmma_shapes = {"m16n16k16", "m32n8k16", "m8n32k16", "m16n16k8", "m8n8k4", "m8n8k32"};
  const Words wmma_types = {"f16", "bf16", "tf32", "s8", "u8", "s4", "b1", "f32", "s32", "f64"};
  const auto registers = [](unsigned count) {
    std::string text = "{r";
    for (unsigned i = 1; i < count; ++i) text += ",r";
    return text + "}";
  };
  Words loads, stores, products;
  for (const unsigned a : {1u, 2u, 4u, 8u}) {
    loads.push_back(registers(a) + ",A");
    stores.push_back("A," + registers(a));
    for (const unsigned b : {1u, 2u, 4u, 8u})
      for (const unsigned d : {4u, 8u})
        products.push_back(registers(d) + "," + registers(a) + "," + registers(b) + "," +
                           registers(d));
  }
  for (const char* const operation : {"load.a", "load.b", "load.c", "load.d", "store.c", "store.d"})
    g.push_back({"wmma",
                 {{operation},
                  {"sync"},
                  {"aligned"},
                  {"row", "col"},
                  wmma_shapes,
                  {"", "global", "shared", "shared::cta", "local"},
                  wmma_types},
                 operation[0] == 'l' ? loads : stores});
  const Words multiplicands = {"", "f16.f16", "bf16.bf16", "tf32.tf32", "s8.s8", "u8.u8", "s8.u8"};
  const Words wmma_sums = {"f32", "f16", "s32", "f64"};
  g.push_back({"wmma",
               {{"mma"},
                {"sync"},
                {"aligned"},
                {"row", "col"},
                {"row", "col"},
                wmma_shapes,
                wmma_sums,
                multiplicands,
                wmma_sums,
                {"", "satfinite"}},
               products});
  // Texture instructions become calls, so that no opcode of the table stands for them.
  const Words geometries = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube", "2dms", "a2dms"};
  const Words texel_types = {"", "f16", "f16x2", "f32", "s32", "u32", "b32", "u64"};
  g.push_back(
      {"tex",
       {{"", "base", "level", "grad"}, geometries, {"", "v2", "v4"}, texel_types, texel_types},
       {"{r,r,r,r},[l,{r,r,r,r}]", "{r,r},[l,{r,r,r,r}]", "{r,r,r,r},[l,{r,r,r,r}],r",
        "{r,r,r,r},[l,{r,r,r,r}],{r,r,r,r},{r,r,r,r}", "{r,r,r,r},[l,{r,r,r,r}],r,r"}});
  g.push_back({"tld4",
               {{"r", "g", "b", "a"}, geometries, {"", "v2", "v4"}, texel_types, texel_types},
               {"{r,r,r,r},[l,{r,r,r,r}]"}});
  for (const std::string op : {"suld", "sust"}) {
    const auto operands = [&op](const std::string& value) {
      const std::string place = "[l,{r,r,r,r}]";
      return op == "suld" ? value + "," + place : place + "," + value;
    };
    const Words values = {operands("1"), operands("{1,1}"), operands("{1,1,1,1}")};
    const Words modes = {"trap", "clamp", "zero"};
    g.push_back({op, {{"b", "p"}, geometries, {"", "v2", "v4"}, t, modes}, values});
    g.push_back({op,
                 {{"b"}, {"2d"}, {"ca", "cg", "cs", "lu", "cv", "wb", "wt"}, {"b32"}, {"zero"}},
                 values});
  }
  g.push_back(
      {"txq",
       {{"", "level"},
        {"width", "height", "depth", "channel_data_type", "channel_order", "normalized_coords",
         "array_size", "num_mipmap_levels", "num_samples", "filter_mode", "addr_mode_0"},
        t},
       {"1,[l]", "1,[l],r"}});
  for (const char* op : {"rem", "and", "or", "xor"}) g.push_back({op, {t}, {"1,1,1"}});
  for (const char* op : {"not", "cnot", "brev"}) g.push_back({op, {t}, {"1,1"}});
  for (const char* const op : {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vavrg"})
    for (const char* const parts : {"2", "4"})
      g.push_back({std::string(op) + parts,
                   {{"u32", "s32"}, {"u32", "s32"}, {"u32", "s32"}, {"", "sat", "add"}},
                   {"r,r,r,r"}});
  const Words words = {"u32", "s32"}, second = {"", "add", "min", "max"};
  for (const char* const op : {"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr"})
    g.push_back({op,
                 {words, words, words, {"", "sat"}, {"", "clamp", "wrap"}, second},
                 {"r,r,r", "r,r,r,r"}});
  g.push_back({"vset",
               {words, words, {"", "sat"}, {"eq", "ne", "lt", "le", "gt", "ge"}, second},
               {"r,r,r", "r,r,r,r"}});
  for (const char* const op : {"vset2", "vset4"})
    g.push_back(
        {op,
         {{"u32", "s32"}, {"u32", "s32"}, {"eq", "ne", "lt", "le", "gt", "ge"}, {"", "sat", "add"}},
         {"r,r,r,r"}});
  for (const char* op : {"popc", "clz"}) g.push_back({op, {t}, {"r,1"}});
  for (const char* op : {"min", "max"}) {
    g.push_back({op, {kRounding, kFtz, kSat, t}, {"1,1,1"}});
    g.push_back({op, {kFtz, {"", "NaN"}, t}, {"1,1,1"}});
  }
  for (const char* op : {"abs", "neg"}) g.push_back({op, {kFtz, kSat, t}, {"1,1"}});
  for (const char* op : {"rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh"})
    g.push_back({op, {{"", "approx", "full"}, kRounding, kFtz, t}, {"1,1"}});
  for (const char* op : {"ret", "exit", "trap", "brkpt"}) g.push_back({op, {{"", "uni"}}, {""}});
  for (const char* op : {"bar", "barrier"})
    g.push_back({op,
                 {{"", "cta", "warp"},
                  {"", "sync", "arrive", "red"},
                  {"", "popc", "and", "or"},
                  {"", "aligned"},
                  {"", "u32", "b32", "pred"}},
                 {"0", "0,64", "r,0,p", "p,0,p"}});
  g.push_back(
      {"barrier",
       {{"cluster"}, {"arrive", "wait"}, {"", "release", "relaxed", "acquire"}, {"", "aligned"}},
       {""}});
  g.push_back({"mapa", {{"", "shared::cluster", "shared::cta"}, t}, {"1,1,r"}});
  g.push_back({"getctarank", {{"", "shared::cluster", "shared::cta"}, t}, {"r,1"}});
  const Words scopes = {"", "cta", "gpu", "sys"};
  for (const std::string op : {"ld", "ldu", "st"}) {
    // A kernel cannot write through an address of .param; S is an argument of a call.
    const Words one = {op == "st" ? "A,1" : "1,A", "[S],1"};
    const Words vectors = {op == "st" ? "A,1" : "1,A",
                           op == "st" ? "A,{1,1}" : "{1,1},A",
                           op == "st" ? "A,{1,1,1,1}" : "{1,1,1,1},A",
                           "[S],1",
                           "[S],{1,1}",
                           "[S],{1,1,1,1}"};
    g.push_back({op, {kSpaces, {"", "nc"}, {"", "v2", "v4"}, t}, vectors});
    if (op == "ldu") continue;
    g.push_back({op,
                 {{"", "volatile", "weak", "relaxed", "acquire", "release", "acq_rel"},
                  scopes,
                  kSpaces,
                  {"u32"}},
                 one});
    g.push_back({op,
                 {{"", "global", "shared", "const"},
                  {"", "nc"},
                  {"", "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
                   "L1::evict_last", "L1::no_allocate"},
                  {"", "L2::cache_hint"},
                  {"", "L2::64B", "L2::128B", "L2::256B"},
                  {"u32"}},
                 {one[0], one[0] + ",l"}});
    g.push_back(
        {op, {kSpaces, {"", "ca", "cg", "cs", "lu", "cv", "wb", "wt"}, {"", "nc"}, {"u32"}}, one});
  }
  const Words operations = {"add", "min", "max", "inc", "dec", "exch", "cas", "and", "or", "xor"};
  const Words told = {"", "mbarrier::complete_tx::bytes"}, cluster = {"", "shared::cluster"};
  g.push_back({"cp",
               {{"reduce"},
                {"async"},
                {"bulk"},
                {"shared::cluster", "global"},
                {"", "shared::cta"},
                {"mbarrier::complete_tx::bytes", "bulk_group"},
                {"", "L2::cache_hint"},
                operations,
                {"", "noftz"},
                t},
               {"A,A,H", "A,A,H,l", "A,A,H,A"}});
  g.push_back({"st",
               {{"async"}, {"", "weak", "relaxed"}, cluster, told, {"", "v2", "v4"}, t},
               {"A,1,A", "A,{1,1},A", "A,{1,1,1,1},A"}});
  g.push_back({"red",
               {{"async"}, {"", "relaxed"}, {"", "cluster", "gpu"}, cluster, told, operations, t},
               {"A,1,A"}});
  for (const std::string op : {"atom", "red"}) {
    const Words operands = {op == "atom" ? "1,A,1" : "A,1", op == "atom" ? "1,A,1,1" : "A,1,1"};
    g.push_back({op, {kSpaces, operations, {"", "noftz"}, t}, operands});
    const Words pairs = {op == "atom" ? "{1,1},A,{1,1}" : "A,{1,1}",
                         op == "atom" ? "{1,1,1,1},A,{1,1,1,1}" : "A,{1,1,1,1}"};
    g.push_back({op, {kSpaces, {"add", "min", "max"}, {"", "noftz"}, {"v2", "v4"}, t}, pairs});
    g.push_back({op,
                 {{"", "weak", "volatile", "relaxed", "acquire", "release", "acq_rel"},
                  scopes,
                  kSpaces,
                  {"add"},
                  {"u32"}},
                 operands});
  }
  return g;
}

bool is_type(const std::string& word) {
  return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end();
}
Words split(const std::string& text, char at) {
  Words parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back().push_back(c);
  }
  return parts;
}
/// The order of modifiers that are not types does not matter.
std::string key(const std::string& spelling) {
  Words words = split(spelling, '.'), types;
  const std::string opcode = words[0];
  words.erase(words.begin());
  const auto middle =
      std::stable_partition(words.begin(), words.end(), [](const auto& w) { return !is_type(w); });
  std::sort(words.begin(), middle);
  std::string k = opcode;
  for (const auto& w : words) k += "." + w;
  return k;
}

std::string register_of(const std::string& type) {
  if (type == "pred") return "%p1";
  return type.size() > 2 && type.substr(1) == "64" ? "%l1" : "%r1";
}
std::string spell_operands(const std::string& pattern, const Words& types) {
  std::string text;
  for (const char c : pattern) {
    switch (c) {
      case '1':
      case '2': {
        const std::size_t i = c == '1' ? 0 : 1;
        text += i < types.size() ? register_of(types[i]) : "%r1";
        break;
      }
      case 'r':
        text += "%r1";
        break;
      case 'l':
        text += "%l1";
        break;
      case 'p':
        text += "%p1";
        break;
      case 'A':
        text += "[%l1]";
        break;
      case 'H':
        text += "16";
        break;
      case 'K':
        text += "128";
        break;
      default:
        text += c;
    }
  }
  return text;
}

bool accepts(const std::string& spelling, const Words& operands, DeviceMemory& memory) {
  Words types;
  for (const auto& w : split(spelling, '.'))
    if (is_type(w)) types.push_back(w);
  for (const auto& pattern : operands) {
    try {
      Module module(header() +
                        ".func F() { ret; }\n.entry k() { .reg .pred %p1; .reg .b32 %r1; .reg .b64 "
                        "%l1; .param .b64 S; T: .branchtargets L, L;\n" +
                        spelling + " " + spell_operands(pattern, types) + "; L: ret; }",
                    "c.ptx");
      module.bind(memory);
      module.facts("k");
      return true;
    } catch (const UserError&) {
    }
  }
  return false;
}

void spell(const Grammar& g, std::size_t slot, const std::string& text, std::set<std::string>& into,
           DeviceMemory& memory) {
  if (slot == g.slots.size()) {
    if (accepts(text, g.operands, memory)) into.insert(key(text));
    return;
  }
  for (const auto& word : g.slots[slot])
    spell(g, slot + 1, word.empty() ? text : text + "." + word, into, memory);
}

std::set<std::string> tested() {
  std::set<std::string> keys;
  for (const Cases& cases :
       {integer_cases(), bits_cases(), float_cases(), half_cases(), compare_cases(),
        convert_cases(), memory_cases(), mbarrier_cases(), bulk_cases(), async_write_cases(),
        atomic_cases(), bfloat_cases(), element_atomic_cases(), scalar_video_cases(), flow_cases(),
        matrix_cases(), load_matrix_cases(), fragment_cases()})
    for (const Case& c : cases) keys.insert(key(c.spelling));
  for (const std::string& spelling : texture_spellings()) keys.insert(key(spelling));
  for (const std::string& spelling : cube_spellings()) keys.insert(key(spelling));
  for (const std::string& spelling : level_spellings()) keys.insert(key(spelling));
  for (const std::string& spelling : gather_spellings()) keys.insert(key(spelling));
  for (const SurfaceForm& form : surface_forms()) keys.insert(key(form.spelling()));
  return keys;
}

TEST(PtxCoverage, EveryAcceptedSpellingHasACase) {
  DeviceMemory memory(1 << 16);
  const auto have = tested();
  std::map<std::string, std::set<std::string>> accepted;
  for (const Grammar& g : grammars()) spell(g, 0, g.opcode, accepted[g.opcode], memory);
  std::size_t all = 0, missing = 0;
  for (const auto& [opcode, spellings] : accepted) {
    EXPECT_FALSE(spellings.empty()) << opcode << " is not accepted in any form";
    for (const auto& s : spellings) {
      ++all;
      if (have.count(s) != 0) continue;
      if (++missing <= 100) ADD_FAILURE() << "accepted but not tested: " << s;
    }
  }
  EXPECT_EQ(missing, 0u) << "of " << all;
  // The other way round: a case outside the grammars means that they leave something out.
  for (const auto& s : have)
    EXPECT_EQ(accepted[s.substr(0, s.find('.'))].count(s), 1u) << s << " is in no grammar";
  RecordProperty("spellings", static_cast<int>(all));
  EXPECT_GT(all, 4000u);
}

TEST(PtxCoverage, EveryOpcodeHasAGrammar) {
  std::set<std::string> opcodes;
  for (const Grammar& g : grammars()) opcodes.insert(g.opcode);
  for (const auto& [name, lower] : lower_table()) {
    (void)lower;
    EXPECT_EQ(opcodes.count(std::string(name)), 1u) << name << " has no grammar here";
  }
}

}  // namespace
}  // namespace warpmem::program::ptx
