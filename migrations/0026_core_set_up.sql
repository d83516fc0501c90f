-- What the set-up list of the dashboard cannot read elsewhere.

-- One row.
CREATE TABLE set_up (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- When a manager hid the list.
  hidden_at INTEGER,
  -- When `npm run backup` last made a whole backup.
  backup_at INTEGER
) STRICT;
INSERT INTO set_up (id) VALUES (1);
