# SPDX-License-Identifier: Apache-2.0
"""What the checks of the sources have in common: they judge examples first, then a checkout."""

import pathlib
import sys
import tempfile

import programs


def judge_examples(check, cases):
    """Each of `cases` is (name, {file: text}, number of problems that the check must find)."""
    for name, files, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for file, text in files.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(text)
            programs.run(["git", "init", "-q", folder])
            programs.run(["git", "-C", folder, "add", "."])
            found = check(root)
            if len(found) != expected:
                sys.exit(f"self-test: {name}: {expected} problems expected, found {found}")
    print(f"{len(cases)} examples judged rightly")


def main(check, cases, in_order):
    """`SCRIPT --self-test` judges the examples, `SCRIPT [FOLDER]` a checkout."""
    if sys.argv[1:] == ["--self-test"]:
        judge_examples(check, cases())
        return
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    if not (root / ".git").exists():
        print("not a git checkout: nothing to check")
        return
    problems = check(root)
    print("\n".join(problems) or in_order)
    sys.exit(1 if problems else 0)
