package mcpserver

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"kota/bundles"
	"kota/entrypoint/pipeline"
	"kota/entrypoint/transport"
	"kota/entrypoint/wiretest"
	"kota/metadata"
)

// changingResources is a router with resources that change. things://{name} shows the content of one,
// and things://empty does not exist.
type changingResources struct {
	texts    map[string]string
	watching atomic.Int64 // how many clients are notified of changes
	changed  chan struct{}
}

func (s *changingResources) endpoint(t *testing.T) *transport.Endpoint {
	return transport.NewEndpoint(t.Context(), s.host(t), quiet)
}

func (s *changingResources) host(t *testing.T) *host {
	t.Helper()
	bundle := bundles.New(metadata.Bundle{Key: "things", Name: "Things", Description: "Things that change", Category: metadata.Core, Tags: []string{"x"}, Version: "1.0.0"},
		bundles.Bind(metadata.Action{Name: "get", Summary: "Show one.", Effect: metadata.Reads}, func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }))
	bundle.Enabled = true
	bundle.Resources = []bundles.Resource{{
		Action: "get", URI: "things://{name}", Name: "things", MIME: "text/plain", Description: "One thing.",
		Read: func(_ context.Context, name string) (string, error) {
			text, there := s.texts[name]
			if !there {
				return "", metadata.Errorf(metadata.NotFound, "there is no %s", name)
			}
			return text, nil
		},
	}}
	router, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{bundle}})
	if err != nil {
		t.Fatal(err)
	}
	return New(router, Options{Watcher: s}).host(quiet)
}

func (s *changingResources) Watch(ctx context.Context, changed func()) {
	s.watching.Add(1)
	defer s.watching.Add(-1)
	for {
		select {
		case <-s.changed:
			changed()
		case <-ctx.Done():
			return
		}
	}
}

// put changes a resource and reports the change.
func (s *changingResources) put(name, text string) {
	s.texts[name] = text
	s.changed <- struct{}{}
	synctest.Wait()
}

func subscribe(method, uri string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"method":"resources/%s","params":{"uri":%q}}`, method, uri)
}

func runSubscriptions(t *testing.T, name string, test func(*testing.T, *wiretest.Client, *changingResources)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &changingResources{texts: map[string]string{"a": "1", "b": "1"}, changed: make(chan struct{})}
			test(t, newTestClient(t, s.endpoint(t)), s)
			synctest.Wait()
			if n := s.watching.Load(); n != 0 {
				t.Errorf("at the end %d clients are watching", n)
			}
		})
	})
}

func TestSubscribersAreNotifiedOfChanges(t *testing.T) {
	runSubscriptions(t, "in a session, where its client listens", func(t *testing.T, v *wiretest.Client, s *changingResources) {
		v = v.BeginSession()
		listening := v.Send(http.MethodGet, "")
		if n := s.watching.Load(); n != 0 {
			t.Errorf("before a subscription %d clients are watching", n)
		}
		v.Post(subscribe("subscribe", "things://a")).Expect(t, 200, `"result":{}`)
		v.Post(subscribe("subscribe", "things://a")).Expect(t, 200, `"result":{}`)
		s.put("b", "2") // nobody has subscribed to it
		s.put("a", "1") // no change
		s.put("a", "2")
		s.put("a", "2")
		want := `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"things://a"}}`
		if got := listening.Events(t); len(got) != 1 || got[0] != want {
			t.Errorf("got %v, want one: %s", got, want)
		}
		delete(s.texts, "a")
		s.put("c", "1")
		if got := listening.Events(t); len(got) != 2 {
			t.Errorf("got %v, want that it is gone too", got)
		}
		v.Post(subscribe("unsubscribe", "things://a")).Expect(t, 200, `"result":{}`)
		v.Post(subscribe("unsubscribe", "things://never")).Expect(t, 200, `"result":{}`)
		synctest.Wait()
		listening.Disconnect()
	})
	runSubscriptions(t, "until the session ends", func(t *testing.T, v *wiretest.Client, s *changingResources) {
		v = v.BeginSession()
		v.Post(subscribe("subscribe", "things://a")).Expect(t, 200, `"result":{}`)
		if n := s.watching.Load(); n != 1 {
			t.Errorf("%d clients are watching, want 1", n)
		}
		v.Send(http.MethodDelete, "").Expect(t, 204, "")
	})
	runSubscriptions(t, "by a stream of 2026-07-28, which has a name", func(t *testing.T, v *wiretest.Client, s *changingResources) {
		listening := v.Listen(7, "things://a", "things://b")
		s.put("b", "2")
		events := listening.Events(t)
		if len(events) != 2 || !strings.Contains(events[0], "notifications/subscriptions/acknowledged") ||
			!strings.Contains(events[1], `"uri":"things://b"`) || !strings.Contains(events[1], `"io.modelcontextprotocol/subscriptionId":7`) {
			t.Errorf("got %v, want that it is so and what changed", events)
		}
		listening.Disconnect()
	})
	runSubscriptions(t, "of what is not there yet, when it comes", func(t *testing.T, v *wiretest.Client, s *changingResources) {
		listening := v.Listen(7, "things://empty")
		s.put("empty", "1")
		if events := listening.Events(t); len(events) != 2 || !strings.Contains(events[1], `"uri":"things://empty"`) {
			t.Errorf("got %v, want that it has come", events)
		}
		listening.Disconnect()
		v = v.BeginSession()
		inSession := v.Send(http.MethodGet, "")
		v.Post(subscribe("subscribe", "things://later")).Expect(t, 200, `"result":{}`)
		v.Post(subscribe("subscribe", "nowhere://x")).Expect(t, 200, `"result":{}`)
		s.put("later", "1")
		if events := inSession.Events(t); len(events) != 1 || !strings.Contains(events[0], `"uri":"things://later"`) {
			t.Errorf("got %v, want that it has come", events)
		}
		v.Post(subscribe("unsubscribe", "things://later")).Expect(t, 200, `"result":{}`)
		v.Post(subscribe("unsubscribe", "nowhere://x")).Expect(t, 200, `"result":{}`)
		synctest.Wait()
		inSession.Disconnect()
	})
	runSubscriptions(t, "of so much and no more", func(t *testing.T, v *wiretest.Client, s *changingResources) {
		v = v.BeginSession()
		for i := range maxSubscribed {
			s.texts[fmt.Sprint(i)] = "1"
			v.Post(subscribe("subscribe", fmt.Sprintf("things://%d", i))).Expect(t, 200, `"result":{}`)
		}
		v.Post(subscribe("subscribe", "things://a")).Expect(t, 200, "already")
		v.Send(http.MethodDelete, "")
	})
}

// On stdio all requests to listen share a channel, and their ids tell them apart.
func TestTwoSubscriptionsOnStdioHaveSeparateIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &changingResources{texts: map[string]string{"a": "1", "b": "1"}, changed: make(chan struct{})}
		h := s.host(t)
		w := wiretest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
			return transport.ServeStdio(ctx, h, in, out, quiet)
		})
		w.Send(wiretest.ListenRequest(`"one"`, "things://a") + "\n" + wiretest.ListenRequest("2", "things://a", "things://b") + "\n")
		synctest.Wait()
		if got := w.Received(); len(got) != 2 {
			t.Fatalf("got %v, want that both are so", got)
		}
		s.put("a", "2")
		got := w.Received()
		slices.Sort(got)
		if len(got) != 2 || !strings.Contains(got[0], `"io.modelcontextprotocol/subscriptionId":"one"`) || !strings.Contains(got[1], `"io.modelcontextprotocol/subscriptionId":2`) {
			t.Errorf("got %v, want one for each", got)
		}
		w.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"one"}}` + "\n")
		synctest.Wait()
		s.put("a", "3")
		if got := w.Received(); len(got) != 1 || !strings.Contains(got[0], `"io.modelcontextprotocol/subscriptionId":2`) {
			t.Errorf("got %v, want nothing for the one that has ended", got)
		}
		w.End()
		synctest.Wait()
		if n := s.watching.Load(); n != 0 {
			t.Errorf("at the end %d clients are watching", n)
		}
	})
}

func TestClosedSessionRefusesSubscriptions(t *testing.T) {
	s := &changingResources{texts: map[string]string{}, changed: make(chan struct{})}
	session, err := s.host(t).Open(t.Context(), "one", func([]byte) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	session.Close()
	client := session.(*hostSession).client
	if err := client.SubscribeToResourceErr("things://b"); err == nil || len(client.SubscribedResources()) > 0 {
		t.Errorf("got %v, and it is subscribed to %v", err, client.SubscribedResources())
	}
}
