#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Executes examples/notebook/handlers.ipynb, and looks for its tables and its picture. Ends with
status 77 where a package of tools/notebook-packages.txt is not installed."""
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
MISSING = [name for name in ("pandas", "matplotlib", "nbformat", "nbconvert", "ipykernel")
           if importlib.util.find_spec(name) is None]
if MISSING or not shutil.which("jupyter-nbconvert"):
    print(f"skipped: {', '.join(MISSING) or 'jupyter-nbconvert'} (tools/notebook-packages.txt)")
    sys.exit(77)


class NotebookTest(unittest.TestCase):
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
        cls.outputs = [output.get("data", {}) for cell in document["cells"]
                       for output in cell.get("outputs", [])]

    def table_with(self, *words):
        found = ["".join(data["text/plain"]) for data in self.outputs if "text/plain" in data]
        return [text for text in found if all(word in text for word in words)]

    def test_tables(self):
        self.assertEqual(len(self.table_with("conventional", "dl", "bfs")), 3)
        launches, = self.table_with("launch", "grid")
        self.assertIn("atax_rows", launches)
        loads, = self.table_with("source_line", "latency.mean")
        self.assertIn("bfs_visit", loads)

    def test_picture(self):
        pictures = [data["image/png"] for data in self.outputs if "image/png" in data]
        self.assertEqual(len(pictures), 1)

    def test_the_file_has_no_outputs(self):
        document = json.loads(NOTEBOOK.read_text())
        for cell in document["cells"]:
            self.assertFalse(cell.get("outputs"))


if __name__ == "__main__":
    unittest.main()
