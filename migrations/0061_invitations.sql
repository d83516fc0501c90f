-- Whose invitations open an account, and how many invitations there may be.

-- In the mode "by invitation": does an invitation to an organization open an account (1), or only an admin (0)?
ALTER TABLE site_setting ADD COLUMN organizations_admit INTEGER NOT NULL DEFAULT 0 CHECK (organizations_admit IN (0, 1));

-- An organization has 100 open invitations at most. The limits of a person are in `app/values/rate-limits.ts`.
DROP TRIGGER invitation_limit;
CREATE TRIGGER invitation_limit BEFORE INSERT ON invitation
WHEN (
  SELECT count(*) FROM invitation
  WHERE organization_id = NEW.organization_id AND status = 'pending' AND expires_at > NEW.created_at
) >= 100
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LIMIT_REACHED');
END;
