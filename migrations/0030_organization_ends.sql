-- Ends of accounts and organizations: those that fail wait behind the others, and each leaves a record.

-- When an erasure of it failed last. NULL: never. An hourly run erases 50, the untried ones first.
ALTER TABLE user ADD COLUMN erasure_tried_at INTEGER;
ALTER TABLE organization ADD COLUMN erasure_tried_at INTEGER;

-- An organization without other members is deleted with its owner (migration 0009), and now leaves an audit event.
DROP TRIGGER user_delete_own_organizations;
CREATE TRIGGER user_delete_own_organizations BEFORE DELETE ON user
BEGIN
  INSERT INTO audit_event (id, action, target_type, target_id, details, created_at)
  SELECT
    lower(hex(randomblob(16))), 'organization.erased', 'organization', organization.id,
    json_object('name', organization.name), CAST(unixepoch('subsec') * 1000 AS INTEGER)
  FROM member JOIN organization ON organization.id = member.organization_id
  WHERE member.user_id = OLD.id
    AND NOT EXISTS (
      SELECT 1 FROM member WHERE organization_id = organization.id AND user_id <> OLD.id
    );
  DELETE FROM organization
  WHERE id IN (SELECT organization_id FROM member WHERE user_id = OLD.id)
    AND NOT EXISTS (
      SELECT 1 FROM member WHERE organization_id = organization.id AND user_id <> OLD.id
    );
END;
