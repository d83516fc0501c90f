-- What a person leaves running: webhooks pause and keys end when their maker may no longer make them, and others are told.

-- Tables

-- Since when the maker may no longer have made it. It then gets no events, until somebody else resumes it.
ALTER TABLE webhook_endpoint ADD COLUMN maker_left_at INTEGER;
-- When its sender was woken. Null once the sender has nothing more to do.
ALTER TABLE webhook_endpoint ADD COLUMN woken_at INTEGER;

-- What owners of an organization, or the site's managers, are told of webhooks and keys by mail. Rows stay for a day after.
CREATE TABLE program_news (
  id INTEGER PRIMARY KEY,
  -- Null for the site.
  organization_id TEXT REFERENCES organization(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('webhook-made', 'webhook-moved', 'webhook-paused', 'key-ended')),
  -- The host of the receiver, or the name of the key.
  name TEXT NOT NULL,
  -- Who made or changed it; for what stopped, who left.
  user_id TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  told_at INTEGER
) STRICT;

-- Indexes

-- What is an organization, or the site, still to be told, and what was it told today? What is still to be told at all?
CREATE INDEX program_news_organization_id ON program_news(organization_id, told_at);
CREATE INDEX program_news_untold ON program_news(id) WHERE told_at IS NULL;
-- Which news are about a user?
CREATE INDEX program_news_user_id ON program_news(user_id);

-- Views

-- Webhooks whose maker could make them now.
CREATE VIEW webhook_of_maker AS
SELECT webhook_endpoint.id AS endpoint_id
FROM webhook_endpoint JOIN user ON user.id = webhook_endpoint.made_by
WHERE user.banned = 0 AND user.deletion_due_at IS NULL AND (
  webhook_endpoint.organization_id IS NULL AND instr(',' || user.role || ',', ',admin,')
  OR EXISTS (
    SELECT 1 FROM member
    WHERE organization_id = webhook_endpoint.organization_id AND user_id = user.id AND role = 'owner'
  )
);

-- What each role may give to a key of its own.
CREATE VIEW role_scope AS
SELECT column1 AS role, column2 AS scope FROM (VALUES
  ('admin', 'repository.read'), ('admin', 'repository.create'), ('admin', 'repository.update'),
  ('admin', 'repository.delete'), ('admin', 'organization.update'), ('admin', 'audit.read'),
  ('support', 'repository.read'),
  ('auditor', 'repository.read'), ('auditor', 'audit.read'),
  ('user', 'repository.read')
);

-- Triggers that act. Whichever code, call or cascade ends a role, what was made with it ends too.

CREATE TRIGGER user_change_pauses_webhooks AFTER UPDATE OF role, banned, deletion_due_at ON user
BEGIN
  UPDATE webhook_endpoint
  SET state = 'paused', maker_left_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE made_by = NEW.id AND maker_left_at IS NULL AND id NOT IN (SELECT endpoint_id FROM webhook_of_maker);
END;

CREATE TRIGGER member_change_pauses_webhooks AFTER UPDATE OF role ON member WHEN OLD.role = 'owner' AND NEW.role <> 'owner'
BEGIN
  UPDATE webhook_endpoint
  SET state = 'paused', maker_left_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE made_by = NEW.user_id AND organization_id = NEW.organization_id AND maker_left_at IS NULL;
  DELETE FROM api_key WHERE user_id = NEW.user_id AND organization_id = NEW.organization_id;
END;

CREATE TRIGGER member_removal_pauses_webhooks AFTER DELETE ON member
BEGIN
  UPDATE webhook_endpoint
  SET state = 'paused', maker_left_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE made_by = OLD.user_id AND organization_id = OLD.organization_id AND maker_left_at IS NULL;
END;

-- The erasure of an account leaves its webhooks without a maker.
CREATE TRIGGER webhook_without_maker AFTER UPDATE OF made_by ON webhook_endpoint
WHEN OLD.made_by IS NOT NULL AND NEW.made_by IS NULL AND NEW.maker_left_at IS NULL
BEGIN
  UPDATE webhook_endpoint
  SET state = 'paused', maker_left_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE id = NEW.id;
END;

-- A scope that the role has lost does not come back with the role.
CREATE TRIGGER user_role_ends_scopes AFTER UPDATE OF role ON user WHEN NEW.role <> OLD.role
BEGIN
  UPDATE api_key SET permissions = (
    SELECT json_group_object(resource, json(actions)) FROM (
      SELECT resource.key AS resource, json_group_array(given.value) AS actions
      FROM json_each(api_key.permissions) AS resource, json_each(resource.value) AS given
      WHERE EXISTS (
        SELECT 1 FROM role_scope
        WHERE scope = resource.key || '.' || given.value
          AND (role = 'user' OR instr(',' || NEW.role || ',', ',' || role || ','))
      )
      GROUP BY resource.key
    )
  )
  WHERE user_id = NEW.id AND organization_id IS NULL;
END;

-- Triggers that write news. `url` is https, without a user name and a port, so its host ends at the first slash.

CREATE TRIGGER webhook_made AFTER INSERT ON webhook_endpoint WHEN NEW.made_by IS NOT NULL
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    NEW.organization_id, 'webhook-made', substr(NEW.url, 9, instr(substr(NEW.url, 9) || '/', '/') - 1), NEW.made_by,
    NEW.created_at
  );
END;

-- Who changes the URL becomes the maker, because they decide where the events go.
CREATE TRIGGER webhook_moved AFTER UPDATE OF url ON webhook_endpoint WHEN NEW.url <> OLD.url
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    NEW.organization_id, 'webhook-moved', substr(NEW.url, 9, instr(substr(NEW.url, 9) || '/', '/') - 1), NEW.made_by,
    NEW.updated_at
  );
END;

CREATE TRIGGER webhook_maker_left AFTER UPDATE OF maker_left_at ON webhook_endpoint
WHEN NEW.maker_left_at IS NOT NULL AND OLD.maker_left_at IS NULL
  AND (NEW.organization_id IS NULL OR EXISTS (SELECT 1 FROM organization WHERE id = NEW.organization_id))
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    NEW.organization_id, 'webhook-paused', substr(NEW.url, 9, instr(substr(NEW.url, 9) || '/', '/') - 1),
    (SELECT id FROM user WHERE id = NEW.made_by), NEW.maker_left_at
  );
  INSERT INTO audit_event (id, action, target_type, target_id, details, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'webhook.paused', iif(NEW.organization_id IS NULL, NULL, 'organization'),
    NEW.organization_id,
    json_object('receiver', substr(NEW.url, 9, instr(substr(NEW.url, 9) || '/', '/') - 1)), NEW.maker_left_at
  );
END;

-- A key of an organization that ended because its maker may no longer have one. Those who end a key themselves know.
CREATE TRIGGER organization_key_ended AFTER DELETE ON api_key
WHEN EXISTS (SELECT 1 FROM organization WHERE id = OLD.organization_id)
  AND OLD.expires_at > CAST(unixepoch('subsec') * 1000 AS INTEGER)
  AND NOT EXISTS (
    SELECT 1 FROM member JOIN user ON user.id = member.user_id
    WHERE member.organization_id = OLD.organization_id AND member.user_id = OLD.user_id AND member.role = 'owner'
      AND user.banned = 0
  )
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    OLD.organization_id, 'key-ended', OLD.name, (SELECT id FROM user WHERE id = OLD.user_id),
    CAST(unixepoch('subsec') * 1000 AS INTEGER)
  );
END;

-- The same as before, but for endpoints whose maker has left: they get nothing until they are resumed.
DROP TRIGGER audit_event_to_webhooks;
CREATE TRIGGER audit_event_to_webhooks AFTER INSERT ON audit_event
WHEN EXISTS (SELECT 1 FROM webhook_endpoint)
BEGIN
  INSERT INTO webhook_delivery (endpoint_id, created_at, event_id)
  SELECT e.id, NEW.created_at, NEW.id
  FROM (
    SELECT id FROM webhook_endpoint WHERE organization_id IS NULL AND maker_left_at IS NULL
    UNION ALL
    SELECT webhook_endpoint.id FROM webhook_endpoint
    JOIN organization ON organization.id = webhook_endpoint.organization_id
    WHERE NEW.target_type = 'organization' AND webhook_endpoint.organization_id = NEW.target_id
      AND organization.disabled_at IS NULL AND organization.deletion_due_at IS NULL
      AND webhook_endpoint.maker_left_at IS NULL
    UNION ALL
    SELECT webhook_endpoint.id FROM organization_repository
    JOIN organization ON organization.id = organization_repository.organization_id
    JOIN webhook_endpoint ON webhook_endpoint.organization_id = organization.id
    WHERE NEW.target_type = 'repository' AND organization_repository.repository_id = NEW.target_id
      AND organization.disabled_at IS NULL AND organization.deletion_due_at IS NULL
      AND webhook_endpoint.maker_left_at IS NULL
  ) AS e
  WHERE EXISTS (
    SELECT 1 FROM webhook_subscription
    WHERE endpoint_id = e.id AND action = CASE
      WHEN NEW.action = 'user.updated' AND NEW.details ->> '$.before.role' IS NOT NEW.details ->> '$.after.role'
      THEN 'user.role_changed' ELSE NEW.action END
  );
END;

-- Rows from before

UPDATE webhook_endpoint SET with_ip_address = 0 WHERE organization_id IS NOT NULL;
UPDATE webhook_endpoint
SET state = 'paused', maker_left_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
WHERE id NOT IN (SELECT endpoint_id FROM webhook_of_maker);
DELETE FROM api_key
WHERE organization_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM member
  WHERE organization_id = api_key.organization_id AND user_id = api_key.user_id AND role = 'owner'
);
