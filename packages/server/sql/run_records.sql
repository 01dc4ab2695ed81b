-- What is known of the nodes of a run, once per node: what came with its end is later than what was known on the way.
CREATE OR REPLACE FUNCTION run_records(p_organization_id text, p_run_id text) RETURNS TABLE (node_key text, record json) LANGUAGE sql STABLE AS $$
  WITH last AS MATERIALIZED (
    SELECT (split_part(k.record::text, ',"attempts":', 1) || '}')::json ->> 'nodeKey' AS node_key, k.record
      FROM run_results o CROSS JOIN LATERAL json_array_elements(o.nodes) AS k(record)
     WHERE o.organization_id = p_organization_id AND o.run_id = p_run_id
  )
  SELECT l.node_key, l.record FROM last l
  UNION ALL
  SELECT n.node_key, n.record FROM run_nodes n
   WHERE n.organization_id = p_organization_id AND n.run_id = p_run_id AND NOT EXISTS (SELECT FROM last l WHERE l.node_key = n.node_key)
$$;
