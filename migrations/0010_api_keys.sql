-- What programs use: API keys, and the answers to their requests.

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
