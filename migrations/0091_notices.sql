-- Invitations and pending deletions are told on the screens, so nothing is marked as read any more.

ALTER TABLE user DROP COLUMN notices_read_at;
