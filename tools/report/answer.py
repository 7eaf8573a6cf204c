# SPDX-License-Identifier: Apache-2.0
"""The first screen: which run wins, by how much, why, at what cost, and what to beware of."""
import ranking as ranks
import stack
from values import change, fixed, join, percent, times, whole
from warnings_of import warnings


def amount_text(ranking, amount):
    return ranks.duration(amount) if ranking.in_seconds else f"{whole(amount)} cycles"


def verdict(runs, ranking):
    """(bold text, rest of the sentence)."""
    if len(runs) == 1:
        run = runs[0]
        ipc = run.stats.get("gpu.ipc")
        told = [ranks.time_text(run), f"IPC {fixed(ipc)}" if ipc is not None else ""]
        return run.name, " takes " + ", ".join(filter(None, told)) + "." if told[0] else "."
    if len(ranking.times) < 2:
        return "No winner", ": the runs did not do the same work, or did not end it."
    names = join(run.name for run in ranking.winners)
    if not ranking.losers:
        return "No difference", f": {names} take the same time, {ranks.time_text(runs[0])}."
    winner = ranking.winners[0]
    verb = "is the fastest" if len(ranking.winners) == 1 else "are the fastest, and alike"
    base = runs[0]
    rival = ranking.opponent(runs)
    gain = ranking.gain(winner, rival)
    text = f" {verb}: {ranks.time_text(winner)}, {times(gain)} as fast as "
    text += f"the baseline {rival.name}" if rival is base else f"{rival.name}, the next"
    text += f" ({change(gain, 1)})" if change(gain, 1) else ""
    last = ranking.losers[-1]
    if last is not rival:
        text += f" and {times(ranking.gain(winner, last))} as fast as {last.name}, the slowest"
    return names, text + "."


def bars(runs, ranking, stacks):
    """One row a run: its stack as shares of the longest run's length."""
    longest = max((r.stats.get("gpu.cycles", 0) for r in runs), default=0)
    if ranking.in_seconds:
        longest = max(ranking.times.values())
    rows = []
    for index, run in enumerate(runs):
        cycles = run.stats.get("gpu.cycles")
        length = ranking.times.get(run, cycles) if ranking.in_seconds else cycles
        parts = []
        if run in stacks and longest and length:
            for key, value in stacks[run].parts.items():
                share = value / cycles
                parts.append(
                    {
                        "colour": stack.COLOURS[key],
                        "width": f"{100 * share * length / longest:.3f}",
                        "tip": f"{run.name} {stack.WORDS[key]}: {whole(value)} cycles, "
                        f"{percent(share)}",
                        "text": f"{100 * share:.0f} %" if share * length / longest >= 0.08 else "",
                    }
                )
        gain = ""
        if len(runs) > 1:
            if run.other_work:
                gain = "different work"
            elif index == 0:
                gain = "baseline"
            elif run in ranking.times and runs[0] in ranking.times:
                gain = times(ranking.times[runs[0]] / ranking.times[run])
        ipc = run.stats.get("gpu.ipc")
        told = [ranks.time_text(run) or "–", f"IPC {fixed(ipc)}" if ipc is not None else "", gain]
        rows.append(
            {
                "name": run.name,
                "wins": bool(ranking.losers) and run in ranking.winners,
                "parts": parts,
                "time": " · ".join(filter(None, told)),
            }
        )
    return rows


def legend(stacks):
    there = {key for found in stacks.values() for key in found.parts}
    return [
        {"colour": colour, "name": words} for key, colour, words in stack.PARTS if key in there
    ]


def why(runs, ranking, stacks):
    """What the three causes are of, the causes, and what works against them."""
    if len(runs) == 1:
        if runs[0] not in stacks:
            return None
        return {
            "title": "Where its cycles go",
            "who": "An SM",
            "causes": once(
                [
                    {**part, "text": f"{percent(part['share'])} of the cycles"}
                    for part in ranks.main_parts(runs[0], stacks)
                ]
            ),
            "against": None,
        }
    rival = ranking.opponent(runs)
    if rival is None or ranking.winners[0] not in stacks or rival not in stacks:
        return None
    winner = ranking.winners[0]
    found, worst = ranks.causes(ranking, winner, rival, stacks)

    def told(cause, direction):
        amount = amount_text(ranking, cause["amount"])
        share = f"{100 * abs(cause['share']):.0f} % of the difference"
        return {**cause, "text": f"{amount} an SM {direction} {rival.name}, {share}"}

    return {
        "title": f"Why {winner.name} and not {rival.name}",
        "who": winner.name,
        "causes": once([told(cause, "less than") for cause in found]),
        "against": told(worst, "more than") if worst else None,
    }


def once(rows):
    """What stands beside one cause need not stand beside the next."""
    seen = set()
    for row in rows:
        row["evidence"] = "" if row["evidence"] in seen else row["evidence"]
        seen.add(row["evidence"])
    return rows


def answer(runs, program, machine):
    """The context of the first screen."""
    ranking = ranks.Ranking(runs)
    stacks = {run: found for run in runs if (found := stack.of_run(run))}
    bold, rest = verdict(runs, ranking)
    return {
        "bold": bold,
        "rest": rest,
        "workload": program,
        "machine": machine,
        "bars": bars(runs, ranking, stacks),
        "legend": legend(stacks),
        "split": any(found.split for found in stacks.values()),
        "stacked": bool(stacks),
        "why": why(runs, ranking, stacks),
        "warnings": warnings(runs, ranking, stacks, program or "the program"),
    }
