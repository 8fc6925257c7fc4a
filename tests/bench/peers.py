"""The same workflows as a text template in Jinja2 and as a program in Jsonnet.

Both are derived from a file that wheelwright generated: placeholders replace the cells of a family and a combo, and a
loop replaces text that is repeated for every combo. So they need no changes when the templates change, and their output
can be compared with wheelwright's: Jinja2's byte for byte, Jsonnet's as a tree, because it has no comments.
"""

import json
import re

import yaml


class CoreLoader(yaml.CSafeLoader):
    """Plain scalars according to YAML 1.2: `on` is a string."""


CoreLoader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("null", r"~|null|Null|NULL|", list("~nN") + [""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", list("-+.0123456789")),
):
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), first)


def load_yaml(text):
    return yaml.load(text, Loader=CoreLoader)


class NotAlike(Exception):
    """The generated text has a repetition that a simple loop cannot produce."""


FAMILY = "\x01"  # placeholder for the family's code
FIELD = "\x02%s\x03"  # placeholder for a field of the combo
_MARK = re.compile("\x01|\x02(\\w+)\x03")


def mark(text, row):
    """The text with placeholders in place of the row's cells."""
    for field, value in row.fields().items():
        text = re.sub(rf"(?<![0-9]){re.escape(value)}(?![0-9])", FIELD % field, text)
    return text


def fill(text, row):
    return _MARK.sub(lambda match: match.group(0) if match.group(1) is None else row.fields()[match.group(1)], text)


# ---- Jinja2 ------------------------------------------------------------------------------------------


def _segments(text, rows):
    """The text as a list of (row or None, piece), where a piece is a job with the comments above it."""
    pieces, jobs_begun = [[]], False
    for line in text.splitlines(keepends=True):
        if jobs_begun and re.match(r"  [A-Za-z_][\w-]*:", line):
            # Comments and blank lines right above belong to the job.
            above = []
            while pieces[-1] and re.match(r"\s*(#.*)?$", pieces[-1][-1]):
                above.insert(0, pieces[-1].pop())
            pieces.append(above)
        jobs_begun = jobs_begun or line.startswith("jobs:")
        pieces[-1].append(line)
    segments = []
    for piece in map("".join, pieces):
        owner = next((row for row in rows if re.search(rf"^  \w*{row.id}\w*:", piece, re.MULTILINE)), None)
        if segments and segments[-1][0] is owner and owner is not None:
            segments[-1] = (owner, segments[-1][1] + piece)
        else:
            segments.append((owner, piece))
    return segments


def jinja_template(text, code, rows):
    """A Jinja2 template (marks `!{{ }}` and `!{% %}`, so that `${{ }}` is text) that renders `text`."""
    segments = _segments(text.replace(code, FAMILY), rows)
    out, i = [], 0
    while i < len(segments):
        owner, piece = segments[i]
        if owner is None:
            out.append(_inner_loops(piece, rows))
            i += 1
            continue
        pattern = mark(piece, owner)
        for offset, row in enumerate(rows):
            found, other = segments[i + offset] if i + offset < len(segments) else (None, "")
            if found is not row or fill(pattern, row) != other:
                raise NotAlike(f"the jobs of {row.id} are not made like those of {owner.id}:\n{other[:2000]}")
        out.append("!{% for combo in combos %}" + pattern + "!{% endfor %}")
        i += len(rows)
    template = "".join(out).replace(FAMILY, "!{{ code }}")
    return _MARK.sub(lambda match: "!{{ combo.%s }}" % match.group(1), template)


def _inner_loops(text, rows):
    """Turns runs of pieces that differ only in the combo's cells, separated by one text, into loops."""
    first, second = rows[0], rows[1]
    while first.id in text:
        at = text.index(first.id)
        # The smallest piece around the first row's id that is repeated for the second row.
        for unit in (r"^[^\n]*\n", r"\{[^{}]*\}", r"[\w-]+"):
            piece = next((m for m in re.finditer(unit, text, re.MULTILINE) if m.start() <= at < m.end()), None)
            if piece is None:
                continue
            pattern = mark(piece.group(0), first)
            following = fill(pattern, second)
            next_at = text.find(following, piece.end())
            if next_at < 0:
                continue
            separator = text[piece.end() : next_at]
            whole = separator.join(fill(pattern, row) for row in rows)
            if text.startswith(whole, piece.start()):
                tail = "!{% if not loop.last %}" + separator + "!{% endif %}" if separator else ""
                loop = "!{% for combo in combos %}" + pattern + tail + "!{% endfor %}"
                text = text[: piece.start()] + loop + text[piece.start() + len(whole) :]
                break
        else:
            raise NotAlike(f"no loop makes the text around {first.id}: {text[max(0, at - 200) : at + 200]}")
    return text


JINJA_PROGRAM = '''\
"""Renders one workflow for each family, as PyTorch's generator does."""
import json, sys
from pathlib import Path
import jinja2

here, out = Path(sys.argv[1]), Path(sys.argv[2])
environment = jinja2.Environment(
    variable_start_string="!{{", block_start_string="!{%", comment_start_string="!{#",
    loader=jinja2.FileSystemLoader(here), undefined=jinja2.StrictUndefined, keep_trailing_newline=True,
)
template = environment.get_template("release.yml.j2")
rows = json.loads((here / "rows.json").read_text())
for code in rows["codes"]:
    text = template.render(code=code, combos=rows["combos"])
    (out / rows["name"].replace("CODE", code)).write_text(text)
'''

# ---- Jsonnet -----------------------------------------------------------------------------------------


def _jsonnet_text(text):
    """A Jsonnet expression for a string with marks."""
    parts, at = [], 0
    for match in _MARK.finditer(text):
        if match.start() > at:
            parts.append(json.dumps(text[at : match.start()]))
        parts.append("code" if match.group(1) is None else f"combo.{match.group(1)}")
        at = match.end()
    if at < len(text) or not parts:
        parts.append(json.dumps(text[at:]))
    return " + ".join(parts)


def _jsonnet_enumeration(text, rows):
    """An expression for a string that lists all combos."""
    looped = _inner_loops(text, rows)
    parts = []
    for piece in re.split(r"(!\{% for combo in combos %\}.*?!\{% endfor %\})", looped, flags=re.DOTALL):
        loop = re.fullmatch(r"!\{% for combo in combos %\}(.*?)(?:!\{% if not loop.last %\}(.*?)!\{% endif %\})?!\{% endfor %\}",
                            piece, flags=re.DOTALL)
        if loop:
            separator = json.dumps(loop.group(2) or "")
            parts.append(f"std.join({separator}, [{_jsonnet_text(loop.group(1))} for combo in combos])")
        elif piece:
            parts.append(_jsonnet_text(piece))
    return " + ".join(parts)


def _replace(value, old, new):
    if isinstance(value, dict):
        return {key.replace(old, new): _replace(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [_replace(item, old, new) for item in value]
    return value.replace(old, new) if isinstance(value, str) else value


def _mentions(value, row):
    return row.id in json.dumps(value)


def _jsonnet(value, rows, inside):
    """A Jsonnet expression for the tree; `inside` is the row of the enclosing loop, or None."""
    if isinstance(value, dict):
        plain, sums = [], []

        def flush():
            if plain:
                sums.append("{ " + ", ".join(plain) + " }")
                plain.clear()

        for key, inner in value.items():
            if inside is None and any(row.id in key for row in rows):
                if rows[0].id not in key:
                    continue  # produced by the loop of the first row
                flush()
                name = _jsonnet_text(mark(key, rows[0]))
                sums.append(f"{{ [{name}]: {_jsonnet(inner, rows, rows[0])} for combo in combos }}")
            else:
                name = _jsonnet_text(mark(key, inside) if inside else key)
                plain.append(f"[{name}]: {_jsonnet(inner, rows, inside)}")
        flush()
        return " + ".join(sums) if sums else "{}"
    if isinstance(value, list):
        if inside is None and any(_mentions(item, rows[0]) for item in value):
            sums = []
            for item in value:
                if _mentions(item, rows[0]):
                    sums.append(f"[{_jsonnet(item, rows, rows[0])} for combo in combos]")
                elif not any(_mentions(item, row) for row in rows):
                    sums.append(f"[{_jsonnet(item, rows, None)}]")
            return "(" + " + ".join(sums) + ")"
        return "[" + ", ".join(_jsonnet(item, rows, inside) for item in value) + "]"
    if isinstance(value, str):
        if inside is not None:
            return _jsonnet_text(mark(value, inside))
        if rows[0].id in value:
            return _jsonnet_enumeration(value, rows)
        return _jsonnet_text(value)
    return json.dumps(value)


def jsonnet_program(text, code, rows):
    """A program for `jsonnet --multi --string` that makes one workflow for each family."""
    tree = _replace(load_yaml(text), code, FAMILY)
    return f"""local rows = import 'rows.json';
local combos = rows.combos;
local workflow(code) = {_jsonnet(tree, rows, None)};
{{
  [std.strReplace(rows.name, 'CODE', code)]:
    std.manifestYamlDoc(workflow(code), indent_array_in_object=true, quote_keys=false) + '\\n'
  for code in rows.codes
}}
"""


# ---- both --------------------------------------------------------------------------------------------


def write(folder, text, name, codes, rows):
    """Writes both programs and their data. `text` and `name` are of the workflow of the first family."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {
        "name": name.replace(codes[0], "CODE"),
        "codes": codes,
        "combos": [row.fields() for row in rows],
    }
    (folder / "rows.json").write_text(json.dumps(data))
    (folder / "release.yml.j2").write_text(jinja_template(text, codes[0], rows))
    (folder / "render.py").write_text(JINJA_PROGRAM)
    (folder / "release.jsonnet").write_text(jsonnet_program(text, codes[0], rows))
