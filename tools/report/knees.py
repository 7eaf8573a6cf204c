# SPDX-License-Identifier: Apache-2.0
"""The knees of curves, as `warpmem explore` found them: its answer.json. That is the only rule for
a knee; a page marks what it is told."""
import pathlib

from reading import ReportError, read_json


class Knees:
    """`metric`: what the curves show. `within`: share of the best that a knee may lack. `labels`:
    workload -> label of the axis. `of_all`: the label that is enough for all of them."""

    def __init__(self, metric, within, labels, of_all):
        self.metric, self.within, self.labels, self.of_all = metric, within, labels, of_all

    def label_of(self, figure, name):
        """The label of a row of a figure, a workload or its last mean; None without a knee."""
        if figure.metric != self.metric:
            return None
        mean = [of_mean for of_mean, *_ in figure.means[-1:]]
        return self.of_all if name in mean else self.labels.get(name)


NONE = Knees(None, 0, {}, None)


def read(path):
    path = pathlib.Path(path)
    answer = read_json(path)
    try:
        labels = {str(one["workload"]): str(one["knee"]) for one in answer["workloads"]}
        return Knees(answer["metric"], float(answer["within"]), labels, str(answer["knee"]))
    except (KeyError, TypeError, ValueError):
        raise ReportError(f"{path}: no answer of 'warpmem explore --knee'") from None
