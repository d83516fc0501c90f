-- What a screen asks a fresh proof for, an app does only after the person has approved this one call.

CREATE TABLE oauth_approval (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  -- Hash of method, path, version and body: the same call again is the approved one.
  call_hash TEXT NOT NULL,
  scope TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  -- What the call sends, and what its thing was called when the app asked; for the person to read.
  body TEXT,
  title TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'refused', 'used')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (user_id, client_id, call_hash)
) STRICT;

CREATE INDEX oauth_approval_client ON oauth_approval(client_id);

-- An approval ends with the token with which the app asked for it.
CREATE TRIGGER oauth_access_token_ends_approvals AFTER DELETE ON oauth_access_token
BEGIN
  DELETE FROM oauth_approval
  WHERE user_id = OLD.user_id AND client_id = OLD.client_id AND created_at BETWEEN OLD.created_at AND OLD.expires_at;
END;
