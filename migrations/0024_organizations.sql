-- Organizations that people use: state, old slugs, shared repositories, and the rules that hold under concurrency.
-- A trigger that refuses a change raises an error code of the specification.

ALTER TABLE organization ADD COLUMN updated_at INTEGER;
ALTER TABLE organization ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
-- When a manager disabled it, and why. Members see it; nothing in it can change.
ALTER TABLE organization ADD COLUMN disabled_at INTEGER;
ALTER TABLE organization ADD COLUMN disabled_reason TEXT;
-- When it will be deleted. NULL: no deletion was asked for.
ALTER TABLE organization ADD COLUMN deletion_due_at INTEGER;
-- When the last audit event about it was written.
ALTER TABLE organization ADD COLUMN last_activity_at INTEGER;
ALTER TABLE organization ADD COLUMN member_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE organization ADD COLUMN search_key TEXT NOT NULL DEFAULT '';
-- Which organizations are due for deletion?
CREATE INDEX organization_deletion_due ON organization(deletion_due_at) WHERE deletion_due_at IS NOT NULL;

-- The organization that was active last, for the next sign-in.
ALTER TABLE user ADD COLUMN last_organization_id TEXT;

-- The mail of an invitation: when it was last sent, and how often.
ALTER TABLE invitation ADD COLUMN sent_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invitation ADD COLUMN sends INTEGER NOT NULL DEFAULT 1;
-- When the invitation was accepted, declined or cancelled.
ALTER TABLE invitation ADD COLUMN answered_at INTEGER;
UPDATE invitation SET sent_at = created_at;
-- Which invitations of an organization are open, or were sent today? (instead of invitation_organization_id)
DROP INDEX invitation_organization_id;
CREATE INDEX invitation_by_organization ON invitation(organization_id, status, created_at);
-- Which invitations did a person send today? (instead of invitation_inviter_id)
DROP INDEX invitation_inviter_id;
CREATE INDEX invitation_by_inviter ON invitation(inviter_id, created_at);
-- Which invitations ended a month ago?
CREATE INDEX invitation_expires_at ON invitation(expires_at);

-- A slug that an organization had before. Links with it lead to the organization until the slug expires, and no other
-- organization can take it until then.
CREATE TABLE old_slug (
  slug TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX old_slug_organization_id ON old_slug(organization_id);
CREATE INDEX old_slug_expires_at ON old_slug(expires_at);

-- A repository that is shared into an organization. It is a reference: the repository stays one.
CREATE TABLE organization_repository (
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  repository_id TEXT NOT NULL REFERENCES repository(id) ON DELETE CASCADE,
  shared_by TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, repository_id)
) STRICT;
CREATE INDEX organization_repository_repository_id ON organization_repository(repository_id);
CREATE INDEX organization_repository_shared_by ON organization_repository(shared_by);

-- A member has one role. A row with several keeps the highest.
UPDATE member SET role = CASE
  WHEN instr(',' || role || ',', ',owner,') THEN 'owner'
  WHEN instr(',' || role || ',', ',admin,') THEN 'admin'
  ELSE 'member'
END WHERE role NOT IN ('owner', 'admin', 'member');

UPDATE organization SET
  updated_at = created_at,
  last_activity_at = created_at,
  search_key = lower(name || ' ' || slug),
  member_count = (SELECT count(*) FROM member WHERE organization_id = organization.id);
UPDATE team SET member_count = (SELECT count(*) FROM team_member WHERE team_id = team.id);

-- Limits: 100 members, 20 teams and 500 repositories in an organization, and 10 organizations of a person.
CREATE TRIGGER member_limit BEFORE INSERT ON member
WHEN (SELECT member_count FROM organization WHERE id = NEW.organization_id) >= 100
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED');
END;
CREATE TRIGGER organization_limit BEFORE INSERT ON member
WHEN (SELECT count(*) FROM member WHERE user_id = NEW.user_id) >= 10
BEGIN
  SELECT RAISE(ABORT, 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS');
END;
CREATE TRIGGER team_limit BEFORE INSERT ON team
WHEN (SELECT count(*) FROM team WHERE organization_id = NEW.organization_id) >= 20
BEGIN
  SELECT RAISE(ABORT, 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS');
END;
CREATE TRIGGER organization_repository_limit BEFORE INSERT ON organization_repository
WHEN (SELECT count(*) FROM organization_repository WHERE organization_id = NEW.organization_id) >= 500
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_REPOSITORY_LIMIT_REACHED');
END;

-- Limits of invitations: 100 open ones in an organization; in 24 hours 200 by a person and 10 to an e-mail.
CREATE TRIGGER invitation_limit BEFORE INSERT ON invitation
WHEN (
  SELECT count(*) FROM invitation
  WHERE organization_id = NEW.organization_id AND status = 'pending' AND expires_at > NEW.created_at
) >= 100 OR (
  SELECT count(*) FROM invitation WHERE inviter_id = NEW.inviter_id AND created_at > NEW.created_at - 86400000
) >= 200 OR (
  SELECT count(*) FROM invitation WHERE email = NEW.email AND created_at > NEW.created_at - 86400000
) >= 10
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LIMIT_REACHED');
END;

-- An expired invitation that is sent again is open again.
CREATE TRIGGER invitation_limit_resent BEFORE UPDATE OF expires_at ON invitation
WHEN NEW.status = 'pending' AND OLD.expires_at <= NEW.sent_at AND (
  SELECT count(*) FROM invitation
  WHERE organization_id = NEW.organization_id AND status = 'pending' AND expires_at > NEW.sent_at
) >= 100
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LIMIT_REACHED');
END;

-- An organization always has an owner. The deletion of the organization, and of a user (migrations 0009 and 0021), have
-- their own rules.
CREATE TRIGGER only_owner_role BEFORE UPDATE OF role ON member
WHEN OLD.role = 'owner' AND NEW.role <> 'owner' AND NOT EXISTS (
  SELECT 1 FROM member WHERE organization_id = OLD.organization_id AND role = 'owner' AND id <> OLD.id
)
BEGIN
  SELECT RAISE(ABORT, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER');
END;
CREATE TRIGGER only_owner_delete BEFORE DELETE ON member
WHEN OLD.role = 'owner'
  AND EXISTS (SELECT 1 FROM organization WHERE id = OLD.organization_id)
  AND EXISTS (SELECT 1 FROM user WHERE id = OLD.user_id)
  AND NOT EXISTS (
    SELECT 1 FROM member WHERE organization_id = OLD.organization_id AND role = 'owner' AND id <> OLD.id
  )
BEGIN
  SELECT RAISE(ABORT, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER');
END;

-- A former member leaves the teams, and the organization is active in none of their sessions.
CREATE TRIGGER member_added AFTER INSERT ON member
BEGIN
  UPDATE organization SET member_count = member_count + 1 WHERE id = NEW.organization_id;
END;
CREATE TRIGGER member_removed AFTER DELETE ON member
BEGIN
  DELETE FROM team_member
  WHERE user_id = OLD.user_id
    AND team_id IN (SELECT id FROM team WHERE organization_id = OLD.organization_id);
  UPDATE session SET active_organization_id = NULL, active_team_id = NULL
  WHERE user_id = OLD.user_id AND active_organization_id = OLD.organization_id;
  UPDATE user SET last_organization_id = NULL
  WHERE id = OLD.user_id AND last_organization_id = OLD.organization_id;
  UPDATE organization SET member_count = member_count - 1 WHERE id = OLD.organization_id;
END;

-- Only members of the organization are in its teams.
CREATE TRIGGER team_member_of_organization BEFORE INSERT ON team_member
WHEN NOT EXISTS (
  SELECT 1 FROM member JOIN team ON team.organization_id = member.organization_id
  WHERE team.id = NEW.team_id AND member.user_id = NEW.user_id
)
BEGIN
  SELECT RAISE(ABORT, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION');
END;
CREATE TRIGGER team_member_added AFTER INSERT ON team_member
BEGIN
  UPDATE team SET member_count = member_count + 1 WHERE id = NEW.team_id;
END;
CREATE TRIGGER team_member_removed AFTER DELETE ON team_member
BEGIN
  UPDATE team SET member_count = member_count - 1 WHERE id = OLD.team_id;
  UPDATE session SET active_team_id = NULL
  WHERE user_id = OLD.user_id AND active_team_id = OLD.team_id;
END;

-- An organization keeps a team. Invitations into a deleted team stay, without the team.
CREATE TRIGGER last_team BEFORE DELETE ON team
WHEN EXISTS (SELECT 1 FROM organization WHERE id = OLD.organization_id)
  AND NOT EXISTS (SELECT 1 FROM team WHERE organization_id = OLD.organization_id AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'UNABLE_TO_REMOVE_LAST_TEAM');
END;
CREATE TRIGGER team_deleted AFTER DELETE ON team
BEGIN
  UPDATE invitation SET team_id = NULL
  WHERE organization_id = OLD.organization_id AND team_id = OLD.id;
END;

-- A slug that another organization had until recently cannot be taken.
CREATE TRIGGER organization_slug_insert BEFORE INSERT ON organization
WHEN EXISTS (SELECT 1 FROM old_slug WHERE slug = NEW.slug AND expires_at > NEW.created_at)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_SLUG_ALREADY_TAKEN');
END;
CREATE TRIGGER organization_slug_update BEFORE UPDATE OF slug ON organization
WHEN NEW.slug <> OLD.slug AND EXISTS (
  SELECT 1 FROM old_slug WHERE slug = NEW.slug AND organization_id <> NEW.id AND expires_at > NEW.updated_at
)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_SLUG_ALREADY_TAKEN');
END;
-- The slug before a change leads to the organization for 30 days.
CREATE TRIGGER organization_slug_changed AFTER UPDATE OF slug ON organization WHEN NEW.slug <> OLD.slug
BEGIN
  DELETE FROM old_slug WHERE slug IN (OLD.slug, NEW.slug);
  INSERT INTO old_slug (slug, organization_id, expires_at)
  VALUES (OLD.slug, OLD.id, NEW.updated_at + 30 * 86400000);
END;

-- When did something happen in an organization?
CREATE TRIGGER organization_activity AFTER INSERT ON audit_event WHEN NEW.target_type = 'organization'
BEGIN
  UPDATE organization SET last_activity_at = NEW.created_at WHERE id = NEW.target_id;
END;
