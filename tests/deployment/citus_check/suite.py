"""Tests of this repository on a divided database of the cluster."""

import os
import subprocess
import sys

from tests.deployment.citus_check.cluster import Cluster
from tests.deployment.files import PROJECT
from tests.deployment.image_check.steps import expect

DATABASE = "suite"
#: The write path and what takes it back, search, every door, and the plans of statements.
FOLDERS = (
    "tests/partitions/test_plans.py",
    *(f"tests/pipeline/test_{name}.py" for name in ("write", "memory_counts")),
    *(f"tests/forgetting/test_{name}.py" for name in ("undo_buffer", "holds")),
    *(f"tests/trust/test_{name}.py" for name in ("rollback", "import_rollback")),
    *(f"tests/recall/test_{name}.py" for name in ("search", "messages", "isolation")),
    "tests/documents",
    "tests/tools",
    "tests/webhooks",
    *(
        f"tests/api/test_{name}.py"
        for name in ("bulk", "conversations", "doors", "memories", "memory_list", "messages")
    ),
    *(f"tests/api/test_{name}.py" for name in ("palace", "people", "runs", "search", "store")),
    "tests/api/mcp/test_endpoint.py",
    *(f"tests/api/mem0/test_{name}.py" for name in ("add", "memories", "search", "server")),
    *(f"tests/api/v1/test_{name}.py" for name in ("clients", "messages", "responses")),
)
SECONDS = 3600


def run(cluster: Cluster) -> str:
    """Run the tests that can be run there; return how many passed. The others say why not."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--no-header"),
            *("-n", "2", "--dist", "loadfile", *FOLDERS),
        ],
        cwd=PROJECT,
        env=os.environ | {"CITUS_DATABASE_URL": cluster.create(DATABASE)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS,
        check=False,
    )
    said = done.stdout.decode(errors="replace")
    expect(done.returncode == 0, said[-4000:])
    return said.strip().rpartition("\n")[2].strip("= ")
