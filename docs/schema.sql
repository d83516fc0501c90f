-- The database after all migrations. Made by npm run schema: do not edit.

-- What a change starts: each change that triggers answer, with what they refuse or write
--
-- INSERT ON account
--   account_linked: INSERT INTO audit_event
--   account_refused: EMAIL_NOT_VERIFIED
-- DELETE ON api_key
--   organization_key_ended: INSERT INTO program_news
-- INSERT ON audit_event
--   audit_event_counted: INSERT INTO slot_count, UPDATE organization
--   audit_event_to_webhooks: INSERT INTO webhook_delivery
--   invited_member_in_team: INSERT INTO team_member
--   repository_event_of_organization: INSERT INTO organization_event
--   sessions_revoked_end_apps: DELETE FROM oauth_access_token, DELETE FROM oauth_refresh_token
-- DELETE ON audit_event
--   audit_event_no_delete: audit_event is append-only
-- UPDATE ON audit_event
--   audit_event_no_update: audit_event is append-only
-- UPDATE OF name_fr, name_ar, name_sw ON brand
--   brand_names_from_columns: UPDATE brand
-- UPDATE OF names ON brand
--   brand_names_to_columns: UPDATE brand
-- INSERT ON code_event
--   wrong_code_counted: INSERT INTO slot_count
-- INSERT ON invitation
--   invitation_limit: INVITATION_LIMIT_REACHED
--   invitation_team_insert: TEAM_NOT_FOUND
-- UPDATE OF expires_at ON invitation
--   invitation_limit_resent: INVITATION_LIMIT_REACHED
-- UPDATE OF team_id ON invitation
--   invitation_team_update: TEAM_NOT_FOUND
-- INSERT ON invitation_link
--   invitation_link_limit: INVITATION_LINK_LIMIT_REACHED
-- INSERT ON invitation_link_user
--   invitation_link_used: UPDATE invitation_link
-- UPDATE OF state, delivery ON mail_outbox
--   invitation_moved: UPDATE user
-- INSERT ON mail_outbox
--   invitation_queued: UPDATE user
-- UPDATE OF delivery ON mail_outbox
--   mail_delivery_counted: UPDATE slot_count, INSERT INTO slot_count
-- UPDATE OF role ON member
--   demoted_ends_links: DELETE FROM invitation_link
--   member_change_ends_keys: DELETE FROM api_key
--   member_change_pauses_webhooks: UPDATE webhook_endpoint
--   only_owner_role: YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER
-- INSERT ON member
--   member_added: UPDATE organization
--   member_refused: ORGANIZATION_MEMBERSHIP_LIMIT_REACHED, YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS
--   member_returns_to_teams: INSERT INTO team_member, DELETE FROM bin
-- DELETE ON member
--   member_leaves_links: DELETE FROM invitation_link, INSERT INTO invitation_link_user
--   member_leaves_teams: INSERT OR REPLACE INTO bin, DELETE FROM team_member
--   member_removal_pauses_webhooks: UPDATE webhook_endpoint
--   member_removed: UPDATE session, UPDATE user, UPDATE organization
--   only_owner_delete: YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER
-- INSERT ON oauth_access_token
--   oauth_access_token_bounded: DELETE FROM oauth_access_token
--   oauth_access_token_for_member: APP_NOT_ALLOWED
--   oauth_access_token_refused: APP_NOT_ALLOWED
--   oauth_access_token_uses_registration: UPDATE oauth_registration
-- DELETE ON oauth_access_token
--   oauth_access_token_ends_approvals: DELETE FROM oauth_approval
-- UPDATE OF disabled, logout_uri ON oauth_client
--   oauth_client_change_ends_logouts: DELETE FROM oauth_logout
-- DELETE ON oauth_client
--   oauth_client_deleted: INSERT INTO oauth_client_search
-- UPDATE OF disabled ON oauth_client
--   oauth_client_disabled_ends_tokens: DELETE FROM oauth_access_token, DELETE FROM oauth_refresh_token
-- INSERT ON oauth_client
--   oauth_client_inserted: INSERT INTO oauth_client_search
-- UPDATE OF search_key ON oauth_client
--   oauth_client_search_changed: INSERT INTO oauth_client_search
-- DELETE ON oauth_client_resource
--   oauth_resource_forgotten: DELETE FROM oauth_resource
-- INSERT ON oauth_consent
--   oauth_consent_for_member: APP_NOT_ALLOWED
--   oauth_consent_uses_registration: UPDATE oauth_registration
-- INSERT ON oauth_logout
--   oauth_logout_bounded: DELETE FROM oauth_logout
-- INSERT ON oauth_refresh_token
--   oauth_refresh_token_bounded: DELETE FROM oauth_refresh_token
--   oauth_refresh_token_for_member: APP_NOT_ALLOWED
--   oauth_refresh_token_proof: UPDATE oauth_refresh_token
--   oauth_refresh_token_refused: APP_NOT_ALLOWED
--   oauth_refresh_token_uses_registration: UPDATE oauth_registration
-- UPDATE OF disabled_at, deletion_due_at ON organization
--   organization_closed_ends_tokens: DELETE FROM oauth_access_token, DELETE FROM oauth_refresh_token
-- DELETE ON organization
--   organization_deleted: INSERT INTO organization_search, UPDATE counter
-- INSERT ON organization
--   organization_inserted: INSERT INTO organization_search, UPDATE counter
--   organization_slug_insert: ORGANIZATION_SLUG_ALREADY_TAKEN
-- UPDATE OF search_key ON organization
--   organization_search_changed: INSERT INTO organization_search
-- UPDATE OF slug ON organization
--   organization_slug_changed: DELETE FROM old_slug, INSERT INTO old_slug
--   organization_slug_update: ORGANIZATION_SLUG_ALREADY_TAKEN
-- INSERT ON organization_event
--   organization_event_passed: nothing
--   organization_event_to_webhooks: INSERT INTO webhook_delivery
-- INSERT ON organization_repository
--   organization_repository_limit: ORGANIZATION_REPOSITORY_LIMIT_REACHED
-- INSERT ON passkey
--   passkey_added: INSERT INTO audit_event
--   passkey_refused: EMAIL_NOT_VERIFIED, PASSKEY_LIMIT
-- UPDATE OF counter ON passkey
--   passkey_counter: PASSKEY_COUNTER
-- DELETE ON repository
--   repository_deleted: INSERT INTO repository_search, UPDATE counter
--   repository_sharing_kept: INSERT OR REPLACE INTO bin
-- INSERT ON repository
--   repository_inserted: INSERT INTO repository_search, UPDATE counter
--   repository_shared_again: INSERT INTO organization_repository, DELETE FROM bin
-- UPDATE OF search_key ON repository
--   repository_search_changed: INSERT INTO repository_search
-- UPDATE OF expires_at ON session
--   impersonation_not_prolonged: UPDATE session
-- INSERT ON session
--   session_created: INSERT INTO audit_event
--   session_refused: BANNED_USER, EMAIL_NOT_VERIFIED, PASSKEY_REMOVED
-- DELETE ON session
--   session_end_tells_apps: INSERT INTO oauth_logout
-- DELETE ON team
--   team_deleted: UPDATE invitation
-- INSERT ON team
--   team_limit: YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS
-- INSERT ON team_member
--   team_member_added: UPDATE team
--   team_member_of_organization: USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION
-- DELETE ON team_member
--   team_member_removed: UPDATE session, UPDATE team
-- UPDATE OF banned ON user
--   banned_ends_links: DELETE FROM invitation_link
-- INSERT ON user
--   entry_by_link: INSERT INTO invitation_link_user
--   entry_by_link_refused: INVITATION_LINK_USED_UP
--   user_created: INSERT INTO audit_event
--   user_insert_leaves_waiting_list: DELETE FROM waiting_list
--   user_insert_uses_admission: DELETE FROM admitted_email
--   user_inserted: INSERT INTO user_search, UPDATE counter, INSERT INTO slot_count
-- UPDATE OF email ON user
--   invitation_of_old_email: UPDATE user
--   user_email_leaves_waiting_list: DELETE FROM waiting_list
--   user_email_uses_admission: DELETE FROM admitted_email
-- UPDATE OF role, banned, deletion_due_at ON user
--   user_ban_ends_keys: DELETE FROM api_key
--   user_change_ends_apps: DELETE FROM oauth_access_token, DELETE FROM oauth_refresh_token
--   user_change_ends_sessions: DELETE FROM session
--   user_change_pauses_webhooks: UPDATE webhook_endpoint
--   user_change_refused: LAST_ADMIN, SOLE_OWNER
-- DELETE ON user
--   user_deleted: INSERT INTO user_search, UPDATE counter, UPDATE slot_count
--   user_deletion_ends: DELETE FROM session, DELETE FROM refusing_mailbox
--   user_deletion_refused: LAST_ADMIN, SOLE_OWNER
-- UPDATE OF devices_since ON user
--   user_distrust_ends_apps: DELETE FROM oauth_access_token, DELETE FROM oauth_refresh_token
-- UPDATE OF email_verified ON user
--   user_email_proven: DELETE FROM passkey, UPDATE user
--   user_email_proven_ends_apps: DELETE FROM oauth_access_token, DELETE FROM oauth_refresh_token, DELETE FROM oauth_consent
--   user_email_proven_ends_keys: DELETE FROM api_key
-- UPDATE OF onboarded_at, banned ON user
--   user_not_onboarded_changed: UPDATE counter
-- UPDATE OF role ON user
--   user_role_ends_scopes: UPDATE api_key
-- UPDATE OF search_key ON user
--   user_search_changed: INSERT INTO user_search
-- UPDATE OF last_seen_at ON user
--   user_seen_changed: UPDATE slot_count, INSERT INTO slot_count
-- DELETE ON waiting_list
--   waiting_list_delete_refuses: DELETE FROM admitted_email
-- INSERT ON waiting_list
--   waiting_list_insert_admits: INSERT OR IGNORE INTO admitted_email
-- UPDATE OF state ON waiting_list
--   waiting_list_state_admits: INSERT OR IGNORE INTO admitted_email
--   waiting_list_state_refuses: DELETE FROM admitted_email
-- INSERT ON webhook_bin
--   webhook_bin_bounded: DELETE FROM webhook_bin
-- DELETE ON webhook_delivery
--   webhook_attempt_forgotten: DELETE FROM webhook_attempt
-- UPDATE OF tries ON webhook_delivery
--   webhook_attempt_kept: INSERT OR REPLACE INTO webhook_attempt, DELETE FROM webhook_attempt
-- INSERT ON webhook_delivery
--   webhook_delivery_unsettles: UPDATE webhook_endpoint
-- INSERT ON webhook_endpoint
--   webhook_made: INSERT INTO program_news
-- UPDATE OF maker_left_at ON webhook_endpoint
--   webhook_maker_left: INSERT INTO program_news, INSERT INTO audit_event
-- UPDATE OF url ON webhook_endpoint
--   webhook_moved: INSERT INTO program_news
-- UPDATE OF made_by ON webhook_endpoint
--   webhook_without_maker: UPDATE webhook_endpoint

-- Tables, each with its indexes (72)
-- Shadow tables of the full-text tables are left out.

CREATE TABLE access_domain (
  domain TEXT PRIMARY KEY,
  rule TEXT NOT NULL CHECK (rule IN ('allowed', 'blocked'))
) STRICT, WITHOUT ROWID;
CREATE INDEX access_domain_rule ON access_domain(rule, domain);

CREATE TABLE account (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  email TEXT,
  access_token TEXT,
  refresh_token TEXT,
  id_token TEXT,
  access_token_expires_at INTEGER,
  refresh_token_expires_at INTEGER,
  scope TEXT,
  password TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (provider_id, account_id)
) STRICT;
CREATE INDEX account_user_id ON account(user_id);

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
CREATE INDEX account_code_session_id ON account_code(session_id);

CREATE TABLE admitted_email (
  email TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE api_call (
  api_key_id TEXT NOT NULL REFERENCES api_key(id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  slot INTEGER NOT NULL CHECK (slot BETWEEN 0 AND 49),
  number INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER NOT NULL,
  method TEXT NOT NULL CHECK (length(method) <= 20),
  path TEXT NOT NULL CHECK (length(path) <= 200),
  request_id TEXT NOT NULL CHECK (length(request_id) <= 64),
  PRIMARY KEY (api_key_id, day, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  organization_id TEXT,
  name TEXT NOT NULL,
  start TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  permissions TEXT NOT NULL,
  passkey_id TEXT REFERENCES passkey(id) ON DELETE SET NULL,
  expires_at INTEGER NOT NULL,
  last_request INTEGER,
  created_at INTEGER NOT NULL, revoked_at INTEGER, revoked_by TEXT REFERENCES user(id) ON DELETE SET NULL,
  FOREIGN KEY (organization_id, user_id) REFERENCES member(organization_id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX api_key_member ON api_key(organization_id, user_id);
CREATE INDEX api_key_passkey_id ON api_key(passkey_id);
CREATE INDEX api_key_revoked_by ON api_key(revoked_by) WHERE revoked_by IS NOT NULL;
CREATE INDEX api_key_user_id ON api_key(user_id);

CREATE TABLE audit_deletion (
  until INTEGER NOT NULL
) STRICT;

CREATE TABLE audit_event (
  id TEXT NOT NULL,
  action TEXT NOT NULL,
  actor_id TEXT,
  impersonator_id TEXT,
  target_type TEXT,
  target_id TEXT,
  details TEXT,
  ip_address TEXT,
  user_agent TEXT,
  place TEXT,
  request_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (created_at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_event_action ON audit_event(action, created_at, id) WHERE action <> 'user.signed_in';
CREATE INDEX audit_event_actor ON audit_event(actor_id, created_at, id);
CREATE INDEX audit_event_impersonator ON audit_event(impersonator_id, created_at, id)
WHERE impersonator_id IS NOT NULL;
CREATE INDEX audit_event_request ON audit_event(request_id, created_at, id) WHERE request_id IS NOT NULL;
CREATE INDEX audit_event_target ON audit_event(target_id, created_at, id);

CREATE TABLE banned_mailbox (
  mailbox TEXT PRIMARY KEY,
  expires_at INTEGER
) STRICT;

CREATE TABLE bin (
  kind TEXT NOT NULL,
  -- Of the row that was deleted.
  id TEXT NOT NULL,
  -- Its columns, or what a trigger keeps with it, as JSON.
  row TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT;
CREATE INDEX bin_until ON bin(until);

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
  updated_at INTEGER,
  names TEXT NOT NULL DEFAULT '{}',
  login_picture TEXT,
  icons TEXT
) STRICT;

CREATE TABLE code_event (
  id TEXT NOT NULL,
  budget TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('sent', 'failed', 'named')),
  created_at INTEGER NOT NULL,
  -- A keyed hash of the network that asked.
  network TEXT,
  PRIMARY KEY (budget, kind, created_at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX code_event_created_at ON code_event(kind, created_at);
CREATE INDEX code_event_network ON code_event(network, created_at) WHERE network IS NOT NULL;

CREATE TABLE counter (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;

CREATE TABLE demo_fill (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  claimed_at INTEGER NOT NULL,
  filled_at INTEGER
) STRICT;

CREATE TABLE erased_account (
  user_id TEXT PRIMARY KEY,
  erased_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX erased_account_age ON erased_account(erased_at, user_id);

CREATE TABLE "idempotent_answer" (
  api_key_id TEXT REFERENCES api_key(id) ON DELETE CASCADE,
  -- In place of a key: an app, which called for this user.
  app_id TEXT,
  user_id TEXT REFERENCES user(id) ON DELETE CASCADE,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  answer TEXT,
  created_at INTEGER NOT NULL,
  CHECK ((api_key_id IS NULL) = (app_id IS NOT NULL) AND (app_id IS NULL) = (user_id IS NULL))
) STRICT;
CREATE INDEX idempotent_answer_created_at ON idempotent_answer(created_at);
CREATE UNIQUE INDEX idempotent_answer_of_app ON idempotent_answer(user_id, app_id, idempotency_key)
WHERE app_id IS NOT NULL;
CREATE UNIQUE INDEX idempotent_answer_of_key ON idempotent_answer(api_key_id, idempotency_key)
WHERE api_key_id IS NOT NULL;

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
CREATE INDEX invitation_by_email ON invitation(email, status, expires_at);
CREATE INDEX invitation_by_inviter ON invitation(inviter_id, created_at);
CREATE INDEX invitation_by_member ON invitation(member_id) WHERE member_id IS NOT NULL;
CREATE INDEX invitation_by_organization ON invitation(organization_id, status, created_at);
CREATE INDEX invitation_by_team ON invitation(team_id) WHERE team_id IS NOT NULL;
CREATE INDEX invitation_expires_at ON invitation(expires_at);
CREATE UNIQUE INDEX invitation_open ON invitation(organization_id, email) WHERE status = 'pending';

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
CREATE INDEX invitation_link_expires_at ON invitation_link(expires_at);
CREATE INDEX invitation_link_inviter_id ON invitation_link(inviter_id);
CREATE INDEX invitation_link_organization_id ON invitation_link(organization_id);

CREATE TABLE invitation_link_user (
  link_id TEXT NOT NULL REFERENCES invitation_link(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  -- Null from the sign-up by the link until the person joins.
  joined_at INTEGER,
  PRIMARY KEY (link_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_link_user_user_id ON invitation_link_user(user_id);

CREATE TABLE jwks (
  id TEXT PRIMARY KEY,
  public_key TEXT NOT NULL,
  private_key TEXT NOT NULL,
  alg TEXT,
  crv TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;

CREATE TABLE mail_outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  language TEXT NOT NULL,
  -- Encrypted; erased when it is no longer needed.
  payload TEXT,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'expired', 'failed')),
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  provider_id TEXT,
  last_error TEXT,
  sent_at INTEGER,
  -- What became of the mail after the provider took it.
  delivery TEXT CHECK (delivery IN ('delayed', 'failed', 'delivered', 'bounced', 'suppressed', 'complained')),
  delivery_at INTEGER,
  delivery_reason TEXT,
  created_at INTEGER NOT NULL,
  -- Whose turn the mail has: the lane, and the codes that its network had asked for in the hour before.
  lane INTEGER NOT NULL DEFAULT 1,
  asked INTEGER NOT NULL DEFAULT 0,
  asked_near INTEGER NOT NULL DEFAULT 0,
  -- The user who caused a mail to others.
  caused_by TEXT
, asked_ip_address TEXT, asked_user_agent TEXT, asked_place TEXT, asked_request_id TEXT) STRICT, WITHOUT ROWID;
CREATE INDEX mail_outbox_caused_by ON mail_outbox(caused_by, created_at) WHERE caused_by IS NOT NULL;
CREATE INDEX mail_outbox_created_at ON mail_outbox(created_at, id);
CREATE INDEX mail_outbox_rare_kind ON mail_outbox(kind, created_at, id) WHERE kind <> 'login-code';
CREATE INDEX mail_outbox_recipient ON mail_outbox(recipient, created_at, id);
CREATE INDEX mail_outbox_turn ON mail_outbox(lane, asked, asked_near, created_at DESC) WHERE state = 'waiting';
CREATE INDEX mail_outbox_undelivered ON mail_outbox(delivery, created_at, id) WHERE delivery <> 'delivered';
CREATE INDEX mail_outbox_unsent ON mail_outbox(state, created_at, id) WHERE state <> 'sent';

CREATE TABLE mail_pause (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  quota TEXT NOT NULL CHECK (quota IN ('daily', 'monthly')),
  retry_at INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;

CREATE TABLE member (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  role TEXT NOT NULL DEFAULT 'member' CONSTRAINT UNKNOWN_ROLE CHECK (role IN ('owner', 'admin', 'member')),
  created_at INTEGER NOT NULL,
  UNIQUE (organization_id, user_id)
) STRICT;
CREATE INDEX member_user_id ON member(user_id);

CREATE TABLE oauth_access_token (
  id TEXT PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  session_id TEXT REFERENCES session(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  refresh_id TEXT REFERENCES oauth_refresh_token(id) ON DELETE CASCADE,
  reference_id TEXT,
  authorization_code_id TEXT,
  resources TEXT,
  requested_user_info_claims TEXT,
  scopes TEXT NOT NULL,
  confirmation TEXT,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revoked INTEGER,
  FOREIGN KEY (reference_id, user_id) REFERENCES member(organization_id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX oauth_access_token_client ON oauth_access_token(client_id);
CREATE INDEX oauth_access_token_code ON oauth_access_token(authorization_code_id) WHERE authorization_code_id IS NOT NULL;
CREATE INDEX oauth_access_token_expires_at ON oauth_access_token(expires_at);
CREATE INDEX oauth_access_token_member ON oauth_access_token(reference_id, user_id) WHERE reference_id IS NOT NULL;
CREATE INDEX oauth_access_token_refresh ON oauth_access_token(refresh_id) WHERE refresh_id IS NOT NULL;
CREATE INDEX oauth_access_token_session ON oauth_access_token(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX oauth_access_token_user ON oauth_access_token(user_id, client_id);

CREATE TABLE oauth_approval (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  -- Hash of method, path, version and body: the same call again is the approved one.
  call_hash TEXT NOT NULL,
  scope TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  -- What the call sends, and what its thing was called when the app asked; for the person to read.
  body TEXT,
  title TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'refused', 'used')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (user_id, client_id, call_hash)
) STRICT;
CREATE INDEX oauth_approval_client ON oauth_approval(client_id);

CREATE TABLE oauth_client (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL UNIQUE,
  client_secret TEXT,
  name TEXT NOT NULL,
  uri TEXT,
  search_key TEXT NOT NULL DEFAULT '',
  redirect_uris TEXT NOT NULL,
  post_logout_redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  token_endpoint_auth_method TEXT NOT NULL CHECK (token_endpoint_auth_method IN ('none', 'client_secret_basic')),
  application_type TEXT NOT NULL CHECK (application_type IN ('web', 'native')),
  grant_types TEXT NOT NULL,
  response_types TEXT NOT NULL,
  require_pkce INTEGER NOT NULL DEFAULT 1,
  skip_consent INTEGER NOT NULL DEFAULT 0,
  enable_end_session INTEGER NOT NULL DEFAULT 1,
  disabled INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_by TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, logout_uri TEXT, logout_tried_at INTEGER, logout_answer TEXT, organization_id TEXT REFERENCES organization(id) ON DELETE CASCADE
  CHECK (organization_id IS NULL OR skip_consent = 0), disabled_by_site INTEGER NOT NULL DEFAULT 0, logo TEXT) STRICT;
CREATE INDEX oauth_client_by_beginning ON oauth_client(substr(search_key, 1, 2));
CREATE INDEX oauth_client_created_by ON oauth_client(created_by) WHERE created_by IS NOT NULL;
CREATE INDEX oauth_client_logo ON oauth_client(logo) WHERE logo IS NOT NULL;
CREATE INDEX oauth_client_organization ON oauth_client(organization_id) WHERE organization_id IS NOT NULL;

CREATE TABLE oauth_client_resource (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  resource_id TEXT NOT NULL REFERENCES oauth_resource(identifier) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  UNIQUE (client_id, resource_id)
) STRICT;
CREATE INDEX oauth_client_resource_resource ON oauth_client_resource(resource_id);

CREATE VIRTUAL TABLE oauth_client_search USING fts5(
  search_key, content = 'oauth_client', content_rowid = 'rowid', tokenize = 'trigram case_sensitive 1'
);

CREATE TABLE oauth_consent (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  reference_id TEXT,
  scopes TEXT NOT NULL,
  resources TEXT,
  requested_user_info_claims TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (reference_id, user_id) REFERENCES member(organization_id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX oauth_consent_client ON oauth_consent(client_id);
CREATE INDEX oauth_consent_member ON oauth_consent(reference_id, user_id) WHERE reference_id IS NOT NULL;
CREATE INDEX oauth_consent_user ON oauth_consent(user_id, client_id);

CREATE TABLE oauth_device_code (
  id TEXT PRIMARY KEY,
  device_code TEXT NOT NULL UNIQUE,
  user_code TEXT NOT NULL UNIQUE,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  scopes TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied')),
  user_id TEXT REFERENCES user(id) ON DELETE CASCADE,
  session_id TEXT REFERENCES session(id) ON DELETE CASCADE,
  reference_id TEXT,
  auth_time INTEGER,
  place TEXT,
  user_agent TEXT,
  interval_ms INTEGER NOT NULL,
  polled_at INTEGER,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK ((status = 'approved') = (user_id IS NOT NULL AND session_id IS NOT NULL)),
  FOREIGN KEY (reference_id, user_id) REFERENCES member(organization_id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX oauth_device_code_client ON oauth_device_code(client_id);
CREATE INDEX oauth_device_code_expires_at ON oauth_device_code(expires_at);
CREATE INDEX oauth_device_code_member ON oauth_device_code(reference_id, user_id) WHERE reference_id IS NOT NULL;
CREATE INDEX oauth_device_code_session ON oauth_device_code(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX oauth_device_code_user ON oauth_device_code(user_id) WHERE user_id IS NOT NULL;

CREATE TABLE oauth_logout (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  session_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth_logout_client ON oauth_logout(client_id, created_at, id);
CREATE INDEX oauth_logout_due ON oauth_logout(next_try_at, client_id);

CREATE TABLE oauth_refresh_token (
  id TEXT PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  session_id TEXT REFERENCES session(id) ON DELETE SET NULL,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  reference_id TEXT,
  authorization_code_id TEXT,
  resources TEXT,
  requested_user_info_claims TEXT,
  scopes TEXT NOT NULL,
  auth_time INTEGER,
  confirmation TEXT,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  revoked INTEGER,
  rotated_at INTEGER,
  rotation_replay_response TEXT,
  rotation_replay_expires_at INTEGER, proved_by TEXT,
  FOREIGN KEY (reference_id, user_id) REFERENCES member(organization_id, user_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX oauth_refresh_token_client ON oauth_refresh_token(client_id);
CREATE INDEX oauth_refresh_token_code ON oauth_refresh_token(authorization_code_id) WHERE authorization_code_id IS NOT NULL;
CREATE INDEX oauth_refresh_token_expires_at ON oauth_refresh_token(expires_at);
CREATE INDEX oauth_refresh_token_member ON oauth_refresh_token(reference_id, user_id) WHERE reference_id IS NOT NULL;
CREATE INDEX oauth_refresh_token_revoked ON oauth_refresh_token(revoked) WHERE revoked IS NOT NULL;
CREATE INDEX oauth_refresh_token_session ON oauth_refresh_token(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX oauth_refresh_token_user ON oauth_refresh_token(user_id, client_id);

CREATE TABLE oauth_registration (
  client_id TEXT PRIMARY KEY REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  way TEXT NOT NULL CHECK (way IN ('call', 'document')),
  used_at INTEGER,
  read_at INTEGER,
  tried_at INTEGER,
  created_at INTEGER NOT NULL,
  CHECK ((way = 'document') = (read_at IS NOT NULL AND tried_at IS NOT NULL))
) STRICT;

CREATE TABLE oauth_registration_setting (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  by_call INTEGER NOT NULL DEFAULT 0 CHECK (by_call IN (0, 1)),
  by_document INTEGER NOT NULL DEFAULT 0 CHECK (by_document IN (0, 1)),
  scopes TEXT NOT NULL DEFAULT '["openid","profile","email","organization","offline_access"]',
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER
) STRICT;

CREATE TABLE oauth_resource (
  id TEXT PRIMARY KEY,
  identifier TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  access_token_ttl INTEGER,
  allowed_scopes TEXT,
  disabled INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE oauth_session_app (
  session_id TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE,
  client_id TEXT NOT NULL REFERENCES oauth_client(client_id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, client_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_session_app_client ON oauth_session_app(client_id);

CREATE TABLE oauth_setting (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- 1 when owners may register apps for their organization.
  organization_apps INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE old_slug (
  slug TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX old_slug_expires_at ON old_slug(expires_at);
CREATE INDEX old_slug_organization_id ON old_slug(organization_id);

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
CREATE INDEX organization_by_activity ON organization(coalesce(last_activity_at, 0), id);
CREATE INDEX organization_by_beginning ON organization(substr(search_key, 1, 2));
CREATE INDEX organization_by_created ON organization(created_at, id, search_key);
CREATE INDEX organization_by_members ON organization(member_count, id);
CREATE INDEX organization_by_name ON organization(name COLLATE NOCASE, id);
CREATE INDEX organization_deletion_due ON organization(deletion_due_at) WHERE deletion_due_at IS NOT NULL;
CREATE INDEX organization_disabled ON organization(disabled_at) WHERE disabled_at IS NOT NULL;

CREATE TABLE organization_repository (
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  repository_id TEXT NOT NULL REFERENCES repository(id) ON DELETE CASCADE,
  shared_by TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (organization_id, repository_id)
) STRICT;
CREATE INDEX organization_repository_repository_id ON organization_repository(repository_id);
CREATE INDEX organization_repository_shared_by ON organization_repository(shared_by);

CREATE VIRTUAL TABLE organization_search USING fts5(
  search_key, content = 'organization', content_rowid = 'rowid', columnsize = 0, tokenize = 'trigram case_sensitive 1'
);

CREATE TABLE passkey (
  id TEXT PRIMARY KEY,
  name TEXT,
  public_key TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL UNIQUE,
  counter INTEGER NOT NULL,
  device_type TEXT NOT NULL,
  backed_up INTEGER NOT NULL,
  transports TEXT,
  aaguid TEXT,
  created_at INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE INDEX passkey_user_id ON passkey(user_id);

CREATE TABLE program_news (
  id INTEGER PRIMARY KEY,
  -- Null for the site.
  organization_id TEXT REFERENCES organization(id) ON DELETE CASCADE,
  -- One of the kinds that the features name.
  kind TEXT NOT NULL,
  -- What the thing is called there, such as the host of a receiver.
  name TEXT NOT NULL,
  -- Who made or changed it; for what stopped, who left.
  user_id TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  told_at INTEGER
) STRICT;
CREATE INDEX program_news_organization_id ON program_news(organization_id, told_at);
CREATE INDEX program_news_untold ON program_news(id) WHERE told_at IS NULL;
CREATE INDEX program_news_user_id ON program_news(user_id);

CREATE TABLE rate_limit (
  key TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  window_start INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE refusing_mailbox (
  email TEXT PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('bounced', 'suppressed', 'complained')),
  note TEXT,
  since INTEGER NOT NULL,
  allowed_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE repository (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  link TEXT NOT NULL,
  description TEXT,
  search_key TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX repository_by_beginning ON repository(substr(search_key, 1, 2));
CREATE INDEX repository_by_created ON repository(created_at, id);
CREATE INDEX repository_by_updated ON repository(updated_at, id, search_key);

CREATE VIRTUAL TABLE repository_search USING fts5(
  search_key, content = 'repository', content_rowid = 'rowid', tokenize = 'trigram case_sensitive 1'
);

CREATE TABLE role_scope (
  role TEXT NOT NULL,
  -- A permission, as `resource.action`.
  scope TEXT NOT NULL,
  PRIMARY KEY (role, scope)
) STRICT, WITHOUT ROWID;

CREATE TABLE scheduled_run (
  schedule TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  -- The last run in which a job failed, and the names of its failed jobs.
  failed_at INTEGER,
  failed_jobs TEXT
) STRICT;

CREATE TABLE session (
  id TEXT PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  impersonated_by TEXT,
  active_organization_id TEXT,
  active_team_id TEXT,
  authenticated_at INTEGER,
  passkey_proved_at INTEGER,
  passkey_proved_by TEXT,
  ip_address TEXT,
  user_agent TEXT,
  place TEXT,
  last_seen_at INTEGER,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  proved_by TEXT CHECK (proved_by IN ('code',
  'passkey',
  'provider'))
) STRICT;
CREATE INDEX session_by_user ON session(user_id, created_at);
CREATE INDEX session_expires_at ON session(expires_at);
CREATE INDEX session_impersonated_by ON session(impersonated_by) WHERE impersonated_by IS NOT NULL;

CREATE TABLE set_up (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- When a manager hid the list.
  hidden_at INTEGER,
  -- When `npm run backup` last made a whole backup.
  backup_at INTEGER
) STRICT;

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
CREATE INDEX sign_in_code_network ON sign_in_code(network, sent_at, near_network);
CREATE INDEX sign_in_code_sent_at ON sign_in_code(sent_at);

CREATE TABLE sign_in_step (
  hour INTEGER NOT NULL,
  -- Whose it is: 0 for an e-mail without an account, of which an hour keeps a limited number; 1 for one with an account;
  -- 2 for a sign-in, which needs no attention.
  part INTEGER NOT NULL CHECK (part IN (0, 1, 2)),
  mailbox TEXT NOT NULL,
  -- The step, a dot, and the rule that decided.
  outcome TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  -- Of the last one.
  user_id TEXT,
  ip_address TEXT,
  user_agent TEXT,
  place TEXT,
  request_id TEXT,
  PRIMARY KEY (hour, part, mailbox, outcome)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE slot_count (
  name TEXT NOT NULL,
  -- Quarters of an hour since 1970.
  slot INTEGER NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (name, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE team (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  member_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER,
  UNIQUE (organization_id, name)
) STRICT;

CREATE TABLE team_member (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES team(id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  created_at INTEGER,
  UNIQUE (team_id, user_id)
) STRICT;
CREATE INDEX team_member_user_id ON team_member(user_id);

CREATE TABLE user (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  email_verified INTEGER NOT NULL DEFAULT 0,
  image TEXT,
  avatar TEXT,
  -- Known words, each once, joined by commas without spaces: only a comma is left when they are taken out.
  role TEXT NOT NULL DEFAULT 'user' CONSTRAINT UNKNOWN_ROLE CHECK (
    replace(replace(replace(replace(
      ',' || role || ',', ',admin,', ','), ',support,', ','), ',auditor,', ','), ',user,', ',') = ','
  ),
  banned INTEGER NOT NULL DEFAULT 0,
  ban_reason TEXT,
  ban_expires INTEGER,
  onboarded_at INTEGER,
  language TEXT,
  theme TEXT,
  terms_version TEXT,
  terms_accepted_at INTEGER,
  passkey_release_until INTEGER,
  last_organization_id TEXT,
  last_seen_at INTEGER,
  deletion_due_at INTEGER,
  erasure_tried_at INTEGER,
  search_key TEXT NOT NULL DEFAULT '',
  version INTEGER NOT NULL DEFAULT 1,
  created_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- A `device` cookie from before this moment is not trusted: the user has ended the trusted devices.
  devices_since INTEGER,
  invitation TEXT CHECK (invitation IN ('queued',
  'bounced')),
  entry_link TEXT
) STRICT;
CREATE INDEX user_awaited ON user(created_at, id, invitation) WHERE last_seen_at IS NULL;
CREATE INDEX user_banned ON user(created_at, id) WHERE banned = 1;
CREATE INDEX user_by_ban_end ON user(ban_expires) WHERE banned = 1 AND ban_expires IS NOT NULL;
CREATE INDEX user_by_beginning ON user(substr(search_key, 1, 2));
CREATE INDEX user_by_created ON user(created_at, id, search_key, last_seen_at);
CREATE INDEX user_by_email ON user(email, id, search_key);
CREATE INDEX user_by_last_seen ON user(coalesce(last_seen_at, 0), id, search_key, created_at);
CREATE INDEX user_by_name ON user(name COLLATE NOCASE, id, search_key);
CREATE INDEX user_deletion_due ON user(deletion_due_at) WHERE deletion_due_at IS NOT NULL;
CREATE INDEX user_never_seen ON user(created_at, id) WHERE last_seen_at IS NULL;
CREATE INDEX user_not_onboarded ON user(created_at, id) WHERE onboarded_at IS NULL;
CREATE INDEX user_unverified ON user(created_at, id) WHERE email_verified = 0 AND onboarded_at IS NOT NULL;
CREATE INDEX user_with_roles ON user(created_at, id, role) WHERE role <> 'user';

CREATE TABLE user_import (
  id TEXT PRIMARY KEY,
  -- The manager who imports.
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  -- The session that sent the lines, or that continued them after a stop. Only it starts the import, which stops when it ends.
  session_id TEXT NOT NULL,
  -- The cells of the file's first line, where they name the columns.
  header TEXT,
  -- Lines that were sent. The number stays when they are deleted, for the limit of an hour.
  line_count INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('checked', 'running', 'stopped', 'finished', 'closed')),
  -- Whether each new user gets an invitation, and its language where a line names none.
  invites INTEGER NOT NULL CHECK (invites IN (0, 1)),
  language TEXT NOT NULL,
  touched_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX user_import_created ON user_import(user_id, created_at);
CREATE UNIQUE INDEX user_import_open ON user_import(user_id) WHERE state <> 'closed';
CREATE INDEX user_import_touched ON user_import(touched_at);

CREATE TABLE user_import_line (
  import_id TEXT NOT NULL REFERENCES user_import(id) ON DELETE CASCADE,
  -- Its number in the file.
  line INTEGER NOT NULL,
  -- [cell, ...]
  cells TEXT NOT NULL,
  -- What the check found, and what the import made of it: a line that is new becomes made, known or wrong.
  state TEXT NOT NULL CHECK (state IN ('new', 'known', 'wrong', 'made')),
  -- The roles of a new manager, which the screen shows before the start.
  role TEXT,
  -- What is wrong, and why.
  field TEXT,
  reason TEXT,
  PRIMARY KEY (import_id, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_metadata (
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_note (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  author_id TEXT REFERENCES user(id) ON DELETE SET NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX user_note_author ON user_note(author_id) WHERE author_id IS NOT NULL;
CREATE INDEX user_note_user ON user_note(user_id, created_at, id);

CREATE VIRTUAL TABLE user_search USING fts5(
  search_key, content = 'user', content_rowid = 'rowid', columnsize = 0, tokenize = 'trigram case_sensitive 1'
);

CREATE TABLE verification (
  id TEXT PRIMARY KEY,
  identifier TEXT NOT NULL,
  value TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX verification_identifier ON verification(identifier);

CREATE TABLE waiting_list (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
  created_at INTEGER NOT NULL,
  decided_at INTEGER,
  decided_by TEXT REFERENCES user(id) ON DELETE SET NULL
) STRICT;
CREATE INDEX waiting_list_decided_by ON waiting_list(decided_by) WHERE decided_by IS NOT NULL;
CREATE INDEX waiting_list_state ON waiting_list(state, created_at, id);

CREATE TABLE waiting_list_setting (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  is_on INTEGER NOT NULL DEFAULT 0 CHECK (is_on IN (0, 1)),
  updated_at INTEGER
) STRICT;

CREATE TABLE webhook_attempt (
  endpoint_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  tried_at INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  answer TEXT,
  PRIMARY KEY (endpoint_id, created_at, event_id, tried_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_bin (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint(id) ON DELETE CASCADE,
  received_at INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  -- When the event happened: the key of `audit_event`, or the time of a sample.
  created_at INTEGER NOT NULL,
  sample TEXT,
  headers TEXT NOT NULL,
  -- 1 when the signature was right for the body that came.
  is_signed INTEGER NOT NULL,
  PRIMARY KEY (endpoint_id, received_at, event_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_day (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint(id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  accepted INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (endpoint_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_delivery (
  endpoint_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'skipped')),
  -- The last try: when, the answer's status or why there was none, how long it took, and the beginning of the answer.
  tries INTEGER NOT NULL DEFAULT 0,
  tried_at INTEGER,
  status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  answer TEXT,
  PRIMARY KEY (endpoint_id, created_at, event_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_endpoint (
  id TEXT PRIMARY KEY,
  organization_id TEXT REFERENCES organization(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  -- Encrypted. The previous secret signs too until its end.
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until INTEGER,
  with_ip_address INTEGER NOT NULL DEFAULT 0,
  -- 'failed': paused by the sender, after a day without success.
  state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'failed')),
  -- Since when no delivery has succeeded, how often it was tried, and when it is tried again.
  failing_since INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER,
  -- Every delivery of an event before this time is settled, so the sender does not read them again.
  settled_until INTEGER NOT NULL DEFAULT 0,
  -- Events that were deleted after 30 days without being delivered.
  dropped INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  made_by TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Since when the maker may no longer have made it. It then gets no events, until somebody else resumes it.
  maker_left_at INTEGER,
  -- When its sender was woken. Null once the sender has nothing more to do.
  woken_at INTEGER
) STRICT;
CREATE INDEX webhook_endpoint_made_by ON webhook_endpoint(made_by);
CREATE INDEX webhook_endpoint_organization_id ON webhook_endpoint(organization_id);

CREATE TABLE webhook_subscription (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint(id) ON DELETE CASCADE,
  action TEXT NOT NULL,
  PRIMARY KEY (endpoint_id, action)
) STRICT, WITHOUT ROWID;


-- Views (5)
-- Questions that several triggers and statements ask.

CREATE VIEW account_deletion_rule AS
SELECT
  own.id AS user_id,
  CASE
    WHEN instr(',' || own.role || ',', ',admin,') AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> own.id)
      THEN 'LAST_ADMIN'
    WHEN EXISTS (SELECT 1 FROM sole_ownership WHERE user_id = own.id) THEN 'SOLE_OWNER'
  END AS rule
FROM user AS own;

CREATE VIEW eligible_admin AS
SELECT id FROM user
WHERE role <> 'user' AND instr(',' || role || ',', ',admin,') > 0 AND banned = 0 AND deletion_due_at IS NULL;

CREATE VIEW organization_event AS
SELECT NULL AS organization_id, NULL AS event_id, NULL AS action, NULL AS created_at WHERE FALSE;

CREATE VIEW sole_ownership AS
SELECT ownership.user_id, ownership.organization_id
FROM member AS ownership JOIN organization ON organization.id = ownership.organization_id
WHERE ownership.role = 'owner' AND organization.deletion_due_at IS NULL
  AND EXISTS (
    SELECT 1 FROM member WHERE organization_id = ownership.organization_id AND user_id <> ownership.user_id
  )
  AND NOT EXISTS (
    SELECT 1 FROM member
    WHERE organization_id = ownership.organization_id AND user_id <> ownership.user_id AND role = 'owner'
  );

CREATE VIEW webhook_of_maker AS
SELECT webhook_endpoint.id AS endpoint_id
FROM webhook_endpoint JOIN user ON user.id = webhook_endpoint.made_by
WHERE user.banned = 0 AND user.deletion_due_at IS NULL AND (
  webhook_endpoint.organization_id IS NULL AND instr(',' || user.role || ',', ',admin,')
  OR EXISTS (
    SELECT 1 FROM member
    WHERE organization_id = webhook_endpoint.organization_id AND user_id = user.id AND role = 'owner'
  )
);


-- Triggers that refuse (27)
-- D1 has no transaction that reads before it writes, so the database itself keeps these rules.

CREATE TRIGGER account_refused BEFORE INSERT ON account
BEGIN
  SELECT RAISE(ABORT, 'EMAIL_NOT_VERIFIED') FROM user WHERE id = NEW.user_id AND email_verified = 0;
END;

CREATE TRIGGER audit_event_no_delete BEFORE DELETE ON audit_event
WHEN NOT EXISTS (SELECT 1 FROM audit_deletion WHERE OLD.created_at < until)
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;

CREATE TRIGGER audit_event_no_update BEFORE UPDATE ON audit_event
WHEN NOT (
  NEW.id IS OLD.id AND NEW.action IS OLD.action AND NEW.actor_id IS OLD.actor_id
  AND NEW.impersonator_id IS OLD.impersonator_id AND NEW.target_type IS OLD.target_type
  AND NEW.target_id IS OLD.target_id AND NEW.request_id IS OLD.request_id AND NEW.created_at IS OLD.created_at
  AND (NEW.details IS OLD.details OR NEW.details IS NULL)
  AND (NEW.ip_address IS OLD.ip_address OR NEW.ip_address IS NULL)
  AND (NEW.user_agent IS OLD.user_agent OR NEW.user_agent IS NULL)
  AND (NEW.place IS OLD.place OR NEW.place IS NULL)
)
BEGIN SELECT RAISE(ABORT, 'audit_event is append-only'); END;

CREATE TRIGGER invitation_limit BEFORE INSERT ON invitation
WHEN (
  SELECT count(*) FROM invitation
  WHERE organization_id = NEW.organization_id AND status = 'pending' AND expires_at > NEW.created_at
) >= 100
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LIMIT_REACHED');
END;

CREATE TRIGGER invitation_limit_resent BEFORE UPDATE OF expires_at ON invitation
WHEN NEW.status = 'pending' AND OLD.expires_at <= NEW.sent_at AND (
  SELECT count(*) FROM invitation
  WHERE organization_id = NEW.organization_id AND status = 'pending' AND expires_at > NEW.sent_at
) >= 100
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LIMIT_REACHED');
END;

CREATE TRIGGER invitation_team_insert BEFORE INSERT ON invitation
WHEN NEW.team_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM team WHERE id = NEW.team_id AND organization_id = NEW.organization_id
)
BEGIN
  SELECT RAISE(ABORT, 'TEAM_NOT_FOUND');
END;

CREATE TRIGGER invitation_team_update BEFORE UPDATE OF team_id ON invitation
WHEN NEW.team_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM team WHERE id = NEW.team_id AND organization_id = NEW.organization_id
)
BEGIN
  SELECT RAISE(ABORT, 'TEAM_NOT_FOUND');
END;

CREATE TRIGGER invitation_link_limit BEFORE INSERT ON invitation_link
WHEN (SELECT count(*) FROM invitation_link WHERE organization_id = NEW.organization_id) >= 5
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LINK_LIMIT_REACHED');
END;

CREATE TRIGGER member_refused BEFORE INSERT ON member
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED')
  WHERE (SELECT member_count FROM organization WHERE id = NEW.organization_id) >= 100;
  SELECT RAISE(ABORT, 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS')
  WHERE (SELECT count(*) FROM member WHERE user_id = NEW.user_id) >= 10;
END;

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

CREATE TRIGGER only_owner_role BEFORE UPDATE OF role ON member
WHEN OLD.role = 'owner' AND NEW.role <> 'owner' AND NOT EXISTS (
  SELECT 1 FROM member WHERE organization_id = OLD.organization_id AND role = 'owner' AND id <> OLD.id
)
BEGIN
  SELECT RAISE(ABORT, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER');
END;

CREATE TRIGGER oauth_access_token_for_member BEFORE INSERT ON oauth_access_token
WHEN EXISTS (
  SELECT 1 FROM oauth_client JOIN organization ON organization.id = oauth_client.organization_id
  WHERE oauth_client.client_id = NEW.client_id AND (
    NEW.reference_id IS NOT organization.id
    OR organization.disabled_at IS NOT NULL OR organization.deletion_due_at IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM member WHERE organization_id = organization.id AND user_id = NEW.user_id)
  )
)
BEGIN
  SELECT RAISE(ABORT, 'APP_NOT_ALLOWED');
END;

CREATE TRIGGER oauth_access_token_refused BEFORE INSERT ON oauth_access_token
WHEN EXISTS (SELECT 1 FROM oauth_client WHERE client_id = NEW.client_id AND disabled = 1)
  OR EXISTS (SELECT 1 FROM user WHERE id = NEW.user_id AND (banned = 1 OR deletion_due_at IS NOT NULL))
BEGIN
  SELECT RAISE(ABORT, 'APP_NOT_ALLOWED');
END;

CREATE TRIGGER oauth_consent_for_member BEFORE INSERT ON oauth_consent
WHEN EXISTS (
  SELECT 1 FROM oauth_client JOIN organization ON organization.id = oauth_client.organization_id
  WHERE oauth_client.client_id = NEW.client_id AND (
    NEW.reference_id IS NOT organization.id
    OR organization.disabled_at IS NOT NULL OR organization.deletion_due_at IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM member WHERE organization_id = organization.id AND user_id = NEW.user_id)
  )
)
BEGIN
  SELECT RAISE(ABORT, 'APP_NOT_ALLOWED');
END;

CREATE TRIGGER oauth_refresh_token_for_member BEFORE INSERT ON oauth_refresh_token
WHEN EXISTS (
  SELECT 1 FROM oauth_client JOIN organization ON organization.id = oauth_client.organization_id
  WHERE oauth_client.client_id = NEW.client_id AND (
    NEW.reference_id IS NOT organization.id
    OR organization.disabled_at IS NOT NULL OR organization.deletion_due_at IS NOT NULL
    OR NOT EXISTS (SELECT 1 FROM member WHERE organization_id = organization.id AND user_id = NEW.user_id)
  )
)
BEGIN
  SELECT RAISE(ABORT, 'APP_NOT_ALLOWED');
END;

CREATE TRIGGER oauth_refresh_token_refused BEFORE INSERT ON oauth_refresh_token
WHEN EXISTS (SELECT 1 FROM oauth_client WHERE client_id = NEW.client_id AND disabled = 1)
  OR EXISTS (SELECT 1 FROM user WHERE id = NEW.user_id AND (banned = 1 OR deletion_due_at IS NOT NULL))
BEGIN
  SELECT RAISE(ABORT, 'APP_NOT_ALLOWED');
END;

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

CREATE TRIGGER organization_repository_limit BEFORE INSERT ON organization_repository
WHEN (SELECT count(*) FROM organization_repository WHERE organization_id = NEW.organization_id) >= 500
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_REPOSITORY_LIMIT_REACHED');
END;

CREATE TRIGGER passkey_counter BEFORE UPDATE OF counter ON passkey
WHEN NEW.counter < OLD.counter OR (NEW.counter = OLD.counter AND NEW.counter > 0)
BEGIN
  SELECT RAISE(ABORT, 'PASSKEY_COUNTER');
END;

CREATE TRIGGER passkey_refused BEFORE INSERT ON passkey
BEGIN
  SELECT RAISE(ABORT, 'EMAIL_NOT_VERIFIED') FROM user WHERE id = NEW.user_id AND email_verified = 0;
  SELECT RAISE(ABORT, 'PASSKEY_LIMIT') WHERE (SELECT count(*) FROM passkey WHERE user_id = NEW.user_id) >= 10;
END;

CREATE TRIGGER session_refused BEFORE INSERT ON session
BEGIN
  SELECT RAISE(ABORT, 'BANNED_USER') FROM user
  WHERE id = NEW.user_id AND banned = 1 AND (ban_expires IS NULL OR ban_expires > NEW.created_at);
  SELECT RAISE(ABORT, 'EMAIL_NOT_VERIFIED') FROM user
  WHERE id = NEW.user_id AND email_verified = 0 AND NEW.impersonated_by IS NULL;
  SELECT RAISE(ABORT, 'PASSKEY_REMOVED')
  WHERE NEW.passkey_proved_by IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM passkey WHERE id = NEW.passkey_proved_by AND user_id = NEW.user_id);
END;

CREATE TRIGGER team_limit BEFORE INSERT ON team
WHEN (SELECT count(*) FROM team WHERE organization_id = NEW.organization_id) >= 20
BEGIN
  SELECT RAISE(ABORT, 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS');
END;

CREATE TRIGGER team_member_of_organization BEFORE INSERT ON team_member
WHEN NOT EXISTS (
  SELECT 1 FROM member JOIN team ON team.organization_id = member.organization_id
  WHERE team.id = NEW.team_id AND member.user_id = NEW.user_id
)
BEGIN
  SELECT RAISE(ABORT, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION');
END;

CREATE TRIGGER entry_by_link_refused BEFORE INSERT ON user
WHEN NEW.entry_link IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM invitation_link WHERE id = NEW.entry_link AND uses < max_uses
)
BEGIN
  SELECT RAISE(ABORT, 'INVITATION_LINK_USED_UP');
END;

CREATE TRIGGER user_change_refused BEFORE UPDATE OF role, banned, deletion_due_at ON user
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN')
  WHERE instr(',' || OLD.role || ',', ',admin,')
    AND (
      NOT instr(',' || NEW.role || ',', ',admin,')
      OR NEW.banned > OLD.banned
      OR NEW.deletion_due_at IS NOT NULL AND OLD.deletion_due_at IS NULL
    )
    AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> OLD.id);
  SELECT RAISE(ABORT, 'SOLE_OWNER')
  WHERE NEW.deletion_due_at IS NOT NULL AND OLD.deletion_due_at IS NULL
    AND EXISTS (SELECT 1 FROM sole_ownership WHERE user_id = OLD.id);
END;

CREATE TRIGGER user_deletion_refused BEFORE DELETE ON user
BEGIN
  SELECT RAISE(ABORT, 'LAST_ADMIN')
  WHERE instr(',' || OLD.role || ',', ',admin,') AND NOT EXISTS (SELECT 1 FROM eligible_admin WHERE id <> OLD.id);
  SELECT RAISE(ABORT, 'SOLE_OWNER')
  WHERE EXISTS (
    SELECT 1 FROM member AS own
    WHERE own.user_id = OLD.id AND own.role = 'owner'
      AND EXISTS (SELECT 1 FROM member WHERE organization_id = own.organization_id AND user_id <> OLD.id)
      AND NOT EXISTS (
        SELECT 1 FROM member
        WHERE organization_id = own.organization_id AND user_id <> OLD.id AND role = 'owner'
      )
  );
END;


-- Triggers that write audit events (5)
-- better-auth inserts these rows itself, outside our batches, and none may be without its event.

CREATE TRIGGER account_linked AFTER INSERT ON account
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, details, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'account.linked', NEW.user_id, 'user', NEW.user_id,
    json_object('provider', NEW.provider_id), NEW.created_at
  );
END;

CREATE TRIGGER passkey_added AFTER INSERT ON passkey
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, details, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'passkey.added', NEW.user_id, 'user', NEW.user_id,
    json_object('name', NEW.name), NEW.created_at
  );
END;

CREATE TRIGGER session_created AFTER INSERT ON session WHEN NEW.impersonated_by IS NULL
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, ip_address, user_agent, place, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'user.signed_in', NEW.user_id, 'user', NEW.user_id, NEW.ip_address, NEW.user_agent,
    NEW.place, NEW.created_at
  );
END;

CREATE TRIGGER user_created AFTER INSERT ON user
BEGIN
  INSERT INTO audit_event (id, action, actor_id, target_type, target_id, created_at)
  VALUES (lower(hex(randomblob(16))), 'user.created', coalesce(NEW.created_by, NEW.id), 'user', NEW.id, NEW.created_at);
END;

CREATE TRIGGER webhook_maker_left AFTER UPDATE OF maker_left_at ON webhook_endpoint
WHEN NEW.maker_left_at IS NOT NULL AND OLD.maker_left_at IS NULL
  AND (NEW.organization_id IS NULL OR EXISTS (SELECT 1 FROM organization WHERE id = NEW.organization_id))
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    NEW.organization_id, 'webhook-paused',
    substr(NEW.url, instr(NEW.url, '//') + 2, instr(substr(NEW.url, instr(NEW.url, '//') + 2) || '/', '/') - 1),
    (SELECT id FROM user WHERE id = NEW.made_by), NEW.maker_left_at
  );
  INSERT INTO audit_event (id, action, target_type, target_id, details, created_at)
  VALUES (
    lower(hex(randomblob(16))), 'webhook.paused', iif(NEW.organization_id IS NULL, NULL, 'organization'),
    NEW.organization_id,
    json_object(
      'receiver',
      substr(NEW.url, instr(NEW.url, '//') + 2, instr(substr(NEW.url, instr(NEW.url, '//') + 2) || '/', '/') - 1)
    ),
    NEW.maker_left_at
  );
END;


-- Triggers that keep search rows and totals (19)
-- They must change together with their row, and no total needs a read of its table.

CREATE TRIGGER audit_event_counted AFTER INSERT ON audit_event
WHEN NEW.action = 'user.signed_in' OR NEW.target_type = 'organization'
BEGIN
  INSERT INTO slot_count (name, slot, value)
  SELECT NEW.action, NEW.created_at / 900000, 1 WHERE NEW.action = 'user.signed_in'
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
  UPDATE organization SET last_activity_at = NEW.created_at
  WHERE id = NEW.target_id AND NEW.target_type = 'organization';
END;

CREATE TRIGGER wrong_code_counted AFTER INSERT ON code_event WHEN NEW.kind = 'failed'
BEGIN
  INSERT INTO slot_count (name, slot, value) VALUES ('code.wrong', NEW.created_at / 900000, 1)
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER mail_delivery_counted AFTER UPDATE OF delivery ON mail_outbox WHEN OLD.delivery IS NOT NEW.delivery
BEGIN
  UPDATE slot_count SET value = value - 1
  WHERE name = 'mail.' || OLD.delivery AND slot = OLD.created_at / 900000;
  INSERT INTO slot_count (name, slot, value)
  SELECT 'mail.' || NEW.delivery, NEW.created_at / 900000, 1 WHERE NEW.delivery IS NOT NULL
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER member_added AFTER INSERT ON member
BEGIN
  UPDATE organization SET member_count = member_count + 1 WHERE id = NEW.organization_id;
END;

CREATE TRIGGER oauth_client_deleted AFTER DELETE ON oauth_client
BEGIN
  INSERT INTO oauth_client_search (oauth_client_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
END;

CREATE TRIGGER oauth_client_inserted AFTER INSERT ON oauth_client
BEGIN
  INSERT INTO oauth_client_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE TRIGGER oauth_client_search_changed AFTER UPDATE OF search_key ON oauth_client WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO oauth_client_search (oauth_client_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO oauth_client_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE TRIGGER organization_deleted AFTER DELETE ON organization
BEGIN
  INSERT INTO organization_search (organization_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  UPDATE counter SET value = value - 1 WHERE name = 'organization';
END;

CREATE TRIGGER organization_inserted AFTER INSERT ON organization
BEGIN
  INSERT INTO organization_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
  UPDATE counter SET value = value + 1 WHERE name = 'organization';
END;

CREATE TRIGGER organization_search_changed AFTER UPDATE OF search_key ON organization
WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO organization_search (organization_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO organization_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE TRIGGER repository_deleted AFTER DELETE ON repository
BEGIN
  INSERT INTO repository_search (repository_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  UPDATE counter SET value = value - 1 WHERE name = 'repository';
END;

CREATE TRIGGER repository_inserted AFTER INSERT ON repository
BEGIN
  INSERT INTO repository_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
  UPDATE counter SET value = value + 1 WHERE name = 'repository';
END;

CREATE TRIGGER repository_search_changed AFTER UPDATE OF search_key ON repository WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO repository_search (repository_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO repository_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE TRIGGER team_member_added AFTER INSERT ON team_member
BEGIN
  UPDATE team SET member_count = member_count + 1 WHERE id = NEW.team_id;
END;

CREATE TRIGGER user_deleted AFTER DELETE ON user
BEGIN
  INSERT INTO user_search (user_search, rowid, search_key) VALUES ('delete', OLD.rowid, OLD.search_key);
  UPDATE counter SET value = value - 1
  WHERE name = 'user' OR name = 'user not onboarded' AND OLD.onboarded_at IS NULL AND OLD.banned = 0;
  UPDATE slot_count SET value = value - 1
  WHERE name = 'user.created' AND slot = OLD.created_at / 900000
    OR name = 'user.seen' AND slot = OLD.last_seen_at / 900000;
END;

CREATE TRIGGER user_inserted AFTER INSERT ON user
BEGIN
  INSERT INTO user_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
  UPDATE counter SET value = value + 1
  WHERE name = 'user' OR name = 'user not onboarded' AND NEW.onboarded_at IS NULL AND NEW.banned = 0;
  INSERT INTO slot_count (name, slot, value) VALUES ('user.created', NEW.created_at / 900000, 1)
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
  INSERT INTO slot_count (name, slot, value)
  SELECT 'user.seen', NEW.last_seen_at / 900000, 1 WHERE NEW.last_seen_at IS NOT NULL
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER user_not_onboarded_changed AFTER UPDATE OF onboarded_at, banned ON user
WHEN (OLD.onboarded_at IS NULL AND OLD.banned = 0) <> (NEW.onboarded_at IS NULL AND NEW.banned = 0)
BEGIN
  UPDATE counter SET value = value + iif(NEW.onboarded_at IS NULL AND NEW.banned = 0, 1, -1)
  WHERE name = 'user not onboarded';
END;

CREATE TRIGGER user_search_changed AFTER UPDATE OF search_key ON user WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO user_search (user_search, rowid, search_key) VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO user_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE TRIGGER user_seen_changed AFTER UPDATE OF last_seen_at ON user
WHEN OLD.last_seen_at / 900000 IS NOT NEW.last_seen_at / 900000
BEGIN
  UPDATE slot_count SET value = value - 1 WHERE name = 'user.seen' AND slot = OLD.last_seen_at / 900000;
  INSERT INTO slot_count (name, slot, value)
  SELECT 'user.seen', NEW.last_seen_at / 900000, 1 WHERE NEW.last_seen_at IS NOT NULL
  ON CONFLICT (name, slot) DO UPDATE SET value = value + 1;
END;


-- Triggers that act (67)
-- What follows from a change must follow whichever code makes the change, cascades too.

CREATE TRIGGER organization_key_ended AFTER DELETE ON api_key
WHEN EXISTS (SELECT 1 FROM organization WHERE id = OLD.organization_id)
  AND OLD.expires_at > CAST(unixepoch('subsec') * 1000 AS INTEGER)
  AND NOT EXISTS (
    SELECT 1 FROM member JOIN user ON user.id = member.user_id
    WHERE member.organization_id = OLD.organization_id AND member.user_id = OLD.user_id AND member.role = 'owner'
      AND user.banned = 0
  )
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    OLD.organization_id, 'key-ended', OLD.name, (SELECT id FROM user WHERE id = OLD.user_id),
    CAST(unixepoch('subsec') * 1000 AS INTEGER)
  );
END;

CREATE TRIGGER audit_event_to_webhooks AFTER INSERT ON audit_event
WHEN EXISTS (SELECT 1 FROM webhook_endpoint)
BEGIN
  INSERT INTO webhook_delivery (endpoint_id, created_at, event_id)
  SELECT e.id, NEW.created_at, NEW.id
  FROM (
    SELECT id FROM webhook_endpoint WHERE organization_id IS NULL AND maker_left_at IS NULL
    UNION ALL
    SELECT webhook_endpoint.id FROM webhook_endpoint
    JOIN organization ON organization.id = webhook_endpoint.organization_id
    WHERE NEW.target_type = 'organization' AND webhook_endpoint.organization_id = NEW.target_id
      AND organization.disabled_at IS NULL AND organization.deletion_due_at IS NULL
      AND webhook_endpoint.maker_left_at IS NULL
  ) AS e
  WHERE EXISTS (
    SELECT 1 FROM webhook_subscription
    WHERE endpoint_id = e.id AND action = CASE
      WHEN NEW.action = 'user.updated' AND NEW.details ->> '$.before.role' IS NOT NEW.details ->> '$.after.role'
      THEN 'user.role_changed' ELSE NEW.action END
  );
END;

CREATE TRIGGER invited_member_in_team AFTER INSERT ON audit_event WHEN NEW.action = 'member.joined'
BEGIN
  INSERT INTO team_member (id, team_id, user_id, created_at)
  SELECT lower(hex(randomblob(16))), invitation.team_id, member.user_id, NEW.created_at
  FROM invitation JOIN member ON member.organization_id = invitation.organization_id
  WHERE invitation.id = NEW.details ->> '$.invitation' AND invitation.status = 'accepted'
    AND invitation.team_id IS NOT NULL AND member.user_id = NEW.actor_id
  ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER repository_event_of_organization AFTER INSERT ON audit_event WHEN NEW.target_type = 'repository'
BEGIN
  INSERT INTO organization_event (organization_id, event_id, action, created_at)
  SELECT organization_id, NEW.id, NEW.action, NEW.created_at
  FROM organization_repository WHERE repository_id = NEW.target_id;
END;

CREATE TRIGGER sessions_revoked_end_apps AFTER INSERT ON audit_event
WHEN NEW.action IN ('session.revoked_all', 'session.revoked_others')
BEGIN
  DELETE FROM oauth_access_token WHERE user_id = NEW.target_id AND session_id IS NULL;
  DELETE FROM oauth_refresh_token WHERE user_id = NEW.target_id AND session_id IS NULL;
END;

CREATE TRIGGER brand_names_from_columns AFTER UPDATE OF name_fr, name_ar, name_sw ON brand
WHEN json_array(NEW.name_fr, NEW.name_ar, NEW.name_sw)
  <> json_array(NEW.names ->> 'fr', NEW.names ->> 'ar', NEW.names ->> 'sw')
BEGIN
  UPDATE brand
  SET names = json_patch(names, json_object('fr', NEW.name_fr, 'ar', NEW.name_ar, 'sw', NEW.name_sw))
  WHERE id = NEW.id;
END;

CREATE TRIGGER brand_names_to_columns AFTER UPDATE OF names ON brand
BEGIN
  UPDATE brand SET
    name_fr = NEW.names ->> 'fr',
    name_ar = NEW.names ->> 'ar',
    name_sw = NEW.names ->> 'sw'
  WHERE id = NEW.id;
END;

CREATE TRIGGER invitation_link_used AFTER INSERT ON invitation_link_user
WHEN NEW.joined_at IS NULL
BEGIN
  UPDATE invitation_link SET uses = uses + 1 WHERE id = NEW.link_id;
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

CREATE TRIGGER invitation_queued AFTER INSERT ON mail_outbox WHEN NEW.kind = 'user-added'
BEGIN
  UPDATE user SET invitation = 'queued'
  WHERE email = NEW.recipient AND last_seen_at IS NULL AND invitation IS NOT 'queued';
END;

CREATE TRIGGER demoted_ends_links AFTER UPDATE OF role ON member WHEN NEW.role = 'member'
BEGIN
  DELETE FROM invitation_link WHERE organization_id = NEW.organization_id AND inviter_id = NEW.user_id;
END;

CREATE TRIGGER member_change_ends_keys AFTER UPDATE OF role ON member WHEN OLD.role = 'owner' AND NEW.role <> 'owner'
BEGIN
  DELETE FROM api_key WHERE user_id = NEW.user_id AND organization_id = NEW.organization_id;
END;

CREATE TRIGGER member_change_pauses_webhooks AFTER UPDATE OF role ON member WHEN OLD.role = 'owner' AND NEW.role <> 'owner'
BEGIN
  UPDATE webhook_endpoint
  SET state = 'paused', maker_left_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE made_by = NEW.user_id AND organization_id = NEW.organization_id AND maker_left_at IS NULL;
END;

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

CREATE TRIGGER member_leaves_teams AFTER DELETE ON member
WHEN EXISTS (
  SELECT 1 FROM team_member JOIN team ON team.id = team_member.team_id
  WHERE team_member.user_id = OLD.user_id AND team.organization_id = OLD.organization_id
)
BEGIN
  INSERT OR REPLACE INTO bin (kind, id, row, until)
  SELECT 'teams', OLD.id,
    json_group_array(json_object('team', team.id, 'at', team_member.created_at)),
    unixepoch() * 1000 + 86400000
  FROM team_member JOIN team ON team.id = team_member.team_id
  WHERE team_member.user_id = OLD.user_id AND team.organization_id = OLD.organization_id;
  DELETE FROM team_member
  WHERE user_id = OLD.user_id
    AND team_id IN (SELECT id FROM team WHERE organization_id = OLD.organization_id);
END;

CREATE TRIGGER member_removal_pauses_webhooks AFTER DELETE ON member
BEGIN
  UPDATE webhook_endpoint
  SET state = 'paused', maker_left_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE made_by = OLD.user_id AND organization_id = OLD.organization_id AND maker_left_at IS NULL;
END;

CREATE TRIGGER member_removed AFTER DELETE ON member
BEGIN
  UPDATE session SET active_organization_id = NULL, active_team_id = NULL
  WHERE user_id = OLD.user_id AND active_organization_id = OLD.organization_id;
  UPDATE user SET last_organization_id = NULL
  WHERE id = OLD.user_id AND last_organization_id = OLD.organization_id;
  UPDATE organization SET member_count = member_count - 1 WHERE id = OLD.organization_id;
END;

CREATE TRIGGER member_returns_to_teams AFTER INSERT ON member
WHEN EXISTS (SELECT 1 FROM bin WHERE kind = 'teams' AND id = NEW.id)
BEGIN
  INSERT INTO team_member (id, team_id, user_id, created_at)
  SELECT lower(hex(randomblob(16))), team.id, NEW.user_id, kept.value ->> 'at'
  FROM bin JOIN json_each(bin.row) AS kept JOIN team ON team.id = kept.value ->> 'team'
  WHERE bin.kind = 'teams' AND bin.id = NEW.id
  ON CONFLICT DO NOTHING;
  DELETE FROM bin WHERE kind = 'teams' AND id = NEW.id;
END;

CREATE TRIGGER oauth_access_token_bounded AFTER INSERT ON oauth_access_token
BEGIN
  DELETE FROM oauth_access_token WHERE id IN (
    SELECT id FROM oauth_access_token WHERE user_id = NEW.user_id AND client_id = NEW.client_id
    ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET 200
  );
END;

CREATE TRIGGER oauth_access_token_ends_approvals AFTER DELETE ON oauth_access_token
BEGIN
  DELETE FROM oauth_approval
  WHERE user_id = OLD.user_id AND client_id = OLD.client_id AND created_at BETWEEN OLD.created_at AND OLD.expires_at;
END;

CREATE TRIGGER oauth_access_token_uses_registration AFTER INSERT ON oauth_access_token
BEGIN
  UPDATE oauth_registration SET used_at = NEW.created_at
  WHERE client_id = NEW.client_id AND (used_at IS NULL OR used_at < NEW.created_at - 3600000);
END;

CREATE TRIGGER oauth_client_change_ends_logouts AFTER UPDATE OF disabled, logout_uri ON oauth_client
WHEN NEW.disabled = 1 OR NEW.logout_uri IS NULL
BEGIN
  DELETE FROM oauth_logout WHERE client_id = NEW.client_id;
END;

CREATE TRIGGER oauth_client_disabled_ends_tokens AFTER UPDATE OF disabled ON oauth_client WHEN NEW.disabled = 1
BEGIN
  DELETE FROM oauth_access_token WHERE client_id = NEW.client_id;
  DELETE FROM oauth_refresh_token WHERE client_id = NEW.client_id;
END;

CREATE TRIGGER oauth_resource_forgotten AFTER DELETE ON oauth_client_resource
WHEN NOT EXISTS (SELECT 1 FROM oauth_client_resource WHERE resource_id = OLD.resource_id)
BEGIN
  DELETE FROM oauth_resource WHERE identifier = OLD.resource_id;
END;

CREATE TRIGGER oauth_consent_uses_registration AFTER INSERT ON oauth_consent
BEGIN
  UPDATE oauth_registration SET used_at = NEW.created_at
  WHERE client_id = NEW.client_id AND (used_at IS NULL OR used_at < NEW.created_at - 3600000);
END;

CREATE TRIGGER oauth_logout_bounded AFTER INSERT ON oauth_logout
BEGIN
  DELETE FROM oauth_logout WHERE id IN (
    SELECT id FROM oauth_logout WHERE client_id = NEW.client_id ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET 1000
  );
END;

CREATE TRIGGER oauth_refresh_token_bounded AFTER INSERT ON oauth_refresh_token
BEGIN
  DELETE FROM oauth_refresh_token WHERE id IN (
    SELECT id FROM oauth_refresh_token WHERE user_id = NEW.user_id AND client_id = NEW.client_id
    ORDER BY revoked IS NULL DESC, created_at DESC, id DESC LIMIT -1 OFFSET 200
  );
END;

CREATE TRIGGER oauth_refresh_token_proof AFTER INSERT ON oauth_refresh_token WHEN NEW.auth_time IS NOT NULL
BEGIN
  UPDATE oauth_refresh_token SET proved_by = coalesce(
    (
      SELECT proved_by FROM oauth_refresh_token
      WHERE user_id = NEW.user_id AND client_id = NEW.client_id AND auth_time = NEW.auth_time AND proved_by IS NOT NULL
      LIMIT 1
    ),
    (
      SELECT proved_by FROM session
      WHERE id = NEW.session_id
        AND max(created_at, coalesce(authenticated_at, 0), coalesce(passkey_proved_at, 0)) = NEW.auth_time
    )
  )
  WHERE id = NEW.id;
END;

CREATE TRIGGER oauth_refresh_token_uses_registration AFTER INSERT ON oauth_refresh_token
BEGIN
  UPDATE oauth_registration SET used_at = NEW.created_at
  WHERE client_id = NEW.client_id AND (used_at IS NULL OR used_at < NEW.created_at - 3600000);
END;

CREATE TRIGGER organization_closed_ends_tokens AFTER UPDATE OF disabled_at, deletion_due_at ON organization
WHEN NEW.disabled_at IS NOT NULL OR NEW.deletion_due_at IS NOT NULL
BEGIN
  DELETE FROM oauth_access_token
  WHERE client_id IN (SELECT client_id FROM oauth_client WHERE organization_id = NEW.id);
  DELETE FROM oauth_refresh_token
  WHERE client_id IN (SELECT client_id FROM oauth_client WHERE organization_id = NEW.id);
END;

CREATE TRIGGER organization_slug_changed AFTER UPDATE OF slug ON organization WHEN NEW.slug <> OLD.slug
BEGIN
  DELETE FROM old_slug WHERE slug IN (OLD.slug, NEW.slug);
  INSERT INTO old_slug (slug, organization_id, expires_at)
  VALUES (OLD.slug, OLD.id, NEW.updated_at + 30 * 86400000);
  DELETE FROM old_slug WHERE organization_id = OLD.id AND slug NOT IN (
    SELECT slug FROM old_slug WHERE organization_id = OLD.id ORDER BY expires_at DESC, rowid DESC LIMIT 3
  );
END;

CREATE TRIGGER organization_event_passed INSTEAD OF INSERT ON organization_event
BEGIN
  SELECT 1;
END;

CREATE TRIGGER organization_event_to_webhooks INSTEAD OF INSERT ON organization_event
BEGIN
  INSERT INTO webhook_delivery (endpoint_id, created_at, event_id)
  SELECT webhook_endpoint.id, NEW.created_at, NEW.event_id
  FROM webhook_endpoint JOIN organization ON organization.id = webhook_endpoint.organization_id
  WHERE webhook_endpoint.organization_id = NEW.organization_id
    AND organization.disabled_at IS NULL AND organization.deletion_due_at IS NULL
    AND webhook_endpoint.maker_left_at IS NULL
    AND EXISTS (SELECT 1 FROM webhook_subscription WHERE endpoint_id = webhook_endpoint.id AND action = NEW.action);
END;

CREATE TRIGGER repository_shared_again AFTER INSERT ON repository
WHEN EXISTS (SELECT 1 FROM bin WHERE kind = 'sharing' AND id = NEW.id)
BEGIN
  INSERT INTO organization_repository (organization_id, repository_id, shared_by, created_at)
  SELECT organization.id, NEW.id, user.id, kept.value ->> 'at'
  FROM bin JOIN json_each(bin.row) AS kept
  JOIN organization ON organization.id = kept.value ->> 'organization'
  LEFT JOIN user ON user.id = kept.value ->> 'sharedBy'
  WHERE bin.kind = 'sharing' AND bin.id = NEW.id AND (
    SELECT count(*) FROM organization_repository AS other WHERE other.organization_id = organization.id
  ) < 500;
  DELETE FROM bin WHERE kind = 'sharing' AND id = NEW.id;
END;

CREATE TRIGGER repository_sharing_kept BEFORE DELETE ON repository
WHEN EXISTS (SELECT 1 FROM organization_repository WHERE repository_id = OLD.id)
BEGIN
  INSERT OR REPLACE INTO bin (kind, id, row, until)
  SELECT 'sharing', OLD.id,
    json_group_array(json_object('organization', organization_id, 'sharedBy', shared_by, 'at', created_at)),
    unixepoch() * 1000 + 2592000000
  FROM organization_repository WHERE repository_id = OLD.id;
END;

CREATE TRIGGER impersonation_not_prolonged AFTER UPDATE OF expires_at ON session
WHEN OLD.impersonated_by IS NOT NULL AND NEW.expires_at > OLD.expires_at
BEGIN
  UPDATE session SET expires_at = OLD.expires_at WHERE id = OLD.id;
END;

CREATE TRIGGER session_end_tells_apps BEFORE DELETE ON session
WHEN OLD.expires_at > CAST(unixepoch('subsec') * 1000 AS INTEGER)
BEGIN
  INSERT INTO oauth_logout (id, client_id, session_id, user_id, next_try_at, created_at)
  SELECT
    lower(hex(randomblob(16))), app.client_id, OLD.id, OLD.user_id, CAST(unixepoch('subsec') * 1000 AS INTEGER),
    CAST(unixepoch('subsec') * 1000 AS INTEGER)
  FROM oauth_session_app AS told JOIN oauth_client AS app ON app.client_id = told.client_id
  WHERE told.session_id = OLD.id AND app.disabled = 0 AND app.logout_uri IS NOT NULL;
END;

CREATE TRIGGER team_deleted AFTER DELETE ON team
BEGIN
  UPDATE invitation SET team_id = NULL WHERE team_id = OLD.id;
END;

CREATE TRIGGER team_member_removed AFTER DELETE ON team_member
BEGIN
  UPDATE session SET active_team_id = NULL
  WHERE user_id = OLD.user_id AND active_team_id = OLD.team_id;
  UPDATE team SET member_count = member_count - 1 WHERE id = OLD.team_id;
END;

CREATE TRIGGER banned_ends_links AFTER UPDATE OF banned ON user WHEN NEW.banned = 1 AND OLD.banned = 0
BEGIN
  DELETE FROM invitation_link WHERE inviter_id = NEW.id;
END;

CREATE TRIGGER entry_by_link AFTER INSERT ON user WHEN NEW.entry_link IS NOT NULL
BEGIN
  INSERT INTO invitation_link_user (link_id, user_id) VALUES (NEW.entry_link, NEW.id);
END;

CREATE TRIGGER invitation_of_old_email AFTER UPDATE OF email ON user
WHEN NEW.email <> OLD.email AND NEW.invitation IS NOT NULL
BEGIN
  UPDATE user SET invitation = NULL WHERE id = NEW.id;
END;

CREATE TRIGGER user_ban_ends_keys AFTER UPDATE OF role, banned, deletion_due_at ON user WHEN NEW.banned = 1
BEGIN
  DELETE FROM api_key WHERE user_id = NEW.id;
END;

CREATE TRIGGER user_change_ends_apps AFTER UPDATE OF role, banned, deletion_due_at ON user
WHEN NEW.banned = 1 OR NEW.deletion_due_at IS NOT NULL
BEGIN
  DELETE FROM oauth_access_token WHERE user_id = NEW.id;
  DELETE FROM oauth_refresh_token WHERE user_id = NEW.id;
END;

CREATE TRIGGER user_change_ends_sessions AFTER UPDATE OF role, banned, deletion_due_at ON user
BEGIN
  DELETE FROM session WHERE user_id = NEW.id AND NEW.banned = 1;
  DELETE FROM session
  WHERE impersonated_by = NEW.id
    AND (NEW.banned = 1 OR NEW.deletion_due_at IS NOT NULL OR NOT instr(',' || NEW.role || ',', ',admin,'));
END;

CREATE TRIGGER user_change_pauses_webhooks AFTER UPDATE OF role, banned, deletion_due_at ON user
BEGIN
  UPDATE webhook_endpoint
  SET state = 'paused', maker_left_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE made_by = NEW.id AND maker_left_at IS NULL AND id NOT IN (SELECT endpoint_id FROM webhook_of_maker);
END;

CREATE TRIGGER user_deletion_ends AFTER DELETE ON user
BEGIN
  DELETE FROM session WHERE impersonated_by = OLD.id;
  DELETE FROM refusing_mailbox WHERE email = OLD.email;
END;

CREATE TRIGGER user_distrust_ends_apps AFTER UPDATE OF devices_since ON user
WHEN NOT EXISTS (SELECT 1 FROM session WHERE user_id = NEW.id)
BEGIN
  DELETE FROM oauth_access_token WHERE user_id = NEW.id;
  DELETE FROM oauth_refresh_token WHERE user_id = NEW.id;
END;

CREATE TRIGGER user_email_leaves_waiting_list AFTER UPDATE OF email ON user WHEN NEW.email <> OLD.email
BEGIN
  DELETE FROM waiting_list WHERE email = NEW.email;
END;

CREATE TRIGGER user_email_proven AFTER UPDATE OF email_verified ON user
WHEN OLD.email_verified = 0 AND NEW.email_verified = 1
BEGIN
  DELETE FROM passkey WHERE user_id = NEW.id;
  UPDATE user SET onboarded_at = NULL WHERE id = NEW.id;
END;

CREATE TRIGGER user_email_proven_ends_apps AFTER UPDATE OF email_verified ON user
WHEN OLD.email_verified = 0 AND NEW.email_verified = 1
BEGIN
  DELETE FROM oauth_access_token WHERE user_id = NEW.id;
  DELETE FROM oauth_refresh_token WHERE user_id = NEW.id;
  DELETE FROM oauth_consent WHERE user_id = NEW.id;
END;

CREATE TRIGGER user_email_proven_ends_keys AFTER UPDATE OF email_verified ON user
WHEN OLD.email_verified = 0 AND NEW.email_verified = 1
BEGIN
  DELETE FROM api_key WHERE user_id = NEW.id;
END;

CREATE TRIGGER user_email_uses_admission AFTER UPDATE OF email ON user WHEN NEW.email <> OLD.email
BEGIN
  DELETE FROM admitted_email WHERE email = NEW.email;
END;

CREATE TRIGGER user_insert_leaves_waiting_list AFTER INSERT ON user
BEGIN
  DELETE FROM waiting_list WHERE email = NEW.email;
END;

CREATE TRIGGER user_insert_uses_admission AFTER INSERT ON user
BEGIN
  DELETE FROM admitted_email WHERE email = NEW.email;
END;

CREATE TRIGGER user_role_ends_scopes AFTER UPDATE OF role ON user WHEN NEW.role <> OLD.role
BEGIN
  UPDATE api_key SET permissions = (
    SELECT json_group_object(resource, json(actions)) FROM (
      SELECT resource.key AS resource, json_group_array(given.value) AS actions
      FROM json_each(api_key.permissions) AS resource, json_each(resource.value) AS given
      WHERE EXISTS (
        SELECT 1 FROM role_scope
        WHERE scope = resource.key || '.' || given.value
          AND (role = 'user' OR instr(',' || NEW.role || ',', ',' || role || ','))
      )
      GROUP BY resource.key
    )
  )
  WHERE user_id = NEW.id AND organization_id IS NULL;
END;

CREATE TRIGGER waiting_list_delete_refuses AFTER DELETE ON waiting_list WHEN OLD.state = 'approved'
BEGIN
  DELETE FROM admitted_email WHERE email = OLD.email;
END;

CREATE TRIGGER waiting_list_insert_admits AFTER INSERT ON waiting_list WHEN NEW.state = 'approved'
BEGIN
  INSERT OR IGNORE INTO admitted_email (email) VALUES (NEW.email);
END;

CREATE TRIGGER waiting_list_state_admits AFTER UPDATE OF state ON waiting_list WHEN NEW.state = 'approved'
BEGIN
  INSERT OR IGNORE INTO admitted_email (email) VALUES (NEW.email);
END;

CREATE TRIGGER waiting_list_state_refuses AFTER UPDATE OF state ON waiting_list
WHEN OLD.state = 'approved' AND NEW.state <> 'approved'
BEGIN
  DELETE FROM admitted_email WHERE email = OLD.email;
END;

CREATE TRIGGER webhook_bin_bounded AFTER INSERT ON webhook_bin
BEGIN
  DELETE FROM webhook_bin WHERE endpoint_id = NEW.endpoint_id AND (received_at, event_id) NOT IN (
    SELECT received_at, event_id FROM webhook_bin
    WHERE endpoint_id = NEW.endpoint_id ORDER BY received_at DESC, event_id DESC LIMIT 20
  );
END;

CREATE TRIGGER webhook_attempt_forgotten AFTER DELETE ON webhook_delivery
BEGIN
  DELETE FROM webhook_attempt
  WHERE endpoint_id = OLD.endpoint_id AND created_at = OLD.created_at AND event_id = OLD.event_id;
END;

CREATE TRIGGER webhook_attempt_kept AFTER UPDATE OF tries ON webhook_delivery WHEN OLD.tries > 0 AND NEW.tries > OLD.tries
BEGIN
  INSERT OR REPLACE INTO webhook_attempt (endpoint_id, created_at, event_id, tried_at, status, error, duration_ms, answer)
  VALUES (
    OLD.endpoint_id, OLD.created_at, OLD.event_id, coalesce(OLD.tried_at, 0), OLD.status, OLD.error, OLD.duration_ms, OLD.answer
  );
  DELETE FROM webhook_attempt
  WHERE endpoint_id = OLD.endpoint_id AND created_at = OLD.created_at AND event_id = OLD.event_id AND tried_at < (
    SELECT min(tried_at) FROM (
      SELECT tried_at FROM webhook_attempt
      WHERE endpoint_id = OLD.endpoint_id AND created_at = OLD.created_at AND event_id = OLD.event_id
      ORDER BY tried_at DESC LIMIT 19
    )
  );
END;

CREATE TRIGGER webhook_delivery_unsettles AFTER INSERT ON webhook_delivery
BEGIN
  UPDATE webhook_endpoint SET settled_until = NEW.created_at
  WHERE id = NEW.endpoint_id AND settled_until > NEW.created_at;
END;

CREATE TRIGGER webhook_made AFTER INSERT ON webhook_endpoint
WHEN NEW.made_by IS NOT NULL AND NEW.url <> 'https://built-in-bin/'
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    NEW.organization_id, 'webhook-made',
    substr(NEW.url, instr(NEW.url, '//') + 2, instr(substr(NEW.url, instr(NEW.url, '//') + 2) || '/', '/') - 1),
    NEW.made_by, NEW.created_at
  );
END;

CREATE TRIGGER webhook_moved AFTER UPDATE OF url ON webhook_endpoint WHEN NEW.url <> OLD.url
BEGIN
  INSERT INTO program_news (organization_id, kind, name, user_id, created_at)
  VALUES (
    NEW.organization_id, 'webhook-moved',
    substr(NEW.url, instr(NEW.url, '//') + 2, instr(substr(NEW.url, instr(NEW.url, '//') + 2) || '/', '/') - 1),
    NEW.made_by, NEW.updated_at
  );
END;

CREATE TRIGGER webhook_without_maker AFTER UPDATE OF made_by ON webhook_endpoint
WHEN OLD.made_by IS NOT NULL AND NEW.made_by IS NULL AND NEW.maker_left_at IS NULL
BEGIN
  UPDATE webhook_endpoint
  SET state = 'paused', maker_left_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE id = NEW.id;
END;
