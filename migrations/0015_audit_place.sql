-- `place` is the location of the client: city and country, as Cloudflare's edge names them.

ALTER TABLE audit_event ADD COLUMN place TEXT;

DROP TRIGGER session_created;
CREATE TRIGGER session_created AFTER INSERT ON session WHEN NEW.impersonated_by IS NULL
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, ip_address, user_agent, place, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'user.signed_in', NEW.user_id, 'user', NEW.user_id, NEW.ip_address, NEW.user_agent,
    NEW.place, NEW.created_at
  );
END;

-- The erasure of an account clears what its rows say about the user. Nothing else of a row ever changes.
DROP TRIGGER audit_event_no_update;
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
