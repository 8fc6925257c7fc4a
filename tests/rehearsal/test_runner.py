"""The program that runs jobs in the rehearsals: what it records of a step."""

import json
import os
import subprocess

from stage import ENGINE

COUNT = 40  # jobs. Formerly some of them lost their last lines, on a machine with other work.
JOB = """\
  job{number}:
    runs-on: linux
    steps:
      - run: |
          if [[ -t 0 || -t 1 || -t 2 ]]; then echo a terminal; fi
          echo "the end: {number}"
          exit 3
"""


def test_a_step_has_no_terminal_and_its_last_line_is_kept_though_it_fails(tmp_path):
    workflow = tmp_path / ".github/workflows/all.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text("on: push\njobs:\n" + "".join(JOB.format(number=number) for number in range(COUNT)))
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "event.json").write_text("{}")
    config = {"workflow": str(workflow), "workdir": str(tmp_path), "event": "push", "jobs": 2 * os.cpu_count(),
              "event_file": str(tmp_path / "event.json"), "folder": str(tmp_path / "work"), "labels": ["linux"]}
    (tmp_path / "config.json").write_text(json.dumps(config))
    run = subprocess.run([ENGINE, tmp_path / "config.json"], capture_output=True, text=True, check=False)
    assert run.returncode == 1, run.stderr
    entries = [json.loads(line) for line in run.stdout.splitlines()]
    printed = {(entry["run_job"], entry["msg"].strip()) for entry in entries if entry.get("raw_output")}
    assert printed == {(f"job{number}", f"the end: {number}") for number in range(COUNT)}
