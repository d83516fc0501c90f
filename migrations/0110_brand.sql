-- One row: the product's name and look as managers have set them. Null means the default from the environment.
CREATE TABLE brand (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT,
  name_fr TEXT,
  name_ar TEXT,
  name_sw TEXT,
  accent TEXT,
  -- Names of pictures in the bucket.
  logo_light TEXT,
  logo_dark TEXT,
  help_url TEXT,
  support_url TEXT,
  sender_name TEXT,
  mail_footer TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER
) STRICT;

INSERT INTO brand (id) VALUES (1);
