-- What became of a user's invitation, and links that invite many people into an organization.

-- Null while no invitation to sign in was queued for a user. The newest mail decides, until the first sign-in.
ALTER TABLE user ADD COLUMN invitation TEXT CHECK (invitation IN ('queued', 'bounced'));
-- The link by which the account was made, where nothing else let the person in.
ALTER TABLE user ADD COLUMN entry_link TEXT;

-- A link into an organization as a member, for several people. Its URL has a keyed hash of the id, which no table holds.
CREATE TABLE invitation_link (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  inviter_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  max_uses INTEGER NOT NULL CHECK (max_uses BETWEEN 1 AND 100),
  uses INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK (expires_at <= created_at + 30 * 86400000),
  CHECK (uses <= max_uses)
) STRICT;

-- Who has a place by a link: each user once. Somebody who has left or was removed has a row too, and cannot come back by it.
CREATE TABLE invitation_link_user (
  link_id TEXT NOT NULL REFERENCES invitation_link(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  -- Null from the sign-up by the link until the person joins.
  joined_at INTEGER,
  PRIMARY KEY (link_id, user_id)
) STRICT, WITHOUT ROWID;

-- Indexes

-- Which users that managers added have not come yet, and what became of their invitations?
CREATE INDEX user_awaited ON user(created_at, id, invitation) WHERE last_seen_at IS NULL;
-- Which links does an organization have, and which has a person made?
CREATE INDEX invitation_link_organization_id ON invitation_link(organization_id);
CREATE INDEX invitation_link_inviter_id ON invitation_link(inviter_id);
-- Which links have ended?
CREATE INDEX invitation_link_expires_at ON invitation_link(expires_at);
-- Which links has a user come by?
CREATE INDEX invitation_link_user_user_id ON invitation_link_user(user_id);

-- Triggers that refuse

CREATE TRIGGER invitation_link_limit BEFORE INSERT ON invitation_link
WHEN (SELECT count(*) FROM invitation_link WHERE organization_id = NEW.organization_id) >= 5
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LINK_LIMIT_REACHED');
END;

-- Of several accounts at once only as many are made as the link has places.
CREATE TRIGGER entry_by_link_refused BEFORE INSERT ON user
WHEN NEW.entry_link IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM invitation_link WHERE id = NEW.entry_link AND uses < max_uses
)
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LINK_USED_UP');
END;

-- Triggers that act

-- Whoever queues the mail, retries it, drops it or hears of it from the provider: the user's row follows.
CREATE TRIGGER invitation_queued AFTER INSERT ON mail_outbox WHEN NEW.kind = 'user-added'
BEGIN
  UPDATE user SET invitation = 'queued'
  WHERE email = NEW.recipient AND last_seen_at IS NULL AND invitation IS NOT 'queued';
END;

CREATE TRIGGER invitation_moved AFTER UPDATE OF state, delivery ON mail_outbox
WHEN NEW.kind = 'user-added' AND (NEW.state <> OLD.state OR NEW.delivery IS NOT OLD.delivery)
  AND NOT EXISTS (
    SELECT 1 FROM mail_outbox
    WHERE recipient = NEW.recipient AND kind = 'user-added' AND (created_at, id) > (NEW.created_at, NEW.id)
  )
BEGIN
  UPDATE user SET invitation = CASE
    WHEN NEW.delivery IN ('bounced', 'suppressed', 'failed') THEN 'bounced'
    WHEN NEW.state IN ('waiting', 'sent') THEN 'queued'
  END
  WHERE email = NEW.recipient AND last_seen_at IS NULL;
END;

-- No invitation has gone to the new e-mail.
CREATE TRIGGER invitation_of_old_email AFTER UPDATE OF email ON user
WHEN NEW.email <> OLD.email AND NEW.invitation IS NOT NULL
BEGIN
  UPDATE user SET invitation = NULL WHERE id = NEW.id;
END;

-- An account that a link alone let in takes a place of the link.
CREATE TRIGGER entry_by_link AFTER INSERT ON user WHEN NEW.entry_link IS NOT NULL
BEGIN
  INSERT INTO invitation_link_user (link_id, user_id) VALUES (NEW.entry_link, NEW.id);
END;

CREATE TRIGGER invitation_link_used AFTER INSERT ON invitation_link_user
WHEN NEW.joined_at IS NULL
BEGIN
  UPDATE invitation_link SET uses = uses + 1 WHERE id = NEW.link_id;
END;

-- A place of an account that was erased before the person joined stays taken, so nobody can empty a link and fill it again.

-- Who has left needs a new invitation, and their links end. Not when the organization or the user is being deleted.
CREATE TRIGGER member_leaves_links AFTER DELETE ON member
BEGIN
  DELETE FROM invitation_link WHERE organization_id = OLD.organization_id AND inviter_id = OLD.user_id;
  INSERT INTO invitation_link_user (link_id, user_id, joined_at)
  SELECT id, OLD.user_id, unixepoch() * 1000 FROM invitation_link
  WHERE organization_id = OLD.organization_id
    AND EXISTS (SELECT 1 FROM organization WHERE id = OLD.organization_id)
    AND EXISTS (SELECT 1 FROM user WHERE id = OLD.user_id)
  ON CONFLICT DO NOTHING;
END;

-- Links end with the right to invite.
CREATE TRIGGER demoted_ends_links AFTER UPDATE OF role ON member WHEN NEW.role = 'member'
BEGIN
  DELETE FROM invitation_link WHERE organization_id = NEW.organization_id AND inviter_id = NEW.user_id;
END;

CREATE TRIGGER banned_ends_links AFTER UPDATE OF banned ON user WHEN NEW.banned = 1 AND OLD.banned = 0
BEGIN
  DELETE FROM invitation_link WHERE inviter_id = NEW.id;
END;

-- Users who were added before this version, by the mails that are still there.
UPDATE user SET invitation = (
  SELECT CASE
    WHEN delivery IN ('bounced', 'suppressed', 'failed') THEN 'bounced'
    WHEN state IN ('waiting', 'sent') THEN 'queued'
  END
  FROM mail_outbox WHERE recipient = user.email AND kind = 'user-added'
  ORDER BY created_at DESC, id DESC LIMIT 1
)
WHERE last_seen_at IS NULL;
