-- Mails: the outbox, what became of a mail, and mailboxes that refuse mail.

-- Tables

CREATE TABLE mail_outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  language TEXT NOT NULL,
  -- Encrypted; erased when it is no longer needed.
  payload TEXT,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'expired', 'failed')),
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  provider_id TEXT,
  last_error TEXT,
  sent_at INTEGER,
  -- What became of the mail after the provider took it.
  delivery TEXT CHECK (delivery IN ('delayed', 'failed', 'delivered', 'bounced', 'suppressed', 'complained')),
  delivery_at INTEGER,
  delivery_reason TEXT,
  created_at INTEGER NOT NULL,
  -- Whose turn the mail has: the lane, and the codes that its network had asked for in the hour before.
  lane INTEGER NOT NULL DEFAULT 1,
  asked INTEGER NOT NULL DEFAULT 0,
  asked_near INTEGER NOT NULL DEFAULT 0,
  -- The user who caused a mail to others.
  caused_by TEXT
) STRICT, WITHOUT ROWID;

-- At most one row: no mail can leave, because a quota at the provider is used up.
CREATE TABLE mail_pause (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  quota TEXT NOT NULL CHECK (quota IN ('daily', 'monthly')),
  retry_at INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;

CREATE TABLE refusing_mailbox (
  email TEXT PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('bounced', 'suppressed', 'complained')),
  note TEXT,
  since INTEGER NOT NULL,
  allowed_at INTEGER
) STRICT, WITHOUT ROWID;

-- Indexes

-- Which mail leaves next?
CREATE INDEX mail_outbox_turn ON mail_outbox(lane, asked, asked_near, created_at DESC) WHERE state = 'waiting';
-- How many mails to others did this user cause?
CREATE INDEX mail_outbox_caused_by ON mail_outbox(caused_by, created_at) WHERE caused_by IS NOT NULL;
-- Which mails are the newest?
CREATE INDEX mail_outbox_created_at ON mail_outbox(created_at, id);
-- Which mails went to this e-mail?
CREATE INDEX mail_outbox_recipient ON mail_outbox(recipient, created_at, id);
-- Which mails are of a rare kind?
CREATE INDEX mail_outbox_rare_kind ON mail_outbox(kind, created_at, id) WHERE kind <> 'login-code';
-- Which mails wait, have failed or have expired?
CREATE INDEX mail_outbox_unsent ON mail_outbox(state, created_at, id) WHERE state <> 'sent';
-- Which mails did not arrive, or were marked as spam?
CREATE INDEX mail_outbox_undelivered ON mail_outbox(delivery, created_at, id) WHERE delivery <> 'delivered';
-- Triggers that keep totals, which must change together with their row.

CREATE TRIGGER mail_delivery_counted AFTER UPDATE OF delivery ON mail_outbox WHEN OLD.delivery IS NOT NEW.delivery
BEGIN
  UPDATE slot_count SET value = value - 1
  WHERE name = 'mail.' || OLD.delivery AND slot = OLD.created_at / 900000;
  INSERT INTO slot_count (name, slot, value)
  SELECT 'mail.' || NEW.delivery, NEW.created_at / 900000, 1 WHERE NEW.delivery IS NOT NULL
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;
