--! breaking
-- Whoever writes reads counts them, too.
DROP TRIGGER reads_added ON reads;
DROP TRIGGER reads_dropped ON reads;
DROP TRIGGER reads_moved ON reads;
DROP FUNCTION count_reads_added, count_reads_dropped, count_reads_moved;
