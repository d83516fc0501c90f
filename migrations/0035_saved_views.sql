-- Saved views: a list's search, filters, order and columns, under a name.

CREATE TABLE saved_view (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES user(id) ON DELETE CASCADE,
  -- Path of the list.
  list TEXT NOT NULL,
  name TEXT NOT NULL COLLATE NOCASE,
  -- Query string of the list's URL.
  search TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Which views has a user of a list?
  UNIQUE (user_id, list, name)
) STRICT;

-- A user has 20 views of a list at most. Saving under a used name replaces that view.
CREATE TRIGGER saved_view_limit BEFORE INSERT ON saved_view
WHEN (SELECT count(*) FROM saved_view WHERE user_id = NEW.user_id AND list = NEW.list) >= 20
  AND NOT EXISTS (
    SELECT 1 FROM saved_view
    WHERE user_id = NEW.user_id AND list = NEW.list AND name = NEW.name
  )
BEGIN
  SELECT RAISE(ABORT, 'SAVED_VIEW_LIMIT');
END;
