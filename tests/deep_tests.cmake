# SPDX-License-Identifier: Apache-2.0
# The label `deep` is for tests that differ from an ordinary one in unit, size, seed, fault or
# program alone, and for expensive ones of code that few changes touch. `./test.sh --all` takes
# them, .ci/run a quarter.
set(deep_tests
  # a property or a lockstep run that cannot fail: ordinary are the copies of htsma_steer,
  # laws_score and tsma_index_gen, and broken units of the DAU
  "^formal\\.Rtl/BrokenCopies.*/(bucl|cart|dau|dl_mshr|h?tsma_[A-Z]|mrpb|mshr|throttle)"
  "^formal\\.BrokenCopiesTest"
  "^mutation\\.All/HandMadeFaults.*/([bcdlm]|throttle|tsma_|htsma)"
  "^mutation\\.Mutation\\.(Judgements|SameSeed)"
  "^cosim\\.Broken(Cart|L1dUnit|Laws|Mshr|SharedCart|Tsma|Index)"
  # further sizes
  "^cosim\\.All/LockstepSizes.*_([1-9]|1[0-9])$"
  "^cosim\\.All/LockstepSizes.*(dl_mshr|dl_mshr_pipe|htsma|mshr_set_assoc)_"
  "^cosim\\.(Kinds/MshrFileViews|TailPointer/DlMshrViews).*/[1-9]$"
  "^cosim\\.(Corners|Sizes)/DauLockstep"
  "^cosim\\.All/MshrFile\\.Answers.*[1-9]"
  "^cosim\\.(IndexGen|Steer|LawsScore|Throttle)Views\\.AgreeWith"
  "^cosim\\.MshrFileDirected\\.VectorsAlone"
  "^cosim\\.(Throttle|LawsScore|IndexGen)Lockstep\\.Corners"
  "^cosim\\.Cart(Branch|Shared)Lockstep\\.(Many|One|Sixteen)"
  "^cosim\\.MrpbDrainLockstep\\.(Design|Greedy|Longest|Round|One)"
  "^cosim\\.BuclCtrlLockstep\\.(Profile|Dynamic|Period)"
  "^cosim\\..*Lockstep\\.(EntriesOf|FullSize|HoldOf|SameSeed|SixtyFour|SizeOf|WaysOf)"
  # ordinary are those of BUCL, MRPB and the index generator, and a foreign DAU
  "^formal\\.ProofsTest\\.(AFullPool|Cart|Dau|DlMshr|Htsma|LawsScore|Mshr|Throttle|Tsma$)"
  "^synth_flow\\.([MT][a-z]+/SynthUnits|.*MrpbDrain|Mshr/SynthFiles.*/([dht]|mshr_s))"
  "^synth_flow\\.SynthFlow\\.(NetlistOfTiny|OtherLibraries)"
  # ordinary is one of the programs that a proof needs
  "^formal\\.FailingEngines\\.(MissingEngine|SolverThat|EngineThat)"
  # the argument for any number of sets, whose pieces change with the DAU alone
  "^any_size\\."
  # the million requests of which others have twenty thousand
  "^dram\\.DramReference\\.AMillion"
  # each unit in turn; ordinary are the golden runs in other views, units that are one's own,
  # and other tests of a testbench
  "^(views\\.(ViewsTest|ChangedRtl|AllUnits|RecordedUnits|EveryRecordedUnit)|bind_files\\.)"
  "^cosim\\.RecordedLockstep\\.RunsThe"
  "^formal\\.OwnRtlProof\\.EveryProperty"
  "^testbench\\.(UnitsTest|NetlistTest|FailureTest)"
  "^rtl_units\\.(bucl|cart|dl_mshr|htsma$|mrpb|mshr|tsma$)"
  "^cosim\\.OwnUnitTest\\.RtlOfEvery"
  "^cosim\\.DauLibraryCache\\.(ViewsAnd|Without)"
  # the other allocation of lines; most of the workloads; the same with policies of UVM
  "^miss_handler\\..*\\.other$"
  "^miss_handler\\.([23]|[a-ln-rt-z]|m[eo]|s([aceghtsy]|im|o[bf]|ortingn|pmm|rad))"
  "^workloads\\.([23]|[bcdf-jl-oq-rt-z]|s[ac-l]|s[n-z])[a-z0-9_]*$"
  "^workloads\\.timed\\.unshared"
  "^machine\\.MachineTest\\.test_matrix_[b-z]"
  "^(l1d|l2)\\..*Random\\.LoadsReturn.*_on_fill"
  "^l1d_path\\.(Grid|Prefetch)Test"
  "^uvm\\.(PolicyTest\\.test_|TickAllTest)"
  "^trace\\.ExportMore"
  # what random configurations once found, and further ones
  "^fuzz\\.configurations_"
  # further programs; ordinary are those of options, CMake and the driver
  "^cuda\\.toolkit\\.(cub|groups|habits|language|libraries|numbers|runtime|textures)"
  # the same as an ordinary test on every byte, every unit, every example
  "^output\\.AnyBytes"
  # hundreds of headers, each compiled alone
  "^public_headers"
  "^(examples\\.(dram|memory|own|ramulator)|walks\\.(Parts|Unit)Test)"
  "^readme\\.(own_unit|testbenches)"
  "^uvm\\.CacheTest"
  "^shards\\."
  # programs that are ended by a signal, a limit or themselves: seconds of waiting
  "^(early_end|killed)\\."
  # the README's own commands ask for a knee and for waves
  "^(explore|waves)\\."
  # what tools for other simulators and for cards make of recorded output
  "^(hardware|silicon|validation)\\."
  # the start of a browser, or of Jupyter, takes seconds, as do the notebook's runs
  "^(report\\.(browser|notebook)|coverage_page\\.)"
  # two rows of a generated page measured again
  "^workloads\\.timed\\.table")

# The longest, half a minute of CPU time and more each, are dealt by hand: with them the quarters
# take equally long.
set(deep_tests_0 bind_files.BindFilesTest readme.own_unit fuzz.configurations_found)
set(deep_tests_1 testbench.UnitsTest formal.ProofsTest.CartBranch)
set(deep_tests_2 examples.memory_only)
set(deep_tests_3 any_size.AllSizesTest trace.ExportMoreTest)

# warpmem_deep_label(RESULT TEST): deep_0 to deep_3 as the lists above say, or by the test's name,
# so that each is a quarter of them; nothing for an ordinary test. The patterns are tried one by
# one, as CMake bounds the groups of an expression; ctest, which calls this, knows no IN_LIST.
function(warpmem_deep_label result test)
  foreach(pattern IN LISTS deep_tests)
    if(test MATCHES "${pattern}")
      string(MD5 digits "${test}")
      string(SUBSTRING ${digits} 0 6 digits)
      math(EXPR quarter "0x${digits} % 4")
      foreach(named RANGE 3)
        list(FIND deep_tests_${named} "${test}" place)
        if(NOT place EQUAL -1)
          set(quarter ${named})
        endif()
      endforeach()
      set(${result} deep_${quarter} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()
