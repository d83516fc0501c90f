-- Trusted devices that a user has ended: a `device` cookie from before this moment is not trusted.

ALTER TABLE user ADD COLUMN devices_since INTEGER;
