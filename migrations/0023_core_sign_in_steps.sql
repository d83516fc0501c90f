-- What became of requests for sign-in codes and of entries of one, and where a request came from.

-- The client that asked for a sign-in code. Mails of other kinds have none.
ALTER TABLE mail_outbox ADD COLUMN asked_ip_address TEXT;
ALTER TABLE mail_outbox ADD COLUMN asked_user_agent TEXT;
ALTER TABLE mail_outbox ADD COLUMN asked_place TEXT;
ALTER TABLE mail_outbox ADD COLUMN asked_request_id TEXT;

-- What happened in an hour at the sign-in of a mailbox, where no mail, session or audit event says it: each outcome is
-- one row, which counts. `mailbox` is a keyed hash. The hour comes first, so that old rows are one range.
CREATE TABLE sign_in_step (
  hour INTEGER NOT NULL,
  -- Whose it is: 0 for an e-mail without an account, of which an hour keeps a limited number; 1 for one with an account;
  -- 2 for a sign-in, which needs no attention.
  part INTEGER NOT NULL CHECK (part IN (0, 1, 2)),
  mailbox TEXT NOT NULL,
  -- The step, a dot, and the rule that decided.
  outcome TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  -- Of the last one.
  user_id TEXT,
  ip_address TEXT,
  user_agent TEXT,
  place TEXT,
  request_id TEXT,
  PRIMARY KEY (hour, part, mailbox, outcome)
) STRICT, WITHOUT ROWID;

-- Which events did this request cause?
CREATE INDEX audit_event_request ON audit_event(request_id, created_at, id) WHERE request_id IS NOT NULL;
