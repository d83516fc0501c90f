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
  updated_at INTEGER NOT NULL
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

-- Triggers that act. Every event has its rows, whichever code or trigger records it.

-- One row for each endpoint that wants the event. An organization's endpoint gets what happens in it, unless it is disabled or being deleted.
CREATE TRIGGER audit_event_to_webhooks AFTER INSERT ON audit_event
WHEN EXISTS (SELECT 1 FROM webhook_endpoint)
BEGIN
  INSERT INTO webhook_delivery (endpoint_id, created_at, event_id)
  SELECT e.id, NEW.created_at, NEW.id
  FROM (
    SELECT id FROM webhook_endpoint WHERE organization_id IS NULL
    UNION ALL
    SELECT webhook_endpoint.id FROM webhook_endpoint
    JOIN organization ON organization.id = webhook_endpoint.organization_id
    WHERE NEW.target_type = 'organization' AND webhook_endpoint.organization_id = NEW.target_id
      AND organization.disabled_at IS NULL AND organization.deletion_due_at IS NULL
    UNION ALL
    SELECT webhook_endpoint.id FROM organization_repository
    JOIN organization ON organization.id = organization_repository.organization_id
    JOIN webhook_endpoint ON webhook_endpoint.organization_id = organization.id
    WHERE NEW.target_type = 'repository' AND organization_repository.repository_id = NEW.target_id
      AND organization.disabled_at IS NULL AND organization.deletion_due_at IS NULL
  ) AS e
  WHERE EXISTS (
    SELECT 1 FROM webhook_subscription
    WHERE endpoint_id = e.id AND action = CASE
      WHEN NEW.action = 'user.updated' AND NEW.details ->> '$.before.role' IS NOT NEW.details ->> '$.after.role'
      THEN 'user.role_changed' ELSE NEW.action END
  );
END;

-- An event may be recorded after a later one was delivered: its request began earlier.
CREATE TRIGGER webhook_delivery_unsettles AFTER INSERT ON webhook_delivery
BEGIN
  UPDATE webhook_endpoint SET settled_until = NEW.created_at
  WHERE id = NEW.endpoint_id AND settled_until > NEW.created_at;
END;
