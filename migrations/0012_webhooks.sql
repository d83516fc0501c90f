-- Webhooks: who is told of events, which ones, and what became of each.

-- Tables

-- A receiver of events. One without an organization is the site's own.
CREATE TABLE webhook_endpoint (
  id TEXT PRIMARY KEY,
  organization_id TEXT REFERENCES organization(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  -- Encrypted. The previous secret signs too until its end.
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until INTEGER,
  with_ip_address INTEGER NOT NULL DEFAULT 0,
  -- 'failed': paused by the sender, after a day without success.
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'failed')),
  -- Since when no delivery has succeeded, how often it was tried, and when it is tried again.
  failing_since INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER,
  -- Every delivery of an event before this time is settled, so the sender does not read them again.
  settled_until INTEGER NOT NULL DEFAULT 0,
  -- Events that were deleted after 30 days without being delivered.
  dropped INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  made_by TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Since when the maker may no longer have made it. It then gets no events, until somebody else resumes it.
  maker_left_at INTEGER,
  -- When its sender was woken. Null once the sender has nothing more to do.
  woken_at INTEGER
) STRICT;

-- An action that an endpoint wants, as `audit_event.action`; 'user.role_changed' is a 'user.updated' that changed the role.
CREATE TABLE webhook_subscription (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint(id) ON DELETE CASCADE,
  action TEXT NOT NULL,
  PRIMARY KEY (endpoint_id, action)
) STRICT, WITHOUT ROWID;

-- An event for an endpoint. `created_at` and `event_id` are the key of `audit_event`. Rows outlive their endpoint until the cron deletes them.
CREATE TABLE webhook_delivery (
  endpoint_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'skipped')),
  -- The last try: when, the answer's status or why there was none, how long it took, and the beginning of the answer.
  tries INTEGER NOT NULL DEFAULT 0,
  tried_at INTEGER,
  status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  answer TEXT,
  PRIMARY KEY (endpoint_id, created_at, event_id)
) STRICT, WITHOUT ROWID;

-- Indexes

-- Which endpoints has the site, or an organization?
CREATE INDEX webhook_endpoint_organization_id ON webhook_endpoint(organization_id);
-- Which endpoints did a user make?
CREATE INDEX webhook_endpoint_made_by ON webhook_endpoint(made_by);

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

-- Triggers that act. Every event has its rows, whichever code or trigger records it.

-- One row for each endpoint that wants the event, unless its maker has left. An organization's endpoint gets what happens in it,
-- unless it is disabled or being deleted.
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
  ) AS e
  WHERE EXISTS (
    SELECT 1 FROM webhook_subscription
    WHERE endpoint_id = e.id AND action = CASE
      WHEN NEW.action = 'user.updated' AND NEW.details ->> '$.before.role' IS NOT NEW.details ->> '$.after.role'
      THEN 'user.role_changed' ELSE NEW.action END
  );
END;

-- The same for an event of a thing that belongs to an organization.
CREATE TRIGGER organization_event_to_webhooks INSTEAD OF INSERT ON organization_event
BEGIN
  INSERT INTO webhook_delivery (endpoint_id, created_at, event_id)
  SELECT webhook_endpoint.id, NEW.created_at, NEW.event_id
  FROM webhook_endpoint JOIN organization ON organization.id = webhook_endpoint.organization_id
  WHERE webhook_endpoint.organization_id = NEW.organization_id
    AND organization.disabled_at IS NULL AND organization.deletion_due_at IS NULL
    AND webhook_endpoint.maker_left_at IS NULL
    AND EXISTS (SELECT 1 FROM webhook_subscription WHERE endpoint_id = webhook_endpoint.id AND action = NEW.action);
END;

-- An event may be recorded after a later one was delivered: its request began earlier.
CREATE TRIGGER webhook_delivery_unsettles AFTER INSERT ON webhook_delivery
BEGIN
  UPDATE webhook_endpoint SET settled_until = NEW.created_at
  WHERE id = NEW.endpoint_id AND settled_until > NEW.created_at;
END;

-- Whichever code, call or cascade ends a role, the webhooks that were made with it pause.

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
