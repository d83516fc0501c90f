-- Rows that were deleted and can still be brought back.

CREATE TABLE bin (
  kind TEXT NOT NULL,
  -- Of the row that was deleted.
  id TEXT NOT NULL,
  -- Its columns, or what a trigger keeps with it, as JSON.
  row TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT;

-- What is to be emptied?
CREATE INDEX bin_until ON bin(until);
