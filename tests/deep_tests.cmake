# SPDX-License-Identifier: Apache-2.0
# The ordinary suite has some of these; the label `deep` is for the rest of them, which differ from
# those in unit, size, seed, fault or program alone. `./test.sh --all` and .ci/run take them.
set(deep_tests
  # a property or a lockstep run that cannot fail: ordinary are the copies and faults of
  # htsma_steer, laws_score, tsma_index_gen, and the faults of the DAU; by their first letters
  # those of htsma are told from those of htsma_steer
  "^formal\\.Rtl/BrokenCopies.*/(bucl|cart|dau|dl_mshr|h?tsma_[A-Z]|mrpb|mshr|throttle)"
  "^mutation\\.All/HandMadeFaults.*/(bucl|cart|dl_mshr|mrpb|mshr|throttle|tsma_[a-hj-z])"
  "^mutation\\.All/HandMadeFaults.*/htsma_[fors][eihmv]"
  "^cosim\\.Broken(Cart|L1dUnit|Laws|Mshr)"
  # further sizes
  "^cosim\\.All/LockstepSizes.*_([2-9]|1[0-9])$"
  "^cosim\\.(Corners|Sizes)/DauLockstep"
  "^cosim\\.All/MshrFile\\.Answers.*[1-9]$"
  "^cosim\\.(IndexGen|Steer|LawsScore|Throttle)Views\\.AgreeWith"
  "^cosim\\.MshrFileDirected\\.VectorsAlone"
  "^cosim\\.(Throttle|LawsScore|IndexGen)Lockstep\\.Corners"
  "^cosim\\.CartBranchLockstep\\.(Many|One)"
  "^cosim\\.MrpbDrainLockstep\\.(Greedy|Longest|Round|One)"
  "^cosim\\.BuclCtrlLockstep\\.(Profile|Dynamic)"
  "^formal\\.ProofsTest\\.(AFullPool|CartBranch|DlMshrPipeOf|Htsma|MshrSetAssoc|ThrottleUnit)"
  "^synth_flow\\.[MT][a-z]+/SynthUnits"
  # further numbers of slots and of reserved sets
  "^any_size\\.AllSizes"
  # the million requests of which others have twenty thousand
  "^dram\\.DramReference\\.AMillion"
  # each unit in turn; ordinary are all units at once, and other tests of a testbench
  "^views\\.(ViewsTest|AllUnitsMore|EveryRecordedUnit)"
  "^testbench\\.UnitsTest"
  "^rtl_units\\.dl_mshr_pipe"
  # the other allocation of lines; two thirds of the workloads; the same with policies of UVM
  "^miss_handler\\..*\\.other$"
  "^miss_handler\\.([23]|[b-ln-rt-z])"
  "^uvm\\.PolicyTest\\.test_[ahrtv]"
  "^trace\\.ExportMore"
  # what random configurations once found
  "^fuzz\\.configurations_found"
  # the start of a browser takes seconds
  "^report\\.browser"
  # two rows of a generated page measured again
  "^workloads\\.timed\\.table")

# warpmem_is_deep(RESULT TEST): patterns one by one, as CMake bounds the groups of an expression.
function(warpmem_is_deep result test)
  foreach(pattern IN LISTS deep_tests)
    if(test MATCHES "${pattern}")
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} FALSE PARENT_SCOPE)
endfunction()
