-- Brings older search keys up to date with app/db/fold.ts, which now maps Latin letters with a stroke to plain letters and
-- removes invisible characters. Only rows with characters beyond ASCII can change. A second run changes nothing.

UPDATE user SET search_key =
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_key
    , 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'ð', 'd'), 'đ', 'd'), 'ɖ', 'd'), 'ɗ', 'd')
    , 'ø', 'o'), 'ł', 'l'), 'ı', 'i'), 'ħ', 'h'), 'ŧ', 't'), 'ŋ', 'n'), 'ɓ', 'b'), 'ƀ', 'b'), 'ƙ', 'k')
    , 'ɨ', 'i'), 'ʉ', 'u'), 'ɔ', 'o'), 'ɛ', 'e'), 'ƴ', 'y')
WHERE length(search_key) < length(CAST(search_key AS BLOB));
UPDATE user SET search_key =
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_key
    , char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8206), ''), char(8207), '')
    , char(8234), ''), char(8235), ''), char(8236), ''), char(8237), ''), char(8238), ''), char(8288), '')
    , char(8289), ''), char(8290), ''), char(8291), ''), char(8292), ''), char(8293), ''), char(8294), '')
    , char(8295), ''), char(8296), ''), char(8297), ''), char(65039), ''), char(65279), '')
WHERE length(search_key) < length(CAST(search_key AS BLOB));

UPDATE repository SET search_key =
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_key
    , 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'ð', 'd'), 'đ', 'd'), 'ɖ', 'd'), 'ɗ', 'd')
    , 'ø', 'o'), 'ł', 'l'), 'ı', 'i'), 'ħ', 'h'), 'ŧ', 't'), 'ŋ', 'n'), 'ɓ', 'b'), 'ƀ', 'b'), 'ƙ', 'k')
    , 'ɨ', 'i'), 'ʉ', 'u'), 'ɔ', 'o'), 'ɛ', 'e'), 'ƴ', 'y')
WHERE length(search_key) < length(CAST(search_key AS BLOB));
UPDATE repository SET search_key =
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(search_key
    , char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8206), ''), char(8207), '')
    , char(8234), ''), char(8235), ''), char(8236), ''), char(8237), ''), char(8238), ''), char(8288), '')
    , char(8289), ''), char(8290), ''), char(8291), ''), char(8292), ''), char(8293), ''), char(8294), '')
    , char(8295), ''), char(8296), ''), char(8297), ''), char(65039), ''), char(65279), '')
WHERE length(search_key) < length(CAST(search_key AS BLOB));

-- Two names that differ only in invisible characters are the same name (app/features/repositories/name.ts). Where two such
-- names exist already, both keep their keys until one is changed.
UPDATE OR IGNORE repository SET name_key =
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(name_key
    , char(173), ''), char(8203), ''), char(8204), ''), char(8205), ''), char(8206), ''), char(8207), '')
    , char(8234), ''), char(8235), ''), char(8236), ''), char(8237), ''), char(8238), ''), char(8288), '')
    , char(8289), ''), char(8290), ''), char(8291), ''), char(8292), ''), char(8293), ''), char(8294), '')
    , char(8295), ''), char(8296), ''), char(8297), ''), char(65039), ''), char(65279), '')
WHERE length(name_key) < length(CAST(name_key AS BLOB));
