-- Lists are read in two ways (decision 017): the rows that a term has, sorted; or an index in the list's order.

-- A term of one or two characters matches the beginning of name and e-mail, so no table of words is needed.
DROP TRIGGER user_words_insert;
DROP TRIGGER user_words_delete;
DROP TRIGGER user_words_update;
DROP TABLE user_words;
DROP VIEW user_words_source;
DROP TRIGGER repository_words_insert;
DROP TRIGGER repository_words_delete;
DROP TRIGGER repository_words_update;
DROP TABLE repository_words;
DROP VIEW repository_words_source;
DROP TRIGGER organization_words_insert;
DROP TRIGGER organization_words_delete;
DROP TRIGGER organization_words_update;
DROP TABLE organization_words;
DROP VIEW organization_words_source;

-- Which admins can sign in and stay? A last one cannot be demoted, banned or deleted.
DROP VIEW eligible_admin;
CREATE VIEW eligible_admin AS
SELECT id FROM user
WHERE role <> 'user' AND instr(',' || replace(role, ' ', '') || ',', ',admin,') > 0
  AND banned = 0 AND deletion_due_at IS NULL;

-- How many users are not onboarded? Banned users do not count.
DROP TRIGGER user_kind_count_insert;
DROP TRIGGER user_kind_count_delete;
DROP TRIGGER user_kind_count_update;
DELETE FROM counter WHERE name GLOB 'user kind *';
INSERT INTO counter (name, value)
SELECT 'user not onboarded', count(*) FROM user WHERE onboarded_at IS NULL AND banned = 0;
CREATE TRIGGER user_not_onboarded_count_insert AFTER INSERT ON user
WHEN NEW.onboarded_at IS NULL AND NEW.banned = 0
BEGIN UPDATE counter SET value = value + 1 WHERE name = 'user not onboarded'; END;
CREATE TRIGGER user_not_onboarded_count_delete AFTER DELETE ON user
WHEN OLD.onboarded_at IS NULL AND OLD.banned = 0
BEGIN UPDATE counter SET value = value - 1 WHERE name = 'user not onboarded'; END;
CREATE TRIGGER user_not_onboarded_count_update AFTER UPDATE OF onboarded_at, banned ON user
WHEN (OLD.onboarded_at IS NULL AND OLD.banned = 0) <> (NEW.onboarded_at IS NULL AND NEW.banned = 0)
BEGIN
  UPDATE counter SET value = value + iif(NEW.onboarded_at IS NULL AND NEW.banned = 0, 1, -1)
  WHERE name = 'user not onboarded';
END;

DROP TRIGGER user_search_insert;
DROP TRIGGER user_search_delete;
DROP TRIGGER user_search_update;
DROP TABLE user_search;
DROP INDEX user_kind_by_created;
DROP INDEX user_kind_by_name;
DROP INDEX user_kind_by_email;
DROP INDEX user_kind_by_last_seen;
ALTER TABLE user DROP COLUMN kind;

-- Which users have this term in their name or e-mail?
CREATE VIRTUAL TABLE user_search USING fts5(
  search_key, content = 'user', content_rowid = 'rowid', columnsize = 0, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO user_search (user_search) VALUES ('rebuild');
CREATE TRIGGER user_search_insert AFTER INSERT ON user
BEGIN
  INSERT INTO user_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;
CREATE TRIGGER user_search_delete AFTER DELETE ON user
BEGIN
  INSERT INTO user_search (user_search, rowid, search_key) VALUES ('delete', OLD.rowid, OLD.search_key);
END;
CREATE TRIGGER user_search_update AFTER UPDATE OF search_key ON user WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO user_search (user_search, rowid, search_key) VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO user_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

-- The users in one order of their list. The other columns are for filters that many or few of the rows meet.
DROP INDEX user_by_created;
CREATE INDEX user_by_created ON user(created_at, id, search_key, coalesce(last_seen_at, 0));
CREATE INDEX user_by_name ON user(name COLLATE NOCASE, id, search_key);
CREATE UNIQUE INDEX user_by_email ON user(email);
-- A user who was never seen comes first.
CREATE INDEX user_by_last_seen ON user(coalesce(last_seen_at, 0), id, search_key, created_at);

-- Whose name, or e-mail without a name, begins with these one or two characters?
CREATE INDEX user_by_beginning ON user(substr(search_key, 1, 2));
CREATE INDEX repository_by_beginning ON repository(substr(search_key, 1, 2));
CREATE INDEX organization_by_beginning ON organization(substr(search_key, 1, 2));

-- Which users are in this rare state, newest first?
CREATE INDEX user_banned ON user(created_at, id) WHERE banned = 1;
CREATE INDEX user_not_onboarded ON user(created_at, id) WHERE onboarded_at IS NULL;
CREATE INDEX user_unverified ON user(created_at, id) WHERE email_verified = 0 AND onboarded_at IS NOT NULL;
CREATE INDEX user_never_seen ON user(created_at, id) WHERE last_seen_at IS NULL;
-- Which users have a manager's role, newest first?
DROP INDEX user_with_roles;
CREATE INDEX user_with_roles ON user(created_at, id, role) WHERE role <> 'user';

-- Organizations by their last activity, those without any first.
DROP INDEX organization_by_activity;
CREATE INDEX organization_by_activity ON organization(coalesce(last_activity_at, 0), id);
