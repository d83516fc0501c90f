-- Undoes a batch: a batch that must not go on inserts a row here, the table refuses every row, and D1 rolls the batch back.
-- PROOF_SPENT: another call has used up the one-time code, challenge or state of a sign-in.
CREATE TABLE batch_guard (
  rule TEXT NOT NULL,
  CONSTRAINT PROOF_SPENT CHECK (rule <> 'PROOF_SPENT')
);
