-- What leaving an address, or the product, needs to know.

-- The address that proved itself before this one, and when: the current address, while the new one has yet to.
ALTER TABLE account_code ADD COLUMN proved_address TEXT;
ALTER TABLE account_code ADD COLUMN proved_at INTEGER;

-- Erasing an admin finds what they did in other people's names.
CREATE INDEX audit_event_impersonator_id ON audit_event(impersonator_id) WHERE impersonator_id IS NOT NULL;
