-- Results of a few kilobytes are kept as they are: compressing them took a fifth of what the database does for a run of twelve nodes.
ALTER TABLE run_results SET (toast_tuple_target = 4080);
