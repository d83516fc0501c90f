-- Apps call the API too, each for a user, and send a call again with its `Idempotency-Key`.

CREATE TABLE idempotent_answer_new (
  api_key_id TEXT REFERENCES api_key(id) ON DELETE CASCADE,
  -- In place of a key: an app, which called for this user.
  app_id TEXT,
  user_id TEXT REFERENCES user(id) ON DELETE CASCADE,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  answer TEXT,
  created_at INTEGER NOT NULL,
  CHECK ((api_key_id IS NULL) = (app_id IS NOT NULL) AND (app_id IS NULL) = (user_id IS NULL))
) STRICT;

INSERT INTO idempotent_answer_new (api_key_id, idempotency_key, request_hash, answer, created_at)
SELECT api_key_id, idempotency_key, request_hash, answer, created_at FROM idempotent_answer;

DROP TABLE idempotent_answer;
ALTER TABLE idempotent_answer_new RENAME TO idempotent_answer;

-- Was this call answered before?
CREATE UNIQUE INDEX idempotent_answer_of_key ON idempotent_answer(api_key_id, idempotency_key)
WHERE api_key_id IS NOT NULL;
CREATE UNIQUE INDEX idempotent_answer_of_app ON idempotent_answer(user_id, app_id, idempotency_key)
WHERE app_id IS NOT NULL;

-- Which answers are older than a day?
CREATE INDEX idempotent_answer_created_at ON idempotent_answer(created_at);
