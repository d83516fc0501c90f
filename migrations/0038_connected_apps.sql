-- Apps that owners register for their organization. Only its members sign in to them.

-- What managers allow. One row.
CREATE TABLE oauth_setting (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- 1 when owners may register apps for their organization.
  organization_apps INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER NOT NULL
) STRICT;

INSERT INTO oauth_setting (id, updated_at) VALUES (1, 0);

-- Null for an app of the site. The people of an organization's app are always asked.
ALTER TABLE oauth_client ADD COLUMN organization_id TEXT REFERENCES organization(id) ON DELETE CASCADE
  CHECK (organization_id IS NULL OR skip_consent = 0);
-- 1 when a manager has switched off an organization's app. Then its owners cannot switch it on.
ALTER TABLE oauth_client ADD COLUMN disabled_by_site INTEGER NOT NULL DEFAULT 0;

-- Which apps does an organization have?
CREATE INDEX oauth_client_organization ON oauth_client(organization_id) WHERE organization_id IS NOT NULL;

-- Triggers that refuse

-- An organization's app gets nothing of people who are no members, nor while the organization is closed. What it gets names
-- the organization, so that it ends with the membership.
CREATE TRIGGER oauth_consent_for_member BEFORE INSERT ON oauth_consent
WHEN EXISTS (
  SELECT 1 FROM oauth_client JOIN organization ON organization.id = oauth_client.organization_id
  WHERE oauth_client.client_id = NEW.client_id AND (
    NEW.reference_id IS NOT organization.id
    OR organization.disabled_at IS NOT NULL OR organization.deletion_due_at IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM member WHERE organization_id = organization.id AND user_id = NEW.user_id)
  )
)
BEGIN
  SELECT RAISE(ABORT, 'APP_NOT_ALLOWED');
END;

CREATE TRIGGER oauth_refresh_token_for_member BEFORE INSERT ON oauth_refresh_token
WHEN EXISTS (
  SELECT 1 FROM oauth_client JOIN organization ON organization.id = oauth_client.organization_id
  WHERE oauth_client.client_id = NEW.client_id AND (
    NEW.reference_id IS NOT organization.id
    OR organization.disabled_at IS NOT NULL OR organization.deletion_due_at IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM member WHERE organization_id = organization.id AND user_id = NEW.user_id)
  )
)
BEGIN
  SELECT RAISE(ABORT, 'APP_NOT_ALLOWED');
END;

CREATE TRIGGER oauth_access_token_for_member BEFORE INSERT ON oauth_access_token
WHEN EXISTS (
  SELECT 1 FROM oauth_client JOIN organization ON organization.id = oauth_client.organization_id
  WHERE oauth_client.client_id = NEW.client_id AND (
    NEW.reference_id IS NOT organization.id
    OR organization.disabled_at IS NOT NULL OR organization.deletion_due_at IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM member WHERE organization_id = organization.id AND user_id = NEW.user_id)
  )
)
BEGIN
  SELECT RAISE(ABORT, 'APP_NOT_ALLOWED');
END;

-- Triggers that act

-- As if its apps were switched off.
CREATE TRIGGER organization_closed_ends_tokens AFTER UPDATE OF disabled_at, deletion_due_at ON organization
WHEN NEW.disabled_at IS NOT NULL OR NEW.deletion_due_at IS NOT NULL
BEGIN
  DELETE FROM oauth_access_token
  WHERE client_id IN (SELECT client_id FROM oauth_client WHERE organization_id = NEW.id);
  DELETE FROM oauth_refresh_token
  WHERE client_id IN (SELECT client_id FROM oauth_client WHERE organization_id = NEW.id);
END;

-- A server elsewhere goes with the last app that gets tokens for it, also when its organization is deleted.
CREATE TRIGGER oauth_resource_forgotten AFTER DELETE ON oauth_client_resource
WHEN NOT EXISTS (SELECT 1 FROM oauth_client_resource WHERE resource_id = OLD.resource_id)
BEGIN
  DELETE FROM oauth_resource WHERE identifier = OLD.resource_id;
END;
