-- Users, their sessions, linked accounts and passkeys. Every date is in milliseconds since 1970, every boolean 0 or 1.

-- Tables

CREATE TABLE user (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  email_verified INTEGER NOT NULL DEFAULT 0,
  image TEXT,
  avatar TEXT,
  -- Known words, each once, joined by commas without spaces: only a comma is left when they are taken out.
  role TEXT NOT NULL DEFAULT 'user' CONSTRAINT UNKNOWN_ROLE CHECK (
    replace(replace(replace(replace(
      ',' || role || ',', ',admin,', ','), ',support,', ','), ',auditor,', ','), ',user,', ',') = ','
  ),
  banned INTEGER NOT NULL DEFAULT 0,
  ban_reason TEXT,
  ban_expires INTEGER,
  onboarded_at INTEGER,
  language TEXT,
  theme TEXT,
  terms_version TEXT,
  terms_accepted_at INTEGER,
  passkey_release_until INTEGER,
  last_organization_id TEXT,
  last_seen_at INTEGER,
  deletion_due_at INTEGER,
  erasure_tried_at INTEGER,
  search_key TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL DEFAULT 1,
  created_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- A `device` cookie from before this moment is not trusted: the user has ended the trusted devices.
  devices_since INTEGER
) STRICT;

CREATE TABLE session (
  id TEXT PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  impersonated_by TEXT,
  active_organization_id TEXT,
  active_team_id TEXT,
  authenticated_at INTEGER,
  passkey_proved_at INTEGER,
  passkey_proved_by TEXT,
  ip_address TEXT,
  user_agent TEXT,
  place TEXT,
  last_seen_at INTEGER,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE account (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  email TEXT,
  access_token TEXT,
  refresh_token TEXT,
  id_token TEXT,
  access_token_expires_at INTEGER,
  refresh_token_expires_at INTEGER,
  scope TEXT,
  password TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (provider_id, account_id)
) STRICT;

CREATE TABLE passkey (
  id TEXT PRIMARY KEY,
  name TEXT,
  public_key TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL UNIQUE,
  counter INTEGER NOT NULL,
  device_type TEXT NOT NULL,
  backed_up INTEGER NOT NULL,
  transports TEXT,
  aaguid TEXT,
  created_at INTEGER,
  last_used_at INTEGER
) STRICT;

-- The text that a search of users looks through. It has no copy of the text, and no sizes of columns, which only ranking needs.
CREATE VIRTUAL TABLE user_search USING fts5(
  search_key, content = 'user', content_rowid = 'rowid', columnsize = 0, tokenize = 'trigram case_sensitive 1'
);

-- Indexes

-- The list of users in one order each, with the columns that filters look at: a filter that few rows meet is found in the
-- index alone.
CREATE INDEX user_by_created ON user(created_at, id, search_key, last_seen_at);
CREATE INDEX user_by_name ON user(name COLLATE NOCASE, id, search_key);
CREATE INDEX user_by_email ON user(email, id, search_key);
-- Users who were never seen come first.
CREATE INDEX user_by_last_seen ON user(coalesce(last_seen_at, 0), id, search_key, created_at);
-- Which names, or e-mails without a name, begin with these one or two characters?
CREATE INDEX user_by_beginning ON user(substr(search_key, 1, 2));
-- Which users are in this rare state, newest first?
CREATE INDEX user_banned ON user(created_at, id) WHERE banned = 1;
CREATE INDEX user_not_onboarded ON user(created_at, id) WHERE onboarded_at IS NULL;
CREATE INDEX user_unverified ON user(created_at, id) WHERE email_verified = 0 AND onboarded_at IS NOT NULL;
CREATE INDEX user_never_seen ON user(created_at, id) WHERE last_seen_at IS NULL;
-- Which users have a manager's role, newest first?
CREATE INDEX user_with_roles ON user(created_at, id, role) WHERE role <> 'user';
-- Which bans have ended by themselves?
CREATE INDEX user_by_ban_end ON user(ban_expires) WHERE banned = 1 AND ban_expires IS NOT NULL;
-- Which accounts are due for erasure?
CREATE INDEX user_deletion_due ON user(deletion_due_at) WHERE deletion_due_at IS NOT NULL;

-- Which sessions does a user have, and which are newer than a moment?
CREATE INDEX session_by_user ON session(user_id, created_at);
-- Which sessions have expired?
CREATE INDEX session_expires_at ON session(expires_at);
-- Which impersonations has this manager started?
CREATE INDEX session_impersonated_by ON session(impersonated_by) WHERE impersonated_by IS NOT NULL;
-- Which accounts, and which passkeys, does a user have?
CREATE INDEX account_user_id ON account(user_id);
CREATE INDEX passkey_user_id ON passkey(user_id);

-- Views: questions of several triggers and statements

-- Which admins can sign in and stay?
CREATE VIEW eligible_admin AS
SELECT id FROM user
WHERE role <> 'user' AND instr(',' || role || ',', ',admin,') > 0 AND banned = 0 AND deletion_due_at IS NULL;

-- Of which organizations with other members is a user the only owner?
CREATE VIEW sole_ownership AS
SELECT ownership.user_id, ownership.organization_id
FROM member AS ownership JOIN organization ON organization.id = ownership.organization_id
WHERE ownership.role = 'owner' AND organization.deletion_due_at IS NULL
  AND EXISTS (
    SELECT 1 FROM member WHERE organization_id = ownership.organization_id AND user_id <> ownership.user_id
  )
  AND NOT EXISTS (
    SELECT 1 FROM member
    WHERE organization_id = ownership.organization_id AND user_id <> ownership.user_id AND role = 'owner'
  );

-- Why may a user not delete their account?
CREATE VIEW account_deletion_rule AS
SELECT
  own.id AS user_id,
  CASE
    WHEN instr(',' || own.role || ',', ',admin,') AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> own.id)
      THEN 'LAST_ADMIN'
    WHEN EXISTS (SELECT 1 FROM sole_ownership WHERE user_id = own.id) THEN 'SOLE_OWNER'
  END AS rule
FROM user AS own;

-- Triggers that refuse. D1 has no transaction that reads before it writes, so the database itself keeps these rules.

CREATE TRIGGER user_change_refused BEFORE UPDATE OF role, banned, deletion_due_at ON user
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN')
  WHERE instr(',' || OLD.role || ',', ',admin,')
    AND (
      NOT instr(',' || NEW.role || ',', ',admin,')
      OR NEW.banned > OLD.banned
      OR NEW.deletion_due_at IS NOT NULL AND OLD.deletion_due_at IS NULL
    )
    AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> OLD.id);
  SELECT RAISE(ABORT, 'SOLE_OWNER')
  WHERE NEW.deletion_due_at IS NOT NULL AND OLD.deletion_due_at IS NULL
    AND EXISTS (SELECT 1 FROM sole_ownership WHERE user_id = OLD.id);
END;

CREATE TRIGGER user_deletion_refused BEFORE DELETE ON user
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN')
  WHERE instr(',' || OLD.role || ',', ',admin,') AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> OLD.id);
  SELECT RAISE(ABORT, 'SOLE_OWNER')
  WHERE EXISTS (
    SELECT 1 FROM member AS own
    WHERE own.user_id = OLD.id AND own.role = 'owner'
      AND EXISTS (SELECT 1 FROM member WHERE organization_id = own.organization_id AND user_id <> OLD.id)
      AND NOT EXISTS (
        SELECT 1 FROM member
        WHERE organization_id = own.organization_id AND user_id <> OLD.id AND role = 'owner'
      )
  );
END;

-- Nobody signs in while banned, with an unproven e-mail, or by a passkey that was removed meanwhile. An impersonation needs no
-- proven e-mail.
CREATE TRIGGER session_refused BEFORE INSERT ON session
BEGIN
  SELECT RAISE(ABORT, 'BANNED_USER') FROM user
  WHERE id = NEW.user_id AND banned = 1 AND (ban_expires IS NULL OR ban_expires > NEW.created_at);
  SELECT RAISE(ABORT, 'EMAIL_NOT_VERIFIED') FROM user
  WHERE id = NEW.user_id AND email_verified = 0 AND NEW.impersonated_by IS NULL;
  SELECT RAISE(ABORT, 'PASSKEY_REMOVED')
  WHERE NEW.passkey_proved_by IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM passkey WHERE id = NEW.passkey_proved_by AND user_id = NEW.user_id);
END;

-- A stranger who has not proven the e-mail must not add a way to sign in.
CREATE TRIGGER account_refused BEFORE INSERT ON account
BEGIN
  SELECT RAISE(ABORT, 'EMAIL_NOT_VERIFIED') FROM user WHERE id = NEW.user_id AND email_verified = 0;
END;

CREATE TRIGGER passkey_refused BEFORE INSERT ON passkey
BEGIN
  SELECT RAISE(ABORT, 'EMAIL_NOT_VERIFIED') FROM user WHERE id = NEW.user_id AND email_verified = 0;
  SELECT RAISE(ABORT, 'PASSKEY_LIMIT') WHERE (SELECT count(*) FROM passkey WHERE user_id = NEW.user_id) >= 10;
END;

-- A counter that does not go up shows that the authenticator was copied. Many authenticators have none and always send 0.
CREATE TRIGGER passkey_counter BEFORE UPDATE OF counter ON passkey
WHEN NEW.counter < OLD.counter OR (NEW.counter = OLD.counter AND NEW.counter > 0)
BEGIN
  SELECT RAISE(ABORT, 'PASSKEY_COUNTER');
END;

-- Triggers that write audit events. better-auth inserts these rows itself, outside our batches, and none may be without its event.

CREATE TRIGGER user_created AFTER INSERT ON user
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, created_at)
  VALUES (lower(hex(randomblob(16))), 'user.created', coalesce(NEW.created_by, NEW.id), 'user', NEW.id, NEW.created_at);
END;

CREATE TRIGGER session_created AFTER INSERT ON session WHEN NEW.impersonated_by IS NULL
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, ip_address, user_agent, place, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'user.signed_in', NEW.user_id, 'user', NEW.user_id, NEW.ip_address, NEW.user_agent,
    NEW.place, NEW.created_at
  );
END;

CREATE TRIGGER account_linked AFTER INSERT ON account
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, details, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'account.linked', NEW.user_id, 'user', NEW.user_id,
    json_object('provider', NEW.provider_id), NEW.created_at
  );
END;

CREATE TRIGGER passkey_added AFTER INSERT ON passkey
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, details, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'passkey.added', NEW.user_id, 'user', NEW.user_id,
    json_object('name', NEW.name), NEW.created_at
  );
END;

-- Triggers that act. What ends with a change must end whichever code makes the change.

-- Sessions of the banned, and impersonations by those who are no longer admins or stay no longer.
CREATE TRIGGER user_change_ends_sessions AFTER UPDATE OF role, banned, deletion_due_at ON user
BEGIN
  DELETE FROM session WHERE user_id = NEW.id AND NEW.banned = 1;
  DELETE FROM session
  WHERE impersonated_by = NEW.id
    AND (NEW.banned = 1 OR NEW.deletion_due_at IS NOT NULL OR NOT instr(',' || NEW.role || ',', ',admin,'));
END;

CREATE TRIGGER user_deletion_ends AFTER DELETE ON user
BEGIN
  DELETE FROM session WHERE impersonated_by = OLD.id;
  DELETE FROM refusing_mailbox WHERE email = OLD.email;
END;

-- What was added before the owner proved the e-mail may be a stranger's.
CREATE TRIGGER user_email_proven AFTER UPDATE OF email_verified ON user
WHEN OLD.email_verified = 0 AND NEW.email_verified = 1
BEGIN
  DELETE FROM passkey WHERE user_id = NEW.id;
  UPDATE user SET onboarded_at = NULL WHERE id = NEW.id;
END;

-- better-auth would extend a used impersonation as any other session.
CREATE TRIGGER impersonation_not_prolonged AFTER UPDATE OF expires_at ON session
WHEN OLD.impersonated_by IS NOT NULL AND NEW.expires_at > OLD.expires_at
BEGIN
  UPDATE session SET expires_at = OLD.expires_at WHERE id = OLD.id;
END;

-- Triggers that keep search rows and totals, which must change together with their row; no total needs a read of its table.

CREATE TRIGGER user_inserted AFTER INSERT ON user
BEGIN
  INSERT INTO user_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
  UPDATE counter SET value = value + 1
  WHERE name = 'user' OR name = 'user not onboarded' AND NEW.onboarded_at IS NULL AND NEW.banned = 0;
  INSERT INTO slot_count (name, slot, value) VALUES ('user.created', NEW.created_at / 900000, 1)
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
  INSERT INTO slot_count (name, slot, value)
  SELECT 'user.seen', NEW.last_seen_at / 900000, 1 WHERE NEW.last_seen_at IS NOT NULL
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER user_deleted AFTER DELETE ON user
BEGIN
  INSERT INTO user_search (user_search, rowid, search_key) VALUES ('delete', OLD.rowid, OLD.search_key);
  UPDATE counter SET value = value - 1
  WHERE name = 'user' OR name = 'user not onboarded' AND OLD.onboarded_at IS NULL AND OLD.banned = 0;
  UPDATE slot_count SET value = value - 1
  WHERE name = 'user.created' AND slot = OLD.created_at / 900000
    OR name = 'user.seen' AND slot = OLD.last_seen_at / 900000;
END;

CREATE TRIGGER user_search_changed AFTER UPDATE OF search_key ON user WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO user_search (user_search, rowid, search_key) VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO user_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE TRIGGER user_not_onboarded_changed AFTER UPDATE OF onboarded_at, banned ON user
WHEN (OLD.onboarded_at IS NULL AND OLD.banned = 0) <> (NEW.onboarded_at IS NULL AND NEW.banned = 0)
BEGIN
  UPDATE counter SET value = value + iif(NEW.onboarded_at IS NULL AND NEW.banned = 0, 1, -1)
  WHERE name = 'user not onboarded';
END;

CREATE TRIGGER user_seen_changed AFTER UPDATE OF last_seen_at ON user
WHEN OLD.last_seen_at / 900000 IS NOT NEW.last_seen_at / 900000
BEGIN
  UPDATE slot_count SET value = value - 1 WHERE name = 'user.seen' AND slot = OLD.last_seen_at / 900000;
  INSERT INTO slot_count (name, slot, value)
  SELECT 'user.seen', NEW.last_seen_at / 900000, 1 WHERE NEW.last_seen_at IS NOT NULL
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;
