# SPDX-License-Identifier: Apache-2.0
# The ordinary suite has some of these; the label `deep` is for the rest of them, which differ from
# those in unit, size, seed, fault or program alone. `./test.sh --all` takes them, .ci/run a third.
set(deep_tests
  # a property or a lockstep run that cannot fail: ordinary are the copies of htsma_steer,
  # laws_score and tsma_index_gen, and broken units of the DAU
  "^formal\\.Rtl/BrokenCopies.*/(bucl|cart|dau|dl_mshr|h?tsma_[A-Z]|mrpb|mshr|throttle)"
  "^formal\\.BrokenCopiesTest"
  "^mutation\\.All/HandMadeFaults.*/([bcdlm]|throttle|tsma_|htsma)"
  "^mutation\\.Mutation\\.(Judgements|SameSeed)"
  "^cosim\\.Broken(Cart|L1dUnit|Laws|Mshr|Tsma|Index)"
  # further sizes
  "^cosim\\.All/LockstepSizes.*_([1-9]|1[0-9])$"
  "^cosim\\.All/LockstepSizes.*dl_mshr_pipe"
  "^cosim\\.(Kinds/MshrFileViews|TailPointer/DlMshrViews).*/[1-9]$"
  "^cosim\\.(Corners|Sizes)/DauLockstep"
  "^cosim\\.All/MshrFile\\.Answers.*[1-9]$"
  "^cosim\\.(IndexGen|Steer|LawsScore|Throttle)Views\\.AgreeWith"
  "^cosim\\.MshrFileDirected\\.VectorsAlone"
  "^cosim\\.(Throttle|LawsScore|IndexGen)Lockstep\\.Corners"
  "^cosim\\.CartBranchLockstep\\.(Many|One)"
  "^cosim\\.MrpbDrainLockstep\\.(Design|Greedy|Longest|Round|One)"
  "^cosim\\.BuclCtrlLockstep\\.(Profile|Dynamic|Period)"
  "^cosim\\..*Lockstep\\.(EntriesOf|FullSize|HoldOf|SameSeed|SixtyFour|SizeOf|WaysOf)"
  # ordinary are those of laws_score and of the index generator, and a foreign DAU
  "^formal\\.ProofsTest\\.(AFullPool|CartBranch|Dau|DlMshr|Htsma|Mshr|ThrottleUnit|Tsma$)"
  "^synth_flow\\.([MT][a-z]+/SynthUnits|.*MrpbDrain)"
  # ordinary is one of the programs that a proof needs
  "^formal\\.FailingEngines\\.(MissingEngine|SolverThat|EngineThat)"
  # further numbers of slots and of reserved sets
  "^any_size\\.AllSizes"
  # the million requests of which others have twenty thousand
  "^dram\\.DramReference\\.AMillion"
  # each unit in turn; ordinary are the golden runs in other views, units that are one's own,
  # and other tests of a testbench
  "^(views\\.(ViewsTest|AllUnits|RecordedUnits|EveryRecordedUnit)|bind_files\\.)"
  "^cosim\\.RecordedLockstep\\.RunsThe"
  "^formal\\.OwnRtlProof\\.EveryProperty"
  "^testbench\\.(UnitsTest|NetlistTest)"
  "^rtl_units\\.dl_mshr"
  # the other allocation of lines; two thirds of the workloads; the same with policies of UVM
  "^miss_handler\\..*\\.other$"
  "^miss_handler\\.([23]|[b-ln-rt-z]|s(ha|of|pmm|ssp_))"
  "^machine\\.MachineTest\\.test_matrix_[b-z]"
  "^(l1d|l2)\\..*Random\\.LoadsReturn.*_on_fill"
  "^l1d_path\\.(Grid|Prefetch)Test"
  "^uvm\\.PolicyTest\\.test_[ahrtv]"
  "^trace\\.ExportMore"
  # what random configurations once found
  "^fuzz\\.configurations_(found|self)"
  # further programs; ordinary are those of options, libraries and the driver
  "^cuda\\.toolkit\\.(groups|language|numbers|runtime|textures)"
  # the same as an ordinary test on every byte, every unit, every example
  "^output\\.AnyBytes"
  "^(examples\\.(own_memory|ramulator)|walks\\.UnitTest|readme\\.own_unit)"
  "^uvm\\.CacheTest"
  "^shards\\.LimitsTest"
  # what tools for other simulators and for cards make of recorded output
  "^(hardware|validation)\\."
  # the start of a browser, or of Jupyter, takes seconds, as do the notebook's runs
  "^(report\\.(browser|notebook)|coverage_page\\.)"
  # two rows of a generated page measured again
  "^workloads\\.timed\\.table")

# warpmem_deep_label(RESULT TEST): deep_0, deep_1 or deep_2 by the test's name, so that each is a
# third of them; nothing for an ordinary test. The patterns are tried one by one, as CMake bounds
# the groups of an expression.
function(warpmem_deep_label result test)
  foreach(pattern IN LISTS deep_tests)
    if(test MATCHES "${pattern}")
      string(MD5 digits "${test}")
      string(SUBSTRING ${digits} 0 6 digits)
      math(EXPR third "0x${digits} % 3")
      set(${result} deep_${third} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()
