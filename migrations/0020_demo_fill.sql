-- Has one row from the moment on when a demonstration begins to fill its empty database, so requests at the same moment fill
-- it once.
CREATE TABLE demo_fill (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  claimed_at INTEGER NOT NULL,
  filled_at INTEGER
) STRICT;
