-- How the person proved who they are at the sign-in that a refresh token stands for, for the ID tokens that come with it.
ALTER TABLE oauth_refresh_token ADD COLUMN proved_by TEXT;

-- better-auth's plugin writes these tokens. The next one of a sign-in has its `auth_time`; the first one has that of the
-- newest proof of its session, or the session has been proven anew since and does not tell of the older proof.
CREATE TRIGGER oauth_refresh_token_proof AFTER INSERT ON oauth_refresh_token WHEN NEW.auth_time IS NOT NULL
BEGIN
  UPDATE oauth_refresh_token SET proved_by = coalesce(
    (
      SELECT proved_by FROM oauth_refresh_token
      WHERE user_id = NEW.user_id AND client_id = NEW.client_id AND auth_time = NEW.auth_time AND proved_by IS NOT NULL
      LIMIT 1
    ),
    (
      SELECT proved_by FROM session
      WHERE id = NEW.session_id
        AND max(created_at, coalesce(authenticated_at, 0), coalesce(passkey_proved_at, 0)) = NEW.auth_time
    )
  )
  WHERE id = NEW.id;
END;

-- Back-channel logout (OpenID Connect Back-Channel Logout 1.0): where an app's server is told that a session has ended,
-- and what became of the last try: the status of the answer, or a word.
ALTER TABLE oauth_client ADD COLUMN logout_uri TEXT;
ALTER TABLE oauth_client ADD COLUMN logout_tried_at INTEGER;
ALTER TABLE oauth_client ADD COLUMN logout_answer TEXT;

-- The apps that were told of a session, by its id in an ID token.
CREATE TABLE oauth_session_app (
  session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, client_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX oauth_session_app_client ON oauth_session_app(client_id);

-- Ends of sessions of which an app is still to be told. The session is gone by then, and the user may be.
CREATE TABLE oauth_logout (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX oauth_logout_client ON oauth_logout(client_id, created_at, id);
-- Which apps are to be told something now?
CREATE INDEX oauth_logout_due ON oauth_logout(next_try_at, client_id);

-- Whichever code, cascade or call ends a session: the rows that say who was told are still there before it. A session
-- that has expired ends without a word.
CREATE TRIGGER session_end_tells_apps BEFORE DELETE ON session
WHEN OLD.expires_at > CAST(unixepoch('subsec') * 1000 AS INTEGER)
BEGIN
  INSERT INTO oauth_logout (id, client_id, session_id, user_id, next_try_at, created_at)
  SELECT
    lower(hex(randomblob(16))), app.client_id, OLD.id, OLD.user_id, CAST(unixepoch('subsec') * 1000 AS INTEGER),
    CAST(unixepoch('subsec') * 1000 AS INTEGER)
  FROM oauth_session_app AS told JOIN oauth_client AS app ON app.client_id = told.client_id
  WHERE told.session_id = OLD.id AND app.disabled = 0 AND app.logout_uri IS NOT NULL;
END;

-- An app that does not answer keeps no more than this.
CREATE TRIGGER oauth_logout_bounded AFTER INSERT ON oauth_logout
BEGIN
  DELETE FROM oauth_logout WHERE id IN (
    SELECT id FROM oauth_logout WHERE client_id = NEW.client_id ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET 1000
  );
END;

-- An app that is switched off, or has nowhere to be told any more, is told nothing later either.
CREATE TRIGGER oauth_client_change_ends_logouts AFTER UPDATE OF disabled, logout_uri ON oauth_client
WHEN NEW.disabled = 1 OR NEW.logout_uri IS NULL
BEGIN
  DELETE FROM oauth_logout WHERE client_id = NEW.client_id;
END;
