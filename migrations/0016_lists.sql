-- The order in which a list first stands has what is searched too: it is walked, and its matches are counted, without
-- reading the rows.
DROP INDEX user_by_created;
CREATE INDEX user_by_created ON user(created_at, id, search_key);
DROP INDEX repository_by_updated;
CREATE INDEX repository_by_updated ON repository(updated_at, id, search_key);

-- Whom a filter leaves, in each order of the list, so that a page of them costs what a page of everybody does. Each of these
-- is a small part of everybody, but for the last two: whoever has no name yet stands first by name and by last visit, tens
-- of thousands in a row, and a page of the others would read past them. The first of each kind has all that other
-- criteria ask for too: by it people are counted without looking at them.

DROP INDEX user_banned;
CREATE INDEX user_banned_by_created ON user(created_at, id, ban_expires, search_key) WHERE banned = 1;
CREATE INDEX user_banned_by_name ON user(name COLLATE NOCASE, id, ban_expires) WHERE banned = 1;
CREATE INDEX user_banned_by_email ON user(email, id, ban_expires) WHERE banned = 1;
CREATE INDEX user_banned_by_last_seen ON user(last_seen_at, id, ban_expires) WHERE banned = 1;

DROP INDEX user_not_onboarded;
CREATE INDEX user_not_onboarded_by_created ON user(created_at, id, onboarded_at, banned, ban_expires, search_key)
WHERE onboarded_at IS NULL;
CREATE INDEX user_not_onboarded_by_name ON user(name COLLATE NOCASE, id) WHERE onboarded_at IS NULL;
CREATE INDEX user_not_onboarded_by_email ON user(email, id) WHERE onboarded_at IS NULL;
CREATE INDEX user_not_onboarded_by_last_seen ON user(last_seen_at, id) WHERE onboarded_at IS NULL;

DROP INDEX user_unverified;
CREATE INDEX user_unverified_by_created ON user(created_at, id, onboarded_at, banned, ban_expires, search_key)
WHERE email_verified = 0 AND onboarded_at IS NOT NULL;
CREATE INDEX user_unverified_by_name ON user(name COLLATE NOCASE, id)
WHERE email_verified = 0 AND onboarded_at IS NOT NULL;
CREATE INDEX user_unverified_by_email ON user(email, id) WHERE email_verified = 0 AND onboarded_at IS NOT NULL;
CREATE INDEX user_unverified_by_last_seen ON user(last_seen_at, id) WHERE email_verified = 0 AND onboarded_at IS NOT NULL;

-- Admins are few enough for any other filter to be applied to all of them.
CREATE INDEX user_admins_by_created
ON user(created_at, id, role, banned, ban_expires, onboarded_at, email_verified, search_key)
WHERE instr(',' || role || ',', ',admin,') > 0;
CREATE INDEX user_admins_by_name
ON user(name COLLATE NOCASE, id, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || role || ',', ',admin,') > 0;
CREATE INDEX user_admins_by_email
ON user(email, id, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || role || ',', ',admin,') > 0;
CREATE INDEX user_admins_by_last_seen
ON user(last_seen_at, id, role, banned, ban_expires, onboarded_at, email_verified)
WHERE instr(',' || role || ',', ',admin,') > 0;

CREATE INDEX user_active_by_name ON user(name COLLATE NOCASE, id, banned, ban_expires, onboarded_at)
WHERE email_verified = 1 AND onboarded_at IS NOT NULL;
CREATE INDEX user_active_by_last_seen ON user(last_seen_at, id, banned, ban_expires, onboarded_at)
WHERE email_verified = 1 AND onboarded_at IS NOT NULL;
