-- Which passkey has proven a session, so that its removal ends what it proved, and who may add a first passkey late.

-- Id of the passkey; NULL when none has proven the session.
ALTER TABLE session ADD COLUMN passkey_proved_by TEXT;

-- Nobody knows which passkey has proven the sessions of today.
UPDATE session SET passkey_proved_at = NULL WHERE passkey_proved_at IS NOT NULL;

-- Until when a manager without a passkey may add one after the grace period, because an admin has let them. NULL: not at all.
ALTER TABLE user ADD COLUMN passkey_release_until INTEGER;

-- A second reason to undo a batch. PASSKEY_REQUIRED: the sign-in would link a provider account beside the user's passkey.
DROP TABLE batch_guard;
CREATE TABLE batch_guard (
  rule TEXT NOT NULL,
  CONSTRAINT PROOF_SPENT CHECK (rule <> 'PROOF_SPENT'),
  CONSTRAINT PASSKEY_REQUIRED CHECK (rule <> 'PASSKEY_REQUIRED')
);
