package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kota/bundles"
	"kota/bundles/calendar"
	"kota/bundles/daily"
	"kota/bundles/gmail"
	"kota/bundles/memory"
	"kota/cmd/bench/internal/report"
	"kota/entrypoint/repairtest"
)

const (
	repairTarget  = 0.9
	prepareTarget = 30 * time.Microsecond

	prepareRounds = 300 // the median counts, so that the machine's load does not matter
	prepareCalls  = 100 // in each round
)

// measureRepairs sends the corpus of malformed calls to the binary. It also
// measures the check and repair of a call with the largest schema.
func measureRepairs(ctx context.Context, b *bench) ([]report.Row, error) {
	calls, err := repairtest.Corpus()
	if err != nil {
		return nil, err
	}
	counts, err := makeMalformedCalls(ctx, b, calls)
	if err != nil {
		return nil, err
	}
	all := float64(len(calls))
	atOnce, within := float64(counts[repairtest.Runs])/all, float64(counts[repairtest.Runs]+counts[repairtest.Retry])/all
	rows := []report.Row{report.AtLeast("malformed calls that are healed", "≥ 90 % at once or on the one retry that the answer spells out", within, repairTarget,
		"%.0f %% at once, %.0f %% within the retry (%d calls: %d, %d on the retry, %d refused rightly, %d failed; mail and calendar up to the sign-in)",
		100*atOnce, 100*within, len(calls), counts[repairtest.Runs], counts[repairtest.Retry], counts[repairtest.Refused], counts[repairtest.Failed])}
	for _, form := range []struct{ name, args string }{
		{"check of a well-formed call", wellFormed},
		{"check and repair of a malformed call", malformed},
	} {
		took, size, err := prepareTime(form.args)
		if err != nil {
			return nil, err
		}
		rows = append(rows, report.AtMost(form.name+" by the largest schema, mean", "≤ 30 µs", took, prepareTarget,
			"%.1f µs (calendar_create_event, %s bytes of schema, decoding included; the median of %d means of %d calls)", float64(took.Nanoseconds())/1000, report.GroupDigits(size), prepareRounds, prepareCalls))
	}
	return rows, nil
}

// makeMalformedCalls starts a server, sends it the calls and counts the
// outcomes.
func makeMalformedCalls(ctx context.Context, b *bench, calls []repairtest.Call) (map[string]int, error) {
	home := filepath.Join(b.scratch, "healing")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	config := []byte("google: {tokens: file}\nbundles: {daily: on, gmail: on, calendar: on}\n")
	if err := os.WriteFile(filepath.Join(home, "bundles.yaml"), config, 0o600); err != nil {
		return nil, err
	}
	kota, err := startPeer(ctx, []string{"KOTA_HOME=" + home}, b.kota, "serve")
	if err != nil {
		return nil, err
	}
	if err := kota.handshake(); err != nil {
		return nil, err
	}
	if _, err := kota.ask(call("memory_set", object{"key": "theme", "value": "dark", "tags": []string{"ui"}})); err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, c := range calls {
		outcome, err := c.Try(func(c repairtest.Call) (json.RawMessage, error) { return kota.callError(call(c.Tool, c.Args)) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		counts[outcome]++
	}
	return counts, kota.stop()
}

// callError sends a call and returns the error in its answer, or nil. A missing
// sign-in does not count as an error.
func (p *peer) callError(line []byte) (json.RawMessage, error) {
	if _, err := p.stdin.Write(line); err != nil {
		return nil, err
	}
	raw, err := p.stdout.ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	var answer struct {
		Result *struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, err
	}
	switch {
	case answer.Result == nil || len(answer.Result.Content) == 0:
		return nil, fmt.Errorf("answered %.300s", raw)
	case !answer.Result.IsError:
		return nil, nil
	}
	text := []byte(answer.Result.Content[0].Text)
	if bytes.Contains(text, []byte(`"error":"SIGN_IN_REQUIRED"`)) {
		return nil, nil
	}
	return text, nil
}

// The arguments of one call with the largest schema, well-formed, and with the
// mistakes that models make.
const (
	wellFormed = `{"title":"Lunch","start":"2027-01-15T12:00","duration":"1h","location":"Bar Centrale","attendees":["bob@example.org","ann@example.com"],"reminders":["10m"],"notify":"all","show_as":"busy","dry_run":true}`
	malformed  = `{"Title":"Lunch","start":"2027-01-15T12:00","duration":"1h","location":"Bar Centrale","attendees":"[\"bob@example.org\",\"ann@example.com\"]","reminders":"10m","notify":"All","showAs":"Busy","dryRun":"true","end":null}`
)

// prepareTime returns how long it takes to prepare a call with the largest
// schema, as the median of many means. It also returns the size of the schema
// in bytes.
func prepareTime(args string) (took time.Duration, size int, err error) {
	largest, size, err := largestAction()
	if err != nil {
		return 0, 0, err
	}
	if largest.Tool != "calendar_create_event" {
		return 0, 0, fmt.Errorf("the largest schema is now that of %s: write the arguments of its calls into wellFormed and malformed", largest.Tool)
	}
	rounds := make([]time.Duration, prepareRounds)
	for i := range rounds {
		start := time.Now()
		for range prepareCalls {
			if _, err := largest.Prepare(json.RawMessage(args)); err != nil {
				return 0, 0, err
			}
		}
		rounds[i] = time.Since(start) / prepareCalls
	}
	return report.Median(rounds), size, nil
}

// largestAction returns the action with the largest input schema, and the size
// of the schema in bytes.
func largestAction() (largest bundles.Action, size int, err error) {
	for _, b := range []bundles.Bundle{memory.New(memory.Deps{}), daily.New(daily.Deps{}), gmail.New(gmail.Deps{}), calendar.New(calendar.Deps{})} {
		for _, a := range b.Actions {
			schema, err := a.Input.MarshalJSON()
			if err != nil {
				return bundles.Action{}, 0, err
			}
			if len(schema) > size {
				largest, size = a, len(schema)
			}
		}
	}
	return largest, size, nil
}
