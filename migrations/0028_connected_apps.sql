-- Apps that sign people in with this site, and what they were given. Column names are those of better-auth's plugin.

-- Tables

-- `client_secret` holds hashes: of the secret, and for a while of the one before it, with the time until which that one
-- counts. Null for an app that cannot keep a secret.
CREATE TABLE oauth_client (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL UNIQUE,
  client_secret TEXT,
  name TEXT NOT NULL,
  uri TEXT,
  search_key TEXT NOT NULL DEFAULT '',
  redirect_uris TEXT NOT NULL,
  post_logout_redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  token_endpoint_auth_method TEXT NOT NULL CHECK (token_endpoint_auth_method IN ('none', 'client_secret_basic')),
  application_type TEXT NOT NULL CHECK (application_type IN ('web', 'native')),
  grant_types TEXT NOT NULL,
  response_types TEXT NOT NULL,
  require_pkce INTEGER NOT NULL DEFAULT 1,
  skip_consent INTEGER NOT NULL DEFAULT 0,
  enable_end_session INTEGER NOT NULL DEFAULT 1,
  disabled INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_by TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE VIRTUAL TABLE oauth_client_search USING fts5(
  search_key, content = 'oauth_client', content_rowid = 'rowid', tokenize = 'trigram case_sensitive 1'
);

-- A user's yes to an app. `reference_id` is the organization that the app was told of.
CREATE TABLE oauth_consent (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  reference_id TEXT,
  scopes TEXT NOT NULL,
  resources TEXT,
  requested_user_info_claims TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (reference_id, user_id) REFERENCES member(organization_id, user_id) ON DELETE CASCADE
) STRICT;

-- A token with which an app gets new access tokens, also when the session has ended. `token` is a hash.
-- `rotation_replay_response` is encrypted: the answer to the last use, for an app that did not receive it.
CREATE TABLE oauth_refresh_token (
  id TEXT PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  session_id TEXT REFERENCES session(id) ON DELETE SET NULL,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  reference_id TEXT,
  authorization_code_id TEXT,
  resources TEXT,
  requested_user_info_claims TEXT,
  scopes TEXT NOT NULL,
  auth_time INTEGER,
  confirmation TEXT,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revoked INTEGER,
  rotated_at INTEGER,
  rotation_replay_response TEXT,
  rotation_replay_expires_at INTEGER,
  FOREIGN KEY (reference_id, user_id) REFERENCES member(organization_id, user_id) ON DELETE CASCADE
) STRICT;

-- A token with which an app asks who the user is. It ends with the session. `token` is a hash.
CREATE TABLE oauth_access_token (
  id TEXT PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  session_id TEXT REFERENCES session(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  refresh_id TEXT REFERENCES oauth_refresh_token(id) ON DELETE CASCADE,
  reference_id TEXT,
  authorization_code_id TEXT,
  resources TEXT,
  requested_user_info_claims TEXT,
  scopes TEXT NOT NULL,
  confirmation TEXT,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revoked INTEGER,
  FOREIGN KEY (reference_id, user_id) REFERENCES member(organization_id, user_id) ON DELETE CASCADE
) STRICT;

-- A server elsewhere for which apps get tokens that it checks by itself. `identifier` is its URL, the audience of the tokens.
CREATE TABLE oauth_resource (
  id TEXT PRIMARY KEY,
  identifier TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  access_token_ttl INTEGER,
  allowed_scopes TEXT,
  disabled INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- The servers for which an app may get tokens.
CREATE TABLE oauth_client_resource (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  resource_id TEXT NOT NULL REFERENCES oauth_resource(identifier) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  UNIQUE (client_id, resource_id)
) STRICT;

-- The keys that sign what apps are told. The private ones are encrypted.
CREATE TABLE jwks (
  id TEXT PRIMARY KEY,
  public_key TEXT NOT NULL,
  private_key TEXT NOT NULL,
  alg TEXT,
  crv TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;

-- Indexes

-- Which apps may act for a user, for a member, or were made by a manager?
CREATE INDEX oauth_client_created_by ON oauth_client(created_by) WHERE created_by IS NOT NULL;
-- Which names begin with these one or two characters?
CREATE INDEX oauth_client_by_beginning ON oauth_client(substr(search_key, 1, 2));
CREATE INDEX oauth_consent_user ON oauth_consent(user_id, client_id);
CREATE INDEX oauth_consent_client ON oauth_consent(client_id);
CREATE INDEX oauth_consent_member ON oauth_consent(reference_id, user_id) WHERE reference_id IS NOT NULL;
CREATE INDEX oauth_refresh_token_user ON oauth_refresh_token(user_id, client_id);
CREATE INDEX oauth_refresh_token_client ON oauth_refresh_token(client_id);
CREATE INDEX oauth_refresh_token_session ON oauth_refresh_token(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX oauth_refresh_token_member ON oauth_refresh_token(reference_id, user_id) WHERE reference_id IS NOT NULL;
CREATE INDEX oauth_access_token_user ON oauth_access_token(user_id, client_id);
CREATE INDEX oauth_access_token_client ON oauth_access_token(client_id);
CREATE INDEX oauth_access_token_session ON oauth_access_token(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX oauth_access_token_refresh ON oauth_access_token(refresh_id) WHERE refresh_id IS NOT NULL;
CREATE INDEX oauth_access_token_member ON oauth_access_token(reference_id, user_id) WHERE reference_id IS NOT NULL;
-- Which apps get tokens for a server?
CREATE INDEX oauth_client_resource_resource ON oauth_client_resource(resource_id);
-- Which tokens were made with a code that is used again?
CREATE INDEX oauth_refresh_token_code ON oauth_refresh_token(authorization_code_id) WHERE authorization_code_id IS NOT NULL;
CREATE INDEX oauth_access_token_code ON oauth_access_token(authorization_code_id) WHERE authorization_code_id IS NOT NULL;
-- Which tokens have ended?
CREATE INDEX oauth_refresh_token_expires_at ON oauth_refresh_token(expires_at);
CREATE INDEX oauth_access_token_expires_at ON oauth_access_token(expires_at);
CREATE INDEX oauth_refresh_token_revoked ON oauth_refresh_token(revoked) WHERE revoked IS NOT NULL;

-- Triggers that refuse

-- A token that is made while its app is being switched off, or its user banned, would outlive that.
CREATE TRIGGER oauth_refresh_token_refused BEFORE INSERT ON oauth_refresh_token
WHEN EXISTS (SELECT 1 FROM oauth_client WHERE client_id = NEW.client_id AND disabled = 1)
  OR EXISTS (SELECT 1 FROM user WHERE id = NEW.user_id AND (banned = 1 OR deletion_due_at IS NOT NULL))
BEGIN
  SELECT RAISE(ABORT, 'APP_NOT_ALLOWED');
END;

CREATE TRIGGER oauth_access_token_refused BEFORE INSERT ON oauth_access_token
WHEN EXISTS (SELECT 1 FROM oauth_client WHERE client_id = NEW.client_id AND disabled = 1)
  OR EXISTS (SELECT 1 FROM user WHERE id = NEW.user_id AND (banned = 1 OR deletion_due_at IS NOT NULL))
BEGIN
  SELECT RAISE(ABORT, 'APP_NOT_ALLOWED');
END;

-- Triggers that act

-- Whichever code, call or cascade bans a user or begins a deletion, apps can no longer act for the user.
CREATE TRIGGER user_change_ends_apps AFTER UPDATE OF role, banned, deletion_due_at ON user
WHEN NEW.banned = 1 OR NEW.deletion_due_at IS NOT NULL
BEGIN
  DELETE FROM oauth_access_token WHERE user_id = NEW.id;
  DELETE FROM oauth_refresh_token WHERE user_id = NEW.id;
END;

-- What was allowed before the owner proved the e-mail may have been a stranger's.
CREATE TRIGGER user_email_proven_ends_apps AFTER UPDATE OF email_verified ON user
WHEN OLD.email_verified = 0 AND NEW.email_verified = 1
BEGIN
  DELETE FROM oauth_access_token WHERE user_id = NEW.id;
  DELETE FROM oauth_refresh_token WHERE user_id = NEW.id;
  DELETE FROM oauth_consent WHERE user_id = NEW.id;
END;

CREATE TRIGGER oauth_client_disabled_ends_tokens AFTER UPDATE OF disabled ON oauth_client WHEN NEW.disabled = 1
BEGIN
  DELETE FROM oauth_access_token WHERE client_id = NEW.client_id;
  DELETE FROM oauth_refresh_token WHERE client_id = NEW.client_id;
END;

-- Who signs out everywhere, or everywhere else, may fear a stranger, who could have let an app in from another browser.
-- A deleted session has left NULL behind, so this spares what was given in the session that goes on. The end of a single
-- session, such as a sign-out, ends no app: a token with `offline_access` is for the time after it.
CREATE TRIGGER sessions_revoked_end_apps AFTER INSERT ON audit_event
WHEN NEW.action IN ('session.revoked_all', 'session.revoked_others')
BEGIN
  DELETE FROM oauth_access_token WHERE user_id = NEW.target_id AND session_id IS NULL;
  DELETE FROM oauth_refresh_token WHERE user_id = NEW.target_id AND session_id IS NULL;
END;

-- The same for a user who has no session left. Then nothing is recorded, but the browsers of before lose their trust.
CREATE TRIGGER user_distrust_ends_apps AFTER UPDATE OF devices_since ON user
WHEN NOT EXISTS (SELECT 1 FROM session WHERE user_id = NEW.id)
BEGIN
  DELETE FROM oauth_access_token WHERE user_id = NEW.id;
  DELETE FROM oauth_refresh_token WHERE user_id = NEW.id;
END;

-- Triggers that keep search rows

CREATE TRIGGER oauth_client_inserted AFTER INSERT ON oauth_client
BEGIN
  INSERT INTO oauth_client_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE TRIGGER oauth_client_deleted AFTER DELETE ON oauth_client
BEGIN
  INSERT INTO oauth_client_search (oauth_client_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
END;

CREATE TRIGGER oauth_client_search_changed AFTER UPDATE OF search_key ON oauth_client WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO oauth_client_search (oauth_client_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO oauth_client_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

-- One person could fill the database by signing in to one app again and again. Of each app and user the newest 200 stay,
-- of refresh tokens those first that were not used yet.
CREATE TRIGGER oauth_refresh_token_bounded AFTER INSERT ON oauth_refresh_token
BEGIN
  DELETE FROM oauth_refresh_token WHERE id IN (
    SELECT id FROM oauth_refresh_token WHERE user_id = NEW.user_id AND client_id = NEW.client_id
    ORDER BY revoked IS NULL DESC, created_at DESC, id DESC LIMIT -1 OFFSET 200
  );
END;

CREATE TRIGGER oauth_access_token_bounded AFTER INSERT ON oauth_access_token
BEGIN
  DELETE FROM oauth_access_token WHERE id IN (
    SELECT id FROM oauth_access_token WHERE user_id = NEW.user_id AND client_id = NEW.client_id
    ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET 200
  );
END;
