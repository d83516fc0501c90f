-- One-time codes, their limits, and the limits of requests.

-- Tables

-- States of better-auth's sign-in methods.
CREATE TABLE verification (
  id TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A sign-in code: the six digits of a mail, and the long key of its link. `mailbox` is a keyed hash.
CREATE TABLE sign_in_code (
  id TEXT NOT NULL,
  mailbox TEXT NOT NULL,
  browser TEXT NOT NULL,
  is_trusted INTEGER NOT NULL,
  -- Its mail left before the interval since the last one was over.
  is_early INTEGER NOT NULL,
  code_hash TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  own_tries INTEGER NOT NULL DEFAULT 0,
  shared_tries INTEGER NOT NULL DEFAULT 0,
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  key_expires_at INTEGER NOT NULL,
  spent_at INTEGER,
  -- Keyed hashes: of the IPv4 address or /48 network, and of the IPv4 address or /64 network.
  network TEXT NOT NULL DEFAULT '',
  near_network TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (mailbox, sent_at, id)
) STRICT, WITHOUT ROWID;

-- The code of a session for one purpose and one e-mail; a new code replaces it.
CREATE TABLE account_code (
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  purpose TEXT NOT NULL CHECK (purpose IN ('confirm', 'email-current', 'email-new', 'delete')),
  session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  -- The e-mail that will replace the current one.
  new_email TEXT,
  -- The e-mail that was confirmed before this one, and when.
  proved_address TEXT,
  proved_at INTEGER,
  code_hash TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, purpose)
) STRICT;

-- A code that was sent, a code that was wrong, a request without a code. `budget` says whose limit it counts for.
CREATE TABLE code_event (
  id TEXT NOT NULL,
  budget TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('sent', 'failed', 'named')),
  created_at INTEGER NOT NULL,
  -- A keyed hash of the network that asked.
  network TEXT,
  PRIMARY KEY (budget, kind, created_at, id)
) STRICT, WITHOUT ROWID;

-- Ban of an e-mail whose account was erased during the ban. `mailbox` is a keyed hash.
CREATE TABLE banned_mailbox (
  mailbox TEXT PRIMARY KEY,
  expires_at INTEGER
) STRICT;

CREATE TABLE rate_limit (
  key TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  window_start INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Indexes

-- Which state belongs to this sign-in?
CREATE INDEX verification_identifier ON verification(identifier);
-- How many codes did the site send in the last hour? Which codes are too old?
CREATE INDEX sign_in_code_sent_at ON sign_in_code(sent_at);
-- How many codes did this network ask for, and for which mailboxes?
CREATE INDEX sign_in_code_network ON sign_in_code(network, sent_at, near_network);
-- Which codes end with this session?
CREATE INDEX account_code_session_id ON account_code(session_id);
-- How many codes were sent, and how many were wrong, since a moment?
CREATE INDEX code_event_created_at ON code_event(kind, created_at);
-- How many codes did this network ask for?
CREATE INDEX code_event_network ON code_event(network, created_at) WHERE network IS NOT NULL;

-- Triggers that keep totals, which must change together with their row.

CREATE TRIGGER wrong_code_counted AFTER INSERT ON code_event WHEN NEW.kind = 'failed'
BEGIN
  INSERT INTO slot_count (name, slot, value) VALUES ('code.wrong', NEW.created_at / 900000, 1)
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;
