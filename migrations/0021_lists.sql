-- Indexes and counters for lists and the dashboard. Before this migration `user` had 34 indexes, now it has nine. Each is
-- listed below with the question that it answers. Two come with the table: id (PRIMARY KEY) and email (UNIQUE). The second
-- also answers "all users, by e-mail".

-- When a user was first seen. The kind below depends on this column and not on `last_seen_at`: that one changes with every
-- sign-in, and each index with the kind in it would be written again.
ALTER TABLE user ADD COLUMN first_seen_at INTEGER;
UPDATE user SET first_seen_at = last_seen_at WHERE last_seen_at IS NOT NULL;
CREATE TRIGGER user_first_seen AFTER UPDATE OF last_seen_at ON user
WHEN NEW.first_seen_at IS NULL AND NEW.last_seen_at IS NOT NULL
BEGIN
  UPDATE user SET first_seen_at = NEW.last_seen_at WHERE id = NEW.id;
END;

-- The kind of a user: '' for an active user who is not an admin and has signed in, else the words for what differs. A user
-- whose ban has ended by itself stays 'banned', so queries also check ban_expires.
ALTER TABLE user ADD COLUMN kind TEXT GENERATED ALWAYS AS (
  trim(
    CASE WHEN instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0 THEN 'admin ' ELSE '' END ||
    CASE
      WHEN banned = 1 THEN 'banned '
      WHEN onboarded_at IS NULL THEN 'not-onboarded '
      WHEN email_verified = 0 THEN 'unverified '
      ELSE ''
    END ||
    CASE WHEN first_seen_at IS NULL THEN 'never-signed-in' ELSE '' END
  )
) VIRTUAL;

DROP INDEX user_by_created;
DROP INDEX user_by_name;
DROP INDEX user_by_last_seen;
DROP INDEX user_admins;
DROP INDEX user_banned_by_key;
DROP INDEX user_banned_by_created;
DROP INDEX user_banned_by_name;
DROP INDEX user_banned_by_email;
DROP INDEX user_banned_by_last_seen;
DROP INDEX user_not_onboarded_by_key;
DROP INDEX user_not_onboarded_by_created;
DROP INDEX user_not_onboarded_by_name;
DROP INDEX user_not_onboarded_by_email;
DROP INDEX user_not_onboarded_by_last_seen;
DROP INDEX user_unverified_by_key;
DROP INDEX user_unverified_by_created;
DROP INDEX user_unverified_by_name;
DROP INDEX user_unverified_by_email;
DROP INDEX user_unverified_by_last_seen;
DROP INDEX user_admins_by_key;
DROP INDEX user_admins_by_created;
DROP INDEX user_admins_by_name;
DROP INDEX user_admins_by_email;
DROP INDEX user_admins_by_last_seen;
DROP INDEX user_active_by_name;
DROP INDEX user_active_by_last_seen;
DROP INDEX user_never_signed_in_by_key;
DROP INDEX user_never_signed_in_by_created;
DROP INDEX user_never_signed_in_by_name;
DROP INDEX user_never_signed_in_by_email;
DROP INDEX user_never_signed_in_by_last_seen;

-- Which users signed up last, and which of them match a term?
CREATE INDEX user_by_created ON user(created_at, id, search_key);
-- Which users of a kind signed up last, or within these days?
CREATE INDEX user_kind_by_created ON user(kind, created_at, id, search_key);
-- Which users of a kind come first by name?
CREATE INDEX user_kind_by_name ON user(kind, name COLLATE NOCASE, id, search_key);
-- Which users of a kind come first by e-mail?
CREATE INDEX user_kind_by_email ON user(kind, email, id, search_key);
-- Which users of a kind were last seen most recently, or within these days?
CREATE INDEX user_kind_by_last_seen ON user(kind, last_seen_at, id, search_key);
-- Which bans have ended by themselves?
CREATE INDEX user_by_ban_end ON user(ban_expires) WHERE banned = 1 AND ban_expires IS NOT NULL;
-- Which accounts are due for erasure? (user_deletion_due, migration 0009)

-- There is always an admin who is neither banned nor in a grace period: the rules of migrations 0018 and 0019, by kind.
CREATE VIEW eligible_admin AS
SELECT id FROM user
WHERE kind IN (
  'admin', 'admin not-onboarded', 'admin unverified',
  'admin never-signed-in', 'admin not-onboarded never-signed-in', 'admin unverified never-signed-in'
) AND deletion_due_at IS NULL;
DROP VIEW account_deletion_rule;
CREATE VIEW account_deletion_rule AS
SELECT
  own.id AS user_id,
  CASE
    WHEN instr(',' || replace(own.role, ' ', '') || ',', ',admin,')
      AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> own.id) THEN 'LAST_ADMIN'
    WHEN EXISTS (
      SELECT 1 FROM member AS ownership
      WHERE ownership.user_id = own.id AND instr(',' || ownership.role || ',', ',owner,')
        AND EXISTS (
          SELECT 1 FROM member WHERE organization_id = ownership.organization_id AND user_id <> own.id
        )
        AND NOT EXISTS (
          SELECT 1 FROM member
          WHERE organization_id = ownership.organization_id AND user_id <> own.id
            AND instr(',' || role || ',', ',owner,')
        )
    ) THEN 'SOLE_OWNER'
  END AS rule
FROM user AS own;
DROP TRIGGER last_admin_role;
DROP TRIGGER last_admin_ban;
DROP TRIGGER last_admin_leaving;
DROP TRIGGER last_admin_delete;
CREATE TRIGGER last_admin_role BEFORE UPDATE OF role ON user
WHEN instr(',' || replace(OLD.role, ' ', '') || ',', ',admin,')
  AND NOT instr(',' || replace(NEW.role, ' ', '') || ',', ',admin,')
  AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
CREATE TRIGGER last_admin_ban BEFORE UPDATE OF banned ON user
WHEN NEW.banned = 1 AND OLD.banned = 0 AND instr(',' || replace(OLD.role, ' ', '') || ',', ',admin,')
  AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
CREATE TRIGGER last_admin_leaving BEFORE UPDATE OF deletion_due_at ON user
WHEN NEW.deletion_due_at IS NOT NULL AND OLD.deletion_due_at IS NULL
  AND instr(',' || replace(OLD.role, ' ', '') || ',', ',admin,')
  AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;
CREATE TRIGGER last_admin_delete BEFORE DELETE ON user
WHEN instr(',' || replace(OLD.role, ' ', '') || ',', ',admin,')
  AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN');
END;

-- Substring search as in migration 0007, with the kind beside the text: one query finds a term within a kind. Results are not
-- ranked by length, so no sizes are stored. To rebuild: INSERT INTO user_search(user_search) VALUES ('rebuild').
DROP TRIGGER user_search_insert;
DROP TRIGGER user_search_delete;
DROP TRIGGER user_search_update;
DROP TABLE user_search;
CREATE VIRTUAL TABLE user_search USING fts5(
  search_key, kind, content = 'user', content_rowid = 'rowid', columnsize = 0, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO user_search (user_search) VALUES ('rebuild');
CREATE TRIGGER user_search_insert AFTER INSERT ON user
BEGIN
  INSERT INTO user_search (rowid, search_key, kind) VALUES (NEW.rowid, NEW.search_key, NEW.kind);
END;
CREATE TRIGGER user_search_delete AFTER DELETE ON user
BEGIN
  INSERT INTO user_search (user_search, rowid, search_key, kind)
  VALUES ('delete', OLD.rowid, OLD.search_key, OLD.kind);
END;
CREATE TRIGGER user_search_update
AFTER UPDATE OF search_key, role, banned, onboarded_at, email_verified, first_seen_at ON user
WHEN OLD.search_key <> NEW.search_key OR OLD.kind <> NEW.kind
BEGIN
  INSERT INTO user_search (user_search, rowid, search_key, kind)
  VALUES ('delete', OLD.rowid, OLD.search_key, OLD.kind);
  INSERT INTO user_search (rowid, search_key, kind) VALUES (NEW.rowid, NEW.search_key, NEW.kind);
END;

-- Search at the beginnings of words, for terms of one and two characters. `words` is the search key with a space in the place of
-- each separator. `symbols` has the characters that always count as the beginning of a word: signs, and the characters of
-- scripts that are written without spaces. app/lists/search.server.ts has the same two lists.
CREATE VIEW user_words_source AS
SELECT
  own.rowid AS number,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    search_key
  , char(10), ' '), '.', ' '), '@', ' '), '-', ' '), '_', ' '), '+', ' '), '/', ' '), ':', ' '), ',', ' '), '''''', ' ')
  , '’', ' '), '"', ' '), '(', ' '), ')', ' '), '&', ' '), '،', ' ') AS words,
  kind,
  (
    WITH RECURSIVE position(n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM position WHERE n < length(own.search_key)
    )
    SELECT coalesce(group_concat(substr(own.search_key, n, 1), ' '), '') FROM position
    WHERE unicode(substr(own.search_key, n, 1)) BETWEEN 0x21 AND 0x2F
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x3A AND 0x40
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x5B AND 0x60
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x7B AND 0x7E
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0xA1 AND 0xBF
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x0E00 AND 0x0EFF -- Thai, Lao
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x1000 AND 0x109F -- Myanmar
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x1780 AND 0x17FF -- Khmer
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x2010 AND 0x2BFF -- punctuation and symbols
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x3001 AND 0x9FFF -- Hiragana, Katakana, Han
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0xAC00 AND 0xD7A3 -- Hangul
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x1F000 AND 0x1FAFF -- emoji
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x20000 AND 0x323AF -- Han
  ) AS symbols
FROM user AS own;
CREATE VIRTUAL TABLE user_words USING fts5(
  words, symbols, kind, content = '', contentless_delete = 1, prefix = '1 2', detail = 'column',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
);
INSERT INTO user_words (rowid, words, symbols, kind) SELECT number, words, symbols, kind FROM user_words_source;
CREATE TRIGGER user_words_insert AFTER INSERT ON user
BEGIN
  INSERT INTO user_words (rowid, words, symbols, kind)
  SELECT number, words, symbols, kind FROM user_words_source WHERE number = NEW.rowid;
END;
CREATE TRIGGER user_words_delete AFTER DELETE ON user
BEGIN
  DELETE FROM user_words WHERE rowid = OLD.rowid;
END;
CREATE TRIGGER user_words_update
AFTER UPDATE OF search_key, role, banned, onboarded_at, email_verified, first_seen_at ON user
WHEN OLD.search_key <> NEW.search_key OR OLD.kind <> NEW.kind
BEGIN
  DELETE FROM user_words WHERE rowid = OLD.rowid;
  INSERT INTO user_words (rowid, words, symbols, kind)
  SELECT number, words, symbols, kind FROM user_words_source WHERE number = NEW.rowid;
END;

CREATE VIEW repository_words_source AS
SELECT
  own.rowid AS number,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    search_key
  , char(10), ' '), '.', ' '), '@', ' '), '-', ' '), '_', ' '), '+', ' '), '/', ' '), ':', ' '), ',', ' '), '''''', ' ')
  , '’', ' '), '"', ' '), '(', ' '), ')', ' '), '&', ' '), '،', ' ') AS words,
  (
    WITH RECURSIVE position(n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM position WHERE n < length(own.search_key)
    )
    SELECT coalesce(group_concat(substr(own.search_key, n, 1), ' '), '') FROM position
    WHERE unicode(substr(own.search_key, n, 1)) BETWEEN 0x21 AND 0x2F
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x3A AND 0x40
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x5B AND 0x60
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x7B AND 0x7E
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0xA1 AND 0xBF
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x0E00 AND 0x0EFF -- Thai, Lao
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x1000 AND 0x109F -- Myanmar
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x1780 AND 0x17FF -- Khmer
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x2010 AND 0x2BFF -- punctuation and symbols
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x3001 AND 0x9FFF -- Hiragana, Katakana, Han
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0xAC00 AND 0xD7A3 -- Hangul
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x1F000 AND 0x1FAFF -- emoji
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x20000 AND 0x323AF -- Han
  ) AS symbols
FROM repository AS own;
CREATE VIRTUAL TABLE repository_words USING fts5(
  words, symbols, content = '', contentless_delete = 1, prefix = '1 2', detail = 'column',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
);
INSERT INTO repository_words (rowid, words, symbols) SELECT number, words, symbols FROM repository_words_source;
CREATE TRIGGER repository_words_insert AFTER INSERT ON repository
BEGIN
  INSERT INTO repository_words (rowid, words, symbols)
  SELECT number, words, symbols FROM repository_words_source WHERE number = NEW.rowid;
END;
CREATE TRIGGER repository_words_delete AFTER DELETE ON repository
BEGIN
  DELETE FROM repository_words WHERE rowid = OLD.rowid;
END;
CREATE TRIGGER repository_words_update AFTER UPDATE OF search_key ON repository WHEN OLD.search_key <> NEW.search_key
BEGIN
  DELETE FROM repository_words WHERE rowid = OLD.rowid;
  INSERT INTO repository_words (rowid, words, symbols)
  SELECT number, words, symbols FROM repository_words_source WHERE number = NEW.rowid;
END;

-- Counters of the dashboard, kept by triggers: users of each kind, users by the UTC day (days since 1970) of their sign-up and
-- of their last visit, and sign-ins by day. The cron counts the rows of `figure`.
CREATE TABLE day_count (
  name TEXT NOT NULL CHECK (name IN ('user.created', 'user.seen', 'user.signed_in')),
  day INTEGER NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (name, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE figure (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL,
  counted_at INTEGER NOT NULL
) STRICT;

INSERT INTO counter (name, value) SELECT 'user kind ' || kind, count(*) FROM user GROUP BY kind;
INSERT INTO day_count (name, day, value)
SELECT 'user.created', created_at / 86400000, count(*) FROM user GROUP BY 2;
INSERT INTO day_count (name, day, value)
SELECT 'user.seen', last_seen_at / 86400000, count(*) FROM user WHERE last_seen_at IS NOT NULL GROUP BY 2;
INSERT INTO day_count (name, day, value)
SELECT 'user.signed_in', created_at / 86400000, count(*) FROM audit_event WHERE action = 'user.signed_in' GROUP BY 2;

CREATE TRIGGER user_kind_count_insert AFTER INSERT ON user
BEGIN
  INSERT INTO counter (name, value) VALUES ('user kind ' || NEW.kind, 1)
  ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER user_kind_count_delete AFTER DELETE ON user
BEGIN
  UPDATE counter SET value = value - 1 WHERE name = 'user kind ' || OLD.kind;
END;
CREATE TRIGGER user_kind_count_update AFTER UPDATE OF role, banned, onboarded_at, email_verified, first_seen_at ON user
WHEN OLD.kind <> NEW.kind
BEGIN
  UPDATE counter SET value = value - 1 WHERE name = 'user kind ' || OLD.kind;
  INSERT INTO counter (name, value) VALUES ('user kind ' || NEW.kind, 1)
  ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER user_created_count_insert AFTER INSERT ON user
BEGIN
  INSERT INTO day_count (name, day, value) VALUES ('user.created', NEW.created_at / 86400000, 1)
  ON CONFLICT (name, day) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER user_created_count_delete AFTER DELETE ON user
BEGIN
  UPDATE day_count SET value = value - 1 WHERE name = 'user.created' AND day = OLD.created_at / 86400000;
END;
CREATE TRIGGER user_seen_count_insert AFTER INSERT ON user WHEN NEW.last_seen_at IS NOT NULL
BEGIN
  INSERT INTO day_count (name, day, value) VALUES ('user.seen', NEW.last_seen_at / 86400000, 1)
  ON CONFLICT (name, day) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER user_seen_count_delete AFTER DELETE ON user WHEN OLD.last_seen_at IS NOT NULL
BEGIN
  UPDATE day_count SET value = value - 1 WHERE name = 'user.seen' AND day = OLD.last_seen_at / 86400000;
END;
-- A second visit on the same day writes nothing here.
CREATE TRIGGER user_seen_count_update AFTER UPDATE OF last_seen_at ON user
WHEN OLD.last_seen_at / 86400000 IS NOT NEW.last_seen_at / 86400000
BEGIN
  UPDATE day_count SET value = value - 1 WHERE name = 'user.seen' AND day = OLD.last_seen_at / 86400000;
  INSERT INTO day_count (name, day, value)
  SELECT 'user.seen', NEW.last_seen_at / 86400000, 1 WHERE NEW.last_seen_at IS NOT NULL
  ON CONFLICT (name, day) DO UPDATE SET value = value + 1;
END;
