-- minimum reader: 1
--
-- kota_secret_owners returns the numbers of the people who have secrets that another key encrypts than
-- the given one, so that a new key reaches everybody. It gives no names. KOTA's role can read the
-- secrets of each of them only as that person, and encrypted.
CREATE FUNCTION kota_secret_owners(current_key bigint) RETURNS SETOF bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = kota, pg_temp AS $$
DECLARE
    last bigint;
    caller text := coalesce(current_setting('app.tenant', true), '');
BEGIN
    SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO last FROM tenants_id_seq;
    FOR person IN 1..last LOOP
        PERFORM set_config('app.tenant', person::text, true);
        IF EXISTS (SELECT FROM secrets WHERE owner = person AND key_id NOT IN (0, current_key) AND kind NOT LIKE '%.bad') THEN
            RETURN NEXT person;
        END IF;
    END LOOP;
    PERFORM set_config('app.tenant', caller, true);
END $$;
