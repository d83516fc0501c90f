-- Imports of users: the lines of a file between its check and the last new user. They are deleted a day after the last step.

-- Tables

CREATE TABLE user_import (
  id TEXT PRIMARY KEY,
  -- The manager who imports.
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  -- The session that sent the lines, or that continued them after a stop. Only it starts the import, which stops when it ends.
  session_id TEXT NOT NULL,
  -- The cells of the file's first line, where they name the columns.
  header TEXT,
  -- Lines that were sent. The number stays when they are deleted, for the limit of an hour.
  line_count INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('checked', 'running', 'stopped', 'finished', 'closed')),
  -- Whether each new user gets an invitation, and its language where a line names none.
  invites INTEGER NOT NULL CHECK (invites IN (0, 1)),
  language TEXT NOT NULL,
  touched_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE user_import_line (
  import_id TEXT NOT NULL REFERENCES user_import(id) ON DELETE CASCADE,
  -- Its number in the file.
  line INTEGER NOT NULL,
  -- [cell, ...]
  cells TEXT NOT NULL,
  -- What the check found, and what the import made of it: a line that is new becomes made, known or wrong.
  state TEXT NOT NULL CHECK (state IN ('new', 'known', 'wrong', 'made')),
  -- The roles of a new manager, which the screen shows before the start.
  role TEXT,
  -- What is wrong, and why.
  field TEXT,
  reason TEXT,
  PRIMARY KEY (import_id, line)
) STRICT, WITHOUT ROWID;

-- Indexes

-- Which import has a manager open? One at most.
CREATE UNIQUE INDEX user_import_open ON user_import(user_id) WHERE state <> 'closed';
-- How many lines has a manager sent in the last hour?
CREATE INDEX user_import_created ON user_import(user_id, created_at);
-- Which imports are over, and which ones have stood still?
CREATE INDEX user_import_touched ON user_import(touched_at);
