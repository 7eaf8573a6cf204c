# SPDX-License-Identifier: Apache-2.0
# The ordinary suite has one or a few of these; the label `deep` is for the rest of them, which
# differ from those in size, seed, fault or program alone. `./test.sh --all` and .ci/run take them.
set(deep_tests
  # a property or a lockstep run that cannot fail: each broken copy; each hand-made fault
  "^formal\\.Rtl/BrokenCopies"
  "^mutation\\.All/HandMadeFaults"
  "^cosim\\.Broken"
  # further sizes
  "^cosim\\.All/LockstepSizes.*_([4-9]|1[0-9])$"
  "^cosim\\.(Corners|Sizes)/DauLockstep"
  "^cosim\\.(Throttle|LawsScore|IndexGen)Lockstep\\.Corners"
  "^cosim\\.CartBranchLockstep\\.(Many|One)"
  "^cosim\\.MrpbDrainLockstep\\.(Greedy|Longest|Round|One)"
  "^cosim\\.BuclCtrlLockstep\\.(Profile|Dynamic)"
  "^formal\\.ProofsTest\\.AFullPool"
  "^synth_flow\\.Mshr/"
  # the million requests of which others have twenty thousand
  "^dram\\.DramReference\\.AMillion"
  # each unit in turn; all units at once are ordinary
  "^views\\.ViewsTest"
  "^testbench\\.UnitsTest"
  # two rows of a generated page measured again
  "^workloads\\.timed\\.table")
list(JOIN deep_tests "|" deep_tests)
