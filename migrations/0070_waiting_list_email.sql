-- A person waits no longer either when an account gets their e-mail by a change of e-mail.
CREATE TRIGGER user_email_leaves_waiting_list AFTER UPDATE OF email ON user WHEN NEW.email <> OLD.email
BEGIN
  DELETE FROM waiting_list WHERE email = NEW.email;
END;
DELETE FROM waiting_list WHERE email IN (SELECT email FROM user);
