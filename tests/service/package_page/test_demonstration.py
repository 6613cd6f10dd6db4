"""The demonstration of docs/packages.md with small inputs: solve, publish, serve, look up, check, read in a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from looking import OpenPage


@pytest.mark.slow
def test_the_demonstration(repository: Path, tmp_path: Path, open_page: OpenPage) -> None:
    script = repository / "scripts" / "demonstrate_packages.py"
    with subprocess.Popen(
        [sys.executable, str(script), str(tmp_path), "--small", "--serve"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            lines = []
            for line in process.stdout:
                lines.append(line.rstrip())
                if "a browser reads it at" in line:
                    break
            text = "\n".join(lines)
            rows = {
                found[1]: int(found[2])
                for found in re.finditer(r"(?m)^(\S+) +\d+[.]\d +\d+[.]\d +[\d,]+ +(\d+) ", text)
            }
            assert rows == dict.fromkeys(
                ("tic-tac-toe", "connect-four:4x4", "connect-four:5x4", "qubic", "mens-morris:3", "awari", "chess"), 3
            )
            assert "valid: 14 tables" in text and "4 certificates checked" in text
            looked = open_page(lines[-1].rpartition(" ")[2])
            page = looked.go("/")
            assert page.locator("#overview tbody tr").count() == 7
            page.click("#overview a:text-is('connect-four:5x4')")
            looked.until("() => document.querySelector('#checked')?.textContent.startsWith('Each claim was checked')")
            assert looked.text("#value") == "A draw with best play; best is 3."
        finally:
            process.terminate()  # SIGINT is ignored by what a shell has started with `&`
        assert process.wait(60) == 0
