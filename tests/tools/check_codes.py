"""Checks that every diagnostic code is explained and tested.

docs/diagnostics.md explains each code that the sources report, once, and no other. A test below tests/unit/,
tests/cases/ or tests/python/ compares a whole message of each: it holds `error[CODE]: ` or `warning[CODE]: `.

A code is any text that can become the `code` of a Diagnostic: where it is assigned (`.code = "x"`), where it is
the argument of a function or lambda whose parameter is called `code`, and where it fills a member called `code`
of a braced argument. Either arm of a `?:` counts. So is `unknown-` with what a schema calls the rows that types name,
and the `code` of a schema's check. Checks of the schemas in examples/ are tested and not explained: they are a project's
own.

Usage: check_codes.py [ROOT]
"""

import re
import sys

import sources
import yaml

CODE = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+"
_LITERAL = re.compile(rf'"({CODE})"')
_PARAMETER = re.compile(r"\bstd::string_view code\b(?=\s*[,)=])")
_MEMBER = re.compile(r"\bstruct (\w+) \{((?:[^{}]|\{[^{}]*\})*?)\bstd::string_view code\b\s*[;{=]")
_ASSIGNED = re.compile(r"\bcode\s*=(?!=)")
_COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_OPEN, _CLOSE = "([{", ")]}"
# The first cell of a table row.
_EXPLAINED = re.compile(rf"^\|\s*`({CODE})`", re.MULTILINE)
_TESTS = ("tests/unit/", "tests/cases/", "tests/python/")
_OWN = re.compile(rf"\bcode: ({CODE})\b")
_SHOWN = re.compile(rf"(?:error|warning)\[({CODE})\]: \S")


def _without_comments(text):
    return _COMMENT_OR_TEXT.sub(lambda match: " " if match.group().startswith("/") else match.group(), text)


def _skip_text(text, at):
    """The position after the literal that starts at `at`."""
    at += 1
    while text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1


def _pieces(text, at, ends):
    """The comma-separated pieces from `at` to an unmatched bracket or one of `ends`."""
    depth, start, found = 0, at, []
    while at < len(text):
        char = text[at]
        if char == '"':
            at = _skip_text(text, at)
            continue
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and char in ends:
            break
        elif depth == 0 and char == ",":
            found.append(text[start:at])
            start = at + 1
        at += 1
    return [*found, text[start:at]]


def _position(text, at):
    """(position of the opening bracket, index) of the parameter that starts at `at`."""
    depth = number = 0
    while at > 0:
        at -= 1
        char = text[at]
        if char in ")]}>" and text[at - 1 : at + 1] != "->":
            depth += 1
        elif char in "([{<":
            if depth == 0:
                return at, number
            depth -= 1
        elif char == "," and depth == 0:
            number += 1
    return 0, number


def _functions(text):
    """(name, position of the parameter `code`) of functions and lambdas that are declared in the text."""
    for match in _PARAMETER.finditer(text):
        bracket, number = _position(text, match.start())
        before = text[:bracket].rstrip()
        if before.endswith("]"):
            name = re.search(r"\bauto (\w+) =\s*\[[^\]]*\]$", before)
        else:
            name = re.search(r"(\w+)$", before)
        if name:
            yield name.group(1), number


def _structs(text):
    """(name, position of its member `code`)."""
    for match in _MEMBER.finditer(text):
        yield match.group(1), match.group(2).count(";")


def _takers(text, structs):
    """(function, position, member) of functions that take a struct with a member `code`."""
    for struct, member in structs.items():
        for match in re.finditer(rf"\bconst {struct}& \w+(?=\s*[,)])", text):
            bracket, number = _position(text, match.start())
            name = re.search(r"(\w+)$", text[:bracket].rstrip())
            if name:
                yield name.group(1), number, member


def reported(root, folders=("base", "cli", "generator", "runtime", "selection")):
    """Code -> the first file that reports it."""
    texts = {
        path.relative_to(root).as_posix(): _without_comments(path.read_text(encoding="utf-8"))
        for path in sources.cpp_files(root, folders)
    }
    structs = {name: member for text in texts.values() for name, member in _structs(text)}
    functions, takers = {}, {}
    for text in texts.values():
        for name, position in _functions(text):
            functions.setdefault(name, set()).add(position)
        for name, position, member in _takers(text, structs):
            takers.setdefault(name, set()).add((position, member))
    found = {}
    calls = re.compile(rf"\b({'|'.join(sorted({*functions, *takers})) or 'no function'})\s*\(")
    for name, text in texts.items():
        pieces = [_pieces(text, match.end(), ",;")[0] for match in _ASSIGNED.finditer(text)]
        for match in calls.finditer(text):
            arguments = _pieces(text, match.end(), ";")
            for position in functions.get(match.group(1), ()):
                pieces += arguments[position : position + 1]
            for position, member in takers.get(match.group(1), ()):
                for argument in arguments[position : position + 1]:
                    if argument.lstrip().startswith("{"):
                        pieces += _pieces(argument, argument.index("{") + 1, "")[member : member + 1]
        for piece in pieces:
            for code in _LITERAL.findall(piece):
                found.setdefault(code, name)
    return found


def of_schemas(root, names=("generator/matrix/built_in_schema.yml", "matrix/schema.yml")):
    """Code -> the schema with tables or sets of names whose rows may be missing."""
    schemas = {name: yaml.load((root / name).read_text(encoding="utf-8"), yaml.CSafeLoader) for name in names if (root / name).exists()}
    kinds = {kind: row for schema in schemas.values() for kind, row in schema.get("rows", {}).items()}
    sets = {key: (name, row) for name, schema in schemas.items() for part in ("names", "tables")
            for key, row in schema.get(part, {}).items() if part == "names" or "type" in row}
    types = " ".join(re.findall(r"\btype: ([^\n,}]*)", "\n".join((root / name).read_text(encoding="utf-8") for name in schemas)))
    found = {}
    for key in re.findall(r"\b(?:name|row) of (\w+)", types):
        name, row = sets[key]
        kind = re.search(r"\brow (\w+)$", row.get("type", ""))
        noun = row.get("noun") or (kinds[kind.group(1)]["noun"].split(" ", 1)[1] if kind else key.replace("_", " "))
        found.setdefault("unknown-" + noun.replace(" ", "-"), name)
    for name, schema in schemas.items():
        for check_row in schema.get("checks", []):
            found.setdefault(check_row["code"], name)
    return found


def check(root):
    page = root / "docs" / "diagnostics.md"
    if not page.exists():
        yield "docs/diagnostics.md is missing"
        return
    codes = {**of_schemas(root), **reported(root)}
    explained = _EXPLAINED.findall(page.read_text(encoding="utf-8"))
    for code in sorted({code for code in explained if explained.count(code) > 1}):
        yield f"docs/diagnostics.md explains {code} twice"
    for code in sorted(set(codes) - set(explained)):
        yield f"{codes[code]}: docs/diagnostics.md does not explain {code}"
    for code in sorted(set(explained) - set(codes)):
        yield f"docs/diagnostics.md explains {code}, which nothing reports"
    shown = set()
    for path in sources.all_files(root):
        name = path.relative_to(root).as_posix()
        # The test of this check uses invented codes.
        if name.startswith(_TESTS) and name != "tests/python/test_source_checks.py":
            text = path.read_text(encoding="utf-8")
            # A test may contain a schema with its own checks.
            shown.update(set(_SHOWN.findall(text)) - set(_OWN.findall(text)))
    examples = {code: path.relative_to(root).as_posix() for path in sorted([*root.glob("examples/*/matrix/schema.yml"), *root.glob("examples/*/*.patch")])
                for code in _OWN.findall(path.read_text(encoding="utf-8"))}
    codes = {**examples, **codes}
    for code in sorted(set(codes) - shown):
        yield f"{codes[code]}: no test compares a whole message of {code}"
    for code in sorted(shown - set(codes)):
        yield f"a test expects {code}, which nothing reports"


def summary(root):
    return f"{len({**of_schemas(root), **reported(root)})} codes are explained and tested"


if __name__ == "__main__":
    sys.exit(sources.report(check, summary))
