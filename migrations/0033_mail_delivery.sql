-- What became of a mail after the provider took it. The provider tells it by webhook.
ALTER TABLE mail_outbox ADD COLUMN delivery TEXT
CHECK (delivery IN ('delayed', 'failed', 'delivered', 'bounced', 'suppressed', 'complained'));
ALTER TABLE mail_outbox ADD COLUMN delivery_at INTEGER;
ALTER TABLE mail_outbox ADD COLUMN delivery_reason TEXT;
-- Which mails did not arrive, or were marked as spam?
CREATE INDEX mail_outbox_undelivered ON mail_outbox(delivery, created_at, id) WHERE delivery <> 'delivered';

-- Mails by what became of them and by the UTC day on which they were queued, in days since 1970, for the dashboard. A mail counts
-- once, with its last state. The clean-up of old mails changes no count.
CREATE TABLE delivery_count (
  name TEXT NOT NULL,
  day INTEGER NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (name, day)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER mail_outbox_delivery AFTER UPDATE OF delivery ON mail_outbox WHEN OLD.delivery IS NOT NEW.delivery
BEGIN
  UPDATE delivery_count SET value = value - 1
  WHERE name = OLD.delivery AND day = OLD.created_at / 86400000;
  INSERT INTO delivery_count (name, day, value)
  SELECT NEW.delivery, NEW.created_at / 86400000, 1 WHERE NEW.delivery IS NOT NULL
  ON CONFLICT (name, day) DO UPDATE SET value = value + 1;
END;

-- Mailboxes that returned a mail for good, are on the provider's suppression list, or marked a mail as spam. `allowed_at` is when
-- mail was allowed again: the row stays, so that an older event, or the same one again, changes nothing.
CREATE TABLE refusing_mailbox (
  email TEXT PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('bounced', 'suppressed', 'complained')),
  note TEXT,
  since INTEGER NOT NULL,
  allowed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE TRIGGER user_delete_refusing_mailbox AFTER DELETE ON user
BEGIN
  DELETE FROM refusing_mailbox WHERE email = OLD.email;
END;
