-- Repositories that are shared into organizations.

-- Tables

-- A repository that is shared into an organization. It is a reference: the repository stays one.
CREATE TABLE organization_repository (
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  repository_id TEXT NOT NULL REFERENCES repository(id) ON DELETE CASCADE,
  shared_by TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, repository_id)
) STRICT;

-- What was shared of a deleted repository, so that its restoration shares it again. It goes with the record of the deletion,
-- without which nothing can be restored.
CREATE TABLE deleted_sharing (
  repository_id TEXT NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  shared_by TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (repository_id, organization_id)
) STRICT;

-- Indexes

-- Into which organizations is a repository shared, and which did a user share?
CREATE INDEX organization_repository_repository_id ON organization_repository(repository_id);
CREATE INDEX organization_repository_shared_by ON organization_repository(shared_by);
-- Which go with an organization, and which did a user share?
CREATE INDEX deleted_sharing_organization_id ON deleted_sharing(organization_id);
CREATE INDEX deleted_sharing_shared_by ON deleted_sharing(shared_by);

-- Triggers that refuse. D1 has no transaction that reads before it writes, so the database itself keeps these rules.

CREATE TRIGGER organization_repository_limit BEFORE INSERT ON organization_repository
WHEN (SELECT count(*) FROM organization_repository WHERE organization_id = NEW.organization_id) >= 500
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_REPOSITORY_LIMIT_REACHED');
END;

-- Triggers that act. What follows from a change must follow whichever code makes the change.

-- What happens to a repository happens in each organization that it is shared into.
CREATE TRIGGER repository_event_of_organization AFTER INSERT ON audit_event WHEN NEW.target_type = 'repository'
BEGIN
  INSERT INTO organization_event (organization_id, event_id, action, created_at)
  SELECT organization_id, NEW.id, NEW.action, NEW.created_at
  FROM organization_repository WHERE repository_id = NEW.target_id;
END;

-- A deleted repository that is restored is shared with the same organizations again, as far as they exist and have room.

CREATE TRIGGER repository_sharing_kept BEFORE DELETE ON repository
BEGIN
  INSERT OR REPLACE INTO deleted_sharing (repository_id, organization_id, shared_by, created_at)
  SELECT repository_id, organization_id, shared_by, created_at
  FROM organization_repository WHERE repository_id = OLD.id;
END;

CREATE TRIGGER repository_shared_again AFTER INSERT ON repository
BEGIN
  INSERT INTO organization_repository (organization_id, repository_id, shared_by, created_at)
  SELECT organization_id, repository_id, shared_by, created_at FROM deleted_sharing AS kept
  WHERE repository_id = NEW.id AND (
    SELECT count(*) FROM organization_repository AS other WHERE other.organization_id = kept.organization_id
  ) < 500;
  DELETE FROM deleted_sharing WHERE repository_id = NEW.id;
END;

CREATE TRIGGER deleted_sharing_forgotten AFTER DELETE ON audit_event WHEN OLD.action = 'repository.deleted'
BEGIN
  DELETE FROM deleted_sharing WHERE repository_id = OLD.target_id AND NOT EXISTS (
    SELECT 1 FROM audit_event WHERE target_id = OLD.target_id AND action = 'repository.deleted'
  );
END;
