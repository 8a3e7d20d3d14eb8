package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"kota/bundles/bundletest"
)

func TestSampleMailboxIsReadable(t *testing.T) {
	google := bundletest.NewGoogle(t)
	fillMailbox(google, time.Now(), 10)
	client := google.HTTPClient(owner)
	defer client.CloseIdleConnections()
	mail, err := gmail.NewService(t.Context(), option.WithEndpoint(google.URL()+"/"), option.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	listed, err := mail.Users.Messages.List("me").IncludeSpamTrash(true).MaxResults(500).Do()
	if err != nil {
		t.Fatal(err)
	}
	if len(listed.Messages) < 40 {
		t.Errorf("there are %d messages, want a few dozen", len(listed.Messages))
	}
	for _, m := range listed.Messages {
		got, err := mail.Users.Messages.Get("me", m.Id).Do()
		if err != nil || got.Snippet == "" || strings.Contains(got.Snippet, "\uFFFD") {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for q, want := range map[string]int{
		"from:tanaka subject:パンの件":         1,
		"text:x OR 食パンを十個お願いします":           1,
		"label:travel-lisbon":              2,
		"subject:oven has:attachment":      1,
		"to:" + alias:                      2,
		"category:promotions is:unread":    5,
		"in:spam":                          2,
		"from:anna is:unread":              1, // from the README
		"from:anna has:attachment":         1,
		"\"new oven: offers\" from:mara":   2,
		"after:" + "2000/01/01 in:trash":   1,
		"filename:ics newer_than:7d":       1,
		"list:site.bakery.forge.example":   1,
		"subject:grüße rezept in:anywhere": 1,
	} {
		if got := google.User(owner).Messages(q); len(got) != want {
			t.Errorf("%q finds %d, want %d", q, len(got), want)
		}
	}
}

func TestRunPrintsEndpointAndStopsOnInterrupt(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	file := filepath.Join(t.TempDir(), "client.json")
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, []string{"-client", file, "-latency", "1ms", "-messages", "5"}, in, io.Discard)
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, <-done)
	}
	endpoint, ok := strings.CutPrefix(strings.TrimSpace(line), "KOTA_GOOGLE_ENDPOINT=")
	if !ok {
		t.Fatalf("it said %q", line)
	}
	answer, err := http.Get(endpoint + "/gmail/v1/users/me/profile")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("an unknown account gets status %d", answer.StatusCode)
	}
	written, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(written), endpoint+"/token") {
		t.Errorf("the client file is %s, %v", written, err)
	}
	interrupt()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
