-- The index of a list's first order has the search key too: the list is walked, and matches are counted, without reading
-- the rows.
DROP INDEX user_by_created;
CREATE INDEX user_by_created ON user(created_at, id, search_key);
DROP INDEX repository_by_updated;
CREATE INDEX repository_by_updated ON repository(updated_at, id, search_key);

-- One covering index for each filter and order, so a filtered page costs the same as an unfiltered one. Most of them hold
-- few users. The last two hold almost all: users without a name come first by name and by last visit, tens of thousands
-- in a row, and a page of the other users would read past them. Indexes that begin with the search key count the matches of
-- a term.

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
