-- The users in two of their list's orders, with the columns that filters look at beside them: a filter that few rows meet
-- is then looked for in the index alone. The table's own UNIQUE keeps e-mails unique.
DROP INDEX user_by_created;
CREATE INDEX user_by_created ON user(created_at, id, search_key, last_seen_at);
DROP INDEX user_by_email;
CREATE INDEX user_by_email ON user(email, id, search_key);
