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

-- One row: whether the login page offers the list while sign-up is not open.
CREATE TABLE waiting_list_setting (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  is_on INTEGER NOT NULL DEFAULT 0 CHECK (is_on IN (0, 1)),
  updated_at INTEGER
) STRICT;
INSERT INTO waiting_list_setting (id) VALUES (1);

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

-- Who was approved is let in, until the decision is changed or the request deleted.
CREATE TRIGGER waiting_list_insert_admits AFTER INSERT ON waiting_list WHEN NEW.state = 'approved'
BEGIN
  INSERT OR IGNORE INTO admitted_email (email) VALUES (NEW.email);
END;

CREATE TRIGGER waiting_list_state_admits AFTER UPDATE OF state ON waiting_list WHEN NEW.state = 'approved'
BEGIN
  INSERT OR IGNORE INTO admitted_email (email) VALUES (NEW.email);
END;

CREATE TRIGGER waiting_list_state_refuses AFTER UPDATE OF state ON waiting_list
WHEN OLD.state = 'approved' AND NEW.state <> 'approved'
BEGIN
  DELETE FROM admitted_email WHERE email = OLD.email;
END;

CREATE TRIGGER waiting_list_delete_refuses AFTER DELETE ON waiting_list WHEN OLD.state = 'approved'
BEGIN
  DELETE FROM admitted_email WHERE email = OLD.email;
END;
