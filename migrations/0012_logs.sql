-- What the dashboard and the logs need to answer from an index at a million rows.

-- One index a filter, each in the order of the list. An id names one thing whatever its type.
DROP INDEX audit_event_actor_id;
DROP INDEX audit_event_target;
CREATE INDEX audit_event_actor ON audit_event(actor_id, created_at, id);
CREATE INDEX audit_event_impersonator ON audit_event(impersonator_id, created_at, id)
WHERE impersonator_id IS NOT NULL;
CREATE INDEX audit_event_target ON audit_event(target_id, created_at, id);
CREATE INDEX audit_event_action ON audit_event(action, created_at, id);

DROP INDEX mail_outbox_recipient;
CREATE INDEX mail_outbox_recipient ON mail_outbox(recipient, created_at, id);
CREATE INDEX mail_outbox_kind ON mail_outbox(kind, created_at, id);
CREATE INDEX mail_outbox_state ON mail_outbox(state, created_at, id);
CREATE INDEX mail_outbox_kind_state ON mail_outbox(kind, state, created_at, id);

-- Few people are banned, have never given a name or have never proved their address. One index for all of that would be
-- read from end to end for any of it.
DROP INDEX user_by_status;
CREATE INDEX user_banned ON user(created_at, id, ban_expires) WHERE banned = 1;
CREATE INDEX user_not_onboarded ON user(created_at, id, onboarded_at) WHERE onboarded_at IS NULL;
CREATE INDEX user_unverified ON user(created_at, id) WHERE email_verified = 0;
