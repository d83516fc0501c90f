-- How the next mail is chosen, which network asked for a code, and who caused a mail.

-- Whose turn the mail has: the lane, and the codes that its network had asked for in the hour before. The defaults are for
-- rows of the previous release.
ALTER TABLE mail_outbox ADD COLUMN lane INTEGER NOT NULL DEFAULT 1;
ALTER TABLE mail_outbox ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mail_outbox ADD COLUMN asked_near INTEGER NOT NULL DEFAULT 0;
-- The user who caused a mail to others.
ALTER TABLE mail_outbox ADD COLUMN caused_by TEXT;

-- Keyed hashes: of the IPv4 address or /48 network, and of the IPv4 address or /64 network.
ALTER TABLE sign_in_code ADD COLUMN network TEXT NOT NULL DEFAULT '';
ALTER TABLE sign_in_code ADD COLUMN near_network TEXT NOT NULL DEFAULT '';
ALTER TABLE code_event ADD COLUMN network TEXT;

-- Which mail leaves next? The previous release finds the waiting mails here too, and sorts them.
DROP INDEX mail_outbox_next;
CREATE INDEX mail_outbox_turn ON mail_outbox(lane, asked, asked_near, created_at DESC) WHERE state = 'waiting';
-- How many mails to others did this user cause?
CREATE INDEX mail_outbox_caused_by ON mail_outbox(caused_by, created_at) WHERE caused_by IS NOT NULL;
-- How many codes did this network ask for, and for which mailboxes?
CREATE INDEX sign_in_code_network ON sign_in_code(network, sent_at, near_network);
CREATE INDEX code_event_network ON code_event(network, created_at) WHERE network IS NOT NULL;
