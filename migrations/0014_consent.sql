-- What prepares a proved act: imports belong to the session that read them, and ownership is offered before it is given.

-- The session that sent the lines. Only it can start the import.
ALTER TABLE user_import ADD COLUMN session_id TEXT;

-- [{"email", "role"}, ...]: the people of the piece with a manager's role, as the screen showed them before the start.
ALTER TABLE user_import_piece ADD COLUMN managers TEXT NOT NULL DEFAULT '[]';

-- The member to whom ownership is offered. Null when the invited person is no member yet. The offer ends with the
-- membership.
ALTER TABLE invitation ADD COLUMN member_id TEXT REFERENCES member(id) ON DELETE CASCADE;
-- Whether the inviter becomes an admin when the offer is accepted.
ALTER TABLE invitation ADD COLUMN hands_over INTEGER NOT NULL DEFAULT 0 CHECK (hands_over IN (0, 1));

-- Which offer has a member?
CREATE INDEX invitation_by_member ON invitation(member_id) WHERE member_id IS NOT NULL;
