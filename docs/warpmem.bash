# Completion of warpmem's command line for bash. It is printed by
# `warpmem help --bash-completion`, not edited by hand. Read it with `. FILE`, or put it as
# `warpmem` into ~/.local/share/bash-completion/completions.

_warpmem() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]}
  local before=${COMP_WORDS[COMP_CWORD-1]}
  local command="" words="" values="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == -- ]] && return  # the program's own arguments
    case "$command ${COMP_WORDS[i]}" in
      " run") command=run ;;
      " cc") command=cc ;;
      " toolkit") command=toolkit ;;
      " cosim") command=cosim ;;
      " synth") command=synth ;;
      " formal") command=formal ;;
      " mutate") command=mutate ;;
      " report") command=report ;;
      " correlate") command=correlate ;;
      " sweep") command=sweep ;;
      "sweep merge") command="sweep merge" ;;
      "sweep status") command="sweep status" ;;
      " reproduce") command=reproduce ;;
      " explore") command=explore ;;
      " config") command=config ;;
      " trace") command=trace ;;
      "trace convert") command="trace convert" ;;
      "trace export") command="trace export" ;;
      "trace info") command="trace info" ;;
      " list") command=list ;;
      " help") command=help ;;
    esac
  done
  case $before in
    -c | --config) words=$("$program" list configs --names 2>/dev/null) ;;
    --set | --explain) words=$("$program" list keys --names 2>/dev/null) ;;
    *)
      case "$command $before" in
        "run --size") words="tiny small medium published" values=1 ;;
        "run "*) words="--help --config --set --size --out --json --kernels --ctas --functional --forgive-out-of-range --no-cache --tick-all --table --record-unit --waves --from-cycle --to-cycle --timeline --sample --sm --interval --per-pc --per-instance --series --rtl --compare-views" ;;
        "cc "*) words="" ;;
        "toolkit "*) words="--help" ;;
        "cosim --drain") words="fixed greedy_fixed greedy_longest greedy_round_robin longest round_robin" values=1 ;;
        "cosim "*) words="--help --cycles --recorded --param --seed --sets --slots --reserved --entries --ways --score-bits --miss-limit --warps --divergence --stable --hold --no-divergence --rows --columns --depth --queues --queue-entries --drain --no-flush --period --hit-rate-limit --input-limit --tucd --least --most --profile --banks --rtl --bit-exact --no-directed --no-code-coverage --no-cache --waves --json --page --toggles --coverage-page --vectors" ;;
        "synth --macro") words="sram cam" values=1 ;;
        "synth "*) words="--help --param --rtl --lib --node --json --activity --no-cache --keep-hierarchy --storage-outside --target-period --netlist --export-verilog --macro --scaling --check --configured --config --set" ;;
        "formal "*) words="--help --rtl --property --param --depth --jobs --timeout --traces --json --page --quick --no-cache" ;;
        "mutate "*) words="--help --faults --seed --cycles --properties --jobs --timeout --json --page --rtl --hand-made" ;;
        "report "*) words="--help --synth --output --title --metric --baseline --axis --reference" ;;
        "correlate "*) words="--help --match --outlier --work --fail-above --json --page --title --write" ;;
        "sweep merge "*) words="--help --json" ;;
        "sweep status "*) words="--help --json" ;;
        "sweep "*) words="--help --jobs --out --resume --retry-failed --new-plan --timeout --max-memory --progress --costs --json --dry-run --shard --plan --programs --slurm --partition --array-size --time --sbatch merge status" ;;
        "reproduce "*) words="--help --all --resume --list --dry-run --jobs --retry-failed --out --page --judge-again --measure-costs --timeout --max-memory --progress" ;;
        "explore "*) words="--help --config --set --knee --pareto --metric --less --within --every-value --lib --node --out --jobs --resume --timeout --max-memory --progress" ;;
        "config "*) words="--help --config --set --dump --docs --explain --reference --schema --implied" ;;
        "trace convert "*) words="--help --config --set --out" ;;
        "trace export --format") words="accelsim" values=1 ;;
        "trace export --arch") words="70 75 80 86 90" values=1 ;;
        "trace export "*) words="--help --config --set --format --out --arch --xz" ;;
        "trace info "*) words="--help --json" ;;
        "trace "*) words="--help convert export info" ;;
        "list "*) words="--help --json --names units mechanisms workloads configs keys" ;;
        "help "*) words="--help --man --bash-completion" ;;
        " "*) words="run cc toolkit cosim synth formal mutate report correlate sweep reproduce explore config trace list help --help --version" ;;
      esac
      if [[ -z $values && $word != -* ]]; then
        case $command in
          run) words=$("$program" list workloads --names 2>/dev/null) ;;
          cosim | formal | mutate | synth) words=$("$program" list units --names 2>/dev/null) ;;
        esac
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _warpmem warpmem
