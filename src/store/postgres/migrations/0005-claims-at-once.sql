-- What is done to many endpoints at once is one statement over all of them: a statement for each costs several times what its steps
-- into the indexes do. Additive: the functions keep their names and parameters, and workers of the version before call them alike.

-- The oldest rows that are due of endpoints that are open and have neither a rate nor batches nor a rest: as many of each as it has
-- room for, and no more than `most` of all. The caller holds the endpoints.
CREATE FUNCTION oldest_of_each(names text[], rooms bigint[], now_at bigint, most bigint) RETURNS bigint[] LANGUAGE plpgsql AS $$
BEGIN
  IF most <= 0 OR cardinality(names) = 0 THEN RETURN '{}'; END IF;
  PERFORM wake_rows(endpoint, now_at, each.room, NULL)
  FROM unnest(names, rooms) AS each (name, room) JOIN endpoints AS endpoint ON endpoint.subscription = each.name
  WHERE each.room > 0 AND (
    SELECT 1 FROM deliveries
    WHERE subscription = each.name AND state = 'pending' AND wake_at IS NOT NULL AND turn IS DISTINCT FROM 0 AND wake_at <= now_at
    ORDER BY wake_at LIMIT 1
  ) IS NOT NULL;
  RETURN ARRAY(
    SELECT oldest.ref FROM unnest(names, rooms) WITH ORDINALITY AS each (name, room, place) CROSS JOIN LATERAL (
      SELECT ref FROM deliveries
      WHERE subscription = each.name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
      ORDER BY event LIMIT greatest(each.room, 0)
    ) AS oldest
    ORDER BY each.place LIMIT most
  );
END $$;

CREATE OR REPLACE FUNCTION claim_deliveries(
  claimer text, now_at bigint, shown_at bigint, lease_end bigint, is_again boolean, is_forced boolean, chosen text[],
  names text[], slots bigint[], amongs text[], forwards bigint[],
  concurrencies bigint[], requests bigint[], pers_ms bigint[], addresses text[], batches bigint[], most bigint, from_name text
) RETURNS TABLE (
  id text, subscription text, round bigint, event bigint, next_attempt_at bigint, resumes_at bigint, last_told bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  due text[];
  rooms bigint[];
  odd text[];
  asked record;
  endpoint endpoints%ROWTYPE;
  taken bigint[] := '{}';
  done bigint := 0;
  room bigint;
BEGIN
  PERFORM lightly();
  -- Where others have every place nothing is held, so that nobody waits for it. Each question is a scalar of its own, which is one
  -- step into an index: EXISTS may be answered for all endpoints at once, by reading every row that waits.
  due := ARRAY(
    SELECT name FROM unnest(names, slots, concurrencies, batches) AS each (name, slots, concurrency, batches)
    WHERE each.slots > 0 AND (chosen IS NOT NULL OR is_again OR (
      ((
        SELECT 1 FROM deliveries
        WHERE subscription = each.name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
        ORDER BY event LIMIT 1
      ) IS NOT NULL OR (
        SELECT 1 FROM deliveries
        WHERE subscription = each.name AND state = 'pending' AND wake_at IS NOT NULL AND turn IS DISTINCT FROM 0
          AND wake_at <= now_at
        ORDER BY wake_at LIMIT 1
      ) IS NOT NULL OR each.name IN (SELECT subscription FROM endpoints WHERE recovering = 1))
      AND (each.concurrency IS NULL OR each.batches IS NOT NULL OR each.concurrency > (
        SELECT count(*) FROM deliveries WHERE subscription = each.name AND claimed_by IS NOT NULL AND wake_at > now_at
      ))
    )) ORDER BY name COLLATE "C" < from_name, name COLLATE "C" LIMIT CASE WHEN is_again THEN NULL ELSE most END
  );
  IF due = '{}' THEN RETURN; END IF;
  PERFORM 1 FROM endpoints WHERE subscription = ANY (due) ORDER BY subscription FOR NO KEY UPDATE;
  -- A statement of its own: it sees what those did who held the endpoints before.
  SELECT array_agg(name ORDER BY place), array_agg(least(slots, concurrency - under_way) ORDER BY place),
    coalesce(array_agg(name) FILTER (WHERE is_odd), '{}')
  INTO due, rooms, odd
  FROM (
    SELECT name, slots, concurrency, row_number() OVER (ORDER BY name COLLATE "C" < from_name, name COLLATE "C") AS place,
      chosen IS NOT NULL OR is_again OR each.among IS NOT NULL OR each.batches IS NOT NULL OR per_ms IS NOT NULL
        OR paced_ms IS NOT NULL OR gate_of(known) <> 'open'
        OR address IN (SELECT rests.address FROM rests WHERE rests.until > now_at) AS is_odd,
      (SELECT count(*) FROM deliveries WHERE subscription = each.name AND claimed_by IS NOT NULL AND wake_at > now_at) AS under_way
    FROM unnest(names, slots, amongs, concurrencies, pers_ms, addresses, batches)
      AS each (name, slots, among, concurrency, per_ms, address, batches) JOIN endpoints AS known ON known.subscription = name
    WHERE name = ANY (due)
  ) AS held;
  FOR asked IN
    SELECT each.*, known AS endpoint, array_position(due, name) AS place, under_way.*
    FROM unnest(names, slots, amongs, forwards, concurrencies, requests, pers_ms, addresses, batches)
      AS each (name, slots, among, forward, concurrency, requests, per_ms, address, batches)
      JOIN endpoints AS known ON known.subscription = name
      CROSS JOIN LATERAL (
        SELECT count(*) AS claimed, count(*) FILTER (WHERE claimed_by <> claimer) AS others
        FROM deliveries WHERE subscription = name AND claimed_by IS NOT NULL AND wake_at > now_at
      ) AS under_way
    WHERE odd <> '{}' AND name = ANY (odd) ORDER BY place
  LOOP
    taken := taken
      || oldest_of_each(due[done + 1 : asked.place - 1], rooms[done + 1 : asked.place - 1], now_at, most - cardinality(taken));
    done := asked.place;
    endpoint := asked.endpoint;
    IF is_again THEN
      taken := taken || ARRAY(
        SELECT ref FROM deliveries
        WHERE subscription = asked.name AND claimed_by = claimer AND wake_at = lease_end AND (chosen IS NULL OR id = ANY (chosen))
      );
    END IF;
    room := least(asked.slots, most - cardinality(taken));
    CONTINUE WHEN room <= 0;
    IF asked.concurrency IS NOT NULL THEN
      IF asked.batches IS NULL THEN
        room := least(
          room, room_at(endpoint, now_at, asked.claimed, asked.concurrency, asked.requests, asked.per_ms)
        );
      ELSE
        CONTINUE WHEN NOT is_forced AND (asked.others > 0 OR (endpoint.gatherer <> claimer AND endpoint.gathers_until > now_at));
        -- How many attempts its own rows are, the claimer knows and has asked for no more.
        CONTINUE WHEN asked.batches > room_at(endpoint, now_at, asked.others, asked.concurrency, asked.requests, asked.per_ms);
      END IF;
      CONTINUE WHEN room <= 0;
      IF NOT is_forced AND EXISTS (SELECT 1 FROM rests WHERE address = asked.address AND rests.until > now_at) THEN
        asked.among := 'tests';
      END IF;
    END IF;
    taken := taken || claimable(endpoint, now_at, room, asked.among, coalesce(asked.forward, room), chosen);
  END LOOP;
  taken := taken || oldest_of_each(due[done + 1 :], rooms[done + 1 :], now_at, most - cardinality(taken));
  IF taken = '{}' THEN RETURN; END IF;
  RETURN QUERY
    SELECT each.id, each.subscription, each.round, each.event, each.next_attempt_at, each.resumes_at, each.last_told
    FROM deliveries AS each WHERE ref = ANY (taken) ORDER BY event;
  -- What was due by a clock that was ahead is due now. An instant later than now then shows that a command asked for the row meanwhile.
  UPDATE deliveries SET claimed_by = claimer, wake_at = lease_end, next_attempt_at = least(next_attempt_at, shown_at)
  WHERE ref = ANY (taken);
END $$;

-- How the attempts went of endpoints that answer, as they did before: the others are judged attempt by attempt.
CREATE FUNCTION record_successes(outcomes outcome[]) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  steady text[];
  lasts bigint[];
BEGIN
  SELECT array_agg(name), array_agg(last_at) INTO steady, lasts FROM (
    SELECT each.subscription AS name,
      (array_agg(each.at ORDER BY each.place DESC) FILTER (WHERE made AND NOT test AND NOT shared))[1] AS last_at
    FROM unnest(outcomes) AS each GROUP BY 1
    HAVING bool_and(kind = 'delivered')
  ) AS own JOIN endpoints ON endpoints.subscription = own.name WHERE failures_in_row = 0;
  UPDATE endpoints SET failing_since = NULL, failing_for = 0, exhausted_since = NULL, last_error = NULL, last_success_at = last_at
  FROM unnest(steady, lasts) AS own (name, last_at) WHERE endpoints.subscription = own.name AND last_at IS NOT NULL;
  RETURN coalesce(steady, '{}');
END $$;

CREATE OR REPLACE FUNCTION record_outcomes(outcomes outcome[], failing_from bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text;
  own outcome[];
  each outcome;
  endpoint endpoints%ROWTYPE;
  gone outcome;
  steady text[] := record_successes(outcomes);
BEGIN
  FOR name, own IN
    SELECT subscription COLLATE "C", array_agg(row ORDER BY place) FROM unnest(outcomes) AS row
    WHERE subscription <> ALL (steady) GROUP BY 1 ORDER BY 1
  LOOP
    SELECT * INTO endpoint FROM endpoints WHERE subscription = name;
    gone := NULL;
    FOREACH each IN ARRAY own LOOP
      IF each.made AND NOT each.test AND NOT each.shared THEN
        IF each.kind = 'delivered' THEN
          IF endpoint.failures_in_row >= failing_from THEN endpoint.recovering := 1; END IF;
          endpoint.failures_in_row := 0;
          endpoint.failing_since := NULL;
          endpoint.failing_for := 0;
          endpoint.exhausted_since := NULL;
          endpoint.last_error := NULL;
          endpoint.last_success_at := each.at;
        ELSE
          -- Attempts under way at once may end in another order than they began.
          IF endpoint.failing_since IS NULL THEN
            endpoint.failed_at := each.began_at;
          ELSE
            endpoint.failing_for := endpoint.failing_for
              + greatest(0, least(each.began_at - coalesce(endpoint.failed_at, each.began_at), each.longest));
            endpoint.failed_at := greatest(endpoint.failed_at, each.began_at);
          END IF;
          endpoint.failures_in_row := endpoint.failures_in_row + 1;
          endpoint.failing_since := least(endpoint.failing_since, each.at);
          endpoint.last_failure_at := greatest(endpoint.last_failure_at, each.at);
          endpoint.last_error := coalesce(each.error, '');
          IF endpoint.failures_in_row >= failing_from THEN endpoint.recovering := 0; END IF;
        END IF;
      END IF;
      IF each.state = 'exhausted' AND NOT each.test THEN
        endpoint.exhausted_since := coalesce(endpoint.exhausted_since, each.ended);
      END IF;
      IF each.kind = 'disable' AND gone IS NULL THEN gone := each; END IF;
    END LOOP;
    UPDATE endpoints SET failures_in_row = endpoint.failures_in_row, failing_since = endpoint.failing_since,
      failing_for = endpoint.failing_for, failed_at = endpoint.failed_at, exhausted_since = endpoint.exhausted_since,
      last_failure_at = endpoint.last_failure_at, last_success_at = endpoint.last_success_at,
      last_error = endpoint.last_error, recovering = endpoint.recovering
    WHERE subscription = name;
    IF gone.place IS NOT NULL THEN
      PERFORM shut_endpoint(name, gone.reason, coalesce(gone.ended, gone.next_attempt_at, 0), 'gone');
    END IF;
  END LOOP;
END $$;
