"""Questions in flight: each asked in a thread of its own, its reply stored by that thread the moment it arrives."""

import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, wait
from dataclasses import replace

from rtl_evolve.evolver.models.model import Answer, Fault, Model, ModelError, Question
from rtl_evolve.evolver.prices import Price
from rtl_evolve.evolver.prompt import tokens_of
from rtl_evolve.evolver.questions import Asked, QuestionBook

LEAST_SECRET = 8  # characters: shorter values of key variables are no keys but words


class Desk:
    """One model's questions in the order they were asked, from which replies are taken in that order."""

    def __init__(self, model: Model, price: Price | None, book: QuestionBook, secrets: tuple[str, ...]) -> None:
        self._model, self._price, self._book = model, price, book
        self._secrets = secrets  # names of environment variables whose values must not be stored
        self._open: deque[tuple[Asked, Future[Asked]]] = deque()

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[Asked]:
        return (asked for asked, _ in self._open)

    def send(self, asked: Asked) -> None:
        """Ask a question that is in the book; one that has its reply there is not asked again."""
        future: Future[Asked] = Future()
        self._open.append((asked, future))
        if asked.answer is not None:
            future.set_result(asked)
            return
        threading.Thread(target=self._ask, args=(asked, future), name=f"ask {asked.number}", daemon=True).start()

    def oldest(self) -> "Future[Asked]":
        """The question to be used next; it fails with `ModelError`."""
        return self._open[0][1]

    def take(self) -> None:
        """Remove the oldest."""
        self._open.popleft()

    def close(self, seconds: float) -> None:
        """Wait for replies that are on their way, so that what is paid for is stored; then forget the rest."""
        wait([future for _, future in self._open], seconds)
        self._open.clear()

    def _ask(self, asked: Asked, future: "Future[Asked]") -> None:
        try:
            answer = self._counted(asked.question, self._answer(asked.question))
            dollars = self._price.dollars(answer.input_tokens, answer.output_tokens) if self._price else None
            self._book.answer(asked, answer, dollars)
            future.set_result(replace(asked, answer=answer, dollars=dollars))
        except BaseException as error:  # noqa: BLE001 - handed to whoever takes the reply
            future.set_exception(error)

    def _answer(self, question: Question) -> Answer:
        """The model's answer; a request that the endpoint refuses is a reply of no use, not a broken endpoint."""
        began = time.monotonic()
        try:
            answer = self._model.ask(question)
        except ModelError as error:
            message = self._clean(error.message)
            if error.fault is not Fault.REQUEST:
                raise ModelError(message, error.fault, error.retry_after) from None
            return Answer("", self._model.name, 0, 0, f"refused: {message}", time.monotonic() - began)
        return replace(answer, text=self._clean(answer.text), finish=self._clean(answer.finish))

    def _counted(self, question: Question, answer: Answer) -> Answer:
        """With tokens estimated where an endpoint doesn't count them."""
        if answer.input_tokens or answer.output_tokens or answer.finish.startswith("refused"):
            return answer
        taken = tokens_of(question.system) + tokens_of(question.prompt)
        return replace(answer, input_tokens=taken, output_tokens=tokens_of(answer.text))

    def _clean(self, text: str) -> str:
        """Without the key, should an endpoint send it back."""
        for name in self._secrets:
            secret = os.environ.get(name, "")
            if len(secret) >= LEAST_SECRET:
                text = text.replace(secret, f"[{name}]")
        return text
