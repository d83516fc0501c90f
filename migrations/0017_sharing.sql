-- What was shared of a deleted repository lies in the bin. A repository that is restored is shared with the same
-- organizations again, as far as they exist and have room.

DROP TRIGGER deleted_sharing_forgotten;
DROP TRIGGER repository_shared_again;
DROP TRIGGER repository_sharing_kept;
DROP TABLE deleted_sharing;

-- As long as the repository itself: 30 days.
CREATE TRIGGER repository_sharing_kept BEFORE DELETE ON repository
WHEN EXISTS (SELECT 1 FROM organization_repository WHERE repository_id = OLD.id)
BEGIN
  INSERT OR REPLACE INTO bin (kind, id, row, until)
  SELECT 'sharing', OLD.id,
    json_group_array(json_object('organization', organization_id, 'sharedBy', shared_by, 'at', created_at)),
    unixepoch() * 1000 + 2592000000
  FROM organization_repository WHERE repository_id = OLD.id;
END;

CREATE TRIGGER repository_shared_again AFTER INSERT ON repository
WHEN EXISTS (SELECT 1 FROM bin WHERE kind = 'sharing' AND id = NEW.id)
BEGIN
  INSERT INTO organization_repository (organization_id, repository_id, shared_by, created_at)
  SELECT organization.id, NEW.id, user.id, kept.value ->> 'at'
  FROM bin JOIN json_each(bin.row) AS kept
  JOIN organization ON organization.id = kept.value ->> 'organization'
  LEFT JOIN user ON user.id = kept.value ->> 'sharedBy'
  WHERE bin.kind = 'sharing' AND bin.id = NEW.id AND (
    SELECT count(*) FROM organization_repository AS other WHERE other.organization_id = organization.id
  ) < 500;
  DELETE FROM bin WHERE kind = 'sharing' AND id = NEW.id;
END;
