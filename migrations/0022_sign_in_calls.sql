-- A batch that must not go on writes a row here, and the table refuses it: D1 then takes the whole batch back.
-- PROOF_SPENT: another call has used up the one-time code, challenge or state of a sign-in.
CREATE TABLE batch_guard (
  rule TEXT NOT NULL,
  CONSTRAINT PROOF_SPENT CHECK (rule <> 'PROOF_SPENT')
);
