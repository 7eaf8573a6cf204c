// SPDX-License-Identifier: Apache-2.0
// ABC, the engine of the proofs (`yosys-abc`).
#pragma once

#include <filesystem>
#include <string>

namespace warpmem::synth {

/// Runs commands ("read_aiger a.aig; fold; pdr -T 20") in the folder `work` and returns what was
/// printed, all of it also in `name`.log there. ABC looks at its own limits between steps only; two
/// seconds after `limit_s` it is ended, which is no error. Throws UserError when it is missing,
/// crashes, or a command fails.
std::string run_abc(const std::filesystem::path& work, const std::string& name,
                    const std::string& commands, unsigned limit_s);

}  // namespace warpmem::synth
