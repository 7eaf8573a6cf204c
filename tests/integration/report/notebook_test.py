#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Executes examples/notebook/handlers.ipynb, and looks for its tables and its picture: CellsTest in
this process, for which pandas is enough, JupyterTest as its reader would. Ends with status 77 where
the packages for that are not installed (tools/python-packages.txt, tools/notebook-packages.txt)."""
import ast
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
NOTEBOOK = ROOT / "examples" / "notebook" / "handlers.ipynb"


def is_here(*modules):
    return all(importlib.util.find_spec(name) for name in modules)


def value_of(source, names):
    """Executes a cell, and returns the value of its last statement where that is an expression, as
    Jupyter shows it."""
    body = ast.parse(source, str(NOTEBOOK)).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), str(NOTEBOOK), "exec"), names)
    if last is not None:
        return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)


class Executed:
    """The outputs of the notebook, and what they must be."""

    def table_with(self, *words):
        return [text for text in self.tables if all(word in text for word in words)]

    def test_tables_of_the_sweep(self):
        self.assertEqual(len(self.table_with("conventional", "dl", "bfs")), 3)
        launches, = self.table_with("launch", "grid")
        self.assertIn("atax_rows", launches)
        loads, = self.table_with("source_line", "latency.mean")
        self.assertIn("bfs_visit", loads)

    def test_tables_of_runs(self):
        stacks, = self.table_with("mshr", "issue", "conventional")
        self.assertNotIn("NaN", stacks)
        slices, = self.table_with("instance", "conventional")
        self.assertRegex(slices, r"(?m)^0 +[1-9][0-9.]* +[1-9][0-9.]*$")
        self.assertRegex(slices, r"(?m)^1 +[1-9][0-9.]* +[1-9][0-9.]*$")

    def test_picture(self):
        self.assertEqual(self.pictures, 1)


@unittest.skipUnless(is_here("pandas"), "needs tools/python-packages.txt")
class CellsTest(Executed, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.addClassCleanup(os.chdir, os.getcwd())
        (pathlib.Path(folder.name) / "warpmem").symlink_to(os.environ["WARPMEM"])
        os.environ["PATH"] = f"{folder.name}:{os.environ['PATH']}"
        os.environ["MPLBACKEND"] = "Agg"
        os.chdir(NOTEBOOK.parent)
        cls.tables, cls.pictures, names = [], 0, {}
        cls.addClassCleanup(lambda: names["results"].cleanup())
        for cell in json.loads(NOTEBOOK.read_text())["cells"]:
            if cell["cell_type"] != "code":
                continue
            draws = "picture" in cell["metadata"].get("tags", [])
            if draws and not is_here("matplotlib"):
                continue
            shown = value_of("".join(cell["source"]), names)
            cls.tables.append(shown.to_string() if hasattr(shown, "to_string") else repr(shown))
            if draws:
                cls.pictures += len(names["axes"].get_lines()) == 2

    @unittest.skipUnless(is_here("matplotlib"), "needs matplotlib (tools/notebook-packages.txt)")
    def test_picture(self):
        super().test_picture()

    def test_the_file_has_no_outputs(self):
        document = json.loads(NOTEBOOK.read_text())
        for cell in document["cells"]:
            self.assertFalse(cell.get("outputs"))


@unittest.skipUnless(is_here("pandas", "matplotlib", "nbformat", "nbconvert", "ipykernel")
                     and shutil.which("jupyter-nbconvert"), "needs tools/notebook-packages.txt")
class JupyterTest(Executed, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        tools = pathlib.Path(folder.name) / "bin"
        tools.mkdir()
        (tools / "warpmem").symlink_to(os.environ["WARPMEM"])
        environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "HOME": folder.name}
        result = subprocess.run(
            ["jupyter-nbconvert", "--to", "notebook", "--execute", NOTEBOOK, "--output-dir",
             folder.name], env=environment, capture_output=True, text=True, timeout=600)
        assert result.returncode == 0, result.stderr
        document = json.loads((pathlib.Path(folder.name) / NOTEBOOK.name).read_text())
        shown = [output.get("data", {}) for cell in document["cells"]
                 for output in cell.get("outputs", [])]
        cls.tables = ["".join(data["text/plain"]) for data in shown if "text/plain" in data]
        cls.pictures = sum("image/png" in data for data in shown)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    none = len(result.skipped) == result.testsRun
    sys.exit(1 if not result.wasSuccessful() else 77 if none else 0)
