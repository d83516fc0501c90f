-- How the newest proof of a session was given. Null for sessions of an earlier release, and after its passkey was removed.
ALTER TABLE session ADD COLUMN proved_by TEXT CHECK (proved_by IN ('code', 'passkey', 'provider'));
