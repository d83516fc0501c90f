-- Old audit events are deleted, and no longer moved to a bucket.
DROP TRIGGER audit_event_no_delete;
DROP TABLE audit_archive;

-- The time before which audit events may be deleted. It has a row only inside the batch of the cron that deletes them.
CREATE TABLE audit_deletion (
  until INTEGER NOT NULL
) STRICT;

-- No other statement deletes an audit event.
CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event
WHEN NOT EXISTS (SELECT 1 FROM audit_deletion WHERE OLD.created_at < until)
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;
