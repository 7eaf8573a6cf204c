# SPDX-License-Identifier: Apache-2.0
"""What a reader must know before believing the answer: work that does not fill the machine, parts
that were not timed, limits that no choice among the runs can move, differences too small to tell.
"""
import stack
from bounds import Machine, resources
from values import percent, whole

FILLED = 0.9  # SMs with a thread block, of all, in a machine that is used
MUCH_IDLE = 0.25
SHORT = 10_000  # cycles
BUS_FULL = 0.9
CLOSE = 0.01


def plural(count, one, many=None):
    return f"{whole(count)} {one if count == 1 else many or one + 's'}"


def idle_sms(run, program):
    """Launches with fewer thread blocks than the machine has SMs."""
    sms = stack.sms_of(run)
    launches = [k["stats"] for k in run.kernels if k["stats"].get("gpu.cycles")]
    if not sms or not launches or any("sm.ctas" not in stats for stats in launches):
        return ""
    cycles = sum(stats["gpu.cycles"] for stats in launches)
    busy = sum(stats["gpu.cycles"] * min(stats["sm.ctas"], sms) for stats in launches) / cycles
    if busy >= FILLED * sms:
        return ""
    blocks = {stats["sm.ctas"] for stats in launches}
    idle = whole(sms - busy) if busy != 1 else whole(sms - 1)
    of = f"{idle} of {whole(sms)} SMs are idle"
    if len(launches) > 1 and len(blocks) == 1:
        why = f"each of the {len(launches)} launches of {program} has "
        why += plural(blocks.pop(), "thread block")
    elif len(launches) == 1:
        why = f"the launch of {program} has {plural(blocks.pop(), 'thread block')}"
    else:
        of = f"On average {of}"
        small = sum(1 for stats in launches if stats["sm.ctas"] < sms)
        why = f"{small} of the {len(launches)} launches of {program} have fewer thread blocks"
    limited = run.manifest.get("fast_forward", {}).get("ctas")
    remedy = (
        f"--ctas {limited} lets no more be timed"
        if limited
        else "Take a size that fills the machine"
    )
    return f"{of}: {why}. {remedy}."


def uneven(run, stacks):
    found = stacks.get(run)
    if not found or found.share("idle") < MUCH_IDLE:
        return ""
    return (
        f"SMs have no thread block in {percent(found.share('idle'))} of their cycles: there are "
        "too few blocks, or some take much longer than others."
    )


def part_timed(run):
    parts = run.manifest.get("fast_forward", {})
    told = [f"--{key} {parts[key]}" for key in ("kernels", "ctas") if parts.get(key)]
    return f"Only a part of the program was timed ({', '.join(told)})." if told else ""


def bus_use(run):
    """Share of the cycles in which the data buses of DRAM moved data; None when not known."""
    found = resources(Machine(run.config), run.stats)
    return next((use for name, _, use in found if name == "DRAM data buses"), None)


def full_bus(run):
    use = bus_use(run)
    if use is None or use < BUS_FULL:
        return ""
    return (
        f"DRAM is the limit: its data buses move data in {percent(use)} of the cycles, so that no "
        "cache or miss handler can gain more than it saves in DRAM traffic."
    )


def short_run(run):
    cycles = run.stats.get("gpu.cycles")
    if cycles is None or cycles >= SHORT:
        return ""
    return (
        f"The run has only {whole(cycles)} cycles: filling and emptying the machine is much of it."
    )


def grouped(runs, tell):
    """[(names of the runs, text)] with runs of the same text together."""
    found = {}
    for run in runs:
        text = tell(run)
        if text:
            found.setdefault(text, []).append(run.name)
    return [(names, text) for text, names in found.items()]


def warnings(runs, ranking, stacks, program):
    """[{names, text}]: `names` begin the sentence; there are none where all runs are meant."""
    rows = []

    def add(found):
        for names, text in found:
            needless = len(names) == len(runs) and not text[0].islower()
            rows.append({"names": [] if needless else names, "text": text})

    broken = "complete"
    add(grouped(runs, lambda r: f"did not complete: {r.manifest['status']}"
                if r.manifest.get("status", broken) != broken else ""))
    add(grouped(runs, lambda r: f"did different work than {runs[0].name}: {r.other_work}."
                if r.other_work else ""))
    idle = grouped(runs, lambda r: idle_sms(r, program))
    add(idle)
    told = {name for names, _ in idle for name in names}
    add(grouped([r for r in runs if r.name not in told], lambda r: uneven(r, stacks)))
    add(grouped(runs, part_timed))
    add(grouped(runs, full_bus))
    add(grouped(runs, short_run))
    if not ranking.comparable:
        rows.append({"names": [], "text": "Not every run records sm.clock, so that their times "
                     "cannot be compared."})
    if ranking.winners and ranking.losers:
        gain = ranking.gain(ranking.winners[0], ranking.losers[0])
        if gain < 1 + CLOSE:
            rows.append({"names": [], "text": f"The best two are within {percent(gain - 1)} of "
                         "each other: another input may turn their order."})
    return rows
