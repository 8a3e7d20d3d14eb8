package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
)

// storedKeys returns the keys that a new process finds in that home.
func storedKeys(t *testing.T, home string) map[string]bool {
	t.Helper()
	cmd := exec.Command("kota", "memory", "export", "--format", "jsonl")
	cmd.Env = append(os.Environ(), "KOTA_HOME="+home, "KOTA_CONFIG=")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for line := range bytes.Lines(out) {
		var m struct{ Key string }
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		keys[m.Key] = true
	}
	return keys
}

// setLine returns the line that stores a memory under that key, which is also the
// call's id.
func setLine(key string) string {
	return toolCall(key, "memory_set", object{"key": key, "value": "the value of " + key})
}

func TestTwoServersWithEightWritersEachLoseNothing(t *testing.T) {
	const servers, writers, writes = 2, 8, 20
	home := t.TempDir()
	t.Run("at once", func(t *testing.T) {
		for n := range servers {
			t.Run(fmt.Sprint("server ", n), func(t *testing.T) {
				t.Parallel()
				p := serveIn(t, home)
				var all sync.WaitGroup
				for w := range writers {
					all.Go(func() {
						for i := range writes {
							if _, err := io.WriteString(p.stdin, setLine(fmt.Sprintf("server %d writer %d write %d", n, w, i))); err != nil {
								t.Error(err)
							}
						}
					})
				}
				for range writers*writes + 1 { // plus the greeting
					answer, more := p.next()
					if !more {
						t.Fatalf("it stopped: %s", p.stderr.String())
					}
					if answer.ID == "hello" {
						continue
					}
					if result := answer.call(t); result.IsError {
						t.Errorf("%v: %s", answer.ID, result.text())
					}
				}
				all.Wait()
				p.end()
			})
		}
	})
	if found := storedKeys(t, home); len(found) != servers*writers*writes {
		t.Errorf("%d memories, want %d", len(found), servers*writers*writes)
	}
}

// crashLoops returns how often a server is killed, from KOTA_CRASH_LOOPS.
func crashLoops(t *testing.T) int {
	t.Helper()
	text := os.Getenv("KOTA_CRASH_LOOPS")
	if text == "" {
		return 3
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("KOTA_CRASH_LOOPS: %v", err)
	}
	return n
}

func TestEveryCallBeforeTheEndOfInputIsAnswered(t *testing.T) {
	const calls = 100
	home := t.TempDir()
	p := serveIn(t, home)
	for i := range calls {
		p.send(setLine(strconv.Itoa(i)))
	}
	answers := p.end() // which also checks for status 0
	if len(answers) != calls+1 {
		t.Errorf("%d answers to %d calls and a greeting", len(answers), calls)
	}
	var acknowledged []string
	for i := range calls {
		id := strconv.Itoa(i)
		answer, answered := answers[id]
		switch {
		case !answered:
			t.Errorf("call %s is not answered", id)
		case answer.Error == nil && !answer.call(t).IsError:
			acknowledged = append(acknowledged, id)
		}
	}
	if len(acknowledged) == 0 {
		t.Error("no call was carried out")
	}
	checkNoneLost(t, acknowledged, storedKeys(t, home))
}

func checkNoneLost(t *testing.T, acknowledged []string, found map[string]bool) {
	t.Helper()
	for _, key := range acknowledged {
		if !found[key] {
			t.Errorf("%q was acknowledged and is lost", key)
		}
	}
}
