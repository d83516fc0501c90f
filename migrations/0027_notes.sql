-- What managers write down about a user.

-- Tables

-- At most 100 of a user: the statement that inserts counts them.
CREATE TABLE user_note (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  author_id TEXT REFERENCES user(id) ON DELETE SET NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- At most 20 of a user, in the same way.
CREATE TABLE user_metadata (
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

-- Indexes

-- The notes about a user, the newest first.
CREATE INDEX user_note_user ON user_note(user_id, created_at, id);
-- Which notes did this manager write?
CREATE INDEX user_note_author ON user_note(author_id) WHERE author_id IS NOT NULL;
