"""Builds the wheel and the source archive (PEP 517) with the standard library alone, so that nothing is downloaded."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAME = f"{PROJECT['name']}-{PROJECT['version']}"
DIST_INFO = f"{NAME}.dist-info"
# The same bytes for the same sources.
MOMENT = (2026, 1, 1, 0, 0, 0)


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    file_name = f"{NAME}-py3-none-any.whl"
    sources = sorted(path for path in (ROOT / "millrace").rglob("*") if path.suffix == ".py" or path.name == "py.typed")
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sources}
    files[f"{DIST_INFO}/METADATA"] = _metadata().encode()
    files[f"{DIST_INFO}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: millrace\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = f"{DIST_INFO}/RECORD"
    lines = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    with zipfile.ZipFile(Path(wheel_directory) / file_name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            wheel.writestr(zipfile.ZipInfo(name, MOMENT), content, zipfile.ZIP_DEFLATED)
    return file_name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    file_name = f"{NAME}.tar.gz"
    names = ["pyproject.toml", "build_backend.py", "README.md"]
    sources = [ROOT / name for name in names] + sorted((ROOT / "millrace").rglob("*.py")) + [ROOT / "millrace/py.typed"]
    with tarfile.open(Path(sdist_directory) / file_name, "w:gz") as archive:
        for name, content in [(path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in sources] + [
            ("PKG-INFO", _metadata().encode())
        ]:
            entry = tarfile.TarInfo(f"{NAME}/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return file_name


def _metadata() -> str:
    return "\n".join(
        [
            "Metadata-Version: 2.4",
            f"Name: {PROJECT['name']}",
            f"Version: {PROJECT['version']}",
            f"Summary: {PROJECT['description']}",
            f"Requires-Python: {PROJECT['requires-python']}",
            f"License-Expression: {PROJECT['license']}",
            f"Keywords: {','.join(PROJECT['keywords'])}",
            "Description-Content-Type: text/markdown",
            "",
            (ROOT / "README.md").read_text(),
        ]
    )


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    (ROOT / "dist").mkdir(exist_ok=True)
    print(ROOT / "dist" / build_wheel(str(ROOT / "dist")))
