-- For the system page and the alarms by mail: when the cron last ran, and which alarms hold.

-- One row for each schedule: "minute" and "hour".
CREATE TABLE scheduled_run (
  schedule TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  -- The last run in which a job failed, and the names of its failed jobs.
  failed_at INTEGER,
  failed_jobs TEXT
) STRICT;

-- One row for each kind that was ever raised. `ended_at` is NULL while the alarm holds.
CREATE TABLE alarm (
  kind TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  last_mailed_at INTEGER,
  ended_at INTEGER
) STRICT;
