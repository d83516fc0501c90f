-- The teams of a removed member lie in the bin.

DROP TRIGGER member_returns_to_teams;
DROP TRIGGER member_leaves_teams;
DROP TABLE left_team;

-- Who leaves an organization leaves its teams. Cascades delete members too.
CREATE TRIGGER member_leaves_teams AFTER DELETE ON member
WHEN EXISTS (
  SELECT 1 FROM team_member JOIN team ON team.id = team_member.team_id
  WHERE team_member.user_id = OLD.user_id AND team.organization_id = OLD.organization_id
)
BEGIN
  INSERT OR REPLACE INTO bin (kind, id, row, until)
  SELECT 'teams', OLD.id,
    json_group_array(json_object('team', team.id, 'at', team_member.created_at)),
    unixepoch() * 1000 + 86400000
  FROM team_member JOIN team ON team.id = team_member.team_id
  WHERE team_member.user_id = OLD.user_id AND team.organization_id = OLD.organization_id;
  DELETE FROM team_member
  WHERE user_id = OLD.user_id
    AND team_id IN (SELECT id FROM team WHERE organization_id = OLD.organization_id);
END;

-- An undone removal inserts the same membership again.
CREATE TRIGGER member_returns_to_teams AFTER INSERT ON member
WHEN EXISTS (SELECT 1 FROM bin WHERE kind = 'teams' AND id = NEW.id)
BEGIN
  INSERT INTO team_member (id, team_id, user_id, created_at)
  SELECT lower(hex(randomblob(16))), team.id, NEW.user_id, kept.value ->> 'at'
  FROM bin JOIN json_each(bin.row) AS kept JOIN team ON team.id = kept.value ->> 'team'
  WHERE bin.kind = 'teams' AND bin.id = NEW.id
  ON CONFLICT DO NOTHING;
  DELETE FROM bin WHERE kind = 'teams' AND id = NEW.id;
END;
