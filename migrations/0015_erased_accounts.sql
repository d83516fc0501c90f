-- What managers did to an erased account, or from it, keeps its origin and details in the audit log for a while.

-- Tables

-- Accounts whose erasure left such events. The cron thins the events and deletes the row.
CREATE TABLE erased_account (
  user_id TEXT PRIMARY KEY,
  erased_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Indexes

-- Which erasures are old enough?
CREATE INDEX erased_account_age ON erased_account(erased_at, user_id);
