-- `lodz` finds what is called Łódź (`model/folded-text.ts`): records with letters that no accent makes of others are indexed anew.
INSERT INTO search_queue
SELECT record FROM record_terms WHERE (octet_length(terms) > length(terms) AND terms ~ '[ßæœþøłđðħıŧŋ]') OR (octet_length(shared) > length(shared) AND shared ~ '[ßæœþøłđðħıŧŋ]') ON CONFLICT DO NOTHING;
