-- The order in which a list first stands has what is searched too: it is walked, and its matches are counted, without
-- reading the rows.
DROP INDEX user_by_created;
CREATE INDEX user_by_created ON user(created_at, id, search_key);
DROP INDEX repository_by_updated;
CREATE INDEX repository_by_updated ON repository(updated_at, id, search_key);

-- Whom a filter leaves, in each order of the list and with what other criteria ask for, so that a page of them costs what a
-- page of everybody does. Each of these is a small part of everybody, but for the last two: whoever has no name yet stands
-- first by name and by last visit, tens of thousands in a row, and a page of the others would read past them. A
-- term's matches are counted along the indexes in which what is searched stands first.

DROP INDEX user_banned;
CREATE INDEX user_banned_by_key ON user(search_key, ban_expires) WHERE banned = 1;
CREATE INDEX user_banned_by_created ON user(created_at, id, search_key, ban_expires) WHERE banned = 1;
CREATE INDEX user_banned_by_name ON user(name COLLATE NOCASE, id, search_key, ban_expires) WHERE banned = 1;
CREATE INDEX user_banned_by_email ON user(email, id, search_key, ban_expires) WHERE banned = 1;
CREATE INDEX user_banned_by_last_seen ON user(last_seen_at, id, search_key, ban_expires) WHERE banned = 1;

DROP INDEX user_not_onboarded;
CREATE INDEX user_not_onboarded_by_key ON user(search_key, onboarded_at, banned, ban_expires)
WHERE onboarded_at IS NULL;
CREATE INDEX user_not_onboarded_by_created ON user(created_at, id, search_key, onboarded_at, banned, ban_expires)
WHERE onboarded_at IS NULL;
CREATE INDEX user_not_onboarded_by_name
ON user(name COLLATE NOCASE, id, search_key, onboarded_at, banned, ban_expires)
WHERE onboarded_at IS NULL;
CREATE INDEX user_not_onboarded_by_email ON user(email, id, search_key, onboarded_at, banned, ban_expires)
WHERE onboarded_at IS NULL;
CREATE INDEX user_not_onboarded_by_last_seen ON user(last_seen_at, id, search_key, onboarded_at, banned, ban_expires)
WHERE onboarded_at IS NULL;

DROP INDEX user_unverified;
CREATE INDEX user_unverified_by_key ON user(search_key, onboarded_at, banned, ban_expires)
WHERE email_verified = 0 AND onboarded_at IS NOT NULL;
CREATE INDEX user_unverified_by_created ON user(created_at, id, search_key, onboarded_at, banned, ban_expires)
WHERE email_verified = 0 AND onboarded_at IS NOT NULL;
CREATE INDEX user_unverified_by_name ON user(name COLLATE NOCASE, id, search_key, onboarded_at, banned, ban_expires)
WHERE email_verified = 0 AND onboarded_at IS NOT NULL;
CREATE INDEX user_unverified_by_email ON user(email, id, search_key, onboarded_at, banned, ban_expires)
WHERE email_verified = 0 AND onboarded_at IS NOT NULL;
CREATE INDEX user_unverified_by_last_seen ON user(last_seen_at, id, search_key, onboarded_at, banned, ban_expires)
WHERE email_verified = 0 AND onboarded_at IS NOT NULL;

CREATE INDEX user_admins_by_key
ON user(search_key, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || role || ',', ',admin,') > 0;
CREATE INDEX user_admins_by_created
ON user(created_at, id, search_key, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || role || ',', ',admin,') > 0;
CREATE INDEX user_admins_by_name
ON user(name COLLATE NOCASE, id, search_key, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || role || ',', ',admin,') > 0;
CREATE INDEX user_admins_by_email
ON user(email, id, search_key, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || role || ',', ',admin,') > 0;
CREATE INDEX user_admins_by_last_seen
ON user(last_seen_at, id, search_key, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || role || ',', ',admin,') > 0;

CREATE INDEX user_active_by_name ON user(name COLLATE NOCASE, id, banned, ban_expires, onboarded_at)
WHERE email_verified = 1 AND onboarded_at IS NOT NULL;
CREATE INDEX user_active_by_last_seen ON user(last_seen_at, id, banned, ban_expires, onboarded_at)
WHERE email_verified = 1 AND onboarded_at IS NOT NULL;
