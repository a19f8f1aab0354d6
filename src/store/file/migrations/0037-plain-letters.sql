-- `lodz` finds what is called Łódź (`model/folded-text.ts`): records with letters that no accent makes of others are indexed anew.
INSERT OR IGNORE INTO search_queue
SELECT record FROM record_terms WHERE (octet_length(terms) > length(terms) AND terms GLOB '*[ßæœþøłđðħıŧŋ]*') OR (octet_length(shared) > length(shared) AND shared GLOB '*[ßæœþøłđðħıŧŋ]*');
