-- Imports of users: the lines of a file between its reading and the last new user. They are deleted a day after the last step.

-- Tables

CREATE TABLE user_import (
  id TEXT PRIMARY KEY,
  -- The manager who imports.
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  -- The cells of the file's first line, where they name the columns.
  header TEXT,
  -- Lines that were sent. The number stays when they are deleted, for the limit of an hour.
  line_count INTEGER NOT NULL DEFAULT 0,
  -- Whether each new user gets an invitation.
  invites INTEGER NOT NULL DEFAULT 0 CHECK (invites IN (0, 1)),
  read_at INTEGER,
  started_at INTEGER,
  finished_at INTEGER,
  closed_at INTEGER,
  touched_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- The session that sent the lines. Only it can start the import.
  session_id TEXT
) STRICT;

-- A few lines, which one request checks or imports.
CREATE TABLE user_import_piece (
  import_id TEXT NOT NULL REFERENCES user_import(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  -- [[number, [cell, ...]], ...]
  lines TEXT NOT NULL,
  line_count INTEGER NOT NULL,
  -- The e-mails of the lines that are right.
  emails TEXT NOT NULL,
  new_count INTEGER NOT NULL,
  known_count INTEGER NOT NULL,
  -- [{"line", "field", "value", "reason"}, ...]
  wrong TEXT NOT NULL,
  wrong_count INTEGER NOT NULL,
  done_at INTEGER,
  -- [{"email", "role"}, ...]: the people of the piece with a manager's role, as the screen showed them before the start.
  managers TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (import_id, position)
) STRICT;

-- Indexes

-- Which import has a manager open? One at most.
CREATE UNIQUE INDEX user_import_open ON user_import(user_id) WHERE closed_at IS NULL;
-- How many lines has a manager sent in the last hour?
CREATE INDEX user_import_created ON user_import(user_id, created_at);
-- Which imports are over?
CREATE INDEX user_import_touched ON user_import(touched_at);
