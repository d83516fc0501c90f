-- Rules of passkeys that hold for every writer.

ALTER TABLE passkey ADD COLUMN last_used_at INTEGER;

-- A user has ten passkeys at most.
CREATE TRIGGER passkey_limit BEFORE INSERT ON passkey
WHEN (SELECT count(*) FROM passkey WHERE user_id = NEW.user_id) >= 10
BEGIN
  SELECT RAISE(ABORT, 'PASSKEY_LIMIT');
END;

-- A counter that goes back shows that the authenticator was copied.
CREATE TRIGGER passkey_counter BEFORE UPDATE OF counter ON passkey WHEN NEW.counter < OLD.counter
BEGIN
  SELECT RAISE(ABORT, 'PASSKEY_COUNTER');
END;

CREATE TRIGGER passkey_added AFTER INSERT ON passkey
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, details, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'passkey.added', NEW.user_id, 'user', NEW.user_id,
    json_object('name', NEW.name), NEW.created_at
  );
END;
