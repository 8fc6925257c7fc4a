"""Reads docs/workflows.md for the tests, and makes the tables in it that come from the generated set: triggers, inputs
and outputs."""

import re
import sys
from functools import cache

import yaml
from workflow_set import GENERATED, ROOT, code, workflows

sys.path.insert(0, str(ROOT / "tests/tools"))
from sources import prose_lines

PAGE = ROOT / "docs/workflows.md"

# ---- names with holes -----------------------------------------------------------------------


def regex(name):
    """`build_{platform}_artifacts.yml` matches every file of that form; also for ids of jobs."""
    parts = re.split(r"\{\w+\}", name)
    return re.compile("[\\w.-]+".join(re.escape(part) for part in parts))


def fitting(name, names):
    pattern = regex(name)
    return [other for other in names if pattern.fullmatch(other)]


# ---- the set --------------------------------------------------------------------------------


@cache
def own_workflows():
    """The workflows of this project itself."""
    return workflows(ROOT / ".github/workflows")


def events(workflow):
    on = workflow["on"]
    return on if isinstance(on, dict) else {on: None}


def declared(workflow, what):
    """(event, name, declaration) of the inputs or outputs."""
    for event, settings in events(workflow).items():
        if isinstance(settings, dict):
            for name, row in (settings.get(what) or {}).items():
                yield event, name, row


def job_ids(found):
    return [job for workflow in found.values() for job in workflow["jobs"]]


def inputs(found):
    return {name for workflow in found.values() for _, name, _ in declared(workflow, "inputs")}


def outputs(found):
    """Outputs of workflows and of jobs, by name."""
    names = {name for workflow in found.values() for _, name, _ in declared(workflow, "outputs")}
    for workflow in found.values():
        for job in workflow["jobs"].values():
            names |= set(job.get("outputs", {}))
    return names


@cache
def external_files():
    rows = yaml.load((ROOT / "matrix/external.yml").read_text(encoding="utf-8"), yaml.CSafeLoader)["external_workflows"]
    return {row["path"].rsplit("/", 1)[1] for row in rows.values()}


# ---- the page -------------------------------------------------------------------------------


def sections(text):
    """(heading, line of it, body) of each section of a page."""
    heads = list(re.finditer(r"^## (.*)$", text, re.MULTILINE))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        end = following.start() if following else len(text)
        yield head.group(1), 1 + text.count("\n", 0, head.start()), text[head.end() : end]


def files_of(heading):
    """The workflows that the heading of a section names."""
    found = {}
    for name in re.findall(r"[\w{}-]+\.yml", heading):
        found |= {file: workflows()[file] for file in fitting(name, workflows())}
    return found


def tables(body):
    """(header, rows) of each table."""
    for found in re.finditer(r"(?:^\|.*\n)+", body, re.MULTILINE):
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in found.group(0).splitlines()]
        yield rows[0], rows[2:]


# ---- the tables that are made ---------------------------------------------------------------

_EVENTS = {"workflow_call": "a call", "workflow_dispatch": "hand", "schedule": "the clock"}
MADE = re.compile(r"<!-- made -->\n.*?<!-- as far as here -->\n", re.DOTALL)


def _started(found):
    for file, workflow in found.items():
        words = []
        for event, settings in events(workflow).items():
            word = _EVENTS.get(event, event.replace("_", " "))
            details = []
            if event == "schedule":
                details = [row["cron"] for row in settings]
            elif settings:
                details = [*settings.get("branches", []), *settings.get("types", [])]
            words.append(f"{word} ({', '.join(f'`{detail}`' for detail in details)})" if details else word)
        yield file, "; ".join(words)


def _started_line(found):
    said = dict(_started(found))
    if len(set(said.values())) == 1:
        return f"Started by: {next(iter(said.values()))}.\n"
    return "".join(f"- `{file}` is started by: {words}.\n" for file, words in said.items())


def _in_some(name, holders, found):
    """The files that have it, if not all do."""
    if len(holders[name]) == len(found):
        return ""
    return "; in " + ", ".join(f"`{file}`" for file in holders[name])


def _holders(found, what):
    holders = {}
    for file, workflow in found.items():
        for _, name, _ in declared(workflow, what):
            files = holders.setdefault(name, [])
            if file not in files:
                files.append(file)
    return holders


def _type(rows):
    kinds = {row["type"] for row in rows.values()}
    options = next((row["options"] for row in rows.values() if "options" in row), [])
    kind = next(iter(kinds - {"choice"}), "string")
    if not options:
        return kind
    if len(options) > 4:
        return f"{kind}; by hand, of a list"
    return f"{kind}; by hand, one of {', '.join(f'`{option}`' for option in options)}"


def _left_out(rows):
    if any(row.get("required") for row in rows.values()):
        return "must be given"
    value = next(iter(rows.values())).get("default", "")
    if value == "":
        return "empty"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _cell(text):
    return text.replace("|", "\\|")


def made(found):
    """The generated tables of a group of workflows."""
    text = _started_line(found)
    holders = _holders(found, "inputs")
    if holders:
        text += "\n| input | type | when left out | is |\n| --- | --- | --- | --- |\n"
        for name, files in holders.items():
            rows = {event: row for event, other, row in declared(found[files[0]], "inputs") if other == name}
            about = _cell(next(iter(rows.values()))["description"]) + _in_some(name, holders, found)
            text += f"| `{name}` | {_type(rows)} | {_left_out(rows)} | {about} |\n"
    holders = _holders(found, "outputs")
    if holders:
        text += "\n| output | is |\n| --- | --- |\n"
        for name, files in holders.items():
            row = next(row for _, other, row in declared(found[files[0]], "outputs") if other == name)
            text += f"| `{name}` | {_cell(row['description'])}{_in_some(name, holders, found)} |\n"
    return f"<!-- made -->\n{text}<!-- as far as here -->\n"


def renewed(text):
    """The page with its generated tables renewed."""
    for heading, _, body in list(sections(text)):
        if files_of(heading):
            new = made(files_of(heading))
            text = text.replace(body, MADE.sub(lambda _, new=new: new, body, count=1))
    return text


# ---- what pages say -------------------------------------------------------------------------


def hand_written():
    """The hand-written files that docs/adopting.md lists as replaced."""
    text = (ROOT / "docs/adopting.md").read_text(encoding="utf-8")
    header, rows = next(table for table in tables(text) if table[0][0] == "by hand")
    assert header == ["by hand", "generated", "what is different"]
    return {name for row in rows for name in code(row[0])}


# A list of names after a word with their kind: "jobs `a`, `b` and `c`".
_NAMED = re.compile(r"\b(job|input|output)s? ((?:`[\w{}.-]+`(?:, | and |, and | or )?)+)")


def wrong_files(page, text):
    """Names of workflows that do not exist."""
    others = hand_written() | external_files() | set(own_workflows()) | {"action.yml"}
    for number, line in prose_lines(text):
        for name in code(line):
            if not re.fullmatch(r"(?:[\w{}.-]+/)*[\w{}.-]+\.yml", name):
                continue
            folder, _, file = name.rpartition("/")
            if folder in ("", "generated-workflows"):
                if not fitting(file, workflows()) and not fitting(file, others):
                    yield f"{page}:{number}: there is no workflow {name}"
            elif not fitting(name.removeprefix("./"), _paths()):
                yield f"{page}:{number}: there is no {name}"


@cache
def _paths():
    folders = ("matrix", "templates", "generated-workflows", "generator", ".github", "tests/attack", "tests/matrix")
    found = {path.relative_to(ROOT).as_posix() for name in folders for path in (ROOT / name).rglob("*.yml")}
    # A fragment by the name that `include` takes, and workflows in the folder of an adopter.
    found |= {path.removeprefix("templates/") for path in found if path.startswith("templates/fragments/")}
    # Templates of another project, which this one has not.
    found |= {"matrix/shared.yml", "builds/fragments/setup.yml"}
    # Pages about examples name their files as these projects do.
    for path in (ROOT / "examples").rglob("*.yml"):
        found |= {path.relative_to(ROOT).as_posix(), "/".join(path.relative_to(ROOT).parts[2:])}
    # The configuration of lint, and example paths of workflows.
    found |= {".github/wheelwright.yml", ".github/workflows/test.yml"}
    return found | {f".github/workflows/{name}" for name in {*workflows(), *external_files(), *hand_written()}}


def wrong_names(page, text, found):
    """Names of jobs, inputs and outputs that the workflows `found` do not have."""
    known = {"job": job_ids(found), "input": inputs(found), "output": outputs(found)}
    for number, line in prose_lines(text):
        for kind, names in _NAMED.findall(line):
            for name in code(names):
                if not fitting(name, known[kind]):
                    yield f"{page}:{number}: there is no {kind} {name}"


def wrong_rows(page, heading, body):
    """Rows of tables of inputs and outputs that the section's workflows do not have."""
    found = files_of(heading)
    known = {"input": inputs(found), "output": outputs(found)}
    for header, rows in tables(body):
        for name in [name for row in rows for name in code(row[0])] if header[0] in known else []:
            if name not in known[header[0]]:
                yield f"{page}: {heading}: there is no {header[0]} {name}"


def wrong_graph(page, text):
    """Nodes of Mermaid graphs, `x["job<br>file.yml"]`, whose file has no such job or calls no such file."""
    for graph in re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL):
        titles = files_of(" ".join(re.findall(r'subgraph \w+\["([^"]+)"\]', graph)))
        for job, file in re.findall(r'\["([\w.-]+)<br>([\w-]+\.yml)"\]', graph):
            places = titles or workflows()
            jobs = [place["jobs"][job] for place in places.values() if job in place["jobs"]]
            calls = {str(found.get("uses", "")).rsplit("/", 1)[-1] for found in jobs}
            if not jobs:
                yield f"{page}: a graph shows a job {job}, which there is not"
            elif file not in calls:
                yield f"{page}: a graph lets job {job} call {file}"


def wrong_jobs(page, heading, body):
    """Missing, surplus and wrong rows of a section's table of jobs."""
    found = files_of(heading)
    table = next((rows for header, rows in tables(body) if header[0] == "job"), None)
    if table is None:
        yield f"{page}: {heading} has no table of jobs"
        return
    patterns = [name for row in table for name in code(row[0])]
    for file, workflow in found.items():
        for job in workflow["jobs"]:
            rows = [pattern for pattern in patterns if regex(pattern).fullmatch(job)]
            if len(rows) != 1:
                yield f"{page}: {heading}: {len(rows)} rows are for job {job} of {file}"
    for row in table:
        called = set(code(row[1]))
        for pattern in code(row[0]):
            jobs = [job for flow in found.values() for key, job in flow["jobs"].items() if regex(pattern).fullmatch(key)]
            if not jobs:
                yield f"{page}: {heading}: there is no job {pattern}"
            uses = {str(job["uses"]).rsplit("/", 1)[-1] for job in jobs if "uses" in job}
            for file in uses:
                if not any(regex(name).fullmatch(file) for name in called):
                    yield f"{page}: {heading}: job {pattern} calls {file}, not {', '.join(called) or 'nothing'}"
            for name in called:
                if not fitting(name, uses):
                    yield f"{page}: {heading}: job {pattern} does not call {name}"


@cache
def _words(folder):
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob("*.yml")))
    return set(re.findall(r"[\w.-]+", text))


def wrong_words(page, heading, body):
    """Names between backticks that are neither in the section's workflows nor in the matrix."""
    text = "".join((GENERATED / file).read_text(encoding="utf-8") for file in files_of(heading))
    known = set(re.findall(r"[\w.-]+", text)) | _words("matrix")
    for _, line in prose_lines(MADE.sub("", body)):
        for name in code(line):
            if re.fullmatch(r"[a-z][\w-]*_[\w-]*", name) and name not in known:
                yield f"{page}: {heading}: nothing is called {name}"
