-- Rules that hold for every writer, also between two requests at the same moment.

-- A banned user has no session. The ban deletes the sessions, and a sign-in that had already begun gets none.
CREATE TRIGGER user_banned_ends_sessions AFTER UPDATE OF banned ON user WHEN NEW.banned = 1
BEGIN
  DELETE FROM session WHERE user_id = NEW.id;
END;
CREATE TRIGGER session_of_banned BEFORE INSERT ON session
WHEN EXISTS (
  SELECT 1 FROM user
  WHERE id = NEW.user_id AND banned = 1 AND (ban_expires IS NULL OR ban_expires > NEW.created_at)
)
BEGIN
  SELECT RAISE(ABORT, 'BANNED_USER');
END;

-- There is always an admin who is not banned.
CREATE TRIGGER last_admin_role BEFORE UPDATE OF role ON user
WHEN instr(',' || OLD.role || ',', ',admin,') AND NOT instr(',' || NEW.role || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user WHERE id <> OLD.id AND banned = 0 AND instr(',' || role || ',', ',admin,')
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
CREATE TRIGGER last_admin_ban BEFORE UPDATE OF banned ON user
WHEN NEW.banned = 1 AND OLD.banned = 0 AND instr(',' || OLD.role || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user WHERE id <> OLD.id AND banned = 0 AND instr(',' || role || ',', ',admin,')
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
CREATE TRIGGER last_admin_delete BEFORE DELETE ON user
WHEN instr(',' || OLD.role || ',', ',admin,')
  AND NOT EXISTS (
    SELECT 1 FROM user WHERE id <> OLD.id AND banned = 0 AND instr(',' || role || ',', ',admin,')
  )
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;

CREATE INDEX user_admins ON user(id) WHERE banned = 0 AND instr(',' || role || ',', ',admin,');
CREATE INDEX user_by_status ON user(banned, onboarded_at, email_verified);
