-- The account screen: account codes, passkeys, a picture, and account deletion.

ALTER TABLE user ADD COLUMN avatar TEXT;
ALTER TABLE user ADD COLUMN deletion_due_at INTEGER;
CREATE INDEX user_deletion_due ON user(deletion_due_at) WHERE deletion_due_at IS NOT NULL;

-- When the user of a session last entered a code to confirm it. NULL: at the sign-in.
ALTER TABLE session ADD COLUMN authenticated_at INTEGER;

-- An account code: bound to a user, a session, a purpose and an e-mail (`address`). A new code for the purpose replaces it.
CREATE TABLE account_code (
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  purpose TEXT NOT NULL CHECK (purpose IN ('confirm', 'email-current', 'email-new', 'delete')),
  session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  -- The e-mail that will replace the current one.
  new_email TEXT,
  code_hash TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, purpose)
) STRICT;
CREATE INDEX account_code_session_id ON account_code(session_id);

CREATE TABLE passkey (
  id TEXT PRIMARY KEY,
  name TEXT,
  public_key TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL UNIQUE,
  counter INTEGER NOT NULL,
  device_type TEXT NOT NULL,
  backed_up INTEGER NOT NULL,
  transports TEXT,
  aaguid TEXT,
  created_at INTEGER
) STRICT;
CREATE INDEX passkey_user_id ON passkey(user_id);

-- An audit row is never changed, with one exception: the erasure of an account clears what its rows say about the user.
DROP TRIGGER audit_event_no_update;
CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event
WHEN NOT (
  NEW.id IS OLD.id AND NEW.action IS OLD.action AND NEW.actor_id IS OLD.actor_id
  AND NEW.impersonator_id IS OLD.impersonator_id AND NEW.target_type IS OLD.target_type
  AND NEW.target_id IS OLD.target_id AND NEW.request_id IS OLD.request_id AND NEW.created_at IS OLD.created_at
  AND (NEW.details IS OLD.details OR NEW.details IS NULL)
  AND (NEW.ip_address IS OLD.ip_address OR NEW.ip_address IS NULL)
  AND (NEW.user_agent IS OLD.user_agent OR NEW.user_agent IS NULL)
)
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;

-- There is always an admin who is neither banned nor in the grace period of an account deletion.
DROP TRIGGER last_admin_role;
DROP TRIGGER last_admin_ban;
DROP TRIGGER last_admin_delete;
DROP INDEX user_admins;
CREATE INDEX user_admins ON user(id)
WHERE banned = 0 AND deletion_due_at IS NULL AND instr(',' || role || ',', ',admin,');
CREATE TRIGGER last_admin_role BEFORE UPDATE OF role ON user
WHEN instr(',' || OLD.role || ',', ',admin,') AND NOT instr(',' || NEW.role || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user
    WHERE id <> OLD.id AND banned = 0 AND deletion_due_at IS NULL AND instr(',' || role || ',', ',admin,')
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
CREATE TRIGGER last_admin_ban BEFORE UPDATE OF banned ON user
WHEN NEW.banned = 1 AND OLD.banned = 0 AND instr(',' || OLD.role || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user
    WHERE id <> OLD.id AND banned = 0 AND deletion_due_at IS NULL AND instr(',' || role || ',', ',admin,')
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
CREATE TRIGGER last_admin_leaving BEFORE UPDATE OF deletion_due_at ON user
WHEN NEW.deletion_due_at IS NOT NULL AND OLD.deletion_due_at IS NULL
  AND instr(',' || OLD.role || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user
    WHERE id <> OLD.id AND banned = 0 AND deletion_due_at IS NULL AND instr(',' || role || ',', ',admin,')
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
CREATE TRIGGER last_admin_delete BEFORE DELETE ON user
WHEN instr(',' || OLD.role || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user
    WHERE id <> OLD.id AND banned = 0 AND deletion_due_at IS NULL AND instr(',' || role || ',', ',admin,')
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;

-- An organization with other members keeps an owner: its only owner cannot be deleted. An organization without other members
-- is deleted with its owner.
CREATE TRIGGER sole_owner_leaving BEFORE UPDATE OF deletion_due_at ON user
WHEN NEW.deletion_due_at IS NOT NULL AND OLD.deletion_due_at IS NULL
  AND EXISTS (
    SELECT 1 FROM member AS own
    WHERE own.user_id = OLD.id AND instr(',' || own.role || ',', ',owner,')
      AND EXISTS (SELECT 1 FROM member WHERE organization_id = own.organization_id AND user_id <> OLD.id)
      AND NOT EXISTS (
        SELECT 1 FROM member
        WHERE organization_id = own.organization_id AND user_id <> OLD.id
          AND instr(',' || role || ',', ',owner,')
      )
  )
BEGIN
  SELECT RAISE(ABORT, 'SOLE_OWNER');
END;
CREATE TRIGGER sole_owner_delete BEFORE DELETE ON user
WHEN EXISTS (
  SELECT 1 FROM member AS own
  WHERE own.user_id = OLD.id AND instr(',' || own.role || ',', ',owner,')
    AND EXISTS (SELECT 1 FROM member WHERE organization_id = own.organization_id AND user_id <> OLD.id)
    AND NOT EXISTS (
      SELECT 1 FROM member
      WHERE organization_id = own.organization_id AND user_id <> OLD.id
        AND instr(',' || role || ',', ',owner,')
    )
)
BEGIN
  SELECT RAISE(ABORT, 'SOLE_OWNER');
END;
CREATE TRIGGER user_delete_own_organizations BEFORE DELETE ON user
BEGIN
  DELETE FROM organization
  WHERE id IN (SELECT organization_id FROM member WHERE user_id = OLD.id)
    AND NOT EXISTS (
      SELECT 1 FROM member WHERE organization_id = organization.id AND user_id <> OLD.id
    );
END;
