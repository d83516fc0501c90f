-- The demonstration: whether its database is filled.

-- Tables

-- One row after a demonstration has started to fill its database.
CREATE TABLE demo_fill (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  claimed_at INTEGER NOT NULL,
  filled_at INTEGER
) STRICT;
