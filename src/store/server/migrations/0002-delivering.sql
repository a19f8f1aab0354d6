-- What all workers deliver together. A claim, a look and a settlement are one statement each, which locks, decides and writes
-- within the database: a worker that stands still holds no lock, and the others wait for no answer on its way to it.
-- Each locks the endpoints it is about in the order of their names.

-- A rate holds over all workers: how many attempts ended when. One that is under way shows in `deliveries`.
CREATE TABLE paces (
  subscription text COLLATE "C" NOT NULL REFERENCES endpoints,
  at bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (subscription, at)
) WITH (fillfactor = 50);

ALTER TABLE endpoints
  ADD paced_ms bigint, -- the window of its rate; null: it has none, and nothing is counted
  ADD gatherer text COLLATE "C", -- who puts what waits into messages: two workers would make two of one
  ADD gathers_until bigint;

CREATE TABLE liveness (
  one bigint PRIMARY KEY,
  checks bigint NOT NULL
) WITH (fillfactor = 20);

CREATE FUNCTION is_open(endpoint endpoints) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT endpoint.configured = 1 AND endpoint.enabled = 1 AND endpoint.disabled_at IS NULL
$$;

-- What may be sent, whatever the states of the rows: of one that is shut tests alone.
CREATE FUNCTION gate_of(endpoint endpoints) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN NOT is_open(endpoint) OR endpoint.queued_to IS NOT NULL THEN 'shut'
    WHEN endpoint.recovering = 1 THEN 'recovering' ELSE 'open' END
$$;

-- The answer of a client that waits for longer is not awaited any more. Bitmap scans never mark what is dead in an index: those over
-- rows that change twice a delivery would look at each earlier version of them, until the next vacuum.
CREATE FUNCTION lightly() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '10s', true),
    set_config('enable_bitmapscan', 'off', true);
END $$;

-- Moves rows that came due among the ready ones: all of `chosen`, or at most so many. A claim that ran out ended by now.
CREATE FUNCTION wake_rows(endpoint endpoints, now_at bigint, most bigint, chosen text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due bigint[];
BEGIN
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

CREATE FUNCTION count_pace(name text, ended_at bigint, ended bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF ended > 0 THEN
    INSERT INTO paces AS pace VALUES (name, ended_at, ended)
    ON CONFLICT (subscription, at) DO UPDATE SET amount = pace.amount + excluded.amount;
  END IF;
END $$;

-- Makes the oldest rows of a recovering endpoint due that wait for their schedule, and says whether there were any. A row keeps
-- the instant at which it was due (`resumes_at`). Where none is left to wait, the endpoint has recovered.
CREATE FUNCTION bring_forward(name text, now_at bigint, before bigint, most bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  again_at bigint;
BEGIN
  SELECT not_before INTO again_at FROM deliveries
  WHERE subscription = name AND state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL AND turn IS DISTINCT FROM 0
    AND resumes_at IS NOT NULL AND not_before IS NOT NULL
  ORDER BY not_before LIMIT 1;
  IF again_at <= now_at THEN
    UPDATE deliveries SET resumes_at = NULL WHERE ref IN (
      SELECT ref FROM deliveries
      WHERE subscription = name AND state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL
        AND turn IS DISTINCT FROM 0 AND resumes_at IS NOT NULL AND not_before <= now_at
      ORDER BY not_before LIMIT 1000
    );
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM deliveries
    WHERE subscription = name AND state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL AND turn IS DISTINCT FROM 0
      AND resumes_at IS NULL AND least(round, 1) = 1
  ) THEN
    IF again_at IS NULL THEN UPDATE endpoints SET recovering = 0 WHERE subscription = name; END IF;
    RETURN false;
  END IF;
  -- Some rows with a long `Retry-After` are looked through for others.
  UPDATE deliveries SET resumes_at = wake_at, wake_at = NULL,
    next_attempt_at = least(next_attempt_at, now_at - (SELECT ahead FROM steady_time))
  WHERE ref IN (
    SELECT ref FROM (
      SELECT ref, event, not_before FROM deliveries
      WHERE subscription = name AND state = 'pending' AND wake_at IS NOT NULL AND claimed_by IS NULL
        AND turn IS DISTINCT FROM 0 AND resumes_at IS NULL AND least(round, 1) = 1
      ORDER BY event LIMIT 1000
    ) AS oldest
    WHERE coalesce(not_before <= now_at, true) AND event < before
    ORDER BY event LIMIT most
  );
  RETURN FOUND;
END $$;

-- Whether an endpoint has a row that is due. Each question is one step into an index, whatever the backlog: asked as a part of a
-- larger statement it may be answered for all endpoints at once, by reading every row that waits.
CREATE FUNCTION has_due(name text, now_at bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT 1 FROM deliveries
    WHERE subscription = name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
  ) OR EXISTS (
    SELECT 1 FROM deliveries
    WHERE subscription = name AND state = 'pending' AND wake_at IS NOT NULL AND turn IS DISTINCT FROM 0 AND wake_at <= now_at
  );
END $$;

CREATE FUNCTION oldest_ready(name text, most bigint) RETURNS bigint[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(
    SELECT ref FROM deliveries
    WHERE subscription = name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
    ORDER BY event LIMIT most
  );
END $$;

CREATE FUNCTION tests_ready(name text, most bigint) RETURNS bigint[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(
    SELECT ref FROM deliveries
    WHERE subscription = name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0 AND test = 1
    ORDER BY event LIMIT most
  );
END $$;

CREATE FUNCTION chosen_ready(name text, most bigint, chosen text[], tests_only boolean) RETURNS bigint[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(
    SELECT ref FROM deliveries
    WHERE id = ANY (chosen) AND subscription = name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
      AND (test = 1 OR NOT tests_only)
    ORDER BY event LIMIT most
  );
END $$;

-- The rows that a claim takes of an endpoint.
CREATE FUNCTION claimable(endpoint endpoints, now_at bigint, most bigint, among text, forward bigint, chosen text[])
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  name text := endpoint.subscription;
  gate text := gate_of(endpoint);
  refs bigint[];
  to_forward bigint;
  before bigint;
BEGIN
  PERFORM wake_rows(endpoint, now_at, most, chosen);
  IF chosen IS NOT NULL THEN RETURN chosen_ready(name, most, chosen, gate = 'shut' OR among IS NOT DISTINCT FROM 'tests'); END IF;
  IF gate = 'shut' OR among = 'tests' THEN RETURN tests_ready(name, most); END IF;
  IF among = 'newest' THEN
    RETURN ARRAY(
      SELECT ref FROM deliveries
      WHERE subscription = name AND state = 'pending' AND wake_at IS NULL AND turn IS DISTINCT FROM 0
      ORDER BY event DESC LIMIT most
    );
  END IF;
  refs := oldest_ready(name, most);
  IF gate = 'open' THEN RETURN refs; END IF;
  SELECT forward - count(*) FILTER (WHERE resumes_at > now_at), max(event) INTO to_forward, before
  FROM deliveries WHERE ref = ANY (refs);
  IF to_forward <= 0 THEN RETURN refs; END IF;
  IF cardinality(refs) < most THEN before := NULL; END IF;
  IF NOT bring_forward(name, now_at, coalesce(before, 9007199254740991), to_forward) THEN RETURN refs; END IF;
  RETURN oldest_ready(name, most);
END $$;

-- How many more attempts may be begun of an endpoint beside those under way.
CREATE FUNCTION room_at(endpoint endpoints, now_at bigint, under_way bigint, concurrency bigint, requests bigint, per_ms bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  name text := endpoint.subscription;
BEGIN
  IF endpoint.paced_ms IS DISTINCT FROM per_ms THEN UPDATE endpoints SET paced_ms = per_ms WHERE subscription = name; END IF;
  IF coalesce(endpoint.paced_ms, per_ms) IS NOT NULL THEN
    DELETE FROM paces WHERE subscription = name AND (per_ms IS NULL OR at <= now_at - per_ms);
  END IF;
  IF per_ms IS NULL THEN RETURN concurrency - under_way; END IF;
  RETURN least(concurrency, requests - (SELECT coalesce(sum(amount), 0) FROM paces WHERE subscription = name)) - under_way;
END $$;

-- `DeliveryStore.claim`. `is_again`: it may have been done already, and its answer was lost. Endpoints have their turn from `from_name`
-- on, and from the first on after the last: no more than `most` rows are taken of all.
CREATE FUNCTION claim_deliveries(
  claimer text, now_at bigint, shown_at bigint, lease_end bigint, is_again boolean, is_forced boolean, chosen text[],
  names text[], slots bigint[], amongs text[], forwards bigint[],
  concurrencies bigint[], requests bigint[], pers_ms bigint[], addresses text[], batches bigint[], most bigint, from_name text
) RETURNS TABLE (
  id text, subscription text, round bigint, event bigint, next_attempt_at bigint, resumes_at bigint, last_told bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  due text[];
  asked record;
  endpoint endpoints%ROWTYPE;
  taken bigint[] := '{}';
  room bigint;
BEGIN
  PERFORM lightly();
  -- Where others have every place nothing is held, so that nobody waits for it.
  due := ARRAY(
    SELECT name FROM unnest(names, slots, concurrencies, batches) AS each (name, slots, concurrency, batches)
    WHERE each.slots > 0 AND (chosen IS NOT NULL OR is_again OR (
      (has_due(name, now_at) OR EXISTS (SELECT 1 FROM endpoints WHERE subscription = name AND recovering = 1))
      AND (each.concurrency IS NULL OR each.batches IS NOT NULL OR each.concurrency > (
        SELECT count(*) FROM deliveries WHERE subscription = name AND claimed_by IS NOT NULL AND wake_at > now_at
      ))
    )) ORDER BY name COLLATE "C" < from_name, name COLLATE "C" LIMIT CASE WHEN is_again THEN NULL ELSE most END
  );
  PERFORM 1 FROM endpoints WHERE subscription = ANY (due) ORDER BY subscription FOR NO KEY UPDATE;
  -- A statement of its own: it sees what those did who held the endpoints before.
  FOR asked IN
    SELECT each.*, known AS endpoint, under_way.*
    FROM unnest(names, slots, amongs, forwards, concurrencies, requests, pers_ms, addresses, batches)
      AS each (name, slots, among, forward, concurrency, requests, per_ms, address, batches)
      JOIN endpoints AS known ON known.subscription = name
      CROSS JOIN LATERAL (
        SELECT count(*) AS claimed, count(*) FILTER (WHERE claimed_by <> claimer) AS others
        FROM deliveries WHERE subscription = name AND claimed_by IS NOT NULL AND wake_at > now_at
      ) AS under_way
    WHERE name = ANY (due) ORDER BY name COLLATE "C" < from_name, name COLLATE "C"
  LOOP
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
  IF taken = '{}' THEN RETURN; END IF;
  RETURN QUERY
    SELECT each.id, each.subscription, each.round, each.event, each.next_attempt_at, each.resumes_at, each.last_told
    FROM deliveries AS each WHERE ref = ANY (taken) ORDER BY event;
  -- What was due by a clock that was ahead is due now. An instant later than now then shows that a command asked for the row meanwhile.
  UPDATE deliveries SET claimed_by = claimer, wake_at = lease_end, next_attempt_at = least(next_attempt_at, shown_at)
  WHERE ref = ANY (taken);
END $$;

-- `DeliveryStore.waiting`. With a `looker`, others are shown nothing of an endpoint for as long as he has something to gather.
CREATE FUNCTION waiting_deliveries(
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
      CONTINUE WHEN EXISTS (
        SELECT 1 FROM deliveries
        WHERE subscription = asked.name AND claimed_by IS NOT NULL AND claimed_by <> looker AND wake_at > now_at
      );
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

-- Tests come behind any backlog.
CREATE FUNCTION shown_rows(endpoint endpoints, now_at bigint, most bigint, among text, forward bigint, chosen text[])
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  name text := endpoint.subscription;
  gate text := gate_of(endpoint);
  refs bigint[];
BEGIN
  PERFORM wake_rows(endpoint, now_at, most, chosen);
  IF chosen IS NOT NULL THEN RETURN chosen_ready(name, most, chosen, gate = 'shut'); END IF;
  IF gate = 'shut' OR among = 'tests' THEN RETURN tests_ready(name, most); END IF;
  IF gate = 'recovering' AND forward > 0 THEN PERFORM bring_forward(name, now_at, 9007199254740991, most); END IF;
  refs := oldest_ready(name, most);
  IF cardinality(refs) < most THEN RETURN refs; END IF;
  RETURN refs || ARRAY(SELECT ref FROM unnest(tests_ready(name, most)) AS test (ref) WHERE ref <> ALL (refs));
END $$;

-- A worker that dies is done with once its claims are freed; one that has nothing to gather lets go.
CREATE FUNCTION gather(endpoint endpoints, looker text, now_at bigint, has_rows boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF has_rows AND (endpoint.gatherer IS DISTINCT FROM looker OR endpoint.gathers_until < now_at + 30000) THEN
    UPDATE endpoints SET gatherer = looker, gathers_until = now_at + 60000 WHERE subscription = endpoint.subscription;
  ELSIF NOT has_rows AND endpoint.gatherer = looker THEN
    UPDATE endpoints SET gatherer = NULL, gathers_until = NULL WHERE subscription = endpoint.subscription;
  END IF;
END $$;

-- Rows follow their endpoint, slice by slice.

-- Moves at most `most` rows of an endpoint in one way, and fewer only where no more are left; returns how many. The caller holds it.
CREATE FUNCTION follow_endpoint(endpoint endpoints, step text, at bigint, most bigint) RETURNS bigint LANGUAGE plpgsql AS $$
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
    WHERE ref = ANY (refs) AND turn IS NULL AND (state <> 'discarded' OR claimed_by IS NOT NULL);
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

-- Moves the next slice of rows of all endpoints or of one; returns whether none is left. Some milliseconds.
CREATE FUNCTION settle_slice(settled_at bigint, only_of text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  remaining bigint := 500;
  name text;
  step record;
  endpoint endpoints%ROWTYPE;
  cost bigint;
BEGIN
  FOR name IN
    SELECT subscription FROM endpoints WHERE unsettled = 1 AND (only_of IS NULL OR subscription = only_of) ORDER BY subscription
  LOOP
    SELECT * INTO endpoint FROM endpoints WHERE subscription = name FOR NO KEY UPDATE;
    -- A move that passes on the turn of a lane costs as much as some moves without.
    FOR step IN
      SELECT * FROM (
        VALUES (1, 'discard', 5, 1), (2, 'hold or release', 1, 1), (3, 'give turns', 5, 5), (4, 'take turns', 5, 5),
          (5, 'reconsider', 1, 1)
      ) AS steps (place, name, ordered_cost, cost) ORDER BY place
    LOOP
      cost := CASE WHEN endpoint.ordered = 1 THEN step.ordered_cost ELSE step.cost END;
      remaining := remaining - cost * follow_endpoint(endpoint, step.name, settled_at, (remaining + cost - 1) / cost);
      IF remaining <= 0 THEN RETURN false; END IF;
    END LOOP;
    UPDATE endpoints SET unsettled = 0 WHERE subscription = name;
  END LOOP;
  RETURN true;
END $$;

-- Marks the rows of an endpoint to follow it, and moves the first slice of them at once.
CREATE FUNCTION unsettle(name text, at bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE endpoints SET unsettled = 1 WHERE subscription = name;
  PERFORM settle_slice(at, name);
END $$;

-- The first reason stays.
CREATE FUNCTION shut_endpoint(name text, reason text, shut_at bigint, shut_by text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoints (subscription) VALUES (name) ON CONFLICT DO NOTHING;
  UPDATE endpoints SET disabled_reason = reason, disabled_at = shut_at, disabled_by = shut_by
  WHERE subscription = name AND disabled_at IS NULL;
  IF FOUND THEN PERFORM unsettle(name, shut_at); END IF;
END $$;

-- Whether an owner of claims is alive; null: as the workers have it that live.
CREATE FUNCTION is_alive(owner text, alive text[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF alive IS NULL THEN RETURN EXISTS (SELECT 1 FROM workers WHERE id = owner); END IF;
  RETURN owner = ANY (alive);
END $$;

-- Ends the claims of all that are not alive; returns how many. A worker that joins meanwhile is known by whoever holds the row in
-- `endpoints` that it claimed under.
CREATE FUNCTION recover_claims(alive text[], now_at bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  name text;
  endpoint endpoints%ROWTYPE;
  recovered bigint;
  total bigint := 0;
BEGIN
  FOR name IN
    SELECT subscription FROM endpoints
    WHERE (gatherer IS NOT NULL AND NOT is_alive(gatherer, alive)) OR EXISTS (
      SELECT 1 FROM deliveries
      WHERE deliveries.subscription = endpoints.subscription AND claimed_by IS NOT NULL AND NOT is_alive(claimed_by, alive)
    ) ORDER BY subscription
  LOOP
    SELECT * INTO endpoint FROM endpoints WHERE subscription = name FOR NO KEY UPDATE;
    UPDATE deliveries SET claimed_by = NULL, wake_at = NULL
    WHERE subscription = name AND claimed_by IS NOT NULL AND NOT is_alive(claimed_by, alive);
    GET DIAGNOSTICS recovered = ROW_COUNT;
    IF endpoint.paced_ms IS NOT NULL THEN PERFORM count_pace(name, now_at, recovered); END IF;
    UPDATE endpoints SET gatherer = NULL, gathers_until = NULL WHERE subscription = name AND gatherer IS NOT NULL AND NOT is_alive(gatherer, alive);
    total := total + recovered;
  END LOOP;
  RETURN total;
END $$;

-- The outcomes of attempts.

-- One outcome of a row that its sender holds, and where the row goes.
CREATE TYPE outcome AS (
  place bigint, ref bigint, subscription text, test boolean, made boolean, at bigint, duration_ms bigint, status bigint,
  error text, answer text, kind text, not_before bigint, scheduled boolean, reason text, began_at bigint, ended_at bigint,
  ended bigint, shared boolean, longest bigint, state text, next_attempt_at bigint, wake_at bigint, finished_at bigint
);

-- The part of `settle_deliveries` that fares with the endpoints: how the attempts went, in their order.
CREATE FUNCTION record_outcomes(outcomes outcome[], failing_from bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text;
  own outcome[];
  each outcome;
  endpoint endpoints%ROWTYPE;
  gone outcome;
BEGIN
  FOR name, own IN
    SELECT subscription COLLATE "C", array_agg(row ORDER BY place) FROM unnest(outcomes) AS row GROUP BY 1 ORDER BY 1
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
CREATE FUNCTION settle_deliveries(
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
  WHERE subscription IN (SELECT subscription FROM deliveries WHERE id = ANY (ids) AND coalesce(claimed_by, '') = sender)
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
    FROM given JOIN deliveries AS delivery ON delivery.id = given.id AND coalesce(delivery.claimed_by, '') = sender
      JOIN endpoints AS endpoint ON endpoint.subscription = delivery.subscription
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

-- An attempt outside the schedule leaves the row where it was in the schedule. An attempt by the schedule does not let the row
-- be brought forward sooner: a row with short steps would come twice as often. One that failed when it was brought forward is
-- not brought forward again for a minute, then for twice as long each time.
CREATE FUNCTION place_rows(outcomes outcome[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE deliveries AS delivery SET
    state = each.state, next_attempt_at = each.next_attempt_at, wake_at = each.wake_at, finished_at = each.finished_at,
    claimed_by = NULL,
    attempts = delivery.attempts + each.made::int,
    round = delivery.round + (each.made AND each.scheduled)::int,
    last_status = CASE WHEN each.made THEN each.status ELSE delivery.last_status END,
    last_error = CASE WHEN each.made THEN each.error ELSE delivery.last_error END,
    not_before = CASE
      WHEN NOT each.made THEN delivery.not_before
      WHEN NOT each.scheduled THEN greatest(
        coalesce(each.not_before, 0),
        each.began_at + each.duration_ms + 60000 * (1::bigint << least(delivery.attempts - delivery.round, 12)::int)
      )
      WHEN delivery.resumes_at IS NOT NULL AND delivery.not_before > each.began_at + each.duration_ms
        THEN greatest(coalesce(each.not_before, 0), delivery.not_before)
      ELSE each.not_before END,
    resumes_at = CASE
      WHEN NOT each.made OR NOT each.scheduled THEN delivery.resumes_at
      WHEN delivery.resumes_at IS NOT NULL AND delivery.not_before > each.began_at + each.duration_ms THEN each.wake_at END
  FROM unnest(outcomes) AS each WHERE delivery.ref = each.ref;
END $$;

-- `AdminStore.retry`. A row whose attempt is under way keeps its claim: it is due again when that ends.
CREATE FUNCTION retry_deliveries(ids text[], asked_at bigint, delivered_too boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  amount bigint;
BEGIN
  PERFORM 1 FROM endpoints WHERE subscription IN (SELECT subscription FROM deliveries WHERE id = ANY (ids))
  ORDER BY subscription FOR NO KEY UPDATE;
  WITH moved AS (
    UPDATE deliveries AS delivery SET round = 0, finished_at = NULL, not_before = NULL, resumes_at = NULL,
      state = CASE WHEN test = 1 OR is_open(endpoint) THEN 'pending' ELSE 'held' END,
      next_attempt_at = CASE WHEN test = 1 OR is_open(endpoint) THEN asked_at END,
      wake_at = CASE WHEN claimed_by IS NOT NULL THEN wake_at END
    FROM endpoints AS endpoint, events
    WHERE delivery.id = ANY (ids) AND endpoint.subscription = delivery.subscription AND events.ref = delivery.event
      AND events.expired_at IS NULL AND (delivery.state <> 'delivered' OR delivered_too)
    RETURNING delivery.state
  )
  SELECT count(*) INTO amount FROM moved WHERE state = 'pending';
  RETURN amount;
END $$;
