"""Evaluates which jobs of a workflow GitHub would run: its expressions and its rules for `if`.

It shares no code with the generator, so that it is an independent check of the generated files. It only supports the
parts of the language that generated conditions use; anything else is an error.
"""

import json
import re

_TOKEN = re.compile(r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<text>'(?:[^']|'')*')|(?P<name>[A-Za-z_][\w-]*)|(?P<sign>&&|\|\||==|!=|[!().,\[\]]))")
_STATUS = re.compile(r"\b(success|failure|always|cancelled)\(")


def _tokens(text):
    at = 0
    text = text.strip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found, f"cannot read {text[at:]!r}"
        yield found.lastgroup, found.group(found.lastgroup)
        at = found.end()
    yield "end", ""


def truth(value):
    return value not in (None, False, 0, "")


def _number(value):
    if isinstance(value, str):
        return float(value) if re.fullmatch(r"-?\d+(\.\d+)?", value.strip()) else 0.0 if not value.strip() else None
    return float(value or 0) if isinstance(value, bool | int | float | None) else None


def equal(left, right):
    """Compares texts without case, and values of different types as numbers; `null` is 0."""
    if isinstance(left, str) and isinstance(right, str):
        return left.lower() == right.lower()
    if isinstance(left, list | dict) or isinstance(right, list | dict):
        return left is right
    numbers = _number(left), _number(right)
    return None not in numbers and numbers[0] == numbers[1]


def _contains(where, what):
    if isinstance(where, list):
        return any(equal(item, what) for item in where)
    return str(what).lower() in str(where or "").lower()


class Expression:
    """Evaluates by recursive descent; both sides of && and || are parsed."""

    def __init__(self, text, context, functions):
        self.tokens = list(_tokens(text))
        self.at = 0
        self.context = context
        self.functions = {
            "contains": _contains, "fromjson": json.loads, "tojson": json.dumps, **functions,
        }  # fmt: skip

    def value(self):
        value = self.either()
        assert self.tokens[self.at][0] == "end", f"left over: {self.tokens[self.at :]}"
        return value

    def took(self, *signs):
        if self.tokens[self.at][1] in signs and self.tokens[self.at][0] == "sign":
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def either(self):
        value = self.both()
        while self.took("||"):
            other = self.both()
            value = value if truth(value) else other
        return value

    def both(self):
        value = self.comparison()
        while self.took("&&"):
            other = self.comparison()
            value = other if truth(value) else value
        return value

    def comparison(self):
        value = self.negation()
        while sign := self.took("==", "!="):
            value = equal(value, self.negation()) == (sign == "==")
        return value

    def negation(self):
        if self.took("!"):
            return not truth(self.negation())
        value = self.primary()
        while sign := self.took(".", "["):
            if sign == ".":
                key = self.tokens[self.at][1]
                self.at += 1
            else:
                key = self.either()
                assert self.took("]")
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def primary(self):
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return float(text) if "." in text else int(text)
        if kind == "text":
            return text[1:-1].replace("''", "'")
        if text == "(":
            value = self.either()
            assert self.took(")")
            return value
        assert kind == "name", f"unexpected {text!r}"
        if not self.took("("):
            words = {"true": True, "false": False, "null": None}
            return words[text] if text in words else self.context[text]
        arguments = []
        while not self.took(")"):
            arguments.append(self.either())
            self.took(",")
        return self.functions[text.lower()](*arguments)


def bare(text):
    """An expression without its brackets."""
    whole = re.fullmatch(r"\$\{\{(.*)\}\}", str(text).strip(), re.DOTALL)
    return whole.group(1) if whole else str(text)


def evaluated(value, context):
    """The value of an input that a caller passes: an expression or a constant."""
    if isinstance(value, str) and re.fullmatch(r"\$\{\{[^{}]*\}\}", value.strip()):
        return Expression(bare(value), context, {}).value()
    return value


def needs_of(job):
    needs = job.get("needs", [])
    return [needs] if isinstance(needs, str) else needs


class Run:
    """A run in which every started job succeeds. `outputs_of(id, job, context)` gives the outputs of a job."""

    def __init__(self, workflow, github, inputs, outputs_of):
        self.jobs = workflow["jobs"]
        self.context = {"github": github, "inputs": inputs}
        self.outputs_of = outputs_of
        self.results = {}
        for job_id in self.jobs:
            self._visit(job_id)

    def started(self):
        return {job for job, (result, _) in self.results.items() if result == "success"}

    def _ancestors(self, job_id):
        found = set()
        for need in needs_of(self.jobs[job_id]):
            found |= {need} | self._ancestors(need)
        return found

    def _visit(self, job_id):
        if job_id in self.results:
            return
        job = self.jobs[job_id]
        for need in needs_of(job):
            self._visit(need)
        # GitHub's success() covers all ancestors, not only the direct needs.
        success = all(self.results[other][0] == "success" for other in self._ancestors(job_id))
        needs = {need: dict(zip(("result", "outputs"), self.results[need], strict=True)) for need in needs_of(job)}
        context = {**self.context, "needs": needs}
        condition = bare(job.get("if", "success()"))
        if not _STATUS.search(condition):
            condition = f"success() && ({condition})"
        functions = {"success": lambda: success, "always": lambda: True, "cancelled": lambda: False}
        if truth(Expression(condition, context, functions).value()):
            self.results[job_id] = ("success", self.outputs_of(job_id, job, context))
        else:
            self.results[job_id] = ("skipped", {})
