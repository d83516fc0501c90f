-- The mail outbox: one row for each mail. The payload is encrypted, and erased when the provider has accepted the mail.

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
) STRICT;
CREATE INDEX mail_outbox_due ON mail_outbox(next_try_at) WHERE state = 'waiting';
CREATE INDEX mail_outbox_created_at ON mail_outbox(created_at, id);
CREATE INDEX mail_outbox_recipient ON mail_outbox(recipient, created_at);
