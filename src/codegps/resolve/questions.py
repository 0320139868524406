"""Questions about names and types in, answers with what they depended on out: memory that is right in cycles.

A question may come to be asked again while it is being answered: modules that import each other, classes that name each
other's members. All questions of such a cycle are answered together, round after round from "nothing known", until no
answer changes: the least fixpoint, whichever of them was asked first. Only then are they remembered. A question that
stands too deep in others is put off to the outermost one, so that no chain or cycle, however long, exhausts the stack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from codegps.model.graph import FILE_SHIFT

Key = tuple[Any, ...]

FAR: Final = frozenset({"i", "l", "h"})
"""Sorts of questions whose answer may change although nothing of their symbol's file does."""
DEEP: Final = 60
"""Questions that may wait for one another on the stack."""
ROUNDS: Final = 200
"""No cycle of monotone rules takes that many; it bounds those that source code without meaning makes."""


class Questions:
    """The memory of one run, and what is being depended on."""

    def __init__(self) -> None:
        self.memo: dict[Key, tuple[Any, tuple[int, ...]]] = {}
        """Question to answer and numbers of the questions that it depended on."""
        self.numbers_of: dict[Key, int] = {}
        self.questions: list[Key] = []
        """By number."""
        self.homes: list[int] = []
        """By number: the file whose text alone settles the question, -1 where there is none."""
        self.shared: dict[tuple[int, ...], tuple[int, ...]] = {}
        self.reads: set[Key] = set()
        """What is being depended on right now."""
        self.taken: dict[Key, tuple[int, ...]] = {}
        """Answers that were known already, with what they depended on."""
        self.waiting = 0
        """Questions on the stack."""
        self.stack: list[Key] = []
        """Questions without a final answer: those on the stack, and those of cycles that are still open."""
        self.at: dict[Key, int] = {}
        """Where they stand there."""
        self.heads: list[int] = []
        """Where cycles begin on the stack, as far as known; a question alone is one too."""
        self.again: set[Key] = set()
        """Those that were asked again before their answer was final."""
        self.so_far: dict[Key, Any] = {}
        self.grew = False
        """Whether an answer of the innermost open cycle changed in this round."""
        self.far: dict[Key, tuple[Callable[[], Any], Any]] = {}
        """Questions put off to the outermost one."""

    def ask(self, key: Key, compute: Callable[[], Any], bottom: Any) -> Any:
        """The least fixpoint of `compute` for this question, remembered with what it depended on."""
        known = self.memo.get(key)
        if known is not None:
            self.taken[key] = known[1]
            return known[0]
        if key in self.at:
            self._meet(self.at[key])
            return self.so_far[key]
        if self.waiting >= DEEP:
            self._meet(0)
            self.far[key] = (compute, bottom)
            return self.so_far.get(key, bottom)
        return self._answer(key, compute, bottom)

    def watch(self) -> None:
        """Starts to note what is depended on."""
        self.reads, self.taken = set(), {}

    def depended(self) -> set[int]:
        """Numbers of the questions that have been depended on since."""
        found = set[int]().union(*self.taken.values())
        numbers = self.numbers_of
        for key in self.reads:
            number = numbers.get(key)
            found.add(self._numbered(key) if number is None else number)
        return found

    def outside(self, file_key: int) -> set[int]:
        """The same without what the file itself settles."""
        home = file_key >> FILE_SHIFT
        homes = self.homes
        return {number for number in self.depended() if homes[number] != home}

    def _numbered(self, key: Key) -> int:
        number = self.numbers_of[key] = len(self.questions)
        self.questions.append(key)
        self.homes.append(-1 if key[0] in FAR else key[1] >> FILE_SHIFT)
        return number

    # -- cycles

    def _meet(self, at: int) -> None:
        """All from there on are one cycle."""
        self.again.add(self.stack[at])
        while self.heads[-1] > at:
            self.heads.pop()

    def _answer(self, key: Key, compute: Callable[[], Any], bottom: Any) -> Any:
        at = self.at[key] = len(self.stack)
        self.stack.append(key)
        self.heads.append(at)
        self.so_far.setdefault(key, bottom)
        outer, taken, grew = self.reads, self.taken, self.grew
        self.waiting += 1
        rounds = 0
        while True:
            rounds += 1
            self.reads, self.taken, self.grew = set(), {}, False
            answer = compute()
            if answer != self.so_far[key]:
                self.so_far[key] = answer
                self.grew = True
            if not at and self.far:
                self._catch_up()
            closed = self.heads[-1] == at
            alone = key not in self.again and len(self.stack) == at + 1
            if not closed or not self.grew or alone or rounds == ROUNDS:
                break
            for each in self.stack[at + 1 :]:
                del self.at[each]
            del self.stack[at + 1 :]
        self.waiting -= 1
        reads = tuple(sorted(self.depended()))
        reads = self.shared.setdefault(reads, reads)
        if closed:
            self._remember(at, reads)
        self.reads, self.taken, self.grew = outer, taken, grew or (self.grew and not closed)
        taken[key] = reads
        return answer

    def _catch_up(self) -> None:
        """Answers what was put off, the deepest first."""
        while True:
            left = [key for key in reversed(self.far) if key not in self.at and key not in self.memo]
            if not left:
                return
            for key in left:
                if key not in self.at and key not in self.memo:
                    compute, bottom = self.far[key]
                    before = self.so_far.get(key, bottom)
                    if self._answer(key, compute, bottom) != before:
                        self.grew = True

    def _remember(self, at: int, reads: tuple[int, ...]) -> None:
        for each in self.stack[at:]:
            self.memo[each] = (self.so_far.pop(each), reads)
            del self.at[each]
            self.again.discard(each)
        del self.stack[at:]
        self.heads.pop()
        if not at:
            self.far.clear()
            self.so_far.clear()
