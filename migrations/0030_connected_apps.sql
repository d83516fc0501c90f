-- Device authorization (RFC 8628): a command line or a device without a browser asks for a code, which a person enters
-- here. The row is deleted when tokens are made of it. Both codes are hashes; `place` and `user_agent` are the asker's.

CREATE TABLE oauth_device_code (
  id TEXT PRIMARY KEY,
  device_code TEXT NOT NULL UNIQUE,
  user_code TEXT NOT NULL UNIQUE,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  scopes TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied')),
  user_id TEXT REFERENCES user(id) ON DELETE CASCADE,
  session_id TEXT REFERENCES session(id) ON DELETE CASCADE,
  reference_id TEXT,
  auth_time INTEGER,
  place TEXT,
  user_agent TEXT,
  interval_ms INTEGER NOT NULL,
  polled_at INTEGER,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK ((status = 'approved') = (user_id IS NOT NULL AND session_id IS NOT NULL)),
  FOREIGN KEY (reference_id, user_id) REFERENCES member(organization_id, user_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX oauth_device_code_client ON oauth_device_code(client_id);
CREATE INDEX oauth_device_code_user ON oauth_device_code(user_id) WHERE user_id IS NOT NULL;
CREATE INDEX oauth_device_code_session ON oauth_device_code(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX oauth_device_code_member ON oauth_device_code(reference_id, user_id) WHERE reference_id IS NOT NULL;
-- Which codes have ended?
CREATE INDEX oauth_device_code_expires_at ON oauth_device_code(expires_at);
