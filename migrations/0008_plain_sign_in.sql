-- better-auth writes sessions and passkeys itself, outside our batches, so these rules are triggers. The table `batch_guard` stays
-- for the previous release.

-- Nobody signs in while banned, with an unproven e-mail, or by a passkey that was removed meanwhile. An impersonation needs no
-- proven e-mail.
DROP TRIGGER session_refused;
CREATE TRIGGER session_refused BEFORE INSERT ON session
BEGIN
  SELECT RAISE(ABORT, 'BANNED_USER') FROM user
  WHERE id = NEW.user_id AND banned = 1 AND (ban_expires IS NULL OR ban_expires > NEW.created_at);
  SELECT RAISE(ABORT, 'EMAIL_NOT_VERIFIED') FROM user
  WHERE id = NEW.user_id AND email_verified = 0 AND NEW.impersonated_by IS NULL;
  SELECT RAISE(ABORT, 'PASSKEY_REMOVED')
  WHERE NEW.passkey_proved_by IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM passkey WHERE id = NEW.passkey_proved_by AND user_id = NEW.user_id);
END;

-- A counter that does not go up shows that the authenticator was copied. Many authenticators have none and always send 0.
DROP TRIGGER passkey_counter;
CREATE TRIGGER passkey_counter BEFORE UPDATE OF counter ON passkey
WHEN NEW.counter < OLD.counter OR (NEW.counter = OLD.counter AND NEW.counter > 0)
BEGIN
  SELECT RAISE(ABORT, 'PASSKEY_COUNTER');
END;
