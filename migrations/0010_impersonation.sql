-- Impersonation, for one hour. Our own code writes these sessions and records them with their reason, so the trigger now
-- records only the sessions that better-auth writes.

DROP TRIGGER session_created;
CREATE TRIGGER session_created AFTER INSERT ON session WHEN NEW.impersonated_by IS NULL
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, ip_address, user_agent, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'user.signed_in', NEW.user_id, 'user', NEW.user_id, NEW.ip_address, NEW.user_agent,
    NEW.created_at
  );
END;

CREATE INDEX session_impersonated_by ON session(impersonated_by) WHERE impersonated_by IS NOT NULL;

-- better-auth prolongs every session that it reads. The end of an impersonation stays.
CREATE TRIGGER impersonation_not_prolonged AFTER UPDATE OF expires_at ON session
WHEN OLD.impersonated_by IS NOT NULL AND NEW.expires_at > OLD.expires_at
BEGIN
  UPDATE session SET expires_at = OLD.expires_at WHERE id = OLD.id;
END;

-- A manager who is banned, demoted, deleted or in the grace period of an account deletion loses all impersonations at once.
DROP TRIGGER user_banned_ends_sessions;
CREATE TRIGGER user_banned_ends_sessions AFTER UPDATE OF banned ON user WHEN NEW.banned = 1
BEGIN
  DELETE FROM session WHERE user_id = NEW.id;
  DELETE FROM session WHERE impersonated_by = NEW.id;
END;
CREATE TRIGGER user_demoted_ends_impersonations AFTER UPDATE OF role ON user
WHEN NOT instr(',' || replace(NEW.role, ' ', '') || ',', ',admin,')
BEGIN
  DELETE FROM session WHERE impersonated_by = NEW.id;
END;
CREATE TRIGGER user_leaving_ends_impersonations AFTER UPDATE OF deletion_due_at ON user
WHEN NEW.deletion_due_at IS NOT NULL
BEGIN
  DELETE FROM session WHERE impersonated_by = NEW.id;
END;
CREATE TRIGGER user_deleted_ends_impersonations AFTER DELETE ON user
BEGIN
  DELETE FROM session WHERE impersonated_by = OLD.id;
END;
