-- API keys, and the answers to the requests of programs.

-- Tables

-- API keys, with which programs call the API in a user's name. One with an organization works only in it, while its maker is a member.
-- `key` and `permissions` are stored as better-auth's plugin for API keys stores them.
CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  organization_id TEXT,
  name TEXT NOT NULL,
  start TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  permissions TEXT NOT NULL,
  passkey_id TEXT REFERENCES passkey(id) ON DELETE SET NULL,
  expires_at INTEGER NOT NULL,
  last_request INTEGER,
  created_at INTEGER NOT NULL,
  FOREIGN KEY (organization_id, user_id) REFERENCES member(organization_id, user_id) ON DELETE CASCADE
) STRICT;

-- Answers to requests with an `Idempotency-Key`. `answer` is null while the request is being answered.
CREATE TABLE idempotent_answer (
  api_key_id TEXT NOT NULL REFERENCES api_key(id) ON DELETE CASCADE,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  answer TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (api_key_id, idempotency_key)
) STRICT;

-- Indexes

-- Which keys does a user have, does a member have, were made with a passkey?
CREATE INDEX api_key_user_id ON api_key(user_id);
CREATE INDEX api_key_member ON api_key(organization_id, user_id);
CREATE INDEX api_key_passkey_id ON api_key(passkey_id);
-- Which answers are older than a day?
CREATE INDEX idempotent_answer_created_at ON idempotent_answer(created_at);

-- Triggers that act. Whichever code, call or cascade ends a role, its keys end too.

CREATE TRIGGER user_ban_ends_keys AFTER UPDATE OF role, banned, deletion_due_at ON user WHEN NEW.banned = 1
BEGIN
  DELETE FROM api_key WHERE user_id = NEW.id;
END;

-- What was added before the owner proved the e-mail may be a stranger's.
CREATE TRIGGER user_email_proven_ends_keys AFTER UPDATE OF email_verified ON user
WHEN OLD.email_verified = 0 AND NEW.email_verified = 1
BEGIN
  DELETE FROM api_key WHERE user_id = NEW.id;
END;

CREATE TRIGGER member_change_ends_keys AFTER UPDATE OF role ON member WHEN OLD.role = 'owner' AND NEW.role <> 'owner'
BEGIN
  DELETE FROM api_key WHERE user_id = NEW.user_id AND organization_id = NEW.organization_id;
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

-- Triggers that write news.

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
