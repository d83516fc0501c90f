-- Apps that register themselves: by a call (RFC 7591), or by a document of their own that is read (Client ID Metadata
-- Documents). Both are off until a manager switches them on.

-- One row. `scopes` is what such apps may ask for, as JSON.
CREATE TABLE oauth_registration_setting (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  by_call INTEGER NOT NULL DEFAULT 0 CHECK (by_call IN (0, 1)),
  by_document INTEGER NOT NULL DEFAULT 0 CHECK (by_document IN (0, 1)),
  scopes TEXT NOT NULL DEFAULT '["openid","profile","email","organization","offline_access"]',
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER
) STRICT;
INSERT INTO oauth_registration_setting (id) VALUES (1);

-- An app that nobody here has added or checked. `used_at`: when a person last allowed it, or it last got a token; null
-- before. `read_at` and `tried_at`: when its document was last read, and when reading it last began.
CREATE TABLE oauth_registration (
  client_id TEXT PRIMARY KEY REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  way TEXT NOT NULL CHECK (way IN ('call', 'document')),
  used_at INTEGER,
  read_at INTEGER,
  tried_at INTEGER,
  created_at INTEGER NOT NULL,
  CHECK ((way = 'document') = (read_at IS NOT NULL AND tried_at IS NOT NULL))
) STRICT;

-- Tokens are deleted when they end, so what was used is kept beside them; to the hour, which spares writes.

CREATE TRIGGER oauth_consent_uses_registration AFTER INSERT ON oauth_consent
BEGIN
  UPDATE oauth_registration SET used_at = NEW.created_at
  WHERE client_id = NEW.client_id AND (used_at IS NULL OR used_at < NEW.created_at - 3600000);
END;

CREATE TRIGGER oauth_access_token_uses_registration AFTER INSERT ON oauth_access_token
BEGIN
  UPDATE oauth_registration SET used_at = NEW.created_at
  WHERE client_id = NEW.client_id AND (used_at IS NULL OR used_at < NEW.created_at - 3600000);
END;

CREATE TRIGGER oauth_refresh_token_uses_registration AFTER INSERT ON oauth_refresh_token
BEGIN
  UPDATE oauth_registration SET used_at = NEW.created_at
  WHERE client_id = NEW.client_id AND (used_at IS NULL OR used_at < NEW.created_at - 3600000);
END;
