-- Limits of one-time codes, against guessing and against flooding a mailbox. `mailbox` and `budget` hold keyed hashes, never an
-- e-mail.

CREATE TABLE code_event (
  id TEXT PRIMARY KEY,
  budget TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('sent', 'failed', 'succeeded')),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX code_event_budget ON code_event(budget, kind, created_at);
CREATE INDEX code_event_created_at ON code_event(kind, created_at);

CREATE TABLE code_failure (
  mailbox TEXT PRIMARY KEY,
  consecutive INTEGER NOT NULL,
  last_failed_at INTEGER NOT NULL
) STRICT;
