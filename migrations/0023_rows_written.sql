-- Fewer rows written: D1 bills each row and each index entry. A sign-in of a returning user wrote 57 of them.

-- The table is stored in the order of time, in which events are read. That saves two index entries for each event. Most
-- events are sign-ins: a filter by that action reads the table, and only the other actions are in an index. The copy is needed
-- because SQLite cannot change a primary key.
CREATE TABLE audit_event_copy AS SELECT * FROM audit_event;
DROP TABLE audit_event;
CREATE TABLE audit_event (
  id TEXT NOT NULL,
  action TEXT NOT NULL,
  actor_id TEXT,
  impersonator_id TEXT,
  target_type TEXT,
  target_id TEXT,
  details TEXT,
  ip_address TEXT,
  user_agent TEXT,
  request_id TEXT,
  created_at INTEGER NOT NULL,
  place TEXT,
  PRIMARY KEY (created_at, id)
) STRICT, WITHOUT ROWID;
INSERT INTO audit_event (
  id, action, actor_id, impersonator_id, target_type, target_id, details, ip_address, user_agent, request_id, created_at,
  place
)
SELECT
  id, action, actor_id, impersonator_id, target_type, target_id, details, ip_address, user_agent, request_id, created_at,
  place
FROM audit_event_copy;
DROP TABLE audit_event_copy;
-- Which events has this user caused, newest first?
CREATE INDEX audit_event_actor ON audit_event(actor_id, created_at, id);
-- Which events has this manager caused while impersonating?
CREATE INDEX audit_event_impersonator ON audit_event(impersonator_id, created_at, id)
WHERE impersonator_id IS NOT NULL;
-- Which events are about this user or repository?
CREATE INDEX audit_event_target ON audit_event(target_id, created_at, id);
-- When did this action happen, for actions rarer than a sign-in?
CREATE INDEX audit_event_action ON audit_event(action, created_at, id) WHERE action <> 'user.signed_in';
-- How many sign-ins did a day have?
CREATE TRIGGER audit_event_count_insert AFTER INSERT ON audit_event WHEN NEW.action = 'user.signed_in'
BEGIN
  INSERT INTO day_count (name, day, value) VALUES ('user.signed_in', NEW.created_at / 86400000, 1)
  ON CONFLICT (name, day) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;
CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event
WHEN NOT (
  NEW.id IS OLD.id AND NEW.action IS OLD.action AND NEW.actor_id IS OLD.actor_id
  AND NEW.impersonator_id IS OLD.impersonator_id AND NEW.target_type IS OLD.target_type
  AND NEW.target_id IS OLD.target_id AND NEW.request_id IS OLD.request_id AND NEW.created_at IS OLD.created_at
  AND (NEW.details IS OLD.details OR NEW.details IS NULL)
  AND (NEW.ip_address IS OLD.ip_address OR NEW.ip_address IS NULL)
  AND (NEW.user_agent IS OLD.user_agent OR NEW.user_agent IS NULL)
  AND (NEW.place IS OLD.place OR NEW.place IS NULL)
)
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;

-- Almost every mail is sent, and most mails are sign-in codes: queries find those in the order of time. Only the other mails
-- are in an index by state and an index by kind, and their queries repeat the condition of the index.
CREATE TABLE mail_outbox_copy AS SELECT * FROM mail_outbox;
DROP TABLE mail_outbox;
CREATE TABLE mail_outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  language TEXT NOT NULL,
  payload TEXT,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'expired', 'failed')),
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER NOT NULL,
  leased_until INTEGER,
  expires_at INTEGER NOT NULL,
  provider_id TEXT,
  last_error TEXT,
  sent_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO mail_outbox (
  id, kind, recipient, language, payload, state, tries, next_try_at, leased_until, expires_at, provider_id, last_error,
  sent_at, created_at
)
SELECT
  id, kind, recipient, language, payload, state, tries, next_try_at, leased_until, expires_at, provider_id, last_error,
  sent_at, created_at
FROM mail_outbox_copy;
DROP TABLE mail_outbox_copy;
-- Which mails are the newest?
CREATE INDEX mail_outbox_created_at ON mail_outbox(created_at, id);
-- Which mails went to this e-mail?
CREATE INDEX mail_outbox_recipient ON mail_outbox(recipient, created_at, id);
-- Which mails wait, have failed or have expired?
CREATE INDEX mail_outbox_unsent ON mail_outbox(state, created_at, id) WHERE state <> 'sent';
-- Which mails are of a rare kind?
CREATE INDEX mail_outbox_rare_kind ON mail_outbox(kind, created_at, id) WHERE kind <> 'login-code';

-- Queries find code events by their budget, or by their kind over the whole site. No query reads the events of right codes, so
-- they are not stored any more.
CREATE TABLE code_event_copy AS SELECT * FROM code_event WHERE kind <> 'succeeded';
DROP TABLE code_event;
CREATE TABLE code_event (
  id TEXT NOT NULL,
  budget TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('sent', 'failed')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (budget, kind, created_at, id)
) STRICT, WITHOUT ROWID;
INSERT INTO code_event (id, budget, kind, created_at) SELECT id, budget, kind, created_at FROM code_event_copy;
DROP TABLE code_event_copy;
CREATE INDEX code_event_created_at ON code_event(kind, created_at);

-- Short-lived rows, few at any time: the hourly clean-up reads them all and needs no index. Pending codes and counts are not
-- worth a copy.
DROP TABLE rate_limit;
CREATE TABLE rate_limit (
  key TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  window_start INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
DROP TABLE verification;
CREATE TABLE verification (
  id TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX verification_identifier ON verification(identifier);
