ALTER TABLE entries ADD COLUMN likes INTEGER NOT NULL DEFAULT 0;
CREATE TABLE like_log (entry_id INTEGER NOT NULL REFERENCES entries (id), weight REAL);
CREATE TRIGGER count_like AFTER INSERT ON like_log BEGIN
  UPDATE entries SET likes = likes + 1 WHERE id = new.entry_id;
END;
INSERT INTO entries (name, message) VALUES ('The house', 'Welcome; sign below!');
