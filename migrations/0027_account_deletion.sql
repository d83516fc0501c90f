-- What refuses an account deletion, without the organizations that are being deleted themselves.

-- Organizations with other members whose only owner is this user.
CREATE VIEW sole_ownership AS
SELECT ownership.user_id, ownership.organization_id
FROM member AS ownership JOIN organization ON organization.id = ownership.organization_id
WHERE ownership.role = 'owner' AND organization.deletion_due_at IS NULL
  AND EXISTS (
    SELECT 1 FROM member WHERE organization_id = ownership.organization_id AND user_id <> ownership.user_id
  )
  AND NOT EXISTS (
    SELECT 1 FROM member
    WHERE organization_id = ownership.organization_id AND user_id <> ownership.user_id AND role = 'owner'
  );

-- An organization that is being deleted needs no other owner: it was asked for before the account deletion and has the
-- same grace period, so it is erased first. If a manager restores it, the trigger sole_owner_delete (migration 0009) still
-- refuses to erase the account.
DROP VIEW account_deletion_rule;
CREATE VIEW account_deletion_rule AS
SELECT
  own.id AS user_id,
  CASE
    WHEN instr(',' || replace(own.role, ' ', '') || ',', ',admin,')
      AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> own.id) THEN 'LAST_ADMIN'
    WHEN EXISTS (SELECT 1 FROM sole_ownership WHERE user_id = own.id) THEN 'SOLE_OWNER'
  END AS rule
FROM user AS own;
