-- Wrong codes by UTC day, in days since 1970, for the dashboard. `day_count` accepts only the names that it was made with.
CREATE TABLE wrong_code_count (
  day INTEGER PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
INSERT INTO wrong_code_count (day, value)
SELECT created_at / 86400000, count(*) FROM code_event WHERE kind = 'failed' GROUP BY 1;
CREATE TRIGGER code_event_count_insert AFTER INSERT ON code_event WHEN NEW.kind = 'failed'
BEGIN
  INSERT INTO wrong_code_count (day, value) VALUES (NEW.created_at / 86400000, 1)
  ON CONFLICT (day) DO UPDATE SET value = value + 1;
END;

-- The dashboard shows these figures no more.
DELETE FROM figure WHERE name IN ('users.before30', 'codes.wrong');
