# SPDX-License-Identifier: Apache-2.0
"""tools/synthesize_again.py makes a kept result anew and leaves the others."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def main():
    warpmem = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        shutil.copytree(ROOT / "tools", tree / "tools")
        shutil.copytree(ROOT / "configs", tree / "configs")
        kept = tree / "docs/scaling"
        (tree / "docs/pictures").mkdir(parents=True)
        kept.mkdir()
        for name in ("mshr_conventional-osu018-2", "dau-recorded", "htsma_steer"):
            shutil.copy(ROOT / f"docs/scaling/{name}.json", kept)
        good = (kept / "mshr_conventional-osu018-2.json").read_text()
        old = json.loads(good)
        old["area"]["total_um2"] = 1
        (kept / "mshr_conventional-osu018-2.json").write_text(json.dumps(old))
        before = (kept / "dau-recorded.json").read_text()
        again = [sys.executable, tree / "tools/synthesize_again.py", warpmem, folder]
        chosen = ["mshr_conventional-osu018-2", "dau-recorded"]
        done = subprocess.run([*again, *chosen], check=True, capture_output=True, text=True)
        new = json.loads((kept / "mshr_conventional-osu018-2.json").read_text())
        for key in ("unit", "parameters", "rtl_sha256", "synthesized"):
            if new[key] != json.loads(good)[key]:
                sys.exit(f"{key} is {new[key]}")
        if new["area"]["total_um2"] <= 1 or "slots_outside" not in new:
            sys.exit("the result is not made anew")
        if "dau-recorded: left as it is" not in done.stdout:
            sys.exit(done.stdout)
        if (kept / "dau-recorded.json").read_text() != before:
            sys.exit("one of measured transitions was changed")
        if "mshr_conventional -p ADDR_BITS=25" not in (tree / "docs/scaling.md").read_text():
            sys.exit("the page is without the unit")
        wrong = subprocess.run([*again, "tsmo"], capture_output=True, text=True)
        if wrong.returncode == 0 or "no docs/scaling/tsmo.json" not in wrong.stderr:
            sys.exit(f"an unknown name: {wrong.returncode}, {wrong.stderr}")


main()
