-- One sender for all mails.

-- The mail provider takes no mail before `until`, because a quota is used up. At `retry_at` one mail is tried.
CREATE TABLE mail_pause (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  quota TEXT NOT NULL CHECK (quota IN ('daily', 'monthly')),
  retry_at INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;

-- Which mail leaves next? The one with the shortest validity, then the newest.
CREATE INDEX mail_outbox_next ON mail_outbox(expires_at - created_at, created_at DESC) WHERE state = 'waiting';
