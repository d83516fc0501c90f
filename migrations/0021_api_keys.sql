-- The last calls of each API key.

-- `day` is the number of the day since 1970 in UTC, `number` counts the key's calls of that day, and `refused` those of
-- them that were refused. A day has 50 rows at most: a call takes the place of the one 50 calls before it. The last row
-- of a day says how many calls the day had.
CREATE TABLE api_call (
  api_key_id TEXT NOT NULL REFERENCES api_key(id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  slot INTEGER NOT NULL CHECK (slot BETWEEN 0 AND 49),
  number INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER NOT NULL,
  method TEXT NOT NULL CHECK (length(method) <= 20),
  path TEXT NOT NULL CHECK (length(path) <= 200),
  request_id TEXT NOT NULL CHECK (length(request_id) <= 64),
  PRIMARY KEY (api_key_id, day, slot)
) STRICT, WITHOUT ROWID;
