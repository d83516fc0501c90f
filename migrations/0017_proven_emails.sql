-- A sign-in method needs a proven e-mail. None can be added before, and those added before this migration are deleted.

DELETE FROM session WHERE user_id IN (SELECT id FROM user WHERE email_verified = 0);
DELETE FROM account WHERE user_id IN (SELECT id FROM user WHERE email_verified = 0);
DELETE FROM passkey WHERE user_id IN (SELECT id FROM user WHERE email_verified = 0);

-- The owner of the mailbox does the onboarding again and gives a name. The row keeps the old name until then: a manager's
-- change sets name and flag in one statement.
CREATE TRIGGER user_email_proven AFTER UPDATE OF email_verified ON user
WHEN OLD.email_verified = 0 AND NEW.email_verified = 1
BEGIN
  DELETE FROM passkey WHERE user_id = NEW.id;
  UPDATE user SET onboarded_at = NULL WHERE id = NEW.id;
END;

-- An impersonation is not a sign-in, so an unproven e-mail does not refuse it.
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
