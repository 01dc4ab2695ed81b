"""Writes millrace/_sync from millrace/_async: the same code without waiting. `--check` only compares."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent / "millrace"
FILES = ("client.py", "catalogue.py", "follow.py", "manage.py", "organization.py", "runs.py", "sessions.py", "transport.py")
HEAD = "# Written by unasync.py from millrace/_async; do not edit.\n"
CHANGES = (
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync([A-Z]\w*)", r"\1"),
    (r"\b__a(enter|exit|iter)__", r"__\1__"),
    (r"\baclose\b", "close"),
)


def without_waiting(text: str) -> str:
    for pattern, replacement in CHANGES:
        text = re.sub(pattern, replacement, text)
    return HEAD + text


def main() -> int:
    stale = 0
    for name in FILES:
        text = without_waiting((ROOT / "_async" / name).read_text())
        target = ROOT / "_sync" / name
        if "--check" in sys.argv:
            stale += not target.exists() or target.read_text() != text
        else:
            target.write_text(text)
    if stale:
        print("stale: run python3 clients/python/unasync.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
