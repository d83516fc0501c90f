-- A list of roles is written in one way: known words, each once, joined by commas without spaces. Pages, lists and triggers
-- would read another writing differently.
UPDATE user SET role = replace(role, ' ', '') WHERE instr(role, ' ') > 0;

-- Takes each known word out of the list; only a comma is left of a list that holds nothing else.
CREATE TRIGGER user_role_inserted BEFORE INSERT ON user
WHEN replace(replace(replace(replace(',' || NEW.role || ',', ',admin,', ','), ',support,', ','), ',auditor,', ','), ',user,', ',') <> ','
BEGIN
  SELECT RAISE(ABORT, 'UNKNOWN_ROLE');
END;
CREATE TRIGGER user_role_updated BEFORE UPDATE OF role ON user
WHEN replace(replace(replace(replace(',' || NEW.role || ',', ',admin,', ','), ',support,', ','), ',auditor,', ','), ',user,', ',') <> ','
BEGIN
  SELECT RAISE(ABORT, 'UNKNOWN_ROLE');
END;

CREATE TRIGGER member_role_inserted BEFORE INSERT ON member WHEN NEW.role NOT IN ('owner', 'admin', 'member')
BEGIN
  SELECT RAISE(ABORT, 'UNKNOWN_ROLE');
END;
CREATE TRIGGER member_role_updated BEFORE UPDATE OF role ON member WHEN NEW.role NOT IN ('owner', 'admin', 'member')
BEGIN
  SELECT RAISE(ABORT, 'UNKNOWN_ROLE');
END;
