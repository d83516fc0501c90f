-- The waiting list: e-mails without an account whose owners would like one.

-- Tables

CREATE TABLE waiting_list (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
  created_at INTEGER NOT NULL,
  decided_at INTEGER,
  decided_by TEXT REFERENCES user(id) ON DELETE SET NULL
) STRICT;

-- Indexes

-- The waiting list in its order, and what the cron deletes.
CREATE INDEX waiting_list_state ON waiting_list(state, created_at, id);
-- Which requests did this manager decide?
CREATE INDEX waiting_list_decided_by ON waiting_list(decided_by) WHERE decided_by IS NOT NULL;

-- Triggers that act. What follows from a change must follow whichever code makes the change.

-- Who has an account waits no longer.
CREATE TRIGGER user_insert_leaves_waiting_list AFTER INSERT ON user
BEGIN
  DELETE FROM waiting_list WHERE email = NEW.email;
END;

CREATE TRIGGER user_email_leaves_waiting_list AFTER UPDATE OF email ON user WHEN NEW.email <> OLD.email
BEGIN
  DELETE FROM waiting_list WHERE email = NEW.email;
END;
