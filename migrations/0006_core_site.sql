-- What managers set for the whole site, and what the site counts and runs.

-- Tables

-- One row. NULL means the default from the environment.
CREATE TABLE site_setting (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sign_up_mode TEXT CHECK (sign_up_mode IN ('open', 'invitation', 'closed')),
  organizations_admit INTEGER NOT NULL DEFAULT 0 CHECK (organizations_admit IN (0, 1)),
  terms_url TEXT,
  privacy_url TEXT,
  terms_version TEXT,
  manager_passkeys_since INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER
) STRICT;
INSERT INTO site_setting (id) VALUES (1);

-- One row: name and look. NULL means the default from the environment.
CREATE TABLE brand (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT,
  name_fr TEXT,
  name_ar TEXT,
  name_sw TEXT,
  accent TEXT,
  -- Names of pictures in the bucket.
  logo_light TEXT,
  logo_dark TEXT,
  help_url TEXT,
  support_url TEXT,
  sender_name TEXT,
  mail_footer TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER
) STRICT;
INSERT INTO brand (id) VALUES (1);

-- E-mail domains in ASCII lower case. A blocked one stands for its subdomains too.
CREATE TABLE access_domain (
  domain TEXT PRIMARY KEY,
  rule TEXT NOT NULL CHECK (rule IN ('allowed', 'blocked'))
) STRICT, WITHOUT ROWID;

-- E-mails that were let in: each may get an account like an invited one. Features insert and delete them.
CREATE TABLE admitted_email (
  email TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- What each role of the site may do, where a trigger must know it. Each feature's file inserts what it adds.
CREATE TABLE role_scope (
  role TEXT NOT NULL,
  -- A permission, as `resource.action`.
  scope TEXT NOT NULL,
  PRIMARY KEY (role, scope)
) STRICT, WITHOUT ROWID;
INSERT INTO role_scope (role, scope)
VALUES ('admin', 'organization.update'), ('admin', 'audit.read'), ('auditor', 'audit.read');

-- Row counts of whole tables.
CREATE TABLE counter (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
INSERT INTO counter (name, value)
VALUES ('user', 0), ('user not onboarded', 0), ('organization', 0);

-- What happened in a quarter of an hour, so that a figure of a day is one of the reader's day in every time zone. The mails are
-- counted in the quarter in which they were queued.
CREATE TABLE slot_count (
  name TEXT NOT NULL,
  -- Quarters of an hour since 1970.
  slot INTEGER NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (name, slot)
) STRICT, WITHOUT ROWID;

-- The last run of each cron schedule.
CREATE TABLE scheduled_run (
  schedule TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  -- The last run in which a job failed, and the names of its failed jobs.
  failed_at INTEGER,
  failed_jobs TEXT
) STRICT;

-- Indexes

-- Which domains are allowed, and which are blocked?
CREATE INDEX access_domain_rule ON access_domain(rule, domain);

-- Triggers that act. What follows from a change must follow whichever code makes the change.

-- Who has an account need not be let in any more.
CREATE TRIGGER user_insert_uses_admission AFTER INSERT ON user
BEGIN
  DELETE FROM admitted_email WHERE email = NEW.email;
END;

CREATE TRIGGER user_email_uses_admission AFTER UPDATE OF email ON user WHEN NEW.email <> OLD.email
BEGIN
  DELETE FROM admitted_email WHERE email = NEW.email;
END;
