package entrypoint_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kota/bundles"
	"kota/entrypoint"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/routertest"
	"kota/metadata"
)

func TestAtMost24RemoteCallsRunAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now, release := make(chan struct{}, 1000), make(chan struct{})
		post := bundles.New(metadata.Bundle{Key: "post", Name: "Post", Description: "Letters far away", Category: metadata.Core, Tags: []string{"letters"}, Enabled: true},
			bundles.Bind(metadata.Action{Name: "read", Effect: metadata.Reads, Summary: "Wait for the post.", Scopes: []string{"post"}},
				func(context.Context, routertest.ListIn) (routertest.NotesOut, error) {
					now <- struct{}{}
					<-release
					return routertest.NotesOut{}, nil
				}))
		r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{post}, Timeout: time.Minute})
		failed := make(chan error, 40)
		for range 40 {
			go func() { _, err := r.Call(t.Context(), "post_read", nil); failed <- err }()
		}
		synctest.Wait()
		if len(now) != 24 {
			t.Errorf("%d run at once, want 24", len(now))
		}
		close(release)
		for range 40 {
			if err := <-failed; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestCallIsAnsweredWithinAMinute(t *testing.T) {
	for tool, c := range map[string]struct {
		channel entrypoint.Channel
		want    metadata.Code
	}{
		"post_read": {entrypoint.ByName, metadata.Unavailable},
		"post_file": {entrypoint.ByName, metadata.OutcomeUnknown}, // the call continues
	} {
		synctest.Test(t, func(t *testing.T) {
			post := &routertest.Mailbox{Release: make(chan struct{})}
			r, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{post.Bundle()}})
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			_, _, err = r.Answer(t.Context(), &entrypoint.Call{Channel: c.channel, Tool: tool})
			if e := (*metadata.Error)(nil); !errors.As(err, &e) || e.Code != c.want || e.Hint == "" {
				t.Errorf("%s: got %v, want %s with what to do", tool, err, c.want)
			}
			if took := time.Since(start); took != time.Minute {
				t.Errorf("%s took %v, want a minute", tool, took)
			}
			close(post.Release)
		})
	}
}

func TestCommandLineCallsHaveNoDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		post := &routertest.Mailbox{Release: make(chan struct{})}
		r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{post.Bundle()}, Timeout: time.Minute})
		time.AfterFunc(3*time.Minute, func() { close(post.Release) })
		if _, _, err := r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByCLI, Tool: "post_file"}); err != nil {
			t.Errorf("got %v, want its outcome", err)
		}
	})
}

func TestAnswerHasMaximumSize(t *testing.T) {
	_, b := routertest.NewNotes("notes")
	r := routertest.New(t, pipeline.Options{Bundles: []bundles.Bundle{b}})
	for range 5 {
		if _, err := r.Call(t.Context(), "notes_add", []byte(`{"text":"`+strings.Repeat("x", 1<<20)+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := r.Answer(t.Context(), &entrypoint.Call{Channel: entrypoint.ByName, Tool: "notes_list", Args: nil})
	if e := (*metadata.Error)(nil); !errors.As(err, &e) || e.Code != metadata.TooLarge || e.Hint == "" || !strings.Contains(e.Message, "5.1 MiB; the limit is 4 MiB") {
		t.Errorf("got %v, want TOO_LARGE", err)
	}
}
