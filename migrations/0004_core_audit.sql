-- The audit log: an action, its actor and its target.

-- Tables

CREATE TABLE audit_event (
  id TEXT NOT NULL,
  action TEXT NOT NULL,
  actor_id TEXT,
  impersonator_id TEXT,
  target_type TEXT,
  target_id TEXT,
  details TEXT,
  ip_address TEXT,
  user_agent TEXT,
  place TEXT,
  request_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (created_at, id)
) STRICT, WITHOUT ROWID;

-- The time before which events may be deleted. It has a row only inside the batch that deletes them.
CREATE TABLE audit_deletion (
  until INTEGER NOT NULL
) STRICT;

-- Accounts whose erasure left events of managers, with origin and details. The cron thins the events and deletes the row.
CREATE TABLE erased_account (
  user_id TEXT PRIMARY KEY,
  erased_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Indexes

-- When did this action happen, for actions rarer than a sign-in?
CREATE INDEX audit_event_action ON audit_event(action, created_at, id) WHERE action <> 'user.signed_in';
-- Which events has this user caused, newest first?
CREATE INDEX audit_event_actor ON audit_event(actor_id, created_at, id);
-- Which events has this manager caused while impersonating?
CREATE INDEX audit_event_impersonator ON audit_event(impersonator_id, created_at, id)
WHERE impersonator_id IS NOT NULL;
-- Which events are about this user, organization or other thing?
CREATE INDEX audit_event_target ON audit_event(target_id, created_at, id);
-- Which erasures are old enough?
CREATE INDEX erased_account_age ON erased_account(erased_at, user_id);

-- Views

-- Keeps nothing: it passes an event on. A feature whose things belong to organizations inserts a row for each organization in
-- which the event happened, and a feature that tells organizations of events answers with a trigger of its own. So neither
-- names the other. The events of the organization itself are not repeated here.
CREATE VIEW organization_event AS
SELECT NULL AS organization_id, NULL AS event_id, NULL AS action, NULL AS created_at WHERE FALSE;

-- A view without a trigger refuses rows.
CREATE TRIGGER organization_event_passed INSTEAD OF INSERT ON organization_event
BEGIN
  SELECT 1;
END;

-- Triggers that refuse. The log is append-only for every statement but the two that erasure and the cron need.

CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event
WHEN NOT EXISTS (SELECT 1 FROM audit_deletion WHERE OLD.created_at < until)
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;

-- The erasure of an account takes away the details and where the request came from.
CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event
WHEN NOT (
  NEW.id IS OLD.id AND NEW.action IS OLD.action AND NEW.actor_id IS OLD.actor_id
  AND NEW.impersonator_id IS OLD.impersonator_id AND NEW.target_type IS OLD.target_type
  AND NEW.target_id IS OLD.target_id AND NEW.request_id IS OLD.request_id AND NEW.created_at IS OLD.created_at
  AND (NEW.details IS OLD.details OR NEW.details IS NULL)
  AND (NEW.ip_address IS OLD.ip_address OR NEW.ip_address IS NULL)
  AND (NEW.user_agent IS OLD.user_agent OR NEW.user_agent IS NULL)
  AND (NEW.place IS OLD.place OR NEW.place IS NULL)
)
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;

-- Triggers that keep totals, which must change together with their row.

-- Sign-ins, and when something happened in an organization last.
CREATE TRIGGER audit_event_counted AFTER INSERT ON audit_event
WHEN NEW.action = 'user.signed_in' OR NEW.target_type = 'organization'
BEGIN
  INSERT INTO slot_count (name, slot, value)
  SELECT NEW.action, NEW.created_at / 900000, 1 WHERE NEW.action = 'user.signed_in'
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
  UPDATE organization SET last_activity_at = NEW.created_at
  WHERE id = NEW.target_id AND NEW.target_type = 'organization';
END;
