-- Who may come in, and which terms apply. Managers change it while the site runs.

-- One row. NULL: the default from the environment.
CREATE TABLE site_setting (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sign_up_mode TEXT CHECK (sign_up_mode IN ('open', 'invitation', 'closed')),
  -- Does `ada+x@example.com` count as a mailbox of its own ('many') or as `ada@example.com` ('one')?
  plus_addresses TEXT NOT NULL DEFAULT 'many' CHECK (plus_addresses IN ('many', 'one')),
  blocks_disposable INTEGER NOT NULL DEFAULT 0 CHECK (blocks_disposable IN (0, 1)),
  has_waiting_list INTEGER NOT NULL DEFAULT 0 CHECK (has_waiting_list IN (0, 1)),
  terms_url TEXT,
  privacy_url TEXT,
  terms_version TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  -- NULL: never changed.
  updated_at INTEGER
) STRICT;
INSERT INTO site_setting (id) VALUES (1);

-- E-mail domains in ASCII lower case. A blocked one stands for its subdomains too.
CREATE TABLE access_domain (
  domain TEXT PRIMARY KEY,
  rule TEXT NOT NULL CHECK (rule IN ('allowed', 'blocked'))
) STRICT, WITHOUT ROWID;
CREATE INDEX access_domain_rule ON access_domain(rule, domain);

-- People who asked to come in.
CREATE TABLE waiting_list (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
  created_at INTEGER NOT NULL,
  decided_at INTEGER,
  decided_by TEXT REFERENCES user(id) ON DELETE SET NULL
) STRICT;
-- The list in its order, and what the cron deletes.
CREATE INDEX waiting_list_state ON waiting_list(state, created_at, id);
CREATE INDEX waiting_list_decided_by ON waiting_list(decided_by) WHERE decided_by IS NOT NULL;

-- A person with an account waits no longer.
CREATE TRIGGER user_insert_leaves_waiting_list AFTER INSERT ON user
BEGIN
  DELETE FROM waiting_list WHERE email = NEW.email;
END;

-- The version of the terms that the user accepted last, and when. NULL: none.
ALTER TABLE user ADD COLUMN terms_version TEXT;
ALTER TABLE user ADD COLUMN terms_accepted_at INTEGER;
