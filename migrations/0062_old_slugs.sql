-- An organization keeps its last three slugs for 30 days, so that no one reserves names by renaming without end.
DROP TRIGGER organization_slug_changed;
CREATE TRIGGER organization_slug_changed AFTER UPDATE OF slug ON organization WHEN NEW.slug <> OLD.slug
BEGIN
  DELETE FROM old_slug WHERE slug IN (OLD.slug, NEW.slug);
  INSERT INTO old_slug (slug, organization_id, expires_at)
  VALUES (OLD.slug, OLD.id, NEW.updated_at + 30 * 86400000);
  DELETE FROM old_slug WHERE organization_id = OLD.id AND slug NOT IN (
    SELECT slug FROM old_slug WHERE organization_id = OLD.id ORDER BY expires_at DESC, rowid DESC LIMIT 3
  );
END;
