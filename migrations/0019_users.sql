-- Changes of users by managers: one spelling of "is an admin", an index for the users who never signed in, and no
-- index that repeats another.

-- A role list may be written with spaces, "user, admin". Every rule reads it as the application does.
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

-- The filter "Never signed in", in each order of the list. A row leaves these indexes with the first sign-in.
CREATE INDEX user_never_signed_in_by_key ON user(search_key, last_seen_at) WHERE last_seen_at IS NULL;
CREATE INDEX user_never_signed_in_by_created ON user(created_at, id, search_key, last_seen_at)
WHERE last_seen_at IS NULL;
CREATE INDEX user_never_signed_in_by_name ON user(name COLLATE NOCASE, id, search_key, last_seen_at)
WHERE last_seen_at IS NULL;
CREATE INDEX user_never_signed_in_by_email ON user(email, id, search_key, last_seen_at)
WHERE last_seen_at IS NULL;
CREATE INDEX user_never_signed_in_by_last_seen ON user(last_seen_at, id, search_key)
WHERE last_seen_at IS NULL;

-- `audit_event_impersonator` begins with the same column, and the unique index of e-mails stands in the same order.
DROP INDEX audit_event_impersonator_id;
DROP INDEX user_by_email;
-- Deleting a user finds their invitations.
CREATE INDEX invitation_inviter_id ON invitation(inviter_id);
