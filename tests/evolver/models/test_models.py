"""The real SDKs against loopback servers that speak the services' protocols, errors and all."""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from rtl_evolve.evolver.models.gemini import Gemini
from rtl_evolve.evolver.models.model import Fault, Model, ModelError, Patience, Question
from rtl_evolve.evolver.models.openai import OpenAI

QUESTION = Question("be brief", "say hello", max_tokens=50, seed=7)
QUICK = Patience(attempts=3, first_wait=0.01, longest_wait=5.0)


class Server:
    """Answers requests with the scripted replies in turn (the last one for ever), and keeps what was asked."""

    def __init__(self, replies) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[str, dict, dict]] = []
        self.url = ""

    def next(self):
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@contextmanager
def serving(*replies) -> Iterator[Server]:
    server = Server(replies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.asked.append((self.path, dict(self.headers), body))
            reply = server.next()
            if reply == "drop":
                self.connection.close()
                return
            status, payload, headers = reply
            data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
            self.send_response(status)
            for name, value in {"content-type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        http.shutdown()
        thread.join()


def gemini_ok(text: str | None, finish: str = "STOP", **more):
    parts = [{"text": "thinking aloud", "thought": True}] + ([{"text": text}] if text is not None else [])
    usage = {"promptTokenCount": 11, "candidatesTokenCount": 5, "thoughtsTokenCount": 3, "totalTokenCount": 19}
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
    return (200, {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m", **more}, {})


def gemini_error(code: int, status: str, message: str, details=(), headers=None):
    return (
        code,
        {"error": {"code": code, "message": message, "status": status, "details": list(details)}},
        headers or {},
    )


def openai_ok(text: str | None, finish: str = "stop"):
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    usage = {"prompt_tokens": 11, "completion_tokens": 8, "total_tokens": 19}
    return (
        200,
        {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage},
        {},
    )


def openai_error(code: int, message: str, kind: str = "", headers=None):
    return (code, {"error": {"message": message, "type": kind, "code": kind, "param": None}}, headers or {})


OK = {"gemini": gemini_ok, "openai": openai_ok}
KINDS = pytest.mark.parametrize("kind", ["gemini", "openai"])


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "secret-key")
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def model(kind: str, url: str, **more) -> Model:
    more = {"patience": QUICK, "timeout_seconds": 10.0, **more}
    return Gemini("m", base_url=url, **more) if kind == "gemini" else OpenAI("m", base_url=url + "/v1", **more)


def fault(kind: str, *replies) -> ModelError:
    with serving(*replies) as server, pytest.raises(ModelError) as caught:
        model(kind, server.url).ask(QUESTION)
    assert "secret-key" not in str(caught.value) and "\n" not in str(caught.value)
    return caught.value


@KINDS
def test_an_answer_with_its_cost(kind):
    with serving(OK[kind]("hello")) as server:
        answer = model(kind, server.url).ask(QUESTION)
    assert (answer.text, answer.finish, answer.input_tokens, answer.output_tokens) == ("hello", "stop", 11, 8)
    assert answer.model == f"{kind}/m"
    ((path, headers, body),) = server.asked
    text = json.dumps(body)
    assert "be brief" in text and "say hello" in text and "50" in text
    assert "secret-key" in json.dumps(headers) and "secret-key" not in text
    assert path.endswith("/models/m:generateContent" if kind == "gemini" else "/v1/chat/completions")


def test_gemini_thinking_budget_is_passed_on():
    with serving(gemini_ok("hello")) as server:
        model("gemini", server.url, thinking_tokens=0).ask(QUESTION)
    config = server.asked[0][2]["generationConfig"]["thinkingConfig"]
    assert {name.replace("_", "").lower(): value for name, value in config.items()} == {"thinkingbudget": 0}


@pytest.mark.parametrize(
    ("kind", "reply", "finish"),
    [
        ("gemini", gemini_ok(None, "MAX_TOKENS"), "length"),
        ("gemini", gemini_ok(None, "SAFETY"), "safety"),
        (
            "gemini",
            (200, {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 4}}, {}),
            "safety",
        ),
        ("openai", openai_ok(None, "length"), "length"),
        ("openai", openai_ok("", "content_filter"), "safety"),
    ],
)
def test_an_empty_answer_says_why(kind, reply, finish):
    with serving(reply) as server:
        answer = model(kind, server.url).ask(QUESTION)
    assert (answer.text, answer.finish) == ("", finish)


@pytest.mark.parametrize(
    ("kind", "busy"),
    [
        ("gemini", gemini_error(503, "UNAVAILABLE", "overloaded")),
        (
            "gemini",
            gemini_error(
                429,
                "RESOURCE_EXHAUSTED",
                "slow down",
                [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.02s"}],
            ),
        ),
        ("openai", openai_error(429, "slow down", "rate_limit", {"retry-after": "0.02"})),
        ("openai", openai_error(503, "overloaded")),
        ("gemini", "drop"),
        ("openai", "drop"),
    ],
)
def test_a_busy_endpoint_is_asked_again(kind, busy):
    with serving(busy, busy, OK[kind]("at last")) as server:
        assert model(kind, server.url).ask(QUESTION).text == "at last"
    assert len(server.asked) == 3


@KINDS
def test_patience_ends(kind):
    busy = gemini_error(503, "UNAVAILABLE", "overloaded") if kind == "gemini" else openai_error(503, "overloaded")
    error = fault(kind, busy)
    assert error.fault is Fault.BUSY and "overloaded" in str(error)


@pytest.mark.parametrize(
    ("kind", "reply", "expected"),
    [
        ("gemini", gemini_error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."), Fault.KEY),
        ("gemini", gemini_error(404, "NOT_FOUND", "models/m is not found"), Fault.MODEL),
        ("gemini", gemini_error(400, "INVALID_ARGUMENT", "the input is too long"), Fault.REQUEST),
        (
            "gemini",
            gemini_error(429, "RESOURCE_EXHAUSTED", "daily quota", headers={"retry-after": "3600"}),
            Fault.QUOTA,
        ),
        ("gemini", (200, b"<html>a proxy</html>", {"content-type": "text/html"}), Fault.NONSENSE),
        ("gemini", (200, {"hello": "world"}, {}), Fault.NONSENSE),
        ("openai", openai_error(401, "wrong key", "invalid_api_key"), Fault.KEY),
        ("openai", openai_error(404, "no such model", "model_not_found"), Fault.MODEL),
        ("openai", openai_error(400, "too long", "context_length_exceeded"), Fault.REQUEST),
        ("openai", openai_error(429, "no credit", "insufficient_quota"), Fault.QUOTA),
        ("openai", (200, b"<html>a proxy</html>", {"content-type": "text/html"}), Fault.NONSENSE),
        ("openai", (200, {"hello": "world"}, {}), Fault.NONSENSE),
    ],
)
def test_what_no_retry_helps_is_said_at_once(kind, reply, expected):
    assert fault(kind, reply).fault is expected


@KINDS
def test_no_connection(kind):
    with pytest.raises(ModelError) as caught:
        model(kind, "http://127.0.0.1:9", patience=Patience(attempts=1)).ask(QUESTION)
    assert caught.value.fault is Fault.NETWORK


def test_no_key(monkeypatch):
    monkeypatch.delenv("GEMINI_API_KEY")
    monkeypatch.delenv("OPENAI_API_KEY")
    for asked in (Gemini("m"), OpenAI("m")):
        with pytest.raises(ModelError, match=r"set \w+_API_KEY") as caught:
            asked.ask(QUESTION)
        assert caught.value.fault is Fault.KEY


def test_a_local_endpoint_needs_no_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with serving(openai_ok("hello")) as server:
        assert model("openai", server.url).ask(QUESTION).text == "hello"


def test_openai_options_a_model_refuses_are_left_out():
    def refused(option: str, code: str):
        error = {"message": f"Unsupported: '{option}'", "type": "invalid_request_error", "code": code, "param": option}
        return (400, {"error": error}, {})

    replies = (refused("max_tokens", "unsupported_parameter"), refused("temperature", "unsupported_value"))
    with serving(*replies, openai_ok("hello")) as server:
        asked = model("openai", server.url)
        assert [asked.ask(QUESTION).text for _ in range(2)] == ["hello", "hello"]
    bodies = [body for _, _, body in server.asked]
    assert len(bodies) == 4 and bodies[0]["max_tokens"] == 50
    for body in bodies[2:]:
        assert body["max_completion_tokens"] == 50 and "max_tokens" not in body and "temperature" not in body


REAL = os.environ.get("GEMINI_API_KEY")


@pytest.mark.skipif(not REAL, reason="no GEMINI_API_KEY in the environment")
def test_the_real_service(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", REAL)
    assert "hello" in Gemini(thinking_tokens=0).ask(QUESTION).text.lower()
