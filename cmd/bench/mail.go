package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"time"

	"kota/bundles"
	"kota/bundles/bundletest"
	"kota/bundles/gmail"
	"kota/cmd/bench/internal/report"
	"kota/entrypoint/pipeline"
	"kota/store/sqlite"
)

const (
	mailRounds  = 7
	mailLatency = 50 * time.Millisecond // the delay of every request, so that round trips dominate
	mailAddress = "ann@example.com"
	mailCount   = 120
)

// measureMail measures calls that send many requests to Gmail. The unit is the
// round-trip time of a slow fake Google, measured in turns with the calls.
func measureMail(ctx context.Context, b *bench) ([]report.Row, error) {
	google, err := mailServer()
	if err != nil {
		return nil, err
	}
	defer google.Close()
	google.SetLatency(mailLatency)
	client := google.HTTPClient(mailAddress)
	var warm *mailbox
	if warm, err = b.mailbox(ctx, google, client, 0); err != nil {
		return nil, err
	}
	defer warm.close()
	ids, err := warm.search(ctx)
	if err != nil {
		return nil, err
	}
	coldCount := 0
	took, err := report.InTurns(mailRounds, []report.Contender{
		{Name: "one request", Measure: func() (time.Duration, error) { return roundTrip(ctx, client, google.URL()) }},
		{Name: "search, nothing kept", Measure: func() (time.Duration, error) {
			coldCount++
			cold, err := b.mailbox(ctx, google, client, coldCount)
			if err != nil {
				return 0, err
			}
			defer cold.close()
			return cold.timeCall(ctx, "gmail_search_messages", object{"query": "in:inbox", "limit": 50})
		}},
		{Name: "search again", Measure: func() (time.Duration, error) {
			return warm.timeCall(ctx, "gmail_search_messages", object{"query": "in:inbox", "limit": 50})
		}},
		{Name: "25 messages", Measure: func() (time.Duration, error) {
			return warm.timeCall(ctx, "gmail_get_message", object{"ids": ids[:25]})
		}},
	})
	if err != nil {
		return nil, err
	}
	rtt := report.Median(took[0])
	say := func(i int, figure, target string, most float64) report.Row {
		times := report.Ratio(report.Median(took[i]), rtt)
		return report.AtMost(figure, target, times, most, "%.2f × (%.0f ms against %.0f ms)", times, report.Ms(report.Median(took[i])), report.Ms(rtt))
	}
	rows := []report.Row{
		say(1, "gmail_search_messages of 50 with an empty cache, p50", "≤ 4 round-trip times", 4),
		say(2, "gmail_search_messages of 50 again, p50", "≤ 2 round-trip times", 2),
		say(3, "gmail_get_message of 25, p50", "≤ 5 round-trip times", 5),
	}
	hostile, err := b.measureHostile(ctx)
	return append(rows, hostile...), err
}

// mailServer starts a fake Google with a mailbox of mailCount messages.
func mailServer() (*bundletest.Google, error) {
	google, err := bundletest.StartGoogle("127.0.0.1:0", func(violation string) { panic("violation: " + violation) })
	if err != nil {
		return nil, err
	}
	user := google.User(mailAddress)
	for i := range mailCount {
		user.Deliver(bundletest.GoogleMail{
			From: fmt.Sprintf("Sender %d <sender%d@example.org>", i, i%17), To: mailAddress, Subject: fmt.Sprintf("Subject %d", i),
			Date: time.Now().Add(-time.Duration(i) * time.Hour), HTML: fmt.Sprintf("<p>Message <b>%d</b> of <a href=\"https://example.org/%d\">many</a>.</p>", i, i),
		})
	}
	return google, nil
}

// roundTrip returns how long the cheapest request to Gmail takes.
func roundTrip(ctx context.Context, client *http.Client, base string) (time.Duration, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/gmail/v1/users/me/profile", nil)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	answer, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0, err
	}
	if answer.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("profile: status %d", answer.StatusCode)
	}
	return time.Since(start), nil
}

// mailbox is the gmail bundle over the fake Google, with its own database.
type mailbox struct {
	localRouter
	bundle bundles.Bundle
	db     *sqlite.DB
}

// mailbox returns a mailbox with a new database, whose file has the number n.
func (b *bench) mailbox(ctx context.Context, google *bundletest.Google, client *http.Client, n int) (*mailbox, error) {
	db, err := sqlite.Open(ctx, filepath.Join(b.scratch, fmt.Sprintf("mail-%d.db", n)), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	bundle := gmail.New(gmail.Deps{
		Accounts: func() ([]gmail.Account, error) { return []gmail.Account{{Name: "ann", Address: mailAddress}}, nil },
		Client:   func(context.Context, string) (*http.Client, error) { return client, nil },
		Endpoint: google.URL,
		Stores:   mailStores(db),
		Files:    func() gmail.Files { return gmail.Files{} },
		Now:      time.Now,
	})
	bundle.Enabled = true
	router, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{bundle}})
	return &mailbox{localRouter: localRouter{router}, bundle: bundle, db: db}, err
}

func (m *mailbox) close() { m.db.Close() }

// search returns the ids of the 50 newest messages.
func (m *mailbox) search(ctx context.Context) ([]string, error) {
	answer, err := m.call(ctx, "gmail_search_messages", object{"query": "in:inbox", "limit": 50})
	if err != nil {
		return nil, err
	}
	var found struct{ Messages []struct{ ID string } }
	if err := json.Unmarshal(answer, &found); err != nil {
		return nil, err
	}
	ids := []string{}
	for _, message := range found.Messages {
		ids = append(ids, message.ID)
	}
	if len(ids) != 50 {
		return nil, fmt.Errorf("the search found %d messages, want 50", len(ids))
	}
	return ids, nil
}
