"""Source files in, their encoded facts out: in this process where they are few, else spread over worker processes.

A file that cannot be extracted costs itself alone: it gets facts with nothing in them but the reason.
"""

from codegps.gather.reading import Content, count_lines, empty_facts, facts_of, name_of, read_source
from codegps.gather.spread import Task, gather
from codegps.gather.worker import Extracted

__all__ = [
    "Content",
    "Extracted",
    "Task",
    "count_lines",
    "empty_facts",
    "facts_of",
    "gather",
    "name_of",
    "read_source",
]
