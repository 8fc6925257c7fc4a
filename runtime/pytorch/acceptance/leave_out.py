"""A plugin of pytest that leaves out tests by their exact names; `wheelrun test` writes what WHEELRUN_LEAVE_OUT names.

The file is a JSON object: `leave_out` are names for this file of tests, `elsewhere` those that are left out of others,
`report` is where to write which of both the tests here bear.

A name is that of a function, or what PyTorch makes of it for the device: test_print is also test_print_cuda. With `*`
in it, it is all names that it matches.
"""

import fnmatch
import json
import os

import pytest


def _bears(item, name):
    own = {item.name, getattr(item, "originalname", None) or item.name}
    if "*" in name:
        return any(fnmatch.fnmatchcase(each, name) for each in own)
    device = os.environ.get("PYTORCH_TESTING_DEVICE_ONLY_FOR", "cuda")
    return name in own or f"{name}_{device}" in own


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session, config, items):
    with open(os.environ["WHEELRUN_LEAVE_OUT"], encoding="utf-8") as file:
        asked = json.load(file)
    kept, left_out, borne = [], [], set()
    for item in items:
        here = [name for name in asked["leave_out"] if _bears(item, name)]
        borne.update(here, (name for name in asked["elsewhere"] if _bears(item, name)))
        (left_out if here else kept).append(item)
    items[:] = kept
    if left_out:
        config.hook.pytest_deselected(items=left_out)
    # Where a file could not be read, nobody knows which tests it has.
    if not session.testsfailed:
        with open(asked["report"], "w", encoding="utf-8") as file:
            json.dump(sorted(borne), file)
