-- The dashboard counts in quarters of an hour, so that a figure of a day is one of the reader's day in every time zone.
DROP TRIGGER audit_event_count_insert;
DROP TRIGGER code_event_count_insert;
DROP TRIGGER mail_outbox_delivery;
DROP TRIGGER user_created_count_delete;
DROP TRIGGER user_created_count_insert;
DROP TRIGGER user_seen_count_delete;
DROP TRIGGER user_seen_count_insert;
DROP TRIGGER user_seen_count_update;

CREATE TABLE slot_count (
  name TEXT NOT NULL,
  -- Quarters of an hour since 1970.
  slot INTEGER NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (name, slot)
) STRICT, WITHOUT ROWID;

INSERT INTO slot_count (name, slot, value)
SELECT 'user.created', created_at / 900000, count(*) FROM user GROUP BY 2;
INSERT INTO slot_count (name, slot, value)
SELECT 'user.seen', last_seen_at / 900000, count(*) FROM user WHERE last_seen_at IS NOT NULL GROUP BY 2;
-- Only the UTC day of the others is known. Its noon is on the same day in nearly every time zone.
INSERT INTO slot_count (name, slot, value)
SELECT name, day * 96 + 48, value FROM day_count WHERE name = 'user.signed_in';
INSERT INTO slot_count (name, slot, value) SELECT 'code.wrong', day * 96 + 48, value FROM wrong_code_count;
INSERT INTO slot_count (name, slot, value) SELECT 'mail.' || name, day * 96 + 48, value FROM delivery_count;
DROP TABLE day_count;
DROP TABLE wrong_code_count;
DROP TABLE delivery_count;
-- The comparison with the week before is read from slots.
DELETE FROM figure WHERE name NOT IN ('mails.waiting', 'mails.failed');

CREATE TRIGGER audit_event_count_insert AFTER INSERT ON audit_event WHEN NEW.action = 'user.signed_in'
BEGIN
  INSERT INTO slot_count (name, slot, value) VALUES ('user.signed_in', NEW.created_at / 900000, 1)
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER code_event_count_insert AFTER INSERT ON code_event WHEN NEW.kind = 'failed'
BEGIN
  INSERT INTO slot_count (name, slot, value) VALUES ('code.wrong', NEW.created_at / 900000, 1)
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER mail_outbox_delivery AFTER UPDATE OF delivery ON mail_outbox WHEN OLD.delivery IS NOT NEW.delivery
BEGIN
  UPDATE slot_count SET value = value - 1
  WHERE name = 'mail.' || OLD.delivery AND slot = OLD.created_at / 900000;
  INSERT INTO slot_count (name, slot, value)
  SELECT 'mail.' || NEW.delivery, NEW.created_at / 900000, 1 WHERE NEW.delivery IS NOT NULL
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER user_created_count_delete AFTER DELETE ON user
BEGIN
  UPDATE slot_count SET value = value - 1 WHERE name = 'user.created' AND slot = OLD.created_at / 900000;
END;

CREATE TRIGGER user_created_count_insert AFTER INSERT ON user
BEGIN
  INSERT INTO slot_count (name, slot, value) VALUES ('user.created', NEW.created_at / 900000, 1)
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER user_seen_count_delete AFTER DELETE ON user WHEN OLD.last_seen_at IS NOT NULL
BEGIN
  UPDATE slot_count SET value = value - 1 WHERE name = 'user.seen' AND slot = OLD.last_seen_at / 900000;
END;

CREATE TRIGGER user_seen_count_insert AFTER INSERT ON user WHEN NEW.last_seen_at IS NOT NULL
BEGIN
  INSERT INTO slot_count (name, slot, value) VALUES ('user.seen', NEW.last_seen_at / 900000, 1)
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER user_seen_count_update AFTER UPDATE OF last_seen_at ON user
WHEN OLD.last_seen_at / 900000 IS NOT NEW.last_seen_at / 900000
BEGIN
  UPDATE slot_count SET value = value - 1 WHERE name = 'user.seen' AND slot = OLD.last_seen_at / 900000;
  INSERT INTO slot_count (name, slot, value)
  SELECT 'user.seen', NEW.last_seen_at / 900000, 1 WHERE NEW.last_seen_at IS NOT NULL
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;
