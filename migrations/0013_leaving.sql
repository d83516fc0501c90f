-- Columns and an index for the change of an e-mail and for account deletion.

-- The e-mail that was proven in the step before, and when. In a change: the current e-mail, while the new one is unproven.
ALTER TABLE account_code ADD COLUMN proved_address TEXT;
ALTER TABLE account_code ADD COLUMN proved_at INTEGER;

-- The erasure of an admin finds the events of their impersonations.
CREATE INDEX audit_event_impersonator_id ON audit_event(impersonator_id) WHERE impersonator_id IS NOT NULL;
