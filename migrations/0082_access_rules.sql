-- The rules about disposable domains and plus-addresses are gone.
ALTER TABLE site_setting DROP COLUMN plus_addresses;
ALTER TABLE site_setting DROP COLUMN blocks_disposable;
