-- Roles of managers beside `admin`, and passkeys for managers.

-- Which users have a role beside the default one? Few, whatever the size of the table.
CREATE INDEX user_with_roles ON user(role) WHERE role <> 'user';

-- When the session was last proven by a passkey, by signing in or by confirming. NULL: never.
ALTER TABLE session ADD COLUMN passkey_proved_at INTEGER;

-- Since when managers need a passkey. NULL: they do not.
ALTER TABLE site_setting ADD COLUMN manager_passkeys_since INTEGER;
