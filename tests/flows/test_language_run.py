"""Whole runs by the command line with models behind loopback servers that speak the services' protocols."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

UNIT = """module unit(input clk, input s, input [3:0] a, b, c, d, output reg [3:0] y, output reg [3:0] z);
  always @(posedge clk) begin
    y <= s ? a + b : c + d;
    z <= s ? a - c : b - d;
  end
endmodule
"""
FLOW = """design: {files: unit.v}
max_delay: none
recipes: [area, quick]
power: {vectors: 500}
window: 3
workers: 2
bench: {enabled: false}
"""
KEY = "a-very-secret-key"
Y, Y_SHARED = "    y <= s ? a + b : c + d;", "    y <= (s ? a : c) + (s ? b : d);"
Z, Z_SHARED = "    z <= s ? a - c : b - d;", "    z <= (s ? a : b) - (s ? c : d);"


def whole(*pairs: tuple[str, str]) -> str:
    """The whole module with some lines changed: it can be used whatever the parent is."""
    text = UNIT
    for old, new in pairs:
        text = text.replace(old, new)
    return f"IDEA: one operator with multiplexed operands\n```verilog\n{text}```\n"


EDIT = f"IDEA: it is not there\nfile unit.v\n<<<<<<< SEARCH\n    y <= 0;\n=======\n{Y}\n>>>>>>> REPLACE\n"
REPLIES = {
    "good": whole((Y, Y_SHARED), (Z, Z_SHARED)),
    "half": whole((Y, Y_SHARED)),
    "wrong": whole((Y, "    y <= s ? a + b : c;")),
    "rare": whole((Y, "    y <= (a == 4'd7 && b == 4'd9 && c == 4'd3) ? 4'd0 : s ? a + b : c + d;")),
    "gaming": whole((Y, "`ifdef YOSYS\n    y <= 4'd0;\n`else\n" + Y + "\n`endif")),
    "x": whole((Y, "    y <= s ? a + b : 4'bx;")),
    "syntax": whole((Y, "    y <= s ? a + b : ;")),
    "port": whole(("output reg [3:0] y", "output reg [2:0] y")),
    "prose": "I would share the adders.",
    "nowhere": EDIT,
    "cut": EDIT[:-20],
    "empty": "",
}
WRONG = ("wrong", "rare", "gaming", "x", "syntax", "port")
USELESS = ("prose", "nowhere", "cut", "empty")


class Endpoint:
    """A Gemini or OpenAI server in this process; what it replies depends on the question alone."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.replied: list[str] = []
        self.url = ""
        self.status = 200
        self.seconds = 0.0
        self.lock = threading.Lock()

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        config = body.get("generationConfig", body)
        name = random.Random(config["seed"]).choice(tuple(REPLIES))
        with self.lock:
            self.replied.append(f"{config['seed']}/{name}")
        text = REPLIES[name]
        if self.kind == "gemini":
            candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP", "index": 0}
            return {
                "candidates": [candidate],
                "usageMetadata": {"promptTokenCount": 900, "candidatesTokenCount": 60, "thoughtsTokenCount": 40},
            }
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 900, "completion_tokens": 100, "total_tokens": 1000}
        head = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
        return {**head, "choices": [choice], "usage": usage}

    def error(self) -> dict[str, Any]:
        return {"error": {"code": self.status, "message": f"no: {self.status}", "status": "REFUSED"}}


@pytest.fixture(params=["openai", "gemini"])
def endpoint(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    served = Endpoint(request.param)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            assert KEY in str(self.headers) and KEY not in json.dumps(body)
            time.sleep(served.seconds)
            data = json.dumps(served.reply(body) if served.status == 200 else served.error()).encode()
            try:
                self.send_response(served.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                pass  # the asker was killed

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        served.url = f"http://127.0.0.1:{http.server_port}" + ("/v1" if served.kind == "openai" else "")
        thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield served
        http.shutdown()
        thread.join()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "unit.v").write_text(UNIT)
    (tmp_path / "flow.yaml").write_text(FLOW)
    return tmp_path


def start(folder: Path, *arguments: str, **more: str) -> "subprocess.Popen[str]":
    keys = {"GEMINI_API_KEY": KEY, "OPENAI_API_KEY": KEY, "XDG_CACHE_HOME": str(folder / "cache"), **more}
    environment = {k: v for k, v in os.environ.items() if k not in ("GOOGLE_API_KEY", "OPENAI_BASE_URL")}
    return subprocess.Popen(
        [sys.executable, "-m", "rtl_evolve.flows.cli", *arguments, "--json"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment, **{k: v for k, v in keys.items() if v}},
        start_new_session=True,
    )


def run(folder: Path, *arguments: str, status: int = 0, **more: str) -> tuple[dict[str, Any], str]:
    with start(folder, *arguments, **more) as process:
        out, err = process.communicate(timeout=600)
    assert process.returncode == status, err
    assert "Traceback" not in err
    return json.loads(out), err


def asks(endpoint: Endpoint) -> list[str]:
    return ["--proposer", endpoint.kind, "--model", "m", "--base-url", endpoint.url]


def story(folder: Path) -> list[Any]:
    result = json.loads((folder / "result.json").read_text())
    with closing(sqlite3.connect(f"file:{folder}/run.sqlite?mode=ro", uri=True)) as connection:
        rows = connection.execute(
            "SELECT position, id, proposer, arm, coalesce(c.outcome, e.outcome), note, e.structure, e.scalar"
            " FROM candidate c LEFT JOIN evaluation e USING (position) ORDER BY position"
        ).fetchall()
    return [rows, *(result[k] for k in ("best", "front", "counts", "ended"))]


def names(folder: Path) -> list[str]:
    """Which scripted reply each used question got, by position."""
    with closing(sqlite3.connect(f"file:{folder}/run.sqlite?mode=ro", uri=True)) as connection:
        found = connection.execute("SELECT reply FROM question WHERE used_at IS NOT NULL ORDER BY used_at").fetchall()
    return [next(name for name, text in REPLIES.items() if text == reply) for (reply,) in found]


@pytest.mark.slow
def test_the_best_good_reply_wins_and_no_other(folder: Path, endpoint: Endpoint) -> None:
    budget = ["--candidates", "9", "--tokens", "400000"]
    result, _ = run(folder, "run", "flow.yaml", "--out", "out", *budget, *asks(endpoint))
    said = names(folder / "out")
    assert "good" in said and set(said) & set(WRONG) and set(said) & set(USELESS)
    best = (folder / "out" / "best" / "unit.v").read_text()
    assert result["best"]["verdict"] == "proven" and Y_SHARED in best and Z_SHARED in best
    assert {member["verdict"] for member in result["front"]} == {"proven"}
    counts, model = result["counts"], result["models"][f"{endpoint.kind}/m"]
    assert counts["proposed"] == len(said) == sum(v for k, v in counts.items() if k not in ("proposed", "pending"))
    with closing(sqlite3.connect(f"file:{folder}/out/run.sqlite?mode=ro", uri=True)) as connection:
        (same,) = connection.execute("SELECT count(*) FROM candidate WHERE note LIKE '%leaves the text%'").fetchone()
    assert counts["unusable_reply"] == sum(name in USELESS for name in said) + same
    assert model["questions"] == model["replies"] == len(endpoint.replied)
    assert model["tokens"] == 1000 * len(endpoint.replied)
    for path in (folder / "out").rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
    asked = len(endpoint.replied)
    run(folder, "run", "flow.yaml", "--out", "again", "--candidates", "9", "--proposer", "replay", "--replay", "out")
    assert story(folder / "again") == story(folder / "out") and len(endpoint.replied) == asked


@pytest.mark.slow
def test_killed_and_resumed_it_pays_no_reply_twice(folder: Path, endpoint: Endpoint) -> None:
    if endpoint.kind == "gemini":
        pytest.skip("the same whatever the protocol")
    more = ["--candidates", "8", "--proposer", "rules", *asks(endpoint)]
    endpoint.seconds = 0.3
    run(folder, "run", "flow.yaml", "--out", "whole", *more)
    rng = random.Random(1)
    arguments: list[str] = ["run", "flow.yaml", "--out", "killed", *more]
    for _ in range(4):
        stored = replies(folder / "killed")
        endpoint.replied.clear()
        with start(folder, *arguments) as process:
            deadline = time.monotonic() + 60
            while not replies(folder / "killed") and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
            time.sleep(rng.random() * 3)
            os.killpg(process.pid, signal.SIGKILL)
        assert not {said.split("/")[0] for said in endpoint.replied} & stored, "paid twice"
        arguments = ["resume", "killed"]
    run(folder, "resume", "killed")
    assert story(folder / "killed") == story(folder / "whole")


def replies(folder: Path) -> set[str]:
    """Seeds of questions whose reply is stored."""
    if not (folder / "run.sqlite").exists():
        return set()
    try:
        with closing(sqlite3.connect(f"file:{folder}/run.sqlite?mode=ro", uri=True)) as connection:
            found = connection.execute("SELECT seed FROM question WHERE reply IS NOT NULL").fetchall()
    except sqlite3.Error:
        return set()
    return {str(seed) for (seed,) in found}


@pytest.mark.slow
def test_without_a_key_or_with_a_wrong_one(folder: Path, endpoint: Endpoint) -> None:
    endpoint.status = 401
    result, err = run(
        folder, "run", "flow.yaml", "--out", "a", "--candidates", "2", "--proposer", "rules", *asks(endpoint)
    )
    assert err.count("no: 401") == 1 and "going on with rules" in err
    assert result["ended"] in ("candidates", "exhausted") and result["counts"]["proposed"] > 0
    assert len(result["problems"]) == 1 and "401" in result["problems"][0]
    with start(folder, "run", "flow.yaml", "--out", "b", *asks(endpoint)) as process:
        _, err = process.communicate(timeout=300)
    assert process.returncode == 4 and err.strip().splitlines()[-1].startswith("rtl-evolve: ") and "401" in err
    assert (folder / "b" / "report.html").is_file()
    unset = {"GEMINI_API_KEY": "", "OPENAI_API_KEY": ""}
    with start(folder, "run", "flow.yaml", "--out", "c", *asks(endpoint)[:4], **unset) as process:
        _, err = process.communicate(timeout=300)
    assert process.returncode == 4 and "in the environment" in err.strip().splitlines()[-1]
