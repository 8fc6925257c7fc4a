"""jsonschema without its check of IRIs, which no schema of ours has: its grammar takes a second to read."""

import sys

sys.modules.setdefault("rfc3987_syntax", None)  # jsonschema leaves out a format whose module cannot be imported
import jsonschema  # noqa: E402

__all__ = ["jsonschema"]
