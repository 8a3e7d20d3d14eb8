package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"kota/store/semantic/semantictest"
)

// TestMain makes this test binary the program itself when it is called kota. As
// kota-dies it is a program that is killed at a commit, and as kota-notes a
// server of the notes of stagedtest. TestMain puts it into PATH under these
// names.
func TestMain(m *testing.M) {
	setPrivateUmask()
	os.Unsetenv("GOGC") // make test sets it for the tests; the programs that they start must not inherit it
	testscript.Main(m, map[string]func(){"kota": main, "kota-watched": runWatched, "kota-dies": runUntilCommit, "kota-notes": serveNotes})
}

// testTime is the clock of every script and conversation.
const testTime = "2026-03-14T09:26:53Z"

// TestScripts runs the scripts of testdata/script, each in a folder and on a
// home of its own. They have three commands besides testscript's:
//
//	fails STATUS PROGRAM [ARG ...]   ends with that status, says why on stderr and nothing on stdout
//	mode PERMISSIONS FILE ...        FILE exists with exactly these, in octal
//	model FOLDER [WORD=WORD ...]     FOLDER has a model for the search by meaning that knows only these words
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *updateFlag,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
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
			return nil
		},
	})
}

func failsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails STATUS PROGRAM [ARG ...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) || exit.ExitCode() != want {
		ts.Fatalf("want exit status %d, got %v", want, err)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("stdout has %q, want nothing", out)
	}
	if ts.ReadFile("stderr") == "" {
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
