-- `name_key` is the name, trimmed, NFKC-normalised and case-folded. Its unique index makes names unique.

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
