package main

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"kota/store/postgres/pgtest"
)

// TestPostgresScripts runs the scripts of testdata/postgres, each on a PostgreSQL database and on a
// home of its own. DATABASE_URL is the URL of the database. It has the password canary-password,
// which no output may contain.
func TestPostgresScripts(t *testing.T) {
	server := pgtest.Start(t)
	scripts := filepath.Join("testdata", "postgres")
	scripted := variablesOfScripts(t, scripts)
	testscript.Run(t, testscript.Params{
		Dir:                 scripts,
		UpdateScripts:       *updateFlag,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"runs": runsCommand, "fails": failsCommand, "hidden": hiddenCommand},
		Setup: func(env *testscript.Env) error {
			given, err := url.Parse(server.URL("", server.Database(t)))
			if err != nil {
				return err
			}
			given.User = url.UserPassword(given.User.Username(), "canary-password")
			env.Setenv("DATABASE_URL", given.String())
			env.Setenv("KOTA_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("KOTA_NOW", testTime)
			rememberVariables(env, scripted)
			return nil
		},
	})
}

// hiddenCommand checks that the last program has printed no part of the password.
func hiddenCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: hidden")
	}
	for _, stream := range []string{"stdout", "stderr"} {
		if printed := ts.ReadFile(stream); strings.Contains(printed, "canary") {
			ts.Fatalf("%s has the password:\n%s", stream, printed)
		}
	}
}
