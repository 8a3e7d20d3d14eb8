package schema

// rowSecurityScript is run after each migration step that has a transaction, in it. It gives row-level security to
// each table that has none. A row is visible only to the person whose number is in app.tenant. An
// empty app.tenant counts as unset.
//
// The policy of tenants shows only the row whose name is asked for, so that nobody can list people.
// The policy shared lets everybody read the vectors of texts of the program.
//
// The policy lane is for a transaction with the writes of several people, whose numbers are in
// app.group. It lets one statement lock or store all their heads, which have numbers only, and one
// statement add to all their audit logs. It shows no row of a log.
const rowSecurityScript = `
DO $security$
DECLARE
	open text;
	by_owner constant text := '(owner = (SELECT NULLIF(current_setting(''app.tenant'', true), '''')::bigint))';
	by_group constant text := '(owner = ANY ((SELECT NULLIF(current_setting(''app.group'', true), '''')::bigint[])::bigint[]))';
	by_name constant text := '(name = (SELECT NULLIF(current_setting(''app.tenant_name'', true), '''')))';
	rule text;
BEGIN
	FOR open IN
		SELECT relname FROM pg_class c
		WHERE relnamespace = 'kota'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'kota_schema'
			AND NOT (relrowsecurity AND relforcerowsecurity AND EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = 'tenant'))
	LOOP
		rule := CASE WHEN open = 'tenants' THEN by_name ELSE by_owner END;
		EXECUTE format('ALTER TABLE kota.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', open);
		EXECUTE format('DROP POLICY IF EXISTS tenant ON kota.%I', open);
		EXECUTE format('CREATE POLICY tenant ON kota.%I USING %s WITH CHECK %s', open, rule, rule);
		IF open = 'heads' THEN
			EXECUTE 'CREATE POLICY lane ON kota.heads USING ' || by_group;
		END IF;
		IF open = 'audit' THEN
			EXECUTE 'CREATE POLICY lane ON kota.audit FOR INSERT WITH CHECK ' || by_group;
		END IF;
		IF open = 'text_vectors' THEN
			EXECUTE 'CREATE POLICY shared ON kota.text_vectors FOR SELECT USING (owner = 0)';
		END IF;
	END LOOP;
	REVOKE ALL ON ALL TABLES IN SCHEMA kota FROM PUBLIC;
	REVOKE ALL ON ALL FUNCTIONS IN SCHEMA kota FROM PUBLIC;
END
$security$`

// UnprotectedTables are the tables on which row-level security does not hold for the current role.
const UnprotectedTables = `(SELECT relname FROM pg_class
	WHERE relnamespace = 'kota'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'kota_schema'
		AND NOT (relforcerowsecurity AND row_security_active(oid))) AS unprotected`
