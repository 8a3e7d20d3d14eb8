package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kota/bundles"
	"kota/bundles/staged"
	"kota/bundles/stagedtest"
	"kota/cmd/kota/internal/app"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/pipeline"
	"kota/store/sqlite"
	"kota/store/tables/memory"
	"kota/store/tables/stages"
)

// crashEarlyVar makes serveNotes end, as by kill -9, when a note was written and
// its flow does not know it yet.
const crashEarlyVar = "KOTA_NOTES_DIES"

// serveNotes is `kota serve` with only the bundle of stagedtest, on the
// database of KOTA_HOME.
func serveNotes() {
	ctx, clock := context.Background(), func() time.Time { return time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC) }
	db, err := sqlite.Open(ctx, filepath.Join(os.Getenv("KOTA_HOME"), "kota.db"), sqlite.Options{Now: clock})
	if err != nil {
		panic(err)
	}
	deps := stagedtest.Deps{Memories: memory.New(db, app.Owner), Stages: stages.New(db, app.Owner), Now: clock}
	if os.Getenv(crashEarlyVar) != "" {
		deps.BeforeNoted = func() {
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			panic(fmt.Sprintf("it lives on: %v", err))
		}
	}
	r, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{stagedtest.New(deps)}})
	if err != nil {
		panic(err)
	}
	if err := mcpserver.New(r, mcpserver.Options{}).ServeStdio(ctx, os.Stdin, os.Stdout, slog.New(slog.DiscardHandler)); err != nil {
		panic(err)
	}
}

// callStaged calls a staged action and returns its answer.
func (p *process) callStaged(tool, args string) staged.Answer {
	p.t.Helper()
	p.send(toolCall(args, tool, json.RawMessage(args)))
	for {
		m, more := p.next()
		if !more {
			p.t.Fatalf("%s is not answered; stderr: %s", args, p.stderr.String())
		}
		if m.ID != args {
			continue // the answer to the greeting
		}
		var answer staged.Answer
		result := m.call(p.t)
		if err := json.Unmarshal(result.StructuredContent, &answer); err != nil || result.IsError {
			p.t.Fatalf("%s: %s", args, result.text())
		}
		return answer
	}
}

// callWrite calls notes_write.
func (p *process) callWrite(args string) staged.Answer { return p.callStaged("notes_write", args) }

func (p *process) kill() {
	p.t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	_ = p.cmd.Wait() // it was killed
}

func TestStagedActionContinuesAfterKill9(t *testing.T) {
	home := t.TempDir()
	first := start(t, exec.Command("kota-notes"), home)
	handle := first.callWrite(`{"type": "minutes", "title": "Garden"}`).Handle
	first.callWrite(`{"handle": "` + handle + `", "answers": {"with": "Anna"}}`)
	first.kill()

	second := start(t, exec.Command("kota-notes"), home)
	under := second.callWrite(`{}`).Unfinished
	if len(under) != 1 || under[0] != (staged.UnfinishedDocument{Handle: handle, Type: "minutes", Period: "2026-03-14"}) {
		t.Fatalf("under way are %+v, want %s", under, handle)
	}
	look := second.callWrite(`{"handle": "` + handle + `"}`)
	if string(look.Answers["with"]) != `"Anna"` || look.Title != "Garden" || !strings.Contains(look.Starter, "With Anna") {
		t.Errorf("looking at it shows %+v", look)
	}
	made := second.callWrite(`{"handle": "` + handle + `", "answers": {"decisions": ["plant beans"]}}`)
	if made.Stage != "created" || made.ID != "garden" || made.Repeated {
		t.Errorf("got %+v", made)
	}
	second.end()
}

func TestInterruptedStagedActionCreatesOnce(t *testing.T) {
	home := t.TempDir()
	first := exec.Command("kota-notes")
	t.Setenv(crashEarlyVar, "1")
	p := start(t, first, home)
	handle := p.callWrite(`{"type": "idea", "title": "Pond"}`).Handle
	last := `{"handle": "` + handle + `", "answers": {"text": "dig a pond"}}`
	p.send(toolCall("last", "notes_write", json.RawMessage(last)))
	if m, more := p.next(); more {
		t.Fatalf("it answered %s before it died", m.Result)
	}
	p.kill()

	t.Setenv(crashEarlyVar, "")
	again := start(t, exec.Command("kota-notes"), home)
	for range 2 {
		if out := again.callWrite(last); out.Stage != "created" || out.ID != "pond" || !out.Repeated {
			t.Errorf("repeating the last call got %+v", out)
		}
	}
	again.send(toolCall("list", "notes_list", object{}))
	list := again.end()["list"].call(t)
	if got := string(list.StructuredContent); got != `{"notes":["dig a pond"]}` {
		t.Errorf("there are %s", got)
	}
}
