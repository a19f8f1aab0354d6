-- A claim is a row of its own, and what is done to many endpoints at once is one statement over all of them. A claim that changed its
-- delivery made an entry in each of that table's indexes, and whoever looked for due rows passed what earlier claims had left there.
-- Additive: the functions keep their names and parameters, and workers of the version before call them alike. A claim that stands in
-- `deliveries`, of before or in a store that was copied, lives out its time there.

-- Who sends a delivery, and until when nobody else does, in steady time; 0: it ran out, and was counted. Its rows go within seconds.
CREATE TABLE claims (
  subscription text COLLATE "C" NOT NULL,
  event bigint NOT NULL, -- with the subscription: of one delivery
  owner text COLLATE "C" NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY (subscription, event)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

CREATE FUNCTION is_claimed(name text, of bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT 1 FROM claims WHERE subscription = name AND event = of);
END $$;

-- The events of what nobody else may take now.
CREATE FUNCTION claimed_events(name text, now_at bigint) RETURNS bigint[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN ARRAY(SELECT event FROM claims WHERE subscription = name AND until > now_at);
END $$;

-- How many rows of an endpoint are under way, and how many of these at others than `claimer`.
CREATE FUNCTION under_way(name text, claimer text, now_at bigint, OUT claimed bigint, OUT others bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT count(*), count(*) FILTER (WHERE owner <> claimer) INTO claimed, others FROM (
    SELECT owner FROM claims WHERE subscription = name AND until > now_at
    UNION ALL SELECT claimed_by FROM deliveries WHERE subscription = name AND claimed_by IS NOT NULL AND wake_at > now_at
  ) AS each;
END $$;

-- The answer of a client that waits for longer is not awaited any more. Bitmap scans never mark what is dead in an index: those over
-- rows that change twice a delivery would look at each earlier version of them, until the next vacuum. A table that was empty when a
-- statement was planned is not read as a whole for as long as the plan is kept.
CREATE OR REPLACE FUNCTION lightly() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '10s', true),
    set_config('enable_bitmapscan', 'off', true), set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true);
END $$;

-- Turns in lanes. The row that is under way has its lane's turn until its claim ends.

CREATE FUNCTION pass_lane(name text, passed bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  next bigint;
BEGIN
  SELECT ref INTO next FROM claims JOIN deliveries USING (subscription, event)
  WHERE subscription = name AND lane = passed AND turn IS NOT NULL ORDER BY event LIMIT 1;
  IF next IS NULL THEN
    SELECT ref INTO next FROM deliveries
    WHERE subscription = name AND lane = passed AND turn IS NOT NULL
    ORDER BY claimed_by IS NULL, event LIMIT 1;
  END IF;
  UPDATE deliveries SET turn = 0 WHERE subscription = name AND lane = passed AND turn = 1 AND ref IS DISTINCT FROM next;
  UPDATE deliveries SET turn = 1 WHERE ref = next AND turn = 0;
END $$;

CREATE OR REPLACE FUNCTION pass_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pass_lane(new.subscription, new.lane);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION queue_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.turn IS NULL THEN
    IF (SELECT ordered FROM endpoints WHERE subscription = new.subscription) = 1 THEN new.turn := 0; END IF;
  ELSIF new.claimed_by IS NULL AND new.state NOT IN ('pending', 'held') AND NOT is_claimed(new.subscription, new.event) THEN
    new.turn := NULL;
  END IF;
  RETURN new;
END $$;

CREATE FUNCTION leave_lanes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  left_rows bigint[];
BEGIN
  -- Endpoints whose rows never had turns are the most.
  left_rows := ARRAY(
    SELECT ref FROM gone JOIN endpoints USING (subscription) JOIN deliveries USING (subscription, event)
    WHERE (ordered = 1 OR unsettled = 1) AND turn IS NOT NULL
  );
  IF left_rows = '{}' THEN RETURN NULL; END IF;
  UPDATE deliveries SET turn = NULL WHERE ref = ANY (left_rows) AND turn IS NOT NULL AND state NOT IN ('pending', 'held');
  PERFORM pass_lane(subscription, lane) FROM deliveries WHERE ref = ANY (left_rows) AND turn IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER claims_ended AFTER DELETE ON claims REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION leave_lanes();

-- What is due.

-- Moves rows that came due among the ready ones: all of `chosen`, or at most so many. An attempt whose claim ran out ended by now.
CREATE OR REPLACE FUNCTION wake_rows(endpoint endpoints, now_at bigint, most bigint, chosen text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due bigint[];
  ran_out bigint;
BEGIN
  IF endpoint.paced_ms IS NOT NULL THEN
    UPDATE claims SET until = 0 WHERE subscription = endpoint.subscription AND until <= now_at AND until > 0;
    GET DIAGNOSTICS ran_out = ROW_COUNT;
    PERFORM count_pace(endpoint.subscription, now_at, ran_out);
  END IF;
  IF chosen IS NULL THEN
    -- Most endpoints have nothing to wake, and to see that costs far less.
    IF NOT EXISTS (
      SELECT 1 FROM deliveries
      WHERE subscription = endpoint.subscription AND state = 'pending' AND wake_at IS NOT NULL AND turn IS DISTINCT FROM 0
        AND wake_at <= now_at
    ) THEN RETURN; END IF;
    due := ARRAY(
      SELECT ref FROM deliveries
      WHERE subscription = endpoint.subscription AND state = 'pending' AND wake_at IS NOT NULL AND turn IS DISTINCT FROM 0
        AND wake_at <= now_at
      ORDER BY wake_at LIMIT greatest(most, 1000)
    );
  ELSE
    due := ARRAY(
      SELECT ref FROM deliveries
      WHERE id = ANY (chosen) AND subscription = endpoint.subscription AND state = 'pending' AND turn IS DISTINCT FROM 0
        AND wake_at <= now_at
    );
  END IF;
  IF due = '{}' THEN RETURN; END IF;
  IF endpoint.paced_ms IS NOT NULL THEN
    PERFORM count_pace(
      endpoint.subscription, now_at, (SELECT count(*) FROM deliveries WHERE ref = ANY (due) AND claimed_by IS NOT NULL)
    );
  END IF;
  UPDATE deliveries
  SET wake_at = NULL, next_attempt_at = least(next_attempt_at, wake_at - (SELECT ahead FROM steady_time))
  WHERE ref = ANY (due);
END $$;

DROP FUNCTION oldest_ready, tests_ready, chosen_ready;

-- Whether an endpoint has a row that is due. Each question is one step into an index, whatever the backlog.
CREATE OR REPLACE FUNCTION has_due(name text, now_at bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  taken bigint[] := claimed_events(name, now_at);
BEGIN
  RETURN EXISTS (
    SELECT 1 FROM deliveries
    WHERE subscription = name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0 AND event <> ALL (taken)
  ) OR EXISTS (
    SELECT 1 FROM deliveries
    WHERE subscription = name AND state = 'pending' AND wake_at IS NOT NULL AND turn IS DISTINCT FROM 0 AND wake_at <= now_at
  );
END $$;

CREATE FUNCTION oldest_ready(name text, now_at bigint, most bigint) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  taken bigint[] := claimed_events(name, now_at);
BEGIN
  RETURN ARRAY(
    SELECT ref FROM deliveries
    WHERE subscription = name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
      AND event <> ALL (taken)
    ORDER BY event LIMIT most
  );
END $$;

CREATE FUNCTION tests_ready(name text, now_at bigint, most bigint) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  taken bigint[] := claimed_events(name, now_at);
BEGIN
  RETURN ARRAY(
    SELECT ref FROM deliveries
    WHERE subscription = name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0 AND test = 1
      AND event <> ALL (taken)
    ORDER BY event LIMIT most
  );
END $$;

CREATE FUNCTION chosen_ready(name text, now_at bigint, most bigint, chosen text[], tests_only boolean) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  taken bigint[] := claimed_events(name, now_at);
BEGIN
  RETURN ARRAY(
    SELECT ref FROM deliveries
    WHERE id = ANY (chosen) AND subscription = name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
      AND (test = 1 OR NOT tests_only) AND event <> ALL (taken)
    ORDER BY event LIMIT most
  );
END $$;

-- The rows that a claim takes of an endpoint.
CREATE OR REPLACE FUNCTION claimable(endpoint endpoints, now_at bigint, most bigint, among text, forward bigint, chosen text[])
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  name text := endpoint.subscription;
  gate text := gate_of(endpoint);
  refs bigint[];
  to_forward bigint;
  before bigint;
BEGIN
  PERFORM wake_rows(endpoint, now_at, most, chosen);
  IF chosen IS NOT NULL THEN RETURN chosen_ready(name, now_at, most, chosen, gate = 'shut' OR among IS NOT DISTINCT FROM 'tests'); END IF;
  IF gate = 'shut' OR among = 'tests' THEN RETURN tests_ready(name, now_at, most); END IF;
  IF among = 'newest' THEN
    RETURN ARRAY(
      SELECT ref FROM deliveries
      WHERE subscription = name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
        AND event <> ALL (claimed_events(name, now_at))
      ORDER BY event DESC LIMIT most
    );
  END IF;
  refs := oldest_ready(name, now_at, most);
  IF gate = 'open' THEN RETURN refs; END IF;
  SELECT forward - count(*) FILTER (WHERE resumes_at > now_at), max(event) INTO to_forward, before
  FROM deliveries WHERE ref = ANY (refs);
  IF to_forward <= 0 THEN RETURN refs; END IF;
  IF cardinality(refs) < most THEN before := NULL; END IF;
  IF NOT bring_forward(name, now_at, coalesce(before, 9007199254740991), to_forward) THEN RETURN refs; END IF;
  RETURN oldest_ready(name, now_at, most);
END $$;

-- Tests come behind any backlog.
CREATE OR REPLACE FUNCTION shown_rows(endpoint endpoints, now_at bigint, most bigint, among text, forward bigint, chosen text[])
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  name text := endpoint.subscription;
  gate text := gate_of(endpoint);
  refs bigint[];
BEGIN
  PERFORM wake_rows(endpoint, now_at, most, chosen);
  IF chosen IS NOT NULL THEN RETURN chosen_ready(name, now_at, most, chosen, gate = 'shut'); END IF;
  IF gate = 'shut' OR among = 'tests' THEN RETURN tests_ready(name, now_at, most); END IF;
  IF gate = 'recovering' AND forward > 0 THEN PERFORM bring_forward(name, now_at, 9007199254740991, most); END IF;
  refs := oldest_ready(name, now_at, most);
  IF cardinality(refs) < most THEN RETURN refs; END IF;
  RETURN refs || ARRAY(SELECT ref FROM unnest(tests_ready(name, now_at, most)) AS test (ref) WHERE ref <> ALL (refs));
END $$;

-- `DeliveryStore.waiting`. With a `looker`, others are shown nothing of an endpoint for as long as he has something to gather.
CREATE OR REPLACE FUNCTION waiting_deliveries(
  looker text, now_at bigint, chosen text[], names text[], mosts bigint[], amongs text[], forwards bigint[]
) RETURNS TABLE (
  id text, subscription text, round bigint, next_attempt_at bigint, stored_at bigint, account text, cause text, resource text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  asked record;
  endpoint endpoints%ROWTYPE;
  refs bigint[];
BEGIN
  PERFORM lightly();
  FOR asked IN
    SELECT * FROM unnest(names, mosts, amongs, forwards) WITH ORDINALITY AS each (name, most, among, forward, place)
    WHERE most > 0 AND (chosen IS NOT NULL OR has_due(name, now_at) OR EXISTS (SELECT 1 FROM endpoints WHERE subscription = name AND (recovering = 1 OR gatherer = looker))) ORDER BY name COLLATE "C"
  LOOP
    SELECT * INTO endpoint FROM endpoints WHERE subscription = asked.name FOR NO KEY UPDATE;
    CONTINUE WHEN NOT FOUND;
    IF looker IS NOT NULL THEN
      CONTINUE WHEN endpoint.gatherer <> looker AND endpoint.gathers_until > now_at;
      CONTINUE WHEN (SELECT others FROM under_way(asked.name, looker, now_at)) > 0;
    END IF;
    refs := shown_rows(endpoint, now_at, asked.most, asked.among, coalesce(asked.forward, 1), chosen);
    IF looker IS NOT NULL THEN PERFORM gather(endpoint, looker, now_at, refs <> '{}'); END IF;
    RETURN QUERY
      SELECT each.id, each.subscription, each.round, each.next_attempt_at, events.stored_at, events.account, events.cause, events.resource
      FROM unnest(refs) WITH ORDINALITY AS shown (ref, place)
        JOIN deliveries AS each ON each.ref = shown.ref JOIN events ON events.ref = each.event
      ORDER BY shown.place;
  END LOOP;
END $$;

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
  -- Events alone, which the index of ready rows has itself: for more of a row another index may seem cheaper, which has what waits, too.
  RETURN ARRAY(
    SELECT ref FROM (
      SELECT each.name AS subscription, oldest.event, each.place
      FROM unnest(names, rooms) WITH ORDINALITY AS each (name, room, place) CROSS JOIN LATERAL (
        SELECT event FROM deliveries
        WHERE subscription = each.name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
          AND event <> ALL (ARRAY(SELECT event FROM claims WHERE subscription = each.name AND until > now_at))
        ORDER BY event LIMIT greatest(each.room, 0)
      ) AS oldest
      ORDER BY each.place LIMIT most
    ) AS chosen JOIN deliveries USING (subscription, event)
  );
END $$;

-- `DeliveryStore.claim`. `is_again`: it may have been done already, and its answer was lost. Endpoints have their turn from `from_name`
-- on, and from the first on after the last: no more than `most` rows are taken of all.
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
  has_legacy boolean;
BEGIN
  PERFORM lightly();
  -- Where others have every place nothing is held, so that nobody waits for it. Each question is a scalar of its own, which is one
  -- step into an index: EXISTS may be answered for all endpoints at once, by reading every row that waits.
  due := ARRAY(
    SELECT name FROM unnest(names, slots, concurrencies, batches) AS each (name, slots, concurrency, batches)
      CROSS JOIN LATERAL (SELECT ARRAY(SELECT event FROM claims WHERE subscription = each.name AND until > now_at) AS events) AS claimed
    WHERE each.slots > 0 AND (chosen IS NOT NULL OR is_again OR (
      (each.concurrency IS NULL OR each.batches IS NOT NULL OR each.concurrency > cardinality(claimed.events)) AND ((
        SELECT 1 FROM deliveries
        WHERE subscription = each.name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
          AND event <> ALL (claimed.events)
        ORDER BY event LIMIT 1
      ) IS NOT NULL OR (
        SELECT 1 FROM deliveries
        WHERE subscription = each.name AND state = 'pending' AND wake_at IS NOT NULL AND turn IS DISTINCT FROM 0
          AND wake_at <= now_at
        ORDER BY wake_at LIMIT 1
      ) IS NOT NULL OR each.name = ANY (ARRAY(SELECT subscription FROM endpoints WHERE recovering = 1)))
    )) ORDER BY name COLLATE "C" < from_name, name COLLATE "C" LIMIT CASE WHEN is_again THEN NULL ELSE most END
  );
  IF due = '{}' THEN RETURN; END IF;
  PERFORM 1 FROM endpoints WHERE subscription = ANY (due) ORDER BY subscription FOR NO KEY UPDATE;
  has_legacy := EXISTS (SELECT 1 FROM deliveries WHERE claimed_by IS NOT NULL);
  -- A statement of its own: it sees what those did who held the endpoints before.
  SELECT array_agg(name ORDER BY place), array_agg(least(slots, concurrency - under_way) ORDER BY place),
    coalesce(array_agg(name) FILTER (WHERE is_odd), '{}')
  INTO due, rooms, odd
  FROM (
    SELECT name, slots, concurrency, row_number() OVER (ORDER BY name COLLATE "C" < from_name, name COLLATE "C") AS place,
      chosen IS NOT NULL OR is_again OR each.among IS NOT NULL OR each.batches IS NOT NULL OR per_ms IS NOT NULL
        OR paced_ms IS NOT NULL OR gate_of(known) <> 'open'
        OR EXISTS (SELECT 1 FROM rests WHERE rests.address = each.address AND rests.until > now_at) AS is_odd,
      (SELECT count(*) FROM claims WHERE subscription = each.name AND until > now_at)
        + (SELECT count(*) FROM deliveries WHERE has_legacy AND subscription = each.name AND claimed_by IS NOT NULL AND wake_at > now_at)
        AS under_way
    FROM unnest(names, slots, amongs, concurrencies, pers_ms, addresses, batches)
      AS each (name, slots, among, concurrency, per_ms, address, batches) JOIN endpoints AS known ON known.subscription = name
    WHERE name = ANY (due)
  ) AS held;
  FOR asked IN
    SELECT each.*, known AS endpoint, array_position(due, name) AS place, under_way.*
    FROM unnest(names, slots, amongs, forwards, concurrencies, requests, pers_ms, addresses, batches)
      AS each (name, slots, among, forward, concurrency, requests, per_ms, address, batches)
      JOIN endpoints AS known ON known.subscription = name
      CROSS JOIN LATERAL under_way(name, claimer, now_at)
    WHERE odd <> '{}' AND name = ANY (odd) ORDER BY place
  LOOP
    taken := taken
      || oldest_of_each(due[done + 1 : asked.place - 1], rooms[done + 1 : asked.place - 1], now_at, most - cardinality(taken));
    done := asked.place;
    endpoint := asked.endpoint;
    IF is_again THEN
      taken := taken || ARRAY(
        SELECT ref FROM claims JOIN deliveries USING (subscription, event)
        WHERE subscription = asked.name AND owner = claimer AND until = lease_end AND (chosen IS NULL OR id = ANY (chosen))
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
  IF EXISTS (SELECT 1 FROM deliveries WHERE ref = ANY (taken) AND next_attempt_at > shown_at) THEN
    UPDATE deliveries SET next_attempt_at = shown_at WHERE ref = ANY (taken) AND next_attempt_at > shown_at;
  END IF;
  -- One that ran out goes to whoever sends the row now.
  INSERT INTO claims (subscription, event, owner, until)
  SELECT subscription, event, claimer, lease_end FROM deliveries WHERE ref = ANY (taken)
  ON CONFLICT ON CONSTRAINT claims_pkey DO UPDATE SET owner = excluded.owner, until = excluded.until;
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

-- `DeliveryStore.settle`. Where `sender` no longer holds a row, only a cooldown is written.
CREATE OR REPLACE FUNCTION settle_deliveries(
  sender text, failing_from bigint, ids text[], made boolean[], ats bigint[], durations bigint[], statuses bigint[], errors text[],
  answers text[], kinds text[], retries bigint[], not_befores bigint[], scheduled boolean[], reasons text[],
  ends bigint[], shared boolean[], longests bigint[], addresses text[], rests_until bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  ahead_ms bigint := (SELECT ahead FROM steady_time);
  outcomes outcome[];
  waits_from bigint;
  over_at bigint;
BEGIN
  PERFORM lightly();
  PERFORM 1 FROM endpoints
  -- Rows are found by their ids: no index of claims may seem cheaper.
  WHERE subscription IN (
    SELECT subscription FROM deliveries AS delivery WHERE id = ANY (ids) AND coalesce((
      SELECT owner FROM claims WHERE claims.subscription = delivery.subscription AND claims.event = delivery.event
    ), claimed_by, '') = sender
  )
  ORDER BY subscription FOR NO KEY UPDATE;

  WITH given AS (
    SELECT each.*, coalesce(each.end_at - each.duration, each.at + ahead_ms) AS began_at, each.at + each.duration AS ended
    FROM unnest(
      ids, made, ats, durations, statuses, errors, answers, kinds, retries, not_befores, scheduled, reasons, ends, shared, longests
    ) WITH ORDINALITY AS each (
      id, made, at, duration, status, error, answer, kind, retry_at, not_before, scheduled, reason, end_at, shared, longest, place
    )
  ), found AS (
    SELECT DISTINCT ON (given.id) given.*, delivery.ref, delivery.subscription, delivery.state, delivery.test = 1 AS is_test,
      delivery.next_attempt_at, delivery.finished_at, is_open(endpoint) AS is_open
    FROM given JOIN deliveries AS delivery ON delivery.id = given.id
      JOIN endpoints AS endpoint ON endpoint.subscription = delivery.subscription
    WHERE coalesce((
      SELECT owner FROM claims WHERE claims.subscription = delivery.subscription AND claims.event = delivery.event
    ), delivery.claimed_by, '') = sender
    ORDER BY given.id, given.place
  ), shown AS (
    SELECT found.*, kind <> 'delivered' AND state = 'pending' AND NOT is_test AND NOT (is_open AND NOT coalesce(
      bool_or(kind = 'disable') OVER (
        PARTITION BY subscription ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), false)) AS is_shut
    FROM found
  ), followed AS (
    SELECT shown.*, CASE WHEN is_shut THEN 'held' ELSE state END AS state_now,
      CASE WHEN NOT is_shut THEN next_attempt_at END AS next_now
    FROM shown
  ), placed AS (
    SELECT followed.*, kind <> 'delivered' AND (
      state_now <> 'pending' OR kind IN ('released', 'disable')
      -- A command asked for the row after the attempt began.
      OR (kind IN ('exhausted', 'retry') AND made AND coalesce(next_now, 0) > at)
    ) AS stays
    FROM followed
  )
  SELECT array_agg(ROW (
    place, ref, subscription, is_test, made, at, duration, status, error, answer, kind, not_before, scheduled, reason, began_at,
    end_at, ended, shared, longest,
    CASE WHEN stays THEN CASE WHEN kind = 'disable' AND state_now = 'pending' THEN 'held' ELSE state_now END
      WHEN kind = 'retry' THEN 'pending' ELSE kind END,
    CASE WHEN stays THEN CASE WHEN kind <> 'disable' OR state_now <> 'pending' THEN next_now END
      WHEN kind = 'retry' THEN retry_at - ahead_ms END,
    CASE WHEN NOT stays AND kind = 'retry' THEN retry_at END,
    CASE WHEN stays THEN finished_at WHEN kind <> 'retry' THEN ended END
  )::outcome ORDER BY place) INTO outcomes FROM placed;

  IF outcomes IS NOT NULL THEN
    INSERT INTO attempts (delivery, at, duration_ms, status, error, answer)
    SELECT each.ref, each.at, each.duration_ms, each.status, each.error, each.answer FROM unnest(outcomes) AS each
    WHERE each.made ORDER BY each.place;
    -- Before the rows move: who is under way keeps the turn of his lane. Each is looked up by its key, as a join may read all that
    -- earlier claims left behind; nobody moves one whose endpoint is held.
    DELETE FROM claims WHERE ctid = ANY (ARRAY(
      SELECT (SELECT ctid FROM claims WHERE claims.subscription = delivery.subscription AND claims.event = delivery.event)
      FROM unnest(outcomes) AS each JOIN deliveries AS delivery ON delivery.ref = each.ref
    ));
    PERFORM place_rows(outcomes);
    INSERT INTO paces AS pace
    SELECT each.subscription, each.ended_at, count(*)
    FROM unnest(outcomes) AS each JOIN endpoints ON endpoints.subscription = each.subscription
    WHERE paced_ms IS NOT NULL AND each.ended_at IS NOT NULL AND NOT each.shared GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (subscription, at) DO UPDATE SET amount = pace.amount + excluded.amount;
    PERFORM record_outcomes(outcomes, failing_from);
  END IF;

  IF EXISTS (SELECT 1 FROM unnest(addresses) AS address WHERE address IS NOT NULL) THEN
    SELECT max(CASE WHEN each.made THEN coalesce(each.end_at - each.duration, each.at + ahead_ms) ELSE 0 END) INTO over_at
    FROM unnest(made, ats, durations, ends, addresses) AS each (made, at, duration, end_at, address) WHERE address IS NOT NULL;
    DELETE FROM rests WHERE address IN (
      SELECT address FROM rests WHERE until <= over_at ORDER BY address FOR UPDATE SKIP LOCKED
    );
    INSERT INTO rests AS rest SELECT address, max(rest_until)
    FROM unnest(addresses, rests_until) AS each (address, rest_until) WHERE address IS NOT NULL GROUP BY 1 ORDER BY address COLLATE "C"
    ON CONFLICT (address) DO UPDATE SET until = greatest(rest.until, excluded.until);
  END IF;
  SELECT max(coalesce(end_at, at + duration + ahead_ms)) INTO waits_from
  FROM unnest(made, ats, durations, ends, kinds) AS each (made, at, duration, end_at, kind) WHERE each.made AND kind = 'retry';
  UPDATE steady_time SET latest = waits_from WHERE latest < waits_from;
END $$;

-- Ends the claims of all that are not alive; returns how many. A worker that joins meanwhile is known by whoever holds the row in
-- `endpoints` that it claimed under.
CREATE OR REPLACE FUNCTION recover_claims(alive text[], now_at bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  name text;
  endpoint endpoints%ROWTYPE;
  recovered bigint;
  freed bigint;
  total bigint := 0;
BEGIN
  FOR name IN
    SELECT subscription FROM endpoints
    WHERE (gatherer IS NOT NULL AND NOT is_alive(gatherer, alive)) OR EXISTS (
      SELECT 1 FROM claims WHERE claims.subscription = endpoints.subscription AND NOT is_alive(owner, alive)
    ) OR EXISTS (
      SELECT 1 FROM deliveries
      WHERE deliveries.subscription = endpoints.subscription AND claimed_by IS NOT NULL AND NOT is_alive(claimed_by, alive)
    ) ORDER BY subscription
  LOOP
    SELECT * INTO endpoint FROM endpoints WHERE subscription = name FOR NO KEY UPDATE;
    UPDATE deliveries SET claimed_by = NULL, wake_at = NULL
    WHERE subscription = name AND claimed_by IS NOT NULL AND NOT is_alive(claimed_by, alive);
    GET DIAGNOSTICS recovered = ROW_COUNT;
    DELETE FROM claims WHERE subscription = name AND NOT is_alive(owner, alive);
    GET DIAGNOSTICS freed = ROW_COUNT;
    recovered := recovered + freed;
    IF endpoint.paced_ms IS NOT NULL THEN PERFORM count_pace(name, now_at, recovered); END IF;
    UPDATE endpoints SET gatherer = NULL, gathers_until = NULL WHERE subscription = name AND gatherer IS NOT NULL AND NOT is_alive(gatherer, alive);
    total := total + recovered;
  END LOOP;
  RETURN total;
END $$;

-- `DeliveryStore.nextDueAt`.
CREATE FUNCTION next_due(names text[]) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lightly();
  RETURN (
    SELECT min(due.at) FROM endpoints AS endpoint CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(event), '{}') AS events, min(until) AS until FROM claims
      WHERE subscription = endpoint.subscription AND until > 0
    ) AS claimed CROSS JOIN LATERAL (
      (
        SELECT next_attempt_at AS at FROM deliveries
        WHERE gate_of(endpoint) <> 'shut' AND subscription = endpoint.subscription AND state = 'pending' AND wake_at IS NULL
          AND turn IS DISTINCT FROM 0 AND event <> ALL (claimed.events)
        ORDER BY event LIMIT 1
      ) UNION ALL (
        SELECT next_attempt_at FROM deliveries
        WHERE gate_of(endpoint) = 'shut' AND subscription = endpoint.subscription AND state = 'pending' AND wake_at IS NULL
          AND turn IS DISTINCT FROM 0 AND test = 1 AND event <> ALL (claimed.events)
        ORDER BY event LIMIT 1
      ) UNION ALL (
        SELECT wake_at FROM deliveries
        WHERE gate_of(endpoint) <> 'shut' AND subscription = endpoint.subscription AND state = 'pending' AND wake_at IS NOT NULL
          AND turn IS DISTINCT FROM 0
        ORDER BY wake_at LIMIT 1
      ) UNION ALL SELECT claimed.until WHERE gate_of(endpoint) <> 'shut'
    ) AS due
    WHERE names IS NULL OR endpoint.subscription = ANY (names)
  );
END $$;

-- Moves at most `most` rows of an endpoint in one way, and fewer only where no more are left; returns how many. The caller holds it.
CREATE OR REPLACE FUNCTION follow_endpoint(endpoint endpoints, step text, at bigint, most bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  name text := endpoint.subscription;
  refs bigint[];
  moved bigint;
  last bigint;
BEGIN
  CASE step
  WHEN 'discard' THEN
    IF endpoint.discards_to IS NULL THEN RETURN 0; END IF;
    UPDATE deliveries SET state = 'discarded', finished_at = at WHERE ref IN (
      SELECT ref FROM deliveries WHERE state = 'held' AND subscription = name AND event <= endpoint.discards_to
      ORDER BY event LIMIT most
    );
    GET DIAGNOSTICS moved = ROW_COUNT;
    IF moved < most THEN UPDATE endpoints SET discards_to = NULL WHERE subscription = name; END IF;
  WHEN 'hold or release' THEN
    IF is_open(endpoint) THEN
      -- A row whose attempt is still under way keeps its claim, so that it is not sent twice at once.
      UPDATE deliveries SET state = 'pending', round = 0, not_before = NULL, resumes_at = NULL,
        next_attempt_at = (SELECT stored_at FROM events WHERE events.ref = deliveries.event),
        wake_at = CASE WHEN claimed_by IS NOT NULL THEN wake_at END
      WHERE ref IN (SELECT ref FROM deliveries WHERE state = 'held' AND subscription = name ORDER BY event LIMIT most);
    ELSE
      UPDATE deliveries SET state = 'held', next_attempt_at = NULL WHERE ref IN (
        SELECT ref FROM deliveries
        WHERE state = 'pending' AND subscription = name AND (test = 0 OR endpoint.configured = 0) ORDER BY event LIMIT most
      );
    END IF;
    GET DIAGNOSTICS moved = ROW_COUNT;
  WHEN 'give turns' THEN
    IF endpoint.queued_to IS NULL THEN RETURN 0; END IF;
    -- One that was discarded while it is under way keeps its lane waiting.
    SELECT array_agg(ref), count(*), max(event) INTO refs, moved, last FROM (
      SELECT * FROM (
        (SELECT ref, event FROM deliveries
        WHERE state = 'pending' AND subscription = name AND event > endpoint.queued_to ORDER BY event LIMIT most)
        UNION ALL (SELECT ref, event FROM deliveries
        WHERE state = 'held' AND subscription = name AND event > endpoint.queued_to ORDER BY event LIMIT most)
        UNION ALL (SELECT ref, event FROM deliveries
        WHERE state = 'discarded' AND subscription = name AND event > endpoint.queued_to ORDER BY event LIMIT most)
      ) AS open ORDER BY event LIMIT most
    ) AS next;
    UPDATE deliveries SET turn = 0
    WHERE ref = ANY (refs) AND turn IS NULL
      AND (state <> 'discarded' OR claimed_by IS NOT NULL OR is_claimed(name, event));
    UPDATE endpoints SET queued_to = CASE WHEN moved = most THEN last END WHERE subscription = name;
  WHEN 'take turns' THEN
    IF endpoint.ordered = 1 THEN RETURN 0; END IF;
    UPDATE deliveries SET turn = NULL
    WHERE ref IN (SELECT ref FROM deliveries WHERE subscription = name AND turn IS NOT NULL LIMIT most);
    GET DIAGNOSTICS moved = ROW_COUNT;
  WHEN 'reconsider' THEN
    IF endpoint.reconsidered_to IS NULL THEN RETURN 0; END IF;
    -- A row that was put off without an attempt was put off by the channel of then: the channel of today decides anew.
    SELECT array_agg(ref), count(*), max(event) INTO refs, moved, last FROM (
      SELECT ref, event FROM deliveries
      WHERE subscription = name AND state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL AND turn IS DISTINCT FROM 0
        AND resumes_at IS NULL AND least(round, 1) = 0 AND event > endpoint.reconsidered_to
      ORDER BY event LIMIT most
    ) AS put_off;
    UPDATE deliveries
    SET wake_at = NULL, next_attempt_at = (SELECT stored_at FROM events WHERE events.ref = deliveries.event)
    WHERE ref = ANY (refs) AND wake_at IS NOT NULL AND test = 0;
    UPDATE endpoints SET reconsidered_to = CASE WHEN moved = most THEN last END WHERE subscription = name;
  END CASE;
  RETURN moved;
END $$;
