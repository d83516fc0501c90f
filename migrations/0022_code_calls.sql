-- A batch that must not go on writes a row here, and the table refuses it: D1 then takes the whole batch back.
-- CODE_SPENT: another call has used up the one-time code meanwhile.
CREATE TABLE batch_guard (
  rule TEXT NOT NULL,
  CONSTRAINT CODE_SPENT CHECK (rule <> 'CODE_SPENT')
);
