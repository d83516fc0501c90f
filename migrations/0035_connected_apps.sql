-- How the person proved who they are at the sign-in that a refresh token stands for, for the ID tokens that come with it.
ALTER TABLE oauth_refresh_token ADD COLUMN proved_by TEXT;

-- better-auth's plugin writes these tokens. The next one of a sign-in has its `auth_time`; the first one has that of the
-- newest proof of its session, or the session has been proven anew since and does not tell of the older proof.
CREATE TRIGGER oauth_refresh_token_proof AFTER INSERT ON oauth_refresh_token WHEN NEW.auth_time IS NOT NULL
BEGIN
  UPDATE oauth_refresh_token SET proved_by = coalesce(
    (
      SELECT proved_by FROM oauth_refresh_token
      WHERE user_id = NEW.user_id AND client_id = NEW.client_id AND auth_time = NEW.auth_time AND proved_by IS NOT NULL
      LIMIT 1
    ),
    (
      SELECT proved_by FROM session
      WHERE id = NEW.session_id
        AND max(created_at, coalesce(authenticated_at, 0), coalesce(passkey_proved_at, 0)) = NEW.auth_time
    )
  )
  WHERE id = NEW.id;
END;
