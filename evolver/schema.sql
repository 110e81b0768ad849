-- One run. Opened with PRAGMA user_version = 1; see database.py.
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- A row the moment a candidate is known; `outcome` is set here only for what is never evaluated.
CREATE TABLE candidate (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  normal TEXT NOT NULL,
  proposer TEXT NOT NULL,
  arm TEXT NOT NULL,
  island INTEGER NOT NULL,
  outcome TEXT,
  note TEXT NOT NULL,
  parents TEXT NOT NULL,
  rationale TEXT NOT NULL,
  context TEXT NOT NULL,
  files BLOB NOT NULL
);
CREATE INDEX candidate_id ON candidate (id);
CREATE INDEX candidate_normal ON candidate (normal);

-- The result, written once; `confirmed` says that the simulation bench has passed it.
CREATE TABLE evaluation (
  position INTEGER PRIMARY KEY REFERENCES candidate (position),
  outcome TEXT NOT NULL,
  structure TEXT,
  scalar REAL,
  seconds REAL NOT NULL,
  confirmed INTEGER NOT NULL DEFAULT 0,
  record TEXT NOT NULL
);
CREATE INDEX evaluation_structure ON evaluation (structure) WHERE outcome != 'duplicate';
CREATE INDEX evaluation_scalar ON evaluation (scalar) WHERE outcome = 'proven';

-- Kept up to date in the same transactions, so that status never scans the rows.
CREATE TABLE tally (outcome TEXT PRIMARY KEY, amount INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE stage (name TEXT PRIMARY KEY, calls INTEGER NOT NULL, seconds REAL NOT NULL) WITHOUT ROWID;
