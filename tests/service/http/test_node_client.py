"""A client in Node, generated from the protos by Buf's plugin for JavaScript, reads, writes and watches."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from conftest import Both
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorSet

SOURCES = Path(__file__).parent / "node"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client and the packages that it needs."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    folder = tmp_path_factory.mktemp("node")
    for name in ("package.json", "client.mjs"):
        shutil.copy(SOURCES / name, folder)
    quiet = ("--no-audit", "--no-fund", "--no-progress", "--ignore-scripts")
    done = subprocess.run(
        [npm, "install", *quiet], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode:
        pytest.skip(f"npm cannot install the packages of the client: {done.stderr[-200:]}")
    descriptors = FileDescriptorSet.FromString(files("proofbase.v1").joinpath("descriptors.binpb").read_bytes())
    ours = [file.name for file in descriptors.file if file.name.startswith("proofbase/")]
    options = "target=js,import_extension=js"
    request = CodeGeneratorRequest(proto_file=descriptors.file, file_to_generate=ours, parameter=options)
    plugin = folder / "node_modules" / ".bin" / "protoc-gen-es"
    made = subprocess.run([plugin], input=request.SerializeToString(), capture_output=True, timeout=60, check=True)
    response = CodeGeneratorResponse.FromString(made.stdout)
    assert not response.error
    for file in response.file:
        target = folder / "gen" / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(file.content, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_generated_client_reads_writes_and_watches(generated: Path, both: Both) -> None:
    done = subprocess.run(
        ["node", "client.mjs", f"http://{both.http}"],
        cwd=generated,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found) == {"protobuf", "json"}
    for answer in found.values():
        assert answer["value"] == [0, 0] and answer["statuses"] == [1, 3]
        assert answer["last"] == "DONE" and answer["exact"]
        assert answer["bytes"] > 100 and answer["refused"] == "NotFound"
    assert found["protobuf"]["key"] == found["json"]["key"]
    assert found["protobuf"]["records"] > 0, "the second solve finds what the first one has stored"
