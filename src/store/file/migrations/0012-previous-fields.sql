-- What a delivery shows of the record as it was, so that sending unpacks no document but the one that is shown. Of an event that
-- was stored before, and of one whose fields are long, it is cut from the document.

ALTER TABLE events ADD COLUMN previous TEXT; -- JSON; null: it is in `before_body`, or there is none
