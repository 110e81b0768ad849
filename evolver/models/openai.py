"""Any endpoint that speaks OpenAI's chat completions: hosted ones, vLLM, Ollama, llama.cpp."""

import json
import os
import time
from dataclasses import dataclass, field
from functools import cached_property

import openai
from openai.types.chat import ChatCompletion
from rtl_evolve.evolver.models.model import Answer, Fault, ModelError, Patience, Question, with_patience

KEY = "OPENAI_API_KEY"
OPTIONS = ("max_tokens", "temperature", "seed")
_FINISH = {"content_filter": "safety"}


@dataclass(frozen=True)
class OpenAI:
    """`model` as the endpoint names it; `base_url` up to and with "/v1" (default: OPENAI_BASE_URL, else OpenAI's own).

    The key comes from the environment variable named `key_variable`; a local endpoint needs none.
    """

    model: str
    base_url: str | None = None
    key_variable: str = KEY
    timeout_seconds: float = 300.0
    patience: Patience = field(default_factory=Patience)
    _refused: set[str] = field(default_factory=set, repr=False, compare=False)  # options this model doesn't take

    @property
    def name(self) -> str:
        return f"openai/{self.model}"

    @cached_property
    def _client(self) -> openai.OpenAI:
        base = self.base_url or os.environ.get("OPENAI_BASE_URL")
        key = os.environ.get(self.key_variable)
        if not key and base is None:
            raise ModelError(
                f"no key for {self.name}: set {self.key_variable} in the environment, or name a local endpoint's base URL",
                Fault.KEY,
            )
        return openai.OpenAI(api_key=key or "none", base_url=base, timeout=self.timeout_seconds, max_retries=0)

    def ask(self, question: Question) -> Answer:
        """One answer; raises `ModelError`."""
        return with_patience(lambda: self._once(question), self.patience)

    def _once(self, question: Question) -> Answer:
        started = time.monotonic()
        client = self._client
        try:
            response = client.chat.completions.create(
                model=self.model,
                messages=[
                    {"role": "system", "content": question.system},
                    {"role": "user", "content": question.prompt},
                ],
                max_tokens=openai.omit if "max_tokens" in self._refused else question.max_tokens,
                max_completion_tokens=question.max_tokens if "max_tokens" in self._refused else openai.omit,
                temperature=openai.omit if "temperature" in self._refused else question.temperature,
                seed=openai.omit if question.seed is None or "seed" in self._refused else question.seed,
            )
        except openai.APIStatusError as error:
            option = _option_refused(error)
            if option and option not in self._refused:
                self._refused.add(option)
                return self._once(question)
            raise _fault(error, self.name) from error
        except openai.APIConnectionError as error:
            raise ModelError(f"{self.name}: no answer ({error.__cause__ or error})", Fault.NETWORK) from error
        except (openai.OpenAIError, json.JSONDecodeError) as error:
            raise _nonsense(self.name) from error
        return _answer(response, self.name, time.monotonic() - started)


def _option_refused(error: openai.APIStatusError) -> str:
    """Which option of ours the model does not take: reasoning models want another name for the limit of tokens."""
    body = error.body if isinstance(error.body, dict) else {}
    if error.status_code == 400 and body.get("param") in OPTIONS and "unsupported" in str(body.get("code")):
        return str(body["param"])
    return ""


def _nonsense(name: str) -> ModelError:
    return ModelError(f"{name}: the endpoint's answer is not OpenAI's protocol; is the base URL right?", Fault.NONSENSE)


def _answer(response: ChatCompletion, name: str, seconds: float) -> Answer:
    choices = getattr(response, "choices", None)  # a body that isn't the protocol's comes through as it is
    message = getattr(choices[0], "message", None) if choices else None
    if not choices or message is None:
        raise _nonsense(name)
    finish = choices[0].finish_reason or "stop"
    usage = response.usage
    return Answer(
        message.content or "",
        name,
        usage.prompt_tokens if usage else 0,
        usage.completion_tokens if usage else 0,
        _FINISH.get(finish, finish),
        seconds,
    )


def _fault(error: openai.APIStatusError, name: str) -> ModelError:
    body = error.body if isinstance(error.body, dict) else {}
    code = str(body.get("code") or body.get("type") or "")
    message = " ".join(str(body.get("message") or error.message).split())
    fault = {401: Fault.KEY, 403: Fault.KEY, 404: Fault.MODEL, 429: Fault.BUSY, 408: Fault.BUSY}.get(
        error.status_code, Fault.BUSY if error.status_code >= 500 else Fault.REQUEST
    )
    if code == "insufficient_quota":
        fault = Fault.QUOTA
    try:
        wait = float(error.response.headers["retry-after"])
    except (KeyError, ValueError):
        wait = None
    return ModelError(f"{name}: {message} (status {error.status_code})", fault, wait)
