-- The back-office's list of organizations: full-text indexes, a counter, and an index for each order and filter.

-- When the last open invitation of the organization expires. NULL: it has no open invitation. Triggers keep it, so that a
-- filter can read an index.
ALTER TABLE organization ADD COLUMN invited_until INTEGER;
UPDATE organization SET invited_until = (
  SELECT max(expires_at) FROM invitation WHERE organization_id = organization.id AND status = 'pending'
);
CREATE TRIGGER invitation_until_insert AFTER INSERT ON invitation WHEN NEW.status = 'pending'
BEGIN
  UPDATE organization SET invited_until = max(coalesce(invited_until, 0), NEW.expires_at)
  WHERE id = NEW.organization_id;
END;
CREATE TRIGGER invitation_until_update AFTER UPDATE OF status, expires_at ON invitation
BEGIN
  UPDATE organization SET invited_until = (
    SELECT max(expires_at) FROM invitation WHERE organization_id = NEW.organization_id AND status = 'pending'
  ) WHERE id = NEW.organization_id;
END;
CREATE TRIGGER invitation_until_delete AFTER DELETE ON invitation WHEN OLD.status = 'pending'
BEGIN
  UPDATE organization SET invited_until = (
    SELECT max(expires_at) FROM invitation WHERE organization_id = OLD.organization_id AND status = 'pending'
  ) WHERE id = OLD.organization_id;
END;

-- Which organizations are the newest, and which of them match a term?
CREATE INDEX organization_by_created ON organization(created_at, id, search_key);
-- Which organizations come first by name?
CREATE INDEX organization_by_name ON organization(name COLLATE NOCASE, id);
-- Where did something happen last, and where did nothing happen for 30 days?
CREATE INDEX organization_by_activity ON organization(last_activity_at, id);
-- Which organizations have the most members?
CREATE INDEX organization_by_members ON organization(member_count, id);
-- Which organizations have open invitations?
CREATE INDEX organization_by_invited ON organization(invited_until) WHERE invited_until IS NOT NULL;
-- Which organizations are disabled?
CREATE INDEX organization_disabled ON organization(disabled_at) WHERE disabled_at IS NOT NULL;
-- Which organizations are being deleted? (organization_deletion_due, migration 0024)

INSERT INTO counter (name, value) SELECT 'organization', count(*) FROM organization;
CREATE TRIGGER organization_count_insert AFTER INSERT ON organization
BEGIN UPDATE counter SET value = value + 1 WHERE name = 'organization'; END;
CREATE TRIGGER organization_count_delete AFTER DELETE ON organization
BEGIN UPDATE counter SET value = value - 1 WHERE name = 'organization'; END;

-- Search by name and slug, as in migrations 0007 and 0021.
-- To rebuild: INSERT INTO organization_search(organization_search) VALUES ('rebuild').
CREATE VIRTUAL TABLE organization_search USING fts5(
  search_key, content = 'organization', content_rowid = 'rowid', columnsize = 0, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO organization_search (organization_search) VALUES ('rebuild');
CREATE TRIGGER organization_search_insert AFTER INSERT ON organization
BEGIN
  INSERT INTO organization_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;
CREATE TRIGGER organization_search_delete AFTER DELETE ON organization
BEGIN
  INSERT INTO organization_search (organization_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
END;
CREATE TRIGGER organization_search_update AFTER UPDATE OF search_key ON organization WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO organization_search (organization_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO organization_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

CREATE VIEW organization_words_source AS
SELECT
  own.rowid AS number,
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    search_key
  , char(10), ' '), '.', ' '), '@', ' '), '-', ' '), '_', ' '), '+', ' '), '/', ' '), ':', ' '), ',', ' '), '''''', ' ')
  , '’', ' '), '"', ' '), '(', ' '), ')', ' '), '&', ' '), '،', ' ') AS words,
  (
    WITH RECURSIVE position(n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM position WHERE n < length(own.search_key)
    )
    SELECT coalesce(group_concat(substr(own.search_key, n, 1), ' '), '') FROM position
    WHERE unicode(substr(own.search_key, n, 1)) BETWEEN 0x21 AND 0x2F
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x3A AND 0x40
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x5B AND 0x60
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x7B AND 0x7E
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0xA1 AND 0xBF
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x0E00 AND 0x0EFF -- Thai, Lao
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x1000 AND 0x109F -- Myanmar
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x1780 AND 0x17FF -- Khmer
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x2010 AND 0x2BFF -- punctuation and symbols
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x3001 AND 0x9FFF -- Hiragana, Katakana, Han
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0xAC00 AND 0xD7A3 -- Hangul
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x1F000 AND 0x1FAFF -- emoji
      OR unicode(substr(own.search_key, n, 1)) BETWEEN 0x20000 AND 0x323AF -- Han
  ) AS symbols
FROM organization AS own;
CREATE VIRTUAL TABLE organization_words USING fts5(
  words, symbols, content = '', contentless_delete = 1, prefix = '1 2', detail = 'column',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
);
INSERT INTO organization_words (rowid, words, symbols) SELECT number, words, symbols FROM organization_words_source;
CREATE TRIGGER organization_words_insert AFTER INSERT ON organization
BEGIN
  INSERT INTO organization_words (rowid, words, symbols)
  SELECT number, words, symbols FROM organization_words_source WHERE number = NEW.rowid;
END;
CREATE TRIGGER organization_words_delete AFTER DELETE ON organization
BEGIN
  DELETE FROM organization_words WHERE rowid = OLD.rowid;
END;
CREATE TRIGGER organization_words_update AFTER UPDATE OF search_key ON organization WHEN OLD.search_key <> NEW.search_key
BEGIN
  DELETE FROM organization_words WHERE rowid = OLD.rowid;
  INSERT INTO organization_words (rowid, words, symbols)
  SELECT number, words, symbols FROM organization_words_source WHERE number = NEW.rowid;
END;
