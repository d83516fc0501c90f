-- Repositories.

-- Tables

CREATE TABLE repository (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  link TEXT NOT NULL,
  description TEXT,
  search_key TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE VIRTUAL TABLE repository_search USING fts5(
  search_key, content = 'repository', content_rowid = 'rowid', tokenize = 'trigram case_sensitive 1'
);

INSERT INTO counter (name, value) VALUES ('repository', 0);
INSERT INTO role_scope (role, scope)
VALUES
  ('admin', 'repository.read'), ('admin', 'repository.create'), ('admin', 'repository.update'), ('admin', 'repository.delete'),
  ('support', 'repository.read'), ('auditor', 'repository.read'), ('user', 'repository.read');

-- Indexes

-- The list of repositories by each order. The order by name uses the unique index of name_key.
CREATE INDEX repository_by_created ON repository(created_at, id);
CREATE INDEX repository_by_updated ON repository(updated_at, id, search_key);
-- Which names begin with these one or two characters?
CREATE INDEX repository_by_beginning ON repository(substr(search_key, 1, 2));

-- Triggers that keep search rows and totals, which must change together with their row; no total needs a read of its table.

CREATE TRIGGER repository_inserted AFTER INSERT ON repository
BEGIN
  INSERT INTO repository_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
  UPDATE counter SET value = value + 1 WHERE name = 'repository';
END;

CREATE TRIGGER repository_deleted AFTER DELETE ON repository
BEGIN
  INSERT INTO repository_search (repository_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  UPDATE counter SET value = value - 1 WHERE name = 'repository';
END;

CREATE TRIGGER repository_search_changed AFTER UPDATE OF search_key ON repository WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO repository_search (repository_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO repository_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;
