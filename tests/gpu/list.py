"""list.py SOURCE BUILD: ctest's list of tests (JSON) as lines of shell, for run-gpu-tests.sh.

    test_case NAME SECONDS env NAME=VALUE... COMMAND...

with the folders SOURCE and BUILD as $ROOT and $ROOT/build.
"""
import json
import re
import sys

source, build = sys.argv[1:]


def word(text):
    text = re.sub(r'([\\"$`])', r"\\\1", text)
    return '"%s"' % text.replace(build, "$ROOT/build").replace(source, "$ROOT")


for test in json.load(sys.stdin)["tests"]:
    properties = {p["name"]: p["value"] for p in test.get("properties", [])}
    words = [test["name"], str(properties.get("TIMEOUT", 600)), "env"]
    words += properties.get("ENVIRONMENT", []) + test["command"]
    print("test_case", *map(word, words))
