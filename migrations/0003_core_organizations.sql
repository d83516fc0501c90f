-- Organizations: members and invitations.

-- Tables

CREATE TABLE organization (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  logo TEXT,
  metadata TEXT,
  disabled_at INTEGER,
  disabled_reason TEXT,
  deletion_due_at INTEGER,
  erasure_tried_at INTEGER,
  last_activity_at INTEGER,
  member_count INTEGER NOT NULL DEFAULT 0,
  search_key TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER
) STRICT;

-- A slug that an organization had before. Links with it lead to the organization until it expires, and no other
-- organization can take it.
CREATE TABLE old_slug (
  slug TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE member (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  role TEXT NOT NULL DEFAULT 'member' CONSTRAINT UNKNOWN_ROLE CHECK (role IN ('owner', 'admin', 'member')),
  created_at INTEGER NOT NULL,
  UNIQUE (organization_id, user_id)
) STRICT;

CREATE TABLE invitation (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  role TEXT,
  team_id TEXT,
  -- Also 'pending' after it has expired.
  status TEXT NOT NULL DEFAULT 'pending',
  expires_at INTEGER NOT NULL,
  inviter_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  sent_at INTEGER NOT NULL DEFAULT 0,
  sends INTEGER NOT NULL DEFAULT 1,
  answered_at INTEGER,
  -- The member to whom ownership is offered. Null when the invited person is no member yet. The offer ends with the membership.
  member_id TEXT REFERENCES member(id) ON DELETE CASCADE,
  -- Whether the inviter becomes an admin when the offer is accepted.
  hands_over INTEGER NOT NULL DEFAULT 0 CHECK (hands_over IN (0, 1))
) STRICT;

CREATE VIRTUAL TABLE organization_search USING fts5(
  search_key, content = 'organization', content_rowid = 'rowid', columnsize = 0, tokenize = 'trigram case_sensitive 1'
);

-- Indexes

-- The list of organizations in one order each.
CREATE INDEX organization_by_created ON organization(created_at, id, search_key);
CREATE INDEX organization_by_name ON organization(name COLLATE NOCASE, id);
CREATE INDEX organization_by_members ON organization(member_count, id);
-- Organizations without any activity come first.
CREATE INDEX organization_by_activity ON organization(coalesce(last_activity_at, 0), id);
-- Which names begin with these one or two characters?
CREATE INDEX organization_by_beginning ON organization(substr(search_key, 1, 2));
-- Which organizations are disabled, and which are being deleted?
CREATE INDEX organization_disabled ON organization(disabled_at) WHERE disabled_at IS NOT NULL;
CREATE INDEX organization_deletion_due ON organization(deletion_due_at) WHERE deletion_due_at IS NOT NULL;

-- Which old slugs does an organization have, and which have expired?
CREATE INDEX old_slug_organization_id ON old_slug(organization_id);
CREATE INDEX old_slug_expires_at ON old_slug(expires_at);
-- In which organizations is a user?
CREATE INDEX member_user_id ON member(user_id);
-- Is this e-mail invited to the organization already?
CREATE UNIQUE INDEX invitation_open ON invitation(organization_id, email) WHERE status = 'pending';
-- Which invitations to an e-mail are open?
CREATE INDEX invitation_by_email ON invitation(email, status, expires_at);
-- Which invitations of an organization are open, or were sent today?
CREATE INDEX invitation_by_organization ON invitation(organization_id, status, created_at);
-- Which invitations did a person send today?
CREATE INDEX invitation_by_inviter ON invitation(inviter_id, created_at);
-- Which offer has a member?
CREATE INDEX invitation_by_member ON invitation(member_id) WHERE member_id IS NOT NULL;
-- Which invitations have not expired, and which ended a month ago?
CREATE INDEX invitation_expires_at ON invitation(expires_at);

-- Triggers that refuse. D1 has no transaction that reads before it writes, so the database itself keeps these rules.

CREATE TRIGGER organization_slug_insert BEFORE INSERT ON organization
WHEN EXISTS (SELECT 1 FROM old_slug WHERE slug = NEW.slug AND expires_at > NEW.created_at)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_SLUG_ALREADY_TAKEN');
END;

CREATE TRIGGER organization_slug_update BEFORE UPDATE OF slug ON organization
WHEN NEW.slug <> OLD.slug AND EXISTS (
  SELECT 1 FROM old_slug WHERE slug = NEW.slug AND organization_id <> NEW.id AND expires_at > NEW.updated_at
)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_SLUG_ALREADY_TAKEN');
END;

CREATE TRIGGER member_refused BEFORE INSERT ON member
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED')
  WHERE (SELECT member_count FROM organization WHERE id = NEW.organization_id) >= 100;
  SELECT RAISE(ABORT, 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS')
  WHERE (SELECT count(*) FROM member WHERE user_id = NEW.user_id) >= 10;
END;

CREATE TRIGGER only_owner_role BEFORE UPDATE OF role ON member
WHEN OLD.role = 'owner' AND NEW.role <> 'owner' AND NOT EXISTS (
  SELECT 1 FROM member WHERE organization_id = OLD.organization_id AND role = 'owner' AND id <> OLD.id
)
BEGIN
  SELECT RAISE(ABORT, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER');
END;

-- Not when the organization or the user itself is being deleted.
CREATE TRIGGER only_owner_delete BEFORE DELETE ON member
WHEN OLD.role = 'owner'
  AND EXISTS (SELECT 1 FROM organization WHERE id = OLD.organization_id)
  AND EXISTS (SELECT 1 FROM user WHERE id = OLD.user_id)
  AND NOT EXISTS (
    SELECT 1 FROM member WHERE organization_id = OLD.organization_id AND role = 'owner' AND id <> OLD.id
  )
BEGIN
  SELECT RAISE(ABORT, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER');
END;

CREATE TRIGGER invitation_limit BEFORE INSERT ON invitation
WHEN (
  SELECT count(*) FROM invitation
  WHERE organization_id = NEW.organization_id AND status = 'pending' AND expires_at > NEW.created_at
) >= 100
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LIMIT_REACHED');
END;

-- An expired invitation that is sent again counts again.
CREATE TRIGGER invitation_limit_resent BEFORE UPDATE OF expires_at ON invitation
WHEN NEW.status = 'pending' AND OLD.expires_at <= NEW.sent_at AND (
  SELECT count(*) FROM invitation
  WHERE organization_id = NEW.organization_id AND status = 'pending' AND expires_at > NEW.sent_at
) >= 100
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LIMIT_REACHED');
END;

-- Triggers that act. What follows from a change must follow whichever code makes the change.

-- The old slug leads to the organization for 30 days, the last three of them.
CREATE TRIGGER organization_slug_changed AFTER UPDATE OF slug ON organization WHEN NEW.slug <> OLD.slug
BEGIN
  DELETE FROM old_slug WHERE slug IN (OLD.slug, NEW.slug);
  INSERT INTO old_slug (slug, organization_id, expires_at)
  VALUES (OLD.slug, OLD.id, NEW.updated_at + 30 * 86400000);
  DELETE FROM old_slug WHERE organization_id = OLD.id AND slug NOT IN (
    SELECT slug FROM old_slug WHERE organization_id = OLD.id ORDER BY expires_at DESC, rowid DESC LIMIT 3
  );
END;

-- Who leaves an organization works in it no longer. Cascades delete members too.
CREATE TRIGGER member_removed AFTER DELETE ON member
BEGIN
  UPDATE session SET active_organization_id = NULL, active_team_id = NULL
  WHERE user_id = OLD.user_id AND active_organization_id = OLD.organization_id;
  UPDATE user SET last_organization_id = NULL
  WHERE id = OLD.user_id AND last_organization_id = OLD.organization_id;
  UPDATE organization SET member_count = member_count - 1 WHERE id = OLD.organization_id;
END;

-- Triggers that keep search rows and totals, which must change together with their row; no total needs a read of its table.

CREATE TRIGGER organization_inserted AFTER INSERT ON organization
BEGIN
  INSERT INTO organization_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
  UPDATE counter SET value = value + 1 WHERE name = 'organization';
END;

CREATE TRIGGER organization_deleted AFTER DELETE ON organization
BEGIN
  INSERT INTO organization_search (organization_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  UPDATE counter SET value = value - 1 WHERE name = 'organization';
END;

CREATE TRIGGER organization_search_changed AFTER UPDATE OF search_key ON organization
WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO organization_search (organization_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO organization_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE TRIGGER member_added AFTER INSERT ON member
BEGIN
  UPDATE organization SET member_count = member_count + 1 WHERE id = NEW.organization_id;
END;
