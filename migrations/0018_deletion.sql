-- Why an account must not be deleted: LAST_ADMIN, or SOLE_OWNER of an organization. NULL: it may be deleted. The account
-- screen and the triggers read this one rule.
CREATE VIEW account_deletion_rule AS
SELECT
  own.id AS user_id,
  CASE
    WHEN instr(',' || own.role || ',', ',admin,') AND NOT EXISTS (
      SELECT 1 FROM user
      WHERE id <> own.id AND banned = 0 AND deletion_due_at IS NULL AND instr(',' || role || ',', ',admin,')
    ) THEN 'LAST_ADMIN'
    WHEN EXISTS (
      SELECT 1 FROM member AS ownership
      WHERE ownership.user_id = own.id AND instr(',' || ownership.role || ',', ',owner,')
        AND EXISTS (
          SELECT 1 FROM member WHERE organization_id = ownership.organization_id AND user_id <> own.id
        )
        AND NOT EXISTS (
          SELECT 1 FROM member
          WHERE organization_id = ownership.organization_id AND user_id <> own.id
            AND instr(',' || role || ',', ',owner,')
        )
    ) THEN 'SOLE_OWNER'
  END AS rule
FROM user AS own;

DROP TRIGGER last_admin_leaving;
CREATE TRIGGER last_admin_leaving BEFORE UPDATE OF deletion_due_at ON user
WHEN NEW.deletion_due_at IS NOT NULL AND OLD.deletion_due_at IS NULL
  AND (SELECT rule FROM account_deletion_rule WHERE user_id = OLD.id) = 'LAST_ADMIN'
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
DROP TRIGGER sole_owner_leaving;
CREATE TRIGGER sole_owner_leaving BEFORE UPDATE OF deletion_due_at ON user
WHEN NEW.deletion_due_at IS NOT NULL AND OLD.deletion_due_at IS NULL
  AND (SELECT rule FROM account_deletion_rule WHERE user_id = OLD.id) = 'SOLE_OWNER'
BEGIN
  SELECT RAISE(ABORT, 'SOLE_OWNER');
END;

-- The ban of an erased user: a keyed hash of the mailbox, and the end of the ban. NULL: the ban has no end.
CREATE TABLE banned_mailbox (
  mailbox TEXT PRIMARY KEY,
  expires_at INTEGER
) STRICT;
