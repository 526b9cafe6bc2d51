-- A photo that is handed in twice is told by the digest of its file.
ALTER TABLE photo ADD COLUMN digest TEXT;
