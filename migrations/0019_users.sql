-- For the screens of managers: one SQL spelling of "is an admin", indexes for users who never signed in, and the removal of
-- two indexes that repeat others.

-- A list of roles may have spaces, as in "user, admin". Every rule reads it as the application does.
DROP TRIGGER last_admin_role;
CREATE TRIGGER last_admin_role BEFORE UPDATE OF role ON user
WHEN instr(',' || replace(OLD.role, ' ', '') || ',', ',admin,')
  AND NOT instr(',' || replace(NEW.role, ' ', '') || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user
    WHERE id <> OLD.id AND banned = 0 AND deletion_due_at IS NULL
      AND instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
DROP TRIGGER last_admin_ban;
CREATE TRIGGER last_admin_ban BEFORE UPDATE OF banned ON user
WHEN NEW.banned = 1 AND OLD.banned = 0 AND instr(',' || replace(OLD.role, ' ', '') || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user
    WHERE id <> OLD.id AND banned = 0 AND deletion_due_at IS NULL
      AND instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
DROP TRIGGER last_admin_leaving;
CREATE TRIGGER last_admin_leaving BEFORE UPDATE OF deletion_due_at ON user
WHEN NEW.deletion_due_at IS NOT NULL AND OLD.deletion_due_at IS NULL
  AND instr(',' || replace(OLD.role, ' ', '') || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user
    WHERE id <> OLD.id AND banned = 0 AND deletion_due_at IS NULL
      AND instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
DROP TRIGGER last_admin_delete;
CREATE TRIGGER last_admin_delete BEFORE DELETE ON user
WHEN instr(',' || replace(OLD.role, ' ', '') || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user
    WHERE id <> OLD.id AND banned = 0 AND deletion_due_at IS NULL
      AND instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;

DROP INDEX user_admins;
CREATE INDEX user_admins ON user(id)
WHERE banned = 0 AND deletion_due_at IS NULL AND instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0;
DROP INDEX user_admins_by_key;
CREATE INDEX user_admins_by_key
ON user(search_key, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0;
DROP INDEX user_admins_by_created;
CREATE INDEX user_admins_by_created
ON user(created_at, id, search_key, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0;
DROP INDEX user_admins_by_name;
CREATE INDEX user_admins_by_name
ON user(name COLLATE NOCASE, id, search_key, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0;
DROP INDEX user_admins_by_email;
CREATE INDEX user_admins_by_email
ON user(email, id, search_key, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0;
DROP INDEX user_admins_by_last_seen;
CREATE INDEX user_admins_by_last_seen
ON user(last_seen_at, id, search_key, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0;

-- The filter "Never signed in", in each order of the list. The first sign-in removes a row from these indexes.
CREATE INDEX user_never_signed_in_by_key ON user(search_key, last_seen_at) WHERE last_seen_at IS NULL;
CREATE INDEX user_never_signed_in_by_created ON user(created_at, id, search_key, last_seen_at)
WHERE last_seen_at IS NULL;
CREATE INDEX user_never_signed_in_by_name ON user(name COLLATE NOCASE, id, search_key, last_seen_at)
WHERE last_seen_at IS NULL;
CREATE INDEX user_never_signed_in_by_email ON user(email, id, search_key, last_seen_at)
WHERE last_seen_at IS NULL;
CREATE INDEX user_never_signed_in_by_last_seen ON user(last_seen_at, id, search_key)
WHERE last_seen_at IS NULL;

-- `audit_event_impersonator` begins with the same column, and the unique index of e-mails has the same order.
DROP INDEX audit_event_impersonator_id;
DROP INDEX user_by_email;
-- The deletion of a user finds the invitations that the user sent.
CREATE INDEX invitation_inviter_id ON invitation(inviter_id);
