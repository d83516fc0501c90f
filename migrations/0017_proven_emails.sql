-- A sign-in method belongs to a proven e-mail: none is added before, and what was added before proves nothing.

DELETE FROM session WHERE user_id IN (SELECT id FROM user WHERE email_verified = 0);
DELETE FROM account WHERE user_id IN (SELECT id FROM user WHERE email_verified = 0);
DELETE FROM passkey WHERE user_id IN (SELECT id FROM user WHERE email_verified = 0);

-- The owner of the mailbox gives a name of their own. The row's name stays: a manager's change sets name and flag in one statement.
CREATE TRIGGER user_email_proven AFTER UPDATE OF email_verified ON user
WHEN OLD.email_verified = 0 AND NEW.email_verified = 1
BEGIN
  DELETE FROM passkey WHERE user_id = NEW.id;
  UPDATE user SET onboarded_at = NULL WHERE id = NEW.id;
END;

-- A manager who acts as a person signs nobody in.
CREATE TRIGGER session_of_unproven BEFORE INSERT ON session
WHEN NEW.impersonated_by IS NULL
  AND EXISTS (SELECT 1 FROM user WHERE id = NEW.user_id AND email_verified = 0)
BEGIN
  SELECT RAISE(ABORT, 'EMAIL_NOT_VERIFIED');
END;
CREATE TRIGGER account_of_unproven BEFORE INSERT ON account
WHEN EXISTS (SELECT 1 FROM user WHERE id = NEW.user_id AND email_verified = 0)
BEGIN
  SELECT RAISE(ABORT, 'EMAIL_NOT_VERIFIED');
END;
CREATE TRIGGER passkey_of_unproven BEFORE INSERT ON passkey
WHEN EXISTS (SELECT 1 FROM user WHERE id = NEW.user_id AND email_verified = 0)
BEGIN
  SELECT RAISE(ABORT, 'EMAIL_NOT_VERIFIED');
END;
