-- What the channel of a delivery keeps of its attempts for the next one, as it wrote it: of a mail, who has it already, and who was
-- refused for good.
ALTER TABLE deliveries ADD COLUMN progress text;
