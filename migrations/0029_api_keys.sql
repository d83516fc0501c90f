-- A revoked key stays with its calls for seven days, so that its owners can see what it did.

-- Who revokes also sets `expires_at` to that time: the previous release looks at it alone.
ALTER TABLE api_key ADD COLUMN revoked_at INTEGER;
ALTER TABLE api_key ADD COLUMN revoked_by TEXT REFERENCES user(id) ON DELETE SET NULL;

-- Which keys did this user revoke?
CREATE INDEX api_key_revoked_by ON api_key(revoked_by) WHERE revoked_by IS NOT NULL;
