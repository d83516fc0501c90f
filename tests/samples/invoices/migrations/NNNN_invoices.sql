-- Invoices.

CREATE TABLE invoice (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organization(id) ON DELETE CASCADE,
  number TEXT NOT NULL COLLATE NOCASE,
  customer TEXT NOT NULL,
  amount TEXT NOT NULL,
  due_on TEXT,
  status TEXT NOT NULL,
  notes TEXT,
  search_key TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_by TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE VIRTUAL TABLE invoice_search USING fts5(
  search_key, content = 'invoice', content_rowid = 'rowid', tokenize = 'trigram case_sensitive 1'
);

INSERT INTO counter (name, value) VALUES ('invoice', 0);
INSERT INTO role_scope (role, scope)
VALUES
  ('admin', 'invoice.read'), ('support', 'invoice.read'), ('auditor', 'invoice.read');

-- The list by each order.
CREATE INDEX invoice_by_updated ON invoice(organization_id, updated_at, id);
CREATE INDEX invoice_by_created ON invoice(organization_id, created_at, id);
CREATE INDEX invoice_by_number ON invoice(organization_id, number COLLATE NOCASE, id);
CREATE INDEX invoice_by_due_on ON invoice(organization_id, coalesce(due_on, ''), id);
-- The same for all owners together.
CREATE INDEX invoice_all_by_updated ON invoice(updated_at, id);
CREATE INDEX invoice_all_by_created ON invoice(created_at, id);
-- No two of an owner have the same value, whatever its case.
CREATE UNIQUE INDEX invoice_unique ON invoice(organization_id, number);
-- Which search keys begin with these one or two characters?
CREATE INDEX invoice_by_beginning ON invoice(substr(search_key, 1, 2));
-- What did a user make?
CREATE INDEX invoice_created_by ON invoice(created_by);

-- Triggers that keep search rows and totals, which must change together with their row.

CREATE TRIGGER invoice_inserted AFTER INSERT ON invoice
BEGIN
  INSERT INTO invoice_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
  UPDATE counter SET value = value + 1 WHERE name = 'invoice';
  INSERT INTO counter (name, value) VALUES ('invoice|' || NEW.organization_id, 1)
  ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER invoice_deleted AFTER DELETE ON invoice
BEGIN
  INSERT INTO invoice_search (invoice_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  UPDATE counter SET value = value - 1 WHERE name = 'invoice';
  UPDATE counter SET value = value - 1 WHERE name = 'invoice|' || OLD.organization_id;
END;

CREATE TRIGGER invoice_search_changed AFTER UPDATE OF search_key ON invoice WHEN OLD.search_key <> NEW.search_key
BEGIN
  INSERT INTO invoice_search (invoice_search, rowid, search_key)
  VALUES ('delete', OLD.rowid, OLD.search_key);
  INSERT INTO invoice_search (rowid, search_key) VALUES (NEW.rowid, NEW.search_key);
END;

-- An owner's total counts what lies in the bin too: so neither the table nor the bin can be filled.

CREATE TRIGGER invoice_binned AFTER INSERT ON bin WHEN NEW.kind = 'invoice'
BEGIN
  UPDATE counter SET value = value + 1 WHERE name = 'invoice|' || (NEW.row ->> 'organization_id');
END;

CREATE TRIGGER invoice_unbinned AFTER DELETE ON bin WHEN OLD.kind = 'invoice'
BEGIN
  UPDATE counter SET value = value - 1 WHERE name = 'invoice|' || (OLD.row ->> 'organization_id');
END;

-- What happens to an invoice happens in its organization. A restored one is still in the bin then.
CREATE TRIGGER invoice_event_of_organization AFTER INSERT ON audit_event WHEN NEW.target_type = 'invoice'
BEGIN
  INSERT INTO organization_event (organization_id, event_id, action, created_at)
  SELECT organization_id, NEW.id, NEW.action, NEW.created_at FROM invoice WHERE id = NEW.target_id
  UNION
  SELECT row ->> 'organization_id', NEW.id, NEW.action, NEW.created_at FROM bin
  WHERE kind = 'invoice' AND id = NEW.target_id;
END;

-- What lies in the bin of an organization goes with it, and its total.
CREATE TRIGGER invoice_bin_emptied AFTER DELETE ON organization
BEGIN
  DELETE FROM bin WHERE kind = 'invoice' AND row ->> 'organization_id' = OLD.id;
  DELETE FROM counter WHERE name = 'invoice|' || OLD.id;
END;
