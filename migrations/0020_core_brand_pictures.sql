-- Pictures of the brand beside its logos.

-- Name of the picture of the sign-in pages, in the bucket.
ALTER TABLE brand ADD COLUMN login_picture TEXT;

-- JSON: names of the icons in the bucket by their kind, and under `of` what they were made from: the name of a logo, or an
-- accent. They are in use as long as the brand has that logo or accent.
ALTER TABLE brand ADD COLUMN icons TEXT;
