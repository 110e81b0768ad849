"""Gemini through Google's own SDK: the public API with a key, another base URL, or Vertex AI."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import httpx2
import pydantic
from google import genai
from google.auth import exceptions as auth_errors
from google.genai import errors, types
from rtl_evolve.evolver.models.model import Answer, Fault, ModelError, Patience, Question, with_patience

KEYS = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
_FINISH = {"STOP": "stop", "MAX_TOKENS": "length"}
_FAULTS = {400: Fault.REQUEST, 401: Fault.KEY, 403: Fault.KEY, 404: Fault.MODEL, 429: Fault.BUSY}


@dataclass(frozen=True)
class Gemini:
    """`model` as the service names it. `thinking_tokens` None leaves the service's default, 0 turns thinking off.

    The key comes from GEMINI_API_KEY or GOOGLE_API_KEY and is kept nowhere; with `vertex_project` the machine's
    Google credentials are used instead.
    """

    model: str = "gemini-2.5-flash"
    base_url: str | None = None
    vertex_project: str | None = None
    vertex_location: str = "global"
    thinking_tokens: int | None = None
    timeout_seconds: float = 300.0
    patience: Patience = field(default_factory=Patience)

    @property
    def name(self) -> str:
        return f"gemini/{self.model}"

    @cached_property
    def _client(self) -> genai.Client:
        options = types.HttpOptions(
            base_url=self.base_url,
            timeout=int(self.timeout_seconds * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),  # retries are ours: they heed Retry-After and budgets
        )
        if self.vertex_project:
            return genai.Client(
                vertexai=True, project=self.vertex_project, location=self.vertex_location, http_options=options
            )
        key = next((os.environ[name] for name in KEYS if os.environ.get(name)), None)
        if key is None:
            raise ModelError(f"no key for Gemini: set {KEYS[0]} in the environment", Fault.KEY)
        return genai.Client(vertexai=False, api_key=key, http_options=options)

    def ask(self, question: Question) -> Answer:
        """One answer; raises `ModelError`."""
        return with_patience(lambda: self._once(question), self.patience)

    def _once(self, question: Question) -> Answer:
        started = time.monotonic()
        try:
            response = self._client.models.generate_content(
                model=self.model, contents=question.prompt, config=self._config(question)
            )
        except errors.APIError as error:
            raise _fault(error, self.name) from error
        except (httpx2.TransportError, ConnectionError, TimeoutError) as error:
            raise ModelError(f"{self.name}: no answer ({type(error).__name__}: {error})", Fault.NETWORK) from error
        except auth_errors.GoogleAuthError as error:
            raise ModelError(f"{self.name}: Google credentials: {error}", Fault.KEY) from error
        except (pydantic.ValidationError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelError(f"{self.name}: the endpoint's answer is not Gemini's protocol", Fault.NONSENSE) from error
        return _answer(response, self.name, time.monotonic() - started)

    def _config(self, question: Question) -> types.GenerateContentConfig:
        thinking = None
        if self.thinking_tokens is not None:
            thinking = types.ThinkingConfig(thinking_budget=self.thinking_tokens)
        return types.GenerateContentConfig(
            system_instruction=question.system or None,
            temperature=question.temperature,
            max_output_tokens=question.max_tokens,
            seed=question.seed,
            thinking_config=thinking,
        )


def _answer(response: types.GenerateContentResponse, name: str, seconds: float) -> Answer:
    usage = response.usage_metadata
    if not response.candidates and response.prompt_feedback is None:
        raise ModelError(f"{name}: the endpoint's answer is not Gemini's protocol", Fault.NONSENSE)
    candidate = response.candidates[0] if response.candidates else None
    parts = (candidate.content.parts if candidate and candidate.content else None) or []
    text = "".join(part.text for part in parts if part.text and not part.thought)
    if candidate is None:
        finish = "safety"  # the prompt itself was blocked
    else:
        reason = candidate.finish_reason.name if candidate.finish_reason else "STOP"
        finish = _FINISH.get(reason, "safety" if "SAFETY" in reason or "PROHIBITED" in reason else reason.lower())
    taken = (usage.prompt_token_count or 0) if usage else 0
    given = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0) if usage else 0
    return Answer(text, name, taken, given, finish, seconds)


def _fault(error: errors.APIError, name: str) -> ModelError:
    """Gemini says "API key not valid" with status 400, and the wait in a RetryInfo detail."""
    message = " ".join(str(error.message or error.status or "refused").split())
    fault = _FAULTS.get(error.code, Fault.BUSY if error.code >= 500 else Fault.REQUEST)
    if "api key" in message.lower():
        fault = Fault.KEY
    return ModelError(f"{name}: {message} (status {error.code})", fault, _retry_after(error))


def _retry_after(error: errors.APIError) -> float | None:
    headers: Mapping[str, str] = getattr(error.response, "headers", None) or {}
    wish = headers.get("retry-after")
    details = error.details.get("error", {}).get("details", []) if isinstance(error.details, dict) else []
    for detail in details:
        if isinstance(detail, dict) and "retryDelay" in detail:
            wish = wish or str(detail["retryDelay"]).removesuffix("s")
    try:
        return float(wish) if wish else None
    except ValueError:
        return None
