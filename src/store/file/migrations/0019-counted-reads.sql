-- Whoever writes reads counts them, too: once for each commit, and no longer for each row.
DROP TRIGGER IF EXISTS reads_added;
DROP TRIGGER IF EXISTS reads_removed;
DROP TRIGGER IF EXISTS reads_restored;
DROP TRIGGER IF EXISTS reads_dropped;
