-- Sign-in codes in a table of our own. `mailbox` is a keyed hash, never an e-mail. Rows are kept for a day after they have
-- expired, because the limits count them: `is_early` marks a mail that left before the interval since the last one was over.
CREATE TABLE sign_in_code (
  id TEXT NOT NULL,
  mailbox TEXT NOT NULL,
  browser TEXT NOT NULL,
  is_trusted INTEGER NOT NULL,
  is_early INTEGER NOT NULL,
  code_hash TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  own_tries INTEGER NOT NULL DEFAULT 0,
  shared_tries INTEGER NOT NULL DEFAULT 0,
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  key_expires_at INTEGER NOT NULL,
  spent_at INTEGER,
  PRIMARY KEY (mailbox, sent_at, id)
) STRICT, WITHOUT ROWID;
-- How many codes did the site send in the last hour? Which rows are too old?
CREATE INDEX sign_in_code_sent_at ON sign_in_code(sent_at);

-- Nothing stops a mailbox any more: wrong codes of a day are counted in `code_event`.
DROP TABLE code_failure;

-- A new kind, "named": a user has named a new e-mail for the account; `id` is the hash of that e-mail. The copy is needed
-- because SQLite cannot change a CHECK.
CREATE TABLE code_event_copy AS SELECT * FROM code_event;
DROP TABLE code_event;
CREATE TABLE code_event (
  id TEXT NOT NULL,
  budget TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('sent', 'failed', 'named')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (budget, kind, created_at, id)
) STRICT, WITHOUT ROWID;
INSERT INTO code_event (id, budget, kind, created_at) SELECT id, budget, kind, created_at FROM code_event_copy;
DROP TABLE code_event_copy;
CREATE INDEX code_event_created_at ON code_event(kind, created_at);
CREATE TRIGGER code_event_count_insert AFTER INSERT ON code_event WHEN NEW.kind = 'failed'
BEGIN
  INSERT INTO wrong_code_count (day, value) VALUES (NEW.created_at / 86400000, 1)
  ON CONFLICT (day) DO UPDATE SET value = value + 1;
END;
