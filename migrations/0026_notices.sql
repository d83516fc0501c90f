-- Notices: what needs a person's attention. They are read from the rows that they are about, so they have no table.

-- When the user last marked them as read. NULL: never.
ALTER TABLE user ADD COLUMN notices_read_at INTEGER;

-- Which invitations to an e-mail are open? (instead of invitation_email)
DROP INDEX invitation_email;
CREATE INDEX invitation_by_email ON invitation(email, status, expires_at);
-- Which sessions of a user are newer than a moment? (instead of session_user_id)
DROP INDEX session_user_id;
CREATE INDEX session_by_user ON session(user_id, created_at);
