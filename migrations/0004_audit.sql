-- The audit log: actor, action and target of each event. Rows are never changed and never deleted.

CREATE TABLE audit_event (
  id TEXT PRIMARY KEY,
  action TEXT NOT NULL,
  actor_id TEXT,
  impersonator_id TEXT,
  target_type TEXT,
  target_id TEXT,
  details TEXT,
  ip_address TEXT,
  user_agent TEXT,
  request_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_event_created_at ON audit_event(created_at, id);
CREATE INDEX audit_event_actor_id ON audit_event(actor_id, created_at);
CREATE INDEX audit_event_target ON audit_event(target_type, target_id, created_at);

CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;
CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;

-- Triggers record what better-auth writes: the row and its record are one statement, so a fault never leaves only one of them.
CREATE TRIGGER user_created AFTER INSERT ON user
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, created_at)
  VALUES (lower(hex(randomblob(16))), 'user.created', coalesce(NEW.created_by, NEW.id), 'user', NEW.id, NEW.created_at);
END;

CREATE TRIGGER session_created AFTER INSERT ON session
BEGIN
  INSERT INTO audit_event (id, action, actor_id, impersonator_id, target_type, target_id, ip_address, user_agent, created_at)
  VALUES (
    lower(hex(randomblob(16))),
    CASE WHEN NEW.impersonated_by IS NULL THEN 'user.signed_in' ELSE 'user.impersonated' END,
    NEW.user_id, NEW.impersonated_by, 'user', NEW.user_id, NEW.ip_address, NEW.user_agent, NEW.created_at
  );
END;

CREATE TRIGGER account_linked AFTER INSERT ON account
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, details, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'account.linked', NEW.user_id, 'user', NEW.user_id,
    json_object('provider', NEW.provider_id), NEW.created_at
  );
END;
