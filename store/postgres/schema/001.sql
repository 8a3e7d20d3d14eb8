-- minimum reader: 1
--
-- The tables of KOTA in PostgreSQL. The columns mean what the schema of package sqlite says. There,
-- one file belongs to one person. Here, each row names its person in the column owner, which begins
-- each key. Texts sort by bytes. Times are milliseconds. Flags are 0 or 1, as in SQLite. JSON stays
-- text, because jsonb changes it.
--
-- Migration adds row-level security and rights to each table: see row_security.go.

-- The people, one row each. Statements name them by id, in the column owner.
CREATE TABLE tenants (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name    text COLLATE "C" NOT NULL UNIQUE,
    created bigint NOT NULL,
    removed bigint
);

-- One row per person, which each write locks first. So the writes of a person run one after the
-- other on all replicas. The row has the end of the audit chain, the number of committed changes
-- and the last number of each kind of row: numbers of a person are dense, and do not tell what
-- others do, unlike those of a sequence. moved is the file to which the person's data has moved: then
-- KOTA writes nothing here.
CREATE TABLE heads (
    owner         bigint PRIMARY KEY,
    seq           bigint NOT NULL DEFAULT 0,
    hash          bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
    changes       bigint NOT NULL DEFAULT 0,
    memory        bigint NOT NULL DEFAULT 0,
    version       bigint NOT NULL DEFAULT 0,
    entry         bigint NOT NULL DEFAULT 0,
    task          bigint NOT NULL DEFAULT 0,
    document      bigint NOT NULL DEFAULT 0,
    diary_version bigint NOT NULL DEFAULT 0,
    rowid         bigint NOT NULL DEFAULT 0,
    moved         text COLLATE "C" NOT NULL DEFAULT ''
) WITH (fillfactor = 50);

-- One row per transaction of a group of writes, under one of its people. It tells whether a COMMIT
-- without an answer took place. Rows are removed after ten minutes.
CREATE TABLE commits (
    owner bigint NOT NULL,
    at    bigint NOT NULL,
    id    uuid NOT NULL,
    PRIMARY KEY (owner, at, id)
);

-- Memories.
CREATE TABLE memories (
    owner      bigint NOT NULL,
    id         bigint NOT NULL,
    key        text COLLATE "C" NOT NULL,
    norm       text COLLATE "C" NOT NULL,
    value      text COLLATE "C" NOT NULL,
    sealed     bytea,
    category   text COLLATE "C" NOT NULL,
    tags       text COLLATE "C" NOT NULL,
    source     text COLLATE "C" NOT NULL,
    importance smallint NOT NULL CHECK (importance BETWEEN 0 AND 3),
    pinned     smallint NOT NULL,
    created    bigint NOT NULL,
    updated    bigint NOT NULL,
    expires    bigint,
    deleted    bigint,
    version    bigint NOT NULL,
    uses       bigint NOT NULL DEFAULT 0,
    last_used  bigint,
    stale      smallint NOT NULL,
    PRIMARY KEY (owner, id)
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX memories_key ON memories (owner, norm, key) WHERE deleted IS NULL;
CREATE INDEX memories_dead ON memories (owner, norm, key) WHERE deleted IS NOT NULL;
-- A new memory is stale first, so this index grows when the search index does, and not in the write.
CREATE INDEX memories_recent ON memories (owner, updated, id) WHERE deleted IS NULL AND stale = 0;
CREATE INDEX memories_ending ON memories (owner, expires) WHERE expires IS NOT NULL AND deleted IS NULL;
CREATE INDEX memories_stale ON memories (owner, id) WHERE stale = 1;

CREATE TABLE versions (
    owner      bigint NOT NULL,
    id         bigint NOT NULL,
    memory     bigint NOT NULL,
    key        text COLLATE "C" NOT NULL,
    norm       text COLLATE "C" NOT NULL,
    value      text COLLATE "C" NOT NULL,
    sealed     bytea,
    category   text COLLATE "C" NOT NULL,
    tags       text COLLATE "C" NOT NULL,
    source     text COLLATE "C" NOT NULL,
    importance smallint NOT NULL,
    pinned     smallint NOT NULL,
    created    bigint NOT NULL,
    updated    bigint NOT NULL,
    expires    bigint,
    deleted    bigint,
    version    bigint NOT NULL,
    ended      bigint NOT NULL,
    operation  text COLLATE "C" NOT NULL,
    undo       bigint,
    undone     bigint,
    PRIMARY KEY (owner, id)
);
CREATE INDEX versions_memory ON versions (owner, memory, version);
CREATE INDEX versions_key ON versions (owner, norm, updated);
CREATE INDEX versions_ended ON versions (owner, ended, id);
CREATE INDEX versions_undo ON versions (owner, undo) WHERE undo IS NOT NULL;

CREATE TABLE memory_vectors (
    owner  bigint NOT NULL,
    memory bigint NOT NULL,
    model  text COLLATE "C" NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (owner, memory)
);

-- Vectors of texts of the program have the owner 0, and everybody reads them.
CREATE TABLE text_vectors (
    owner  bigint NOT NULL,
    hash   text COLLATE "C" NOT NULL,
    model  text COLLATE "C" NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (owner, hash)
);

-- The search indexes of each person: m for memories, e for entries, d for documents. docs is the
-- number of indexed rows, and last_term the last number of a term. Package tables/index writes all
-- tables of the indexes.
CREATE TABLE indexes (
    owner     bigint NOT NULL,
    kind      text COLLATE "C" NOT NULL,
    docs      bigint NOT NULL DEFAULT 0,
    last_term bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (owner, kind)
) WITH (fillfactor = 50);

CREATE TABLE docs (
    owner    bigint NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    id       bigint NOT NULL,
    key      text COLLATE "C" NOT NULL,
    labels   text COLLATE "C" NOT NULL,
    body     text COLLATE "C" NOT NULL,
    initials text COLLATE "C" NOT NULL,
    PRIMARY KEY (owner, kind, id)
);

-- The words, and under the kinds M, E and D the initials of keys.
CREATE TABLE terms (
    owner bigint NOT NULL,
    kind  text COLLATE "C" NOT NULL,
    id    bigint NOT NULL,
    term  text COLLATE "C" NOT NULL,
    back  text COLLATE "C" NOT NULL,
    size  int NOT NULL,
    stem  text COLLATE "C" NOT NULL,
    docs  bigint NOT NULL,
    PRIMARY KEY (owner, kind, id)
);
CREATE UNIQUE INDEX terms_term ON terms (owner, kind, term);
CREATE INDEX terms_stem ON terms (owner, kind, stem);
CREATE INDEX terms_start ON terms (owner, kind, size, term);
CREATE INDEX terms_end ON terms (owner, kind, size, back);

-- The rows in which a term occurs, in blocks of 1,024 numbers. list has two bytes per row, in order
-- and big-endian: the lower ten bits of the number, shifted left by four, and a bit for each column
-- with the term: 1 key, 2 labels, 4 body, 8 initials. The kinds x, y and z have the terms of m, e
-- and d in which three letters occur; term is then the three letters of 21 bits each.
CREATE TABLE blocks (
    owner bigint NOT NULL,
    kind  text COLLATE "C" NOT NULL,
    term  bigint NOT NULL,
    block int NOT NULL,
    n     smallint NOT NULL,
    list  bytea NOT NULL,
    PRIMARY KEY (owner, kind, term, block)
) WITH (fillfactor = 70);
ALTER TABLE blocks ALTER COLUMN list SET STORAGE PLAIN;

-- Mail.
CREATE TABLE mail (
    owner   bigint NOT NULL,
    account text COLLATE "C" NOT NULL,
    id      text COLLATE "C" NOT NULL,
    thread  text COLLATE "C" NOT NULL,
    date    bigint NOT NULL,
    size    bigint NOT NULL,
    snippet text COLLATE "C" NOT NULL,
    headers text COLLATE "C" NOT NULL,
    labels  text COLLATE "C" NOT NULL,
    kept    bigint NOT NULL,
    PRIMARY KEY (owner, account, id)
);
CREATE INDEX mail_kept ON mail (owner, account, kept, id);

CREATE TABLE mail_state (
    owner   bigint NOT NULL,
    account text COLLATE "C" NOT NULL,
    history bigint NOT NULL,
    PRIMARY KEY (owner, account)
);

-- What KOTA must not send twice. lease is in milliseconds of the server's clock.
CREATE TABLE outbox (
    owner   bigint NOT NULL,
    id      text COLLATE "C" NOT NULL,
    rowid   bigint NOT NULL,
    bundle  text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    key     text COLLATE "C" NOT NULL,
    digest  text COLLATE "C" NOT NULL,
    gist    text COLLATE "C" NOT NULL,
    kind    text COLLATE "C" NOT NULL,
    summary text COLLATE "C" NOT NULL,
    raw     bytea,
    thread  text COLLATE "C" NOT NULL,
    save    smallint NOT NULL,
    draft   text COLLATE "C" NOT NULL,
    own     smallint NOT NULL,
    placed  text COLLATE "C" NOT NULL,
    message text COLLATE "C" NOT NULL,
    status  text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'sending', 'sent', 'saved', 'unknown', 'failed', 'dropped')),
    error   text COLLATE "C" NOT NULL,
    tries   int NOT NULL,
    created bigint NOT NULL,
    updated bigint NOT NULL,
    holder  text COLLATE "C" NOT NULL,
    lease   bigint NOT NULL,
    PRIMARY KEY (owner, id)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX outbox_key ON outbox (owner, bundle, account, key) WHERE key <> '' AND status <> 'dropped';
CREATE INDEX outbox_digest ON outbox (owner, bundle, account, digest) WHERE status <> 'dropped';
CREATE INDEX outbox_gist ON outbox (owner, bundle, account, gist) WHERE status IN ('pending', 'sending', 'unknown');
CREATE INDEX outbox_updated ON outbox (owner, bundle, updated, rowid);

-- Changes outside of KOTA.
CREATE TABLE undo (
    owner   bigint NOT NULL,
    id      text COLLATE "C" NOT NULL,
    rowid   bigint NOT NULL,
    bundle  text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    kind    text COLLATE "C" NOT NULL,
    title   text COLLATE "C" NOT NULL,
    before  text COLLATE "C" NOT NULL,
    created bigint NOT NULL,
    claimed bigint,
    claimer text COLLATE "C" NOT NULL DEFAULT '',
    undone  bigint,
    PRIMARY KEY (owner, id)
);
CREATE INDEX undo_recent ON undo (owner, bundle, created, rowid);

-- Unfinished flows.
CREATE TABLE stages (
    owner    bigint NOT NULL,
    handle   text COLLATE "C" NOT NULL,
    flow     text COLLATE "C" NOT NULL,
    stage    text COLLATE "C" NOT NULL,
    state    text COLLATE "C" NOT NULL,
    version  bigint NOT NULL,
    created  bigint NOT NULL,
    updated  bigint NOT NULL,
    expires  bigint NOT NULL,
    finished bigint,
    PRIMARY KEY (owner, handle)
);
CREATE INDEX stages_expires ON stages (owner, expires);

-- Approvals and limits.
CREATE TABLE approvals (
    owner    bigint NOT NULL,
    id       text COLLATE "C" NOT NULL,
    call     text COLLATE "C" NOT NULL,
    digest   text COLLATE "C" NOT NULL,
    tool     text COLLATE "C" NOT NULL,
    effect   text COLLATE "C" NOT NULL,
    args     text COLLATE "C" NOT NULL,
    shown    text COLLATE "C" NOT NULL,
    because  text COLLATE "C" NOT NULL,
    session  text COLLATE "C" NOT NULL,
    status   text COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'running', 'done', 'failed', 'rejected', 'changed')),
    outcome  text COLLATE "C" NOT NULL,
    reported smallint NOT NULL,
    created  bigint NOT NULL,
    updated  bigint NOT NULL,
    expires  bigint NOT NULL,
    PRIMARY KEY (owner, id)
);
CREATE INDEX approvals_call ON approvals (owner, call);
CREATE INDEX approvals_expires ON approvals (owner, expires);

CREATE TABLE consents (
    owner   bigint NOT NULL,
    nonce   text COLLATE "C" NOT NULL,
    expires bigint NOT NULL,
    PRIMARY KEY (owner, nonce)
);

CREATE TABLE passes (
    owner bigint NOT NULL,
    rowid bigint NOT NULL,
    kind  text COLLATE "C" NOT NULL,
    at    bigint NOT NULL,
    n     bigint NOT NULL CHECK (n > 0),
    PRIMARY KEY (owner, rowid)
);
CREATE INDEX passes_at ON passes (owner, kind, at, rowid);

-- Names from tainted conversations.
CREATE TABLE foreign_names (
    owner   bigint NOT NULL,
    account text COLLATE "C" NOT NULL,
    kind    text COLLATE "C" NOT NULL,
    name    text COLLATE "C" NOT NULL,
    PRIMARY KEY (owner, account, kind, name)
);

-- How often tools were called.
CREATE TABLE usage (
    owner      bigint NOT NULL,
    day        text COLLATE "C" NOT NULL,
    tool       text COLLATE "C" NOT NULL,
    door       text COLLATE "C" NOT NULL CHECK (door IN ('discover', 'describe', 'direct', 'entry_point', 'read', 'cli')),
    code       text COLLATE "C" NOT NULL,
    count      bigint NOT NULL,
    tokens_in  bigint NOT NULL,
    tokens_out bigint NOT NULL,
    PRIMARY KEY (owner, day, tool, door, code)
);

CREATE TABLE usage_pairs (
    owner bigint NOT NULL,
    tool  text COLLATE "C" NOT NULL,
    other text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    day   text COLLATE "C" NOT NULL,
    PRIMARY KEY (owner, tool, other)
);

-- The diary.
CREATE TABLE entries (
    owner      bigint NOT NULL,
    id         bigint NOT NULL,
    date       text COLLATE "C" NOT NULL,
    moment     bigint,
    zone       text COLLATE "C" NOT NULL,
    type       text COLLATE "C" NOT NULL,
    section    text COLLATE "C" NOT NULL,
    text       text COLLATE "C" NOT NULL,
    mood       smallint,
    energy     smallint,
    metrics    text COLLATE "C" NOT NULL,
    tags       text COLLATE "C" NOT NULL,
    links      text COLLATE "C" NOT NULL,
    backfilled smallint NOT NULL,
    source     text COLLATE "C" NOT NULL,
    created    bigint NOT NULL,
    updated    bigint NOT NULL,
    deleted    bigint,
    version    bigint NOT NULL,
    stale      smallint NOT NULL,
    PRIMARY KEY (owner, id)
) WITH (fillfactor = 85);
CREATE INDEX entries_day ON entries (owner, date, coalesce(moment, 253402300800000), id) WHERE deleted IS NULL AND stale = 0;
CREATE INDEX entries_stale ON entries (owner, id) WHERE stale = 1;

CREATE TABLE tasks (
    owner    bigint NOT NULL,
    id       bigint NOT NULL,
    text     text COLLATE "C" NOT NULL,
    state    text COLLATE "C" NOT NULL,
    made     text COLLATE "C" NOT NULL,
    due      text COLLATE "C" NOT NULL,
    deferred text COLLATE "C" NOT NULL,
    ended    text COLLATE "C" NOT NULL,
    source   text COLLATE "C" NOT NULL,
    created  bigint NOT NULL,
    updated  bigint NOT NULL,
    deleted  bigint,
    version  bigint NOT NULL,
    PRIMARY KEY (owner, id)
);
CREATE INDEX tasks_open ON tasks (owner, made) WHERE ended = '' AND deleted IS NULL;
CREATE INDEX tasks_ended ON tasks (owner, ended) WHERE ended <> '' AND deleted IS NULL;

CREATE TABLE documents (
    owner   bigint NOT NULL,
    id      bigint NOT NULL,
    type    text COLLATE "C" NOT NULL,
    period  text COLLATE "C" NOT NULL,
    sole    smallint NOT NULL,
    title   text COLLATE "C" NOT NULL,
    body    text COLLATE "C" NOT NULL,
    fields  text COLLATE "C" NOT NULL,
    source  text COLLATE "C" NOT NULL,
    created bigint NOT NULL,
    updated bigint NOT NULL,
    deleted bigint,
    version bigint NOT NULL,
    stale   smallint NOT NULL,
    PRIMARY KEY (owner, id)
);
CREATE UNIQUE INDEX documents_sole ON documents (owner, type, period) WHERE sole = 1 AND deleted IS NULL;
CREATE INDEX documents_type ON documents (owner, type, period) WHERE deleted IS NULL;
CREATE INDEX documents_stale ON documents (owner, id) WHERE stale = 1;

CREATE TABLE diary_versions (
    owner     bigint NOT NULL,
    id        bigint NOT NULL,
    kind      text COLLATE "C" NOT NULL CHECK (kind IN ('entries', 'tasks', 'documents')),
    "row"     bigint NOT NULL,
    version   bigint NOT NULL,
    state     text COLLATE "C" NOT NULL,
    ended     bigint NOT NULL,
    operation text COLLATE "C" NOT NULL,
    undo      bigint,
    undone    bigint,
    PRIMARY KEY (owner, id)
);
CREATE INDEX diary_versions_row ON diary_versions (owner, kind, "row", version);
CREATE INDEX diary_versions_undo ON diary_versions (owner, undo) WHERE undo IS NOT NULL;
CREATE INDEX diary_versions_ended ON diary_versions (owner, ended);

CREATE TABLE diary_calls (
    owner   bigint NOT NULL,
    key     text COLLATE "C" NOT NULL,
    digest  text COLLATE "C" NOT NULL,
    made    text COLLATE "C" NOT NULL,
    created bigint NOT NULL,
    PRIMARY KEY (owner, key)
);

-- The audit log: one chain of hashes per person. name is the owner in the hash, which is "local" in
-- each chain, as in a file of one person.
CREATE TABLE audit (
    owner    bigint NOT NULL,
    seq      bigint NOT NULL,
    name     text COLLATE "C" NOT NULL,
    at       bigint NOT NULL,
    call     text COLLATE "C" NOT NULL,
    phase    text COLLATE "C" NOT NULL,
    tool     text COLLATE "C" NOT NULL,
    effect   text COLLATE "C" NOT NULL,
    door     text COLLATE "C" NOT NULL,
    args     text COLLATE "C" NOT NULL,
    approval text COLLATE "C" NOT NULL,
    code     text COLLATE "C" NOT NULL,
    prev     bytea NOT NULL CHECK (length(prev) = 32),
    hash     bytea NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (owner, seq)
);

-- Sign-ins, OAuth clients and sealing keys of people, encrypted, and locks (kind lock, key_id 0).
CREATE TABLE secrets (
    owner   bigint NOT NULL,
    kind    text COLLATE "C" NOT NULL,
    name    text COLLATE "C" NOT NULL,
    key_id  int NOT NULL,
    sealed  bytea NOT NULL,
    updated bigint NOT NULL,
    PRIMARY KEY (owner, kind, name)
);

-- Sessions of MCP clients, on all replicas. The row without an id is for calls without a session.
-- revision counts the changes of state. stream names the replica's stream on which the client
-- listens, and held_until is when that stream last promised to be there. removed counts the mails that
-- the session removed since the user was last asked.
CREATE TABLE sessions (
    owner      bigint NOT NULL,
    id         text COLLATE "C" NOT NULL,
    state      text COLLATE "C" NOT NULL,
    revision   bigint NOT NULL,
    tainted    smallint NOT NULL,
    began      bigint NOT NULL,
    last_used  bigint NOT NULL,
    stream     text COLLATE "C" NOT NULL DEFAULT '',
    held_until bigint NOT NULL DEFAULT 0,
    removed    bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (owner, id)
);

-- Messages of clients for a call that may run on another replica. They are removed after
-- some minutes.
CREATE TABLE session_messages (
    owner   bigint NOT NULL,
    id      bigint NOT NULL,
    session text COLLATE "C" NOT NULL,
    body    bytea NOT NULL,
    at      bigint NOT NULL,
    PRIMARY KEY (owner, id)
);

-- The audit log only grows, also for the owner of the tables. kota_prune_audit sets app.prune.
CREATE FUNCTION kota_keep_audit() RETURNS trigger LANGUAGE plpgsql SET search_path = kota, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('app.prune', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'rows of the audit log are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_keeps BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION kota_keep_audit();
CREATE TRIGGER audit_stays BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION kota_keep_audit();

-- kota_tenant returns the number of a person and where the person's data has moved to, and creates the
-- person if necessary. It returns no number for a person who was removed. KOTA's role cannot read the
-- table, so nobody can list the people.
CREATE FUNCTION kota_tenant(wanted text, OUT person bigint, OUT moved_to text) LANGUAGE plpgsql SECURITY DEFINER SET search_path = kota, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    PERFORM set_config('app.tenant_name', wanted, true);
    SELECT id, removed INTO person, gone FROM tenants WHERE name = wanted;
    IF NOT FOUND THEN
        INSERT INTO tenants (name, created) VALUES (wanted, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
        ON CONFLICT DO NOTHING;
        SELECT id, removed INTO STRICT person, gone FROM tenants WHERE name = wanted;
    END IF;
    PERFORM set_config('app.tenant_name', '', true);
    IF gone IS NOT NULL THEN
        person := NULL;
        RETURN;
    END IF;
    PERFORM set_config('app.tenant', person::text, true);
    INSERT INTO heads (owner) SELECT person WHERE NOT EXISTS (SELECT FROM heads WHERE owner = person) ON CONFLICT DO NOTHING;
    SELECT moved INTO moved_to FROM heads WHERE owner = person;
END $$;

-- kota_secret_owners returns the numbers of the people with secrets that the given key does not encrypt,
-- so that a new key reaches everybody. It looks at a thousand numbers from the first one on, and
-- returns NULL if there are none. It gives no names: KOTA's role reads the secrets of each person only
-- as that person, and encrypted.
CREATE FUNCTION kota_secret_owners(current_key bigint, first bigint) RETURNS bigint[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = kota, pg_temp AS $$
DECLARE
    last bigint;
    caller text := coalesce(current_setting('app.tenant', true), '');
    found bigint[] := '{}';
BEGIN
    SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO last FROM tenants_id_seq;
    IF first > last THEN
        RETURN NULL;
    END IF;
    FOR person IN first..least(last, first + 999) LOOP
        PERFORM set_config('app.tenant', person::text, true);
        IF EXISTS (SELECT FROM secrets WHERE owner = person AND key_id NOT IN (0, current_key) AND kind NOT LIKE '%.bad') THEN
            found := found || person;
        END IF;
    END LOOP;
    PERFORM set_config('app.tenant', caller, true);
    RETURN found;
END $$;

-- kota_prune_audit removes the rows up to a number from the log of the current person, if the row
-- with that number has that hash and a later row exists. It returns how many rows it removed.
CREATE FUNCTION kota_prune_audit(last_seq bigint, last_hash bytea) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = kota, pg_temp AS $$
DECLARE
    person bigint := NULLIF(current_setting('app.tenant', true), '')::bigint;
    removed bigint := 0;
BEGIN
    IF EXISTS (SELECT FROM audit WHERE owner = person AND seq = last_seq AND hash = last_hash)
       AND EXISTS (SELECT FROM audit WHERE owner = person AND seq > last_seq) THEN
        PERFORM set_config('app.prune', 'on', true);
        DELETE FROM audit WHERE owner = person AND seq <= last_seq;
        GET DIAGNOSTICS removed = ROW_COUNT;
        PERFORM set_config('app.prune', '', true);
    END IF;
    RETURN removed;
END $$;

-- kota_elements returns the strings of a JSON array, in the stored form of texts. json refuses
-- \u0000, so it becomes the stored form of NUL first. A backslash that is escaped itself begins no
-- such character.
CREATE FUNCTION kota_elements(array_text text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT json_array_elements_text(CASE WHEN position('\u0000' IN array_text) = 0 THEN array_text
        ELSE regexp_replace(array_text, '(?<!\\)((?:\\\\)*)\\u0000', '\1' || chr(63743) || '0', 'g') END::json) COLLATE "C"
$$;

-- kota_metric returns a metric as a number. true is 1 and false is 0. It returns NULL if there is no
-- such metric.
CREATE FUNCTION kota_metric(metrics text, metric text) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE json_typeof(metrics::json -> metric)
        WHEN 'number' THEN (metrics::json ->> metric)::double precision
        WHEN 'boolean' THEN (metrics::json ->> metric)::boolean::int::double precision END
$$;

-- kota_day returns the days from 1970-01-01 to a date such as '2026-11-20'. The dates of PostgreSQL
-- have no year 0.
CREATE FUNCTION kota_day(day text) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT era * 146097 + (y - era * 400) * 365 + (y - era * 400) / 4 - (y - era * 400) / 100
        + (153 * ((m + 9) % 12) + 2) / 5 + d - 1 - 719468
    FROM (SELECT y, m, d, floor(y / 400.0)::bigint AS era
        FROM (SELECT substr(day, 1, 4)::bigint - (CASE WHEN substr(day, 6, 2)::int <= 2 THEN 1 ELSE 0 END) AS y,
            substr(day, 6, 2)::bigint AS m, substr(day, 9, 2)::bigint AS d) AS civil) AS eras
$$;

-- ANALYZE would copy values into pg_statistic, where they stay when their rows are erased. The plans
-- need no statistics of these columns.
ALTER TABLE memories ALTER COLUMN value SET STATISTICS 0;
ALTER TABLE versions ALTER COLUMN value SET STATISTICS 0;
ALTER TABLE docs ALTER COLUMN labels SET STATISTICS 0, ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN initials SET STATISTICS 0;
ALTER TABLE entries ALTER COLUMN text SET STATISTICS 0, ALTER COLUMN metrics SET STATISTICS 0, ALTER COLUMN links SET STATISTICS 0;
ALTER TABLE tasks ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE documents ALTER COLUMN title SET STATISTICS 0, ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN fields SET STATISTICS 0;
ALTER TABLE diary_versions ALTER COLUMN state SET STATISTICS 0;
ALTER TABLE diary_calls ALTER COLUMN made SET STATISTICS 0;
ALTER TABLE mail ALTER COLUMN snippet SET STATISTICS 0, ALTER COLUMN headers SET STATISTICS 0;
ALTER TABLE outbox ALTER COLUMN summary SET STATISTICS 0, ALTER COLUMN raw SET STATISTICS 0, ALTER COLUMN error SET STATISTICS 0;
ALTER TABLE undo ALTER COLUMN title SET STATISTICS 0, ALTER COLUMN before SET STATISTICS 0;
ALTER TABLE stages ALTER COLUMN state SET STATISTICS 0;
ALTER TABLE approvals ALTER COLUMN args SET STATISTICS 0, ALTER COLUMN shown SET STATISTICS 0, ALTER COLUMN because SET STATISTICS 0, ALTER COLUMN outcome SET STATISTICS 0;
ALTER TABLE audit ALTER COLUMN args SET STATISTICS 0;
ALTER TABLE secrets ALTER COLUMN sealed SET STATISTICS 0;
ALTER TABLE sessions ALTER COLUMN state SET STATISTICS 0;
ALTER TABLE session_messages ALTER COLUMN body SET STATISTICS 0;

-- Without statistics the planner believes that a person has hardly any rows. It then takes any index
-- that begins with owner, and reads all rows of the person. So the tables get the statistics of some
-- invented rows until the server has analyzed real ones. In these statistics, half of the rows belong
-- to each person.
ALTER TABLE memories ALTER COLUMN owner SET (n_distinct = 2);
ALTER TABLE docs ALTER COLUMN owner SET (n_distinct = 2);
ALTER TABLE terms ALTER COLUMN owner SET (n_distinct = 2);
ALTER TABLE blocks ALTER COLUMN owner SET (n_distinct = 2);
INSERT INTO memories (owner, id, key, norm, value, category, tags, source, importance, pinned, created, updated, version, stale)
SELECT -n, n, 'key ' || md5(n::text), 'key ' || md5(n::text), '', 'c' || n % 20, '[]', '', n % 4, (n % 20 = 0)::int, n, n, 1, (n % 500 = 0)::int FROM generate_series(1, 1000) AS n;
INSERT INTO docs (owner, kind, id, key, labels, body, initials)
SELECT -n, substr('mmed', 1 + n % 4, 1), n, md5(n::text), '', '', '' FROM generate_series(1, 1000) AS n;
INSERT INTO terms (owner, kind, id, term, back, size, stem, docs)
SELECT -n, substr('mmmmedM', 1 + n % 7, 1), n, md5(n::text), md5('x' || n), 3 + n % 12, md5((n / 2)::text), 1 + n % 9 FROM generate_series(1, 3000) AS n;
INSERT INTO blocks (owner, kind, term, block, n, list)
SELECT -n, substr('mmxxxe', 1 + n % 6, 1), n / 4, n % 4, 1, '\x0000' FROM generate_series(1, 4000) AS n;
ANALYZE memories, docs, terms, blocks;
TRUNCATE memories, docs, terms, blocks;
ALTER TABLE memories ALTER COLUMN owner RESET (n_distinct);
ALTER TABLE docs ALTER COLUMN owner RESET (n_distinct);
ALTER TABLE terms ALTER COLUMN owner RESET (n_distinct);
ALTER TABLE blocks ALTER COLUMN owner RESET (n_distinct);
