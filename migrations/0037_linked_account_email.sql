-- The e-mail that the provider reported when the account was linked. NULL: linked before this was kept.
ALTER TABLE account ADD COLUMN email TEXT;
