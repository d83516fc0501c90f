-- Teams: members of an organization who work together.

-- Tables

CREATE TABLE team (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  member_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER,
  UNIQUE (organization_id, name)
) STRICT;

CREATE TABLE team_member (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES team(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  created_at INTEGER,
  UNIQUE (team_id, user_id)
) STRICT;

-- Indexes

-- In which teams is a user?
CREATE INDEX team_member_user_id ON team_member(user_id);
-- Which invitations lead into this team?
CREATE INDEX invitation_by_team ON invitation(team_id) WHERE team_id IS NOT NULL;

-- Triggers that refuse. D1 has no transaction that reads before it writes, so the database itself keeps these rules.

CREATE TRIGGER team_limit BEFORE INSERT ON team
WHEN (SELECT count(*) FROM team WHERE organization_id = NEW.organization_id) >= 20
BEGIN
  SELECT RAISE(ABORT, 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS');
END;

CREATE TRIGGER last_team BEFORE DELETE ON team
WHEN EXISTS (SELECT 1 FROM organization WHERE id = OLD.organization_id)
  AND NOT EXISTS (SELECT 1 FROM team WHERE organization_id = OLD.organization_id AND id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'UNABLE_TO_REMOVE_LAST_TEAM');
END;

CREATE TRIGGER team_member_of_organization BEFORE INSERT ON team_member
WHEN NOT EXISTS (
  SELECT 1 FROM member JOIN team ON team.organization_id = member.organization_id
  WHERE team.id = NEW.team_id AND member.user_id = NEW.user_id
)
BEGIN
  SELECT RAISE(ABORT, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION');
END;

-- `invitation` is there without teams too, so triggers stand in for a foreign key.
CREATE TRIGGER invitation_team_insert BEFORE INSERT ON invitation
WHEN NEW.team_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM team WHERE id = NEW.team_id)
BEGIN
  SELECT RAISE(ABORT, 'TEAM_NOT_FOUND');
END;

CREATE TRIGGER invitation_team_update BEFORE UPDATE OF team_id ON invitation
WHEN NEW.team_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM team WHERE id = NEW.team_id)
BEGIN
  SELECT RAISE(ABORT, 'TEAM_NOT_FOUND');
END;

-- Triggers that act. What follows from a change must follow whichever code makes the change.

CREATE TRIGGER team_deleted AFTER DELETE ON team
BEGIN
  UPDATE invitation SET team_id = NULL WHERE team_id = OLD.id;
END;

-- Who leaves an organization leaves its teams. Cascades delete members too.
CREATE TRIGGER member_leaves_teams AFTER DELETE ON member
BEGIN
  DELETE FROM team_member
  WHERE user_id = OLD.user_id
    AND team_id IN (SELECT id FROM team WHERE organization_id = OLD.organization_id);
END;

CREATE TRIGGER team_member_removed AFTER DELETE ON team_member
BEGIN
  UPDATE session SET active_team_id = NULL
  WHERE user_id = OLD.user_id AND active_team_id = OLD.team_id;
  UPDATE team SET member_count = member_count - 1 WHERE id = OLD.team_id;
END;

-- Triggers that keep totals, which must change together with their row; no total needs a read of its table.

CREATE TRIGGER team_member_added AFTER INSERT ON team_member
BEGIN
  UPDATE team SET member_count = member_count + 1 WHERE id = NEW.team_id;
END;
