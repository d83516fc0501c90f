-- What became of each attempt, the days of a webhook, and its built-in bin.

-- Tables

-- An earlier attempt of a delivery. `webhook_delivery` has the last one, so what is accepted at once writes no row here.
CREATE TABLE webhook_attempt (
  endpoint_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  tried_at INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  answer TEXT,
  PRIMARY KEY (endpoint_id, created_at, event_id, tried_at)
) STRICT, WITHOUT ROWID;

-- Attempts of a day that a receiver accepted, and others. `day` counts days in UTC since 1970.
CREATE TABLE webhook_day (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint(id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  accepted INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (endpoint_id, day)
) STRICT, WITHOUT ROWID;

-- What the built-in bin received. The body is made from the event, or from the type of a sample: none is stored, so an erasure
-- has nothing to find here.
CREATE TABLE webhook_bin (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint(id) ON DELETE CASCADE,
  received_at INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  -- When the event happened: the key of `audit_event`, or the time of a sample.
  created_at INTEGER NOT NULL,
  sample TEXT,
  headers TEXT NOT NULL,
  -- 1 when the signature was right for the body that came.
  is_signed INTEGER NOT NULL,
  PRIMARY KEY (endpoint_id, received_at, event_id)
) STRICT, WITHOUT ROWID;

-- Triggers that keep and bound.

-- The last 20 attempts of a delivery, whoever asks for more.
CREATE TRIGGER webhook_attempt_kept AFTER UPDATE OF tries ON webhook_delivery WHEN OLD.tries > 0 AND NEW.tries > OLD.tries
BEGIN
  INSERT OR REPLACE INTO webhook_attempt (endpoint_id, created_at, event_id, tried_at, status, error, duration_ms, answer)
  VALUES (
    OLD.endpoint_id, OLD.created_at, OLD.event_id, coalesce(OLD.tried_at, 0), OLD.status, OLD.error, OLD.duration_ms, OLD.answer
  );
  DELETE FROM webhook_attempt
  WHERE endpoint_id = OLD.endpoint_id AND created_at = OLD.created_at AND event_id = OLD.event_id AND tried_at < (
    SELECT min(tried_at) FROM (
      SELECT tried_at FROM webhook_attempt
      WHERE endpoint_id = OLD.endpoint_id AND created_at = OLD.created_at AND event_id = OLD.event_id
      ORDER BY tried_at DESC LIMIT 19
    )
  );
END;

-- Attempts go with their delivery, which the cron deletes.
CREATE TRIGGER webhook_attempt_forgotten AFTER DELETE ON webhook_delivery
BEGIN
  DELETE FROM webhook_attempt
  WHERE endpoint_id = OLD.endpoint_id AND created_at = OLD.created_at AND event_id = OLD.event_id;
END;

-- The last 20 of a bin.
CREATE TRIGGER webhook_bin_bounded AFTER INSERT ON webhook_bin
BEGIN
  DELETE FROM webhook_bin WHERE endpoint_id = NEW.endpoint_id AND (received_at, event_id) NOT IN (
    SELECT received_at, event_id FROM webhook_bin
    WHERE endpoint_id = NEW.endpoint_id ORDER BY received_at DESC, event_id DESC LIMIT 20
  );
END;

-- Triggers that write news, for URLs of a local site too: `http://localhost:3000/` has another length before its host.

DROP TRIGGER webhook_made;
DROP TRIGGER webhook_moved;
DROP TRIGGER webhook_maker_left;

-- What the built-in bin gets stays in the product, so nobody needs a mail about it.
CREATE TRIGGER webhook_made AFTER INSERT ON webhook_endpoint
WHEN NEW.made_by IS NOT NULL AND NEW.url <> 'https://built-in-bin/'
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    NEW.organization_id, 'webhook-made',
    substr(NEW.url, instr(NEW.url, '//') + 2, instr(substr(NEW.url, instr(NEW.url, '//') + 2) || '/', '/') - 1),
    NEW.made_by, NEW.created_at
  );
END;

-- Who changes the URL becomes the maker, because they decide where the events go.
CREATE TRIGGER webhook_moved AFTER UPDATE OF url ON webhook_endpoint WHEN NEW.url <> OLD.url
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    NEW.organization_id, 'webhook-moved',
    substr(NEW.url, instr(NEW.url, '//') + 2, instr(substr(NEW.url, instr(NEW.url, '//') + 2) || '/', '/') - 1),
    NEW.made_by, NEW.updated_at
  );
END;

CREATE TRIGGER webhook_maker_left AFTER UPDATE OF maker_left_at ON webhook_endpoint
WHEN NEW.maker_left_at IS NOT NULL AND OLD.maker_left_at IS NULL
  AND (NEW.organization_id IS NULL OR EXISTS (SELECT 1 FROM organization WHERE id = NEW.organization_id))
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    NEW.organization_id, 'webhook-paused',
    substr(NEW.url, instr(NEW.url, '//') + 2, instr(substr(NEW.url, instr(NEW.url, '//') + 2) || '/', '/') - 1),
    (SELECT id FROM user WHERE id = NEW.made_by), NEW.maker_left_at
  );
  INSERT INTO audit_event (id, action, target_type, target_id, details, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'webhook.paused', iif(NEW.organization_id IS NULL, NULL, 'organization'),
    NEW.organization_id,
    json_object(
      'receiver',
      substr(NEW.url, instr(NEW.url, '//') + 2, instr(substr(NEW.url, instr(NEW.url, '//') + 2) || '/', '/') - 1)
    ),
    NEW.maker_left_at
  );
END;
