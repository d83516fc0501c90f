-- Fast lists at a million rows: a full-text index of trigrams, an index for each order, and counters for totals.
-- The application folds `search_key` before it writes it (app/db/fold.ts), so the index needs no folding of its own.
-- To rebuild: INSERT INTO user_search(user_search) VALUES ('rebuild'), and the same for repository_search.

CREATE VIRTUAL TABLE user_search USING fts5(
  search_key, content = 'user', content_rowid = 'rowid', tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER user_search_insert AFTER INSERT ON user
BEGIN
  INSERT INTO user_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;
CREATE TRIGGER user_search_delete AFTER DELETE ON user
BEGIN
  INSERT INTO user_search (user_search, rowid, search_key) VALUES ('delete', OLD.rowid, OLD.search_key);
END;
CREATE TRIGGER user_search_update AFTER UPDATE OF search_key ON user
BEGIN
  INSERT INTO user_search (user_search, rowid, search_key) VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO user_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE VIRTUAL TABLE repository_search USING fts5(
  search_key, content = 'repository', content_rowid = 'rowid', tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER repository_search_insert AFTER INSERT ON repository
BEGIN
  INSERT INTO repository_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;
CREATE TRIGGER repository_search_delete AFTER DELETE ON repository
BEGIN
  INSERT INTO repository_search (repository_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
END;
CREATE TRIGGER repository_search_update AFTER UPDATE OF search_key ON repository
BEGIN
  INSERT INTO repository_search (repository_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO repository_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE INDEX user_by_name ON user(name COLLATE NOCASE, id);
CREATE INDEX user_by_email ON user(email, id);
CREATE INDEX user_by_created ON user(created_at, id);
CREATE INDEX user_by_last_seen ON user(last_seen_at, id);
CREATE INDEX repository_by_created ON repository(created_at, id);
CREATE INDEX repository_by_updated ON repository(updated_at, id);

CREATE TABLE counter (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
INSERT INTO counter (name, value) SELECT 'user', count(*) FROM user;
INSERT INTO counter (name, value) SELECT 'repository', count(*) FROM repository;

CREATE TRIGGER user_count_insert AFTER INSERT ON user
BEGIN UPDATE counter SET value = value + 1 WHERE name = 'user'; END;
CREATE TRIGGER user_count_delete AFTER DELETE ON user
BEGIN UPDATE counter SET value = value - 1 WHERE name = 'user'; END;
CREATE TRIGGER repository_count_insert AFTER INSERT ON repository
BEGIN UPDATE counter SET value = value + 1 WHERE name = 'repository'; END;
CREATE TRIGGER repository_count_delete AFTER DELETE ON repository
BEGIN UPDATE counter SET value = value - 1 WHERE name = 'repository'; END;
