import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rtl_evolve.rtl.textdiff import file_diff, patch

LINES = st.lists(st.text("ab \t\\+-@\r\fé\u2028", max_size=4), max_size=12)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n", "\r\n"]))
PATHS = ["top.v", "rtl/my unit.v", 'odd"na\\me.v', "é/ü.v"]


def applied(folder: Path, before: dict[str, str], diff: str) -> dict[str, str]:
    for path, text in before.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    plain = {"PATH": "/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    command = ["git", "-c", "core.quotePath=true", "apply", "--whitespace=nowarn", "-"]
    done = subprocess.run(command, check=False, cwd=folder, input=diff.encode(), capture_output=True, env=plain)
    assert done.returncode == 0, (done.stderr.decode(), diff)
    return {path: (folder / path).read_bytes().decode() for path in before}


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, st.sampled_from(PATHS))
def test_git_apply_gives_exactly_the_new_text(tmp_path_factory, before, after, path):
    diff = file_diff(path, before, after)
    if before == after:
        assert diff == ""
        return
    assert applied(tmp_path_factory.mktemp("apply"), {path: before}, diff) == {path: after}


@pytest.mark.parametrize("path", PATHS)
def test_odd_paths(tmp_path, path):
    assert applied(tmp_path, {path: "a\n"}, file_diff(path, "a\n", "b")) == {path: "b"}


def test_whole_text():
    before = "module m(input a, output y);\r\n  assign y = a + 0;\r\nendmodule"
    after = "module m(input a, output y);\r\n  assign y = a;\r\nendmodule"
    assert file_diff("rtl/m.v", before, after) == (
        "diff --git a/rtl/m.v b/rtl/m.v\n--- a/rtl/m.v\n+++ b/rtl/m.v\n@@ -1,3 +1,3 @@\n"
        " module m(input a, output y);\r\n-  assign y = a + 0;\r\n+  assign y = a;\r\n endmodule\n"
        "\\ No newline at end of file\n"
    )


def test_a_patch_holds_every_changed_file(tmp_path):
    golden = {"a.v": "a\n", "b.v": "b\n", "c.v": "c\n"}
    diff = patch(golden, [("a.v", "A\n"), ("b.v", "b\n"), ("c.v", "c\nd\n")])
    assert "b.v" not in diff
    assert applied(tmp_path, golden, diff) == {"a.v": "A\n", "b.v": "b\n", "c.v": "c\nd\n"}
