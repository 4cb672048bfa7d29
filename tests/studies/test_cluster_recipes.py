"""The recipes in docs/cluster work, as far as they can without containers, Slurm and Kubernetes.

Processes stand in for the containers, and a script for `srun`.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from hardmode import play
from hardmode.sim.results.result_file import load_results
from hardmode.studies.cluster.connection import use_cluster

pytest.importorskip("distributed")

RECIPES = Path(__file__).parents[2] / "docs" / "cluster"
PIG = {"game": "pig", "title": "Pig", "strategies": ["steady", "steady"]}
SRUN = """#!/bin/bash
count=1
while [[ $1 == --* ]]; do case $1 in --ntasks=*) count=${1#--ntasks=} ;; esac; shift; done
for ((i = 0; i < count; i++)); do "$@" & done
trap 'kill $(jobs -p) 2>/dev/null' EXIT TERM
wait
"""


def read_yaml(name):
    return YAML(typ="safe").load(RECIPES / name)


@contextlib.contextmanager
def run_processes(commands):
    made = []
    try:
        for command in commands:
            made.append(subprocess.Popen([sys.executable, "-m", *command], stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL))
        yield
    finally:
        for process in made:
            process.terminate()
        for process in made:
            process.wait(timeout=30)


@pytest.mark.soak
def test_the_services_of_the_compose_file_play():
    services = read_yaml("compose.yaml")["services"]
    assert {service["image"] for service in services.values()} == {"IMAGE"}
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    assert services["scheduler"]["ports"] == ["127.0.0.1:8786:8786"]
    commands = []
    for service in services.values():
        command = [word.replace("scheduler:8786", f"127.0.0.1:{port}").replace("8786", port)
                   for word in service["command"]]
        commands += [[*command, "--host", "127.0.0.1"]] * service.get("deploy", {}).get("replicas", 1)
    assert [command[:2] for command in commands] == [["dask", "scheduler"], ["dask", "worker"], ["dask", "worker"]]
    plain = play(PIG, games=3000)[0].outcome_digest
    with run_processes(commands), use_cluster(f"tcp://127.0.0.1:{port}"):
        assert play(PIG, games=3000)[0].outcome_digest == plain


@pytest.mark.soak
def test_the_job_for_slurm_plays(tmp_path):
    (tmp_path / "bin").mkdir()
    srun = tmp_path / "bin" / "srun"
    srun.write_text(SRUN)
    srun.chmod(0o755)
    for name, module in (("dask", "dask"), ("hardmode", "hardmode")):
        script = tmp_path / "bin" / name
        script.write_text(f'#!/bin/bash\nexec {sys.executable} -m {module} "$@"\n')
        script.chmod(0o755)
    (tmp_path / "mine.yaml").write_text("game: pig\ntitle: Mine\nstrategies: [steady, random]\n")
    env = {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "SLURM_JOB_ID": "7",
           "SLURM_NTASKS": "4"}
    words = ("run", "mine.yaml", "--games", "3000", "-o", "cluster.json")
    done = subprocess.run(["bash", str(RECIPES / "slurm.sh"), *words], cwd=tmp_path, env=env, capture_output=True,
                          text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    plain = play(str(tmp_path / "mine.yaml"), games=3000)[0]
    assert load_results(tmp_path / "cluster.json")[0].outcome_digest == plain.outcome_digest
    until = time.monotonic() + 60
    while (leftover := list_processes(tmp_path)) and time.monotonic() < until:
        time.sleep(0.5)
    assert not leftover and not list(tmp_path.glob("scheduler-*.json"))


def list_processes(folder):
    """The processes of the job that still run."""
    import psutil

    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.cwd() == str(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.cmdline())
    return found


def test_the_resource_for_kubernetes_is_valid():
    schema = json.loads(Path(__file__).with_name("dask_cluster.schema.json").read_text())
    resource = read_yaml("kubernetes.yaml")
    jsonschema.validate(resource, schema)
    service = resource["spec"]["scheduler"]["service"]
    assert service["selector"]["dask.org/cluster-name"] == resource["metadata"]["name"]
    container = resource["spec"]["scheduler"]["spec"]["containers"][0]
    assert {port["targetPort"] for port in service["ports"]} == {port["name"] for port in container["ports"]}
    del resource["spec"]["scheduler"]["service"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(resource, schema)
