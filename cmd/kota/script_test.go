package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"kota/store/enginetest"
	"kota/store/semantic/semantictest"
)

// TestMain lets scripts run this test binary under several names in PATH. As kota
// it is the program itself, as kota-dies a program that is killed at a commit, and
// as kota-notes a server with the bundle of stagedtest.
func TestMain(m *testing.M) {
	setPrivateUmask()
	os.Unsetenv("GOGC") // make test sets it for the tests; the programs that they start must not inherit it
	testscript.Main(testsWithResidents{m}, map[string]func(){"kota": main, "kota-resident": serveCommands, "kota-watched": runWatched, "kota-dies": runUntilCommit, "kota-notes": serveNotes})
}

// testTime is the clock of every script and conversation.
const testTime = "2026-03-14T09:26:53Z"

// TestScripts runs the scripts of testdata/script, each in its own folder and home.
// The database is a file in the home. If KOTA_TEST_ENGINE is postgres, the database
// is on a server, and the condition [postgres] holds: scripts about the file then
// stop at their first line. These commands are added to those of testscript:
//
//	home FOLDER                      KOTA_HOME is FOLDER, with a database of its own
//	runs kota [ARG ...]              like exec, but in a resident process and without stdin
//	fails STATUS kota [ARG ...]      likewise; it ends with that status, says why on stderr and nothing on stdout
//	fails STATUS exec kota [ARG ...] likewise, as a process of its own with the stdin of the script
//	mode PERMISSIONS FILE ...        FILE exists with exactly these, in octal
//	model FOLDER [WORD=WORD ...]     FOLDER has a model for the search by meaning that knows only these words
func TestScripts(t *testing.T) {
	scripts := filepath.Join("testdata", "script")
	scripted := variablesOfScripts(t, scripts)
	testscript.Run(t, testscript.Params{
		Dir:                 scripts,
		UpdateScripts:       *updateFlag,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			if name != "postgres" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return enginetest.IsPostgres(), nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"home":  homeCommand,
			"runs":  runsCommand,
			"fails": failsCommand,
			"mode":  modeCommand,
			"truncate": func(ts *testscript.TestScript, _ bool, args []string) {
				size, err := strconv.ParseInt(args[1], 10, 64)
				ts.Check(err)
				ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
			},
			"model": modelCommand,
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("KOTA_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("KOTA_NOW", testTime)
			newURL := func() string { return enginetest.URL(env.T().(testing.TB)) }
			env.Values[newURLOfScript{}] = newURL
			if url := newURL(); url != "" {
				env.Setenv("KOTA_DATABASE_URL", url)
				env.Setenv("KOTA_SECRETS_KEY", oldKey)
			}
			rememberVariables(env, scripted)
			return nil
		},
	})
}

// newURLOfScript is the key of a function that returns the URL of an empty
// database, or "" if databases are files.
type newURLOfScript struct{}

func homeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: home FOLDER")
	}
	ts.Setenv("KOTA_HOME", ts.MkAbs(args[0]))
	if url := ts.Value(newURLOfScript{}).(func() string)(); url != "" {
		ts.Setenv("KOTA_DATABASE_URL", url)
	}
}

// variableNames is the key of the names of the variables that a script has.
type variableNames struct{}

var setsVariable = regexp.MustCompile(`(?m)^(?:\[[^]]*\] )*env (\w+)=`)

// variablesOfScripts returns the names of the variables that scripts set.
func variablesOfScripts(t *testing.T, scripts string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(scripts, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range setsVariable.FindAllSubmatch(text, -1) {
			names = append(names, string(match[1]))
		}
	}
	return names
}

// rememberVariables keeps the names of the variables of a script, for
// runInScript.
func rememberVariables(env *testscript.Env, scripted []string) {
	names := slices.Clone(scripted)
	for _, variable := range env.Vars {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, name)
	}
	env.Values[variableNames{}] = names
}

func runsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if outcome := runInScript(ts, args); (outcome.Status != 0) != neg {
		ts.Fatalf("kota ended with %d", outcome.Status)
	}
}

// runInScript runs kota with the folder and the environment of the script.
func runInScript(ts *testscript.TestScript, args []string) kotaOutcome {
	if len(args) == 0 || args[0] != "kota" {
		ts.Fatalf("the program must be kota")
	}
	var env []string
	for _, name := range ts.Value(variableNames{}).([]string) {
		env = append(env, name+"="+ts.Getenv(name))
	}
	outcome, err := runResident(kotaCommand{Dir: ts.MkAbs("."), Env: env, Args: args[1:]})
	ts.Check(err)
	ts.Stdout().Write(outcome.Stdout)
	ts.Stderr().Write(outcome.Stderr)
	return outcome
}

func failsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails STATUS [exec] kota [ARG ...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var got int
	var stdout, stderr string
	if args[1] == "exec" {
		err := ts.Exec(args[2], args[3:]...)
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			got = exit.ExitCode()
		}
		stdout, stderr = ts.ReadFile("stdout"), ts.ReadFile("stderr")
	} else {
		outcome := runInScript(ts, args[1:])
		got, stdout, stderr = outcome.Status, string(outcome.Stdout), string(outcome.Stderr)
	}
	if got != want {
		ts.Fatalf("want exit status %d, got %d", want, got)
	}
	if stdout != "" {
		ts.Fatalf("stdout has %q, want nothing", stdout)
	}
	if stderr == "" {
		ts.Fatalf("stderr does not say why")
	}
}

func modeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: mode PERMISSIONS FILE ...")
	}
	for _, file := range args[1:] {
		info, err := os.Stat(ts.MkAbs(file))
		ts.Check(err)
		if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
			ts.Fatalf("%s has mode %s, want %s", file, got, args[0])
		}
	}
}

func modelCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: model FOLDER [WORD=WORD ...]")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(semantictest.WriteModel(dir, semantictest.Synonyms(args[1:])))
}

var updateFlag = flag.Bool("update", false, "rewrite golden files")
