-- The audit archive: one row for each file of audit events in the bucket ARCHIVE. A file names the SHA-256 of the file before it,
-- so a file that is changed or missing breaks the chain. `removed` is NULL only inside the batch that moves events out: that batch
-- inserts the row, deletes the file's events, and sets `removed`, which the CHECK compares with the number of events in the file.
CREATE TABLE audit_archive (
  sequence INTEGER PRIMARY KEY,
  object_key TEXT NOT NULL UNIQUE,
  events INTEGER NOT NULL CHECK (events > 0),
  first_at INTEGER NOT NULL,
  first_id TEXT NOT NULL,
  last_at INTEGER NOT NULL,
  last_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  previous_sha256 TEXT,
  removed INTEGER CHECK (removed = events),
  created_at INTEGER NOT NULL,
  CHECK ((first_at, first_id) <= (last_at, last_id))
) STRICT;

CREATE TRIGGER audit_archive_chain BEFORE INSERT ON audit_archive
WHEN NEW.removed IS NOT NULL
  OR NEW.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM audit_archive)
  OR NEW.previous_sha256 IS NOT (SELECT sha256 FROM audit_archive ORDER BY sequence DESC LIMIT 1)
  OR EXISTS (SELECT 1 FROM audit_archive WHERE removed IS NULL OR (last_at, last_id) >= (NEW.first_at, NEW.first_id))
BEGIN SELECT RAISE(ABORT, 'AUDIT_CHAIN'); END;
CREATE TRIGGER audit_archive_no_update BEFORE UPDATE ON audit_archive
WHEN NOT (
  OLD.removed IS NULL AND NEW.removed IS NOT NULL AND NEW.sequence IS OLD.sequence AND NEW.object_key IS OLD.object_key
  AND NEW.events IS OLD.events AND NEW.first_at IS OLD.first_at AND NEW.first_id IS OLD.first_id
  AND NEW.last_at IS OLD.last_at AND NEW.last_id IS OLD.last_id AND NEW.sha256 IS OLD.sha256
  AND NEW.previous_sha256 IS OLD.previous_sha256 AND NEW.created_at IS OLD.created_at
)
BEGIN SELECT RAISE(ABORT, 'audit_archive is append-only'); END;
CREATE TRIGGER audit_archive_no_delete BEFORE DELETE ON audit_archive
BEGIN SELECT RAISE(ABORT, 'audit_archive is append-only'); END;

-- An audit event is deleted only by the batch that has written its file's row.
DROP TRIGGER audit_event_no_delete;
CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event
WHEN NOT EXISTS (
  SELECT 1 FROM audit_archive
  WHERE sequence = (SELECT max(sequence) FROM audit_archive) AND removed IS NULL
    AND (OLD.created_at, OLD.id) BETWEEN (first_at, first_id) AND (last_at, last_id)
)
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;
