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

-- The teams of a membership that has ended, until somebody undoes that. `member_id` is the id of the membership.
CREATE TABLE left_team (
  member_id TEXT NOT NULL,
  team_id TEXT NOT NULL REFERENCES team(id) ON DELETE CASCADE,
  joined_at INTEGER,
  left_at INTEGER NOT NULL,
  PRIMARY KEY (member_id, team_id)
) STRICT;

-- Indexes

-- In which teams is a user?
CREATE INDEX team_member_user_id ON team_member(user_id);
-- Which ended memberships were in this team, and which ended a day ago?
CREATE INDEX left_team_team_id ON left_team(team_id);
CREATE INDEX left_team_left_at ON left_team(left_at);
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
WHEN NEW.team_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM team WHERE id = NEW.team_id AND organization_id = NEW.organization_id
)
BEGIN
  SELECT RAISE(ABORT, 'TEAM_NOT_FOUND');
END;

CREATE TRIGGER invitation_team_update BEFORE UPDATE OF team_id ON invitation
WHEN NEW.team_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM team WHERE id = NEW.team_id AND organization_id = NEW.organization_id
)
BEGIN
  SELECT RAISE(ABORT, 'TEAM_NOT_FOUND');
END;

-- Triggers that act. What follows from a change must follow whichever code makes the change.

-- An organization begins with a team of its name.
CREATE TRIGGER organization_first_team AFTER INSERT ON organization
BEGIN
  INSERT INTO team (id, name, organization_id, created_at, updated_at)
  VALUES (lower(hex(randomblob(16))), NEW.name, NEW.id, NEW.created_at, NEW.created_at);
END;

-- Its first member is in it, and works in it where the organization is open already.
CREATE TRIGGER first_member_in_team AFTER INSERT ON member
WHEN NEW.role = 'owner' AND NOT EXISTS (
  SELECT 1 FROM member WHERE organization_id = NEW.organization_id AND id <> NEW.id
)
BEGIN
  INSERT INTO team_member (id, team_id, user_id, created_at)
  SELECT lower(hex(randomblob(16))), id, NEW.user_id, NEW.created_at FROM team
  WHERE organization_id = NEW.organization_id AND NOT EXISTS (
    SELECT 1 FROM team_member WHERE team_id = team.id
  )
  ORDER BY created_at LIMIT 1
  ON CONFLICT DO NOTHING;
  UPDATE session SET active_team_id = (
    SELECT team_id FROM team_member JOIN team ON team.id = team_member.team_id
    WHERE team_member.user_id = NEW.user_id AND team.organization_id = NEW.organization_id LIMIT 1
  )
  WHERE user_id = NEW.user_id AND active_organization_id = NEW.organization_id;
END;

-- An invitation may lead into a team. The event is written in the batch that accepts it, only if somebody has joined.
CREATE TRIGGER invited_member_in_team AFTER INSERT ON audit_event WHEN NEW.action = 'member.joined'
BEGIN
  INSERT INTO team_member (id, team_id, user_id, created_at)
  SELECT lower(hex(randomblob(16))), invitation.team_id, member.user_id, NEW.created_at
  FROM invitation JOIN member ON member.organization_id = invitation.organization_id
  WHERE invitation.id = NEW.details ->> '$.invitation' AND invitation.status = 'accepted'
    AND invitation.team_id IS NOT NULL AND member.user_id = NEW.actor_id
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER team_deleted AFTER DELETE ON team
BEGIN
  UPDATE invitation SET team_id = NULL WHERE team_id = OLD.id;
END;

-- Who leaves an organization leaves its teams. Cascades delete members too.
CREATE TRIGGER member_leaves_teams AFTER DELETE ON member
BEGIN
  DELETE FROM left_team WHERE left_at < unixepoch() * 1000 - 86400000;
  INSERT INTO left_team (member_id, team_id, joined_at, left_at)
  SELECT OLD.id, team.id, team_member.created_at, unixepoch() * 1000
  FROM team_member JOIN team ON team.id = team_member.team_id
  WHERE team_member.user_id = OLD.user_id AND team.organization_id = OLD.organization_id;
  DELETE FROM team_member
  WHERE user_id = OLD.user_id
    AND team_id IN (SELECT id FROM team WHERE organization_id = OLD.organization_id);
END;

-- An undone removal inserts the same membership again.
CREATE TRIGGER member_returns_to_teams AFTER INSERT ON member
WHEN EXISTS (SELECT 1 FROM left_team WHERE member_id = NEW.id)
BEGIN
  INSERT INTO team_member (id, team_id, user_id, created_at)
  SELECT lower(hex(randomblob(16))), team_id, NEW.user_id, joined_at FROM left_team WHERE member_id = NEW.id
  ON CONFLICT DO NOTHING;
  DELETE FROM left_team WHERE member_id = NEW.id;
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
