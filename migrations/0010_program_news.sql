-- News of programs: what others did with things that act for programs.

-- Tables

-- What owners of an organization, or the site's managers, are told by mail. Triggers of the features with such things write it.
-- Rows stay for a day after.
CREATE TABLE program_news (
  id INTEGER PRIMARY KEY,
  -- Null for the site.
  organization_id TEXT REFERENCES organization(id) ON DELETE CASCADE,
  -- One of the kinds that the features name.
  kind TEXT NOT NULL,
  -- What the thing is called there, such as the host of a receiver.
  name TEXT NOT NULL,
  -- Who made or changed it; for what stopped, who left.
  user_id TEXT REFERENCES user(id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  told_at INTEGER
) STRICT;

-- Indexes

-- What is an organization, or the site, still to be told, and what was it told today? What is still to be told at all?
CREATE INDEX program_news_organization_id ON program_news(organization_id, told_at);
CREATE INDEX program_news_untold ON program_news(id) WHERE told_at IS NULL;
-- Which news are about a user?
CREATE INDEX program_news_user_id ON program_news(user_id);
