-- Logos of apps. The bucket has the file.

-- Name of the file; null for initials.
ALTER TABLE oauth_client ADD COLUMN logo TEXT;

-- Which app has this logo?
CREATE INDEX oauth_client_logo ON oauth_client(logo) WHERE logo IS NOT NULL;
