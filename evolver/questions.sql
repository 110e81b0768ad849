-- What language models were asked and what they replied; see questions.py. No key or other secret is ever in here.
CREATE TABLE IF NOT EXISTS question (
  proposer TEXT NOT NULL,
  number INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,         -- the search's position when it was asked
  kind TEXT NOT NULL,                -- improve or repair
  parent INTEGER NOT NULL,           -- position of what the reply's edits apply to; -1 is golden
  repairs INTEGER,                   -- position of the failed candidate that a repair is about
  max_tokens INTEGER NOT NULL,
  reserved INTEGER NOT NULL,         -- tokens the request can cost at most
  seed INTEGER NOT NULL,
  system TEXT NOT NULL,
  prompt TEXT NOT NULL,
  reply TEXT,                        -- null until it is there
  finish TEXT,
  input_tokens INTEGER,
  output_tokens INTEGER,
  seconds REAL,
  dollars REAL,                      -- null when the model's price is not known
  used_at INTEGER,                   -- the position of the candidate made of it
  PRIMARY KEY (proposer, number)
) WITHOUT ROWID;

-- Budgets that ended the asking, with their limit then: a resumed run with the same limit asks no more either.
CREATE TABLE IF NOT EXISTS budget_end (name TEXT PRIMARY KEY, amount REAL NOT NULL) WITHOUT ROWID;
