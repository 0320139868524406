"""The tables of the SQLite store, and how integers are packed into them.

A symbol's key is `file number << 20 | number`. An edge's place in its table is `source << 22 | n`, so one source's
edges, and one file's, lie side by side and are found without an index. What has no source lies at
`file number << 28 | n`. `how` holds the small vocabularies and the site, `at` holds line and column.
`drawn_source` and `drawn_target` are NULL where they repeat source and target, as they mostly do.
"""

from __future__ import annotations

VERSION = 1
"""Grows when the tables change. An older index is rebuilt, a newer one refused."""

APPLICATION = 0x43475053
"""Marks the file as ours (PRAGMA application_id)."""

FILE_SHIFT = 20
EDGE_SHIFT = 22
FILE_EDGE_SHIFT = FILE_SHIFT + EDGE_SHIFT
ROW_SHIFT = 28
COLUMN_SHIFT = 24

TABLES = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE file (
    number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, language TEXT NOT NULL, sha TEXT NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, lines INTEGER NOT NULL
);
CREATE TABLE tally (
    number INTEGER PRIMARY KEY, symbols INTEGER NOT NULL, resolved INTEGER NOT NULL, dispatch INTEGER NOT NULL,
    inferred INTEGER NOT NULL, external INTEGER NOT NULL, unknown INTEGER NOT NULL
);
CREATE TABLE symbol (
    key INTEGER PRIMARY KEY, fold TEXT NOT NULL, name TEXT, qualified_name TEXT NOT NULL, kind INTEGER NOT NULL,
    start_line INTEGER NOT NULL, start_column INTEGER NOT NULL, end_line INTEGER NOT NULL,
    end_column INTEGER NOT NULL, parent INTEGER NOT NULL, language TEXT, flags INTEGER NOT NULL,
    drawn INTEGER NOT NULL
);
CREATE TABLE edge (
    place INTEGER PRIMARY KEY, target INTEGER NOT NULL, how INTEGER NOT NULL, at INTEGER NOT NULL,
    class INTEGER NOT NULL, drawn_source INTEGER, drawn_target INTEGER
);
CREATE TABLE reference (
    place INTEGER PRIMARY KEY, name TEXT NOT NULL, last TEXT, how INTEGER NOT NULL, at INTEGER NOT NULL,
    external TEXT, candidates TEXT, drawn_source INTEGER
);
CREATE TABLE entry (
    place INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, symbol INTEGER NOT NULL, line INTEGER NOT NULL
);
CREATE TABLE diagnostic (
    place INTEGER PRIMARY KEY, path TEXT NOT NULL, line INTEGER NOT NULL, message TEXT NOT NULL
);
CREATE TABLE skip (place INTEGER PRIMARY KEY, path TEXT NOT NULL, reason TEXT NOT NULL);
CREATE TABLE sites (number INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE link (place INTEGER PRIMARY KEY, key TEXT NOT NULL, value BLOB NOT NULL);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE history (commits INTEGER NOT NULL);
INSERT INTO history VALUES (0);
"""

INDEXES = {
    "symbol_fold": "symbol (fold)",
    # Holds all columns, so that who is called by thousands is answered without visiting the table thousands of times.
    "edge_target": "edge (target, how, at, class, drawn_source, drawn_target)",
    "edge_drawn_source": "edge (drawn_source) WHERE drawn_source IS NOT NULL",
    "edge_drawn_target": "edge (drawn_target) WHERE drawn_target IS NOT NULL",
    "reference_last": "reference (last) WHERE last IS NOT NULL",
    "reference_drawn_source": "reference (drawn_source) WHERE drawn_source IS NOT NULL",
    "link_key": "link (key)",
}
"""Name and what it is on; made when the rows are there."""

SHIFTS = {
    "file": 0,
    "tally": 0,
    "sites": 0,
    "symbol": FILE_SHIFT,
    "edge": FILE_EDGE_SHIFT,
    "reference": FILE_EDGE_SHIFT,
    "entry": ROW_SHIFT,
    "diagnostic": ROW_SHIFT,
    "link": ROW_SHIFT,
}
"""By how much a file's number is shifted in the primary key of each table that belongs to files."""
