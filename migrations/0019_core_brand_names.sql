-- The product's name by language, so that another language needs no column.

-- JSON: names by the tag of their language, where they differ from `name`.
ALTER TABLE brand ADD COLUMN names TEXT NOT NULL DEFAULT '{}';
UPDATE brand
SET names = json_patch('{}', json_object('fr', name_fr, 'ar', name_ar, 'sw', name_sw));

-- The release before this one reads and writes a column for each language. A later migration drops the columns with
-- these two triggers.
CREATE TRIGGER brand_names_to_columns AFTER UPDATE OF names ON brand
BEGIN
  UPDATE brand SET
    name_fr = NEW.names ->> 'fr',
    name_ar = NEW.names ->> 'ar',
    name_sw = NEW.names ->> 'sw'
  WHERE id = NEW.id;
END;

CREATE TRIGGER brand_names_from_columns AFTER UPDATE OF name_fr, name_ar, name_sw ON brand
WHEN json_array(NEW.name_fr, NEW.name_ar, NEW.name_sw)
  <> json_array(NEW.names ->> 'fr', NEW.names ->> 'ar', NEW.names ->> 'sw')
BEGIN
  UPDATE brand
  SET names = json_patch(names, json_object('fr', NEW.name_fr, 'ar', NEW.name_ar, 'sw', NEW.name_sw))
  WHERE id = NEW.id;
END;
