# SPDX-License-Identifier: Apache-2.0
"""What single operations take on both sides, from the launches of costs.cu."""
from names import kernel_base

FEW, MANY = 64, 192  # as in costs.cu
# Kernel: what is in its row. Those of `RATES` are of 32 warps, and so are their cycles.
CHAINS = {
    "integer_add": "integer addition",
    "integer_multiply": "integer multiplication",
    "float_add": "float addition",
    "float_fused": "float multiply-addition",
    "double_add": "double addition",
    "reciprocal": "reciprocal",
    "divide": "integer division",
    "branch": "comparison, branch that depends on it, addition",
    "known_branch": "comparison and branch",
    "barrier": "barrier of one warp",
    "barrier_of_8": "barrier of eight warps",
    "shared_load": "load of shared memory and addition",
    "constant_load": "load of constant memory and addition",
    "l1d_hit": "load that hits L1D and addition",
    "store": "store",
    "store_and_fence": "store and fence",
    "reduction": "atomic without a result",
    "shared_reduction": "atomic without a result, in shared memory",
}
RATES = {
    "integer_rate": "integer additions",
    "integer_mix_rate": "integer additions and multiplications",
    "float_rate": "float multiply-additions",
    "mixed_rate": "integer and float additions",
    "branch_rate": "comparisons and branches",
    "double_rate": "double additions",
    "reciprocal_rate": "reciprocals",
    "shared_rate": "loads of shared memory",
    "l1d_rate": "loads that hit L1D",
}
WHOLE = {
    "empty": "a block of one warp that exits",
    "empty_1000": "1000 such blocks",
    "empty_10000": "10000 such blocks",
}


def of_pairs(pairs):
    """{kernel: (ours, theirs)}: cycles of one operation, or of the launch."""
    launches = {}
    for pair in sorted(pairs, key=lambda pair: pair.number):
        ours, theirs, _ = pair.values["cycles"]
        launches.setdefault(kernel_base(pair.kernel), []).append((ours, theirs))
    found = {}
    for kernel, values in launches.items():
        if len(values) == 1:
            found[kernel] = values[0]
        else:
            few, many = values
            found[kernel] = tuple((b - a) / (MANY - FEW) for a, b in zip(few, many))
    return found


def lines(by_machine):
    """The tables; {machine: of_pairs()}."""
    head = ["| | " + " | ".join(f"`{name}`" for name in by_machine) + " |",
            "|---|" + "---|" * len(by_machine)]  # fmt: skip
    for title, kernels, digits in [
        ("One after the other, in one warp", CHAINS, 1),
        ("One of each of 32 warps, independent of each other", RATES, 1),
        ("Whole launches", WHOLE, 0),
    ]:
        yield from ["", f"{title}:", "", *head]
        for kernel, label in kernels.items():
            cells = [
                f"{ours:.{digits}f} : {theirs:.{digits}f}"
                for ours, theirs in (found[kernel] for found in by_machine.values())
            ]
            yield f"| {label} | " + " | ".join(cells) + " |"
