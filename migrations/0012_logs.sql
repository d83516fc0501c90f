-- Indexes for the dashboard and the logs at a million rows.

-- One index for each filter, in the order of the list. Ids are unique across types, so the type needs no column here.
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

-- Few users are banned, have no name yet or have an unproven e-mail. One index for all three would have to be read from end
-- to end for each of them.
DROP INDEX user_by_status;
CREATE INDEX user_banned ON user(created_at, id, ban_expires) WHERE banned = 1;
CREATE INDEX user_not_onboarded ON user(created_at, id, onboarded_at) WHERE onboarded_at IS NULL;
CREATE INDEX user_unverified ON user(created_at, id) WHERE email_verified = 0;
