package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kota/bundles"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/term"
	"kota/entrypoint"
	"kota/entrypoint/mcpserver"
	"kota/entrypoint/pipeline"
	"kota/metadata"
)

// telegramServer sends telegrams: requests to a server that counts them. The text of
// each is looked up when it is sent.
type telegramServer struct {
	t         *testing.T
	url       string
	postCount atomic.Int64
	text      atomic.Value // a string
}

func newTelegramServer(t *testing.T) *telegramServer {
	o := &telegramServer{t: t}
	o.text.Store("come home")
	counting := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			o.postCount.Add(1)
		}
	}))
	t.Cleanup(counting.Close)
	o.url = counting.URL
	return o
}

type sendInput struct {
	To string `json:"to"`
}

type sendOutput struct {
	Status string `json:"status"`
}

func (o *telegramServer) bundle() bundles.Bundle {
	about := metadata.Bundle{Key: "office", Name: "Office", Description: "Telegrams", Category: metadata.Core, Tags: []string{"post"}, Enabled: true}
	return bundles.New(about,
		bundles.Bind(metadata.Action{Name: "send", Effect: metadata.Sends, Summary: "Send a telegram."},
			func(ctx context.Context, in sendInput) (sendOutput, error) {
				text := o.text.Load().(string)
				if err := bundles.ConfirmSend(ctx, bundles.Outgoing{What: "telegram", People: []string{in.To}, Lines: []bundles.Line{{Name: "To", Text: in.To}, {Name: "Text", Text: text}}}); err != nil {
					return sendOutput{}, err
				}
				response, err := http.Post(o.url, "text/plain", strings.NewReader(text))
				if err != nil {
					return sendOutput{}, err
				}
				return sendOutput{Status: "sent"}, response.Body.Close()
			}),
		bundles.Bind(metadata.Action{Name: "text", Effect: metadata.Reads, Summary: "Read what a telegram would say."},
			func(context.Context, struct{}) (sendOutput, error) {
				return sendOutput{Status: o.text.Load().(string)}, nil
			}))
}

// router returns a router over the test bundle, for the calls of one owner in that
// home.
func (o *telegramServer) router(a *app.App, owner string, patience time.Duration) *entrypoint.Router {
	o.t.Helper()
	asking := a.Approver()
	asking.Owner, asking.AnswerTimeout = owner, patience
	r, err := pipeline.New(pipeline.Options{Bundles: []bundles.Bundle{o.bundle()}, Approver: asking, Approvals: asking})
	if err != nil {
		o.t.Fatal(err)
	}
	return r
}

// newApp returns a program with its own home.
func newApp(t *testing.T) *app.App {
	t.Helper()
	a := &app.App{Env: environment(t, nil), Terminal: term.Terminal{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}}
	if err := a.Load(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.CloseDB(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// clientConn is a conversation with a server in this process.
type clientConn struct {
	t      *testing.T
	stdin  io.WriteCloser
	stdout *bufio.Scanner
	ended  chan error
}

// connect starts a client of 2025-11-25 that declares forms.
func connect(t *testing.T, r *entrypoint.Router) *clientConn {
	t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	l := &clientConn{t: t, stdin: to, stdout: bufio.NewScanner(from), ended: make(chan error, 1)}
	go func() {
		l.ended <- mcpserver.New(r, mcpserver.Options{}).ServeStdio(context.Background(), in, out, slog.New(slog.DiscardHandler))
		out.Close()
	}()
	hangUp := time.AfterFunc(time.Minute, func() { out.Close() }) // a test that receives nothing fails
	t.Cleanup(func() { hangUp.Stop(); to.Close(); in.Close(); from.Close() })
	l.send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` + canShowForms + `,"clientInfo":{"name":"test","version":"1"}}}`)
	l.receive("hello")
	return l
}

func (l *clientConn) send(text string) {
	l.t.Helper()
	if _, err := io.WriteString(l.stdin, text+"\n"); err != nil {
		l.t.Fatal(err)
	}
}

// next returns the next message.
func (l *clientConn) next() (m message) {
	l.t.Helper()
	if !l.stdout.Scan() {
		l.t.Fatal("nothing more was heard")
	}
	if err := json.Unmarshal(l.stdout.Bytes(), &m); err != nil {
		l.t.Fatal(err)
	}
	return m
}

// receive returns the next message with this id or method. A question comes before
// the answer to its call.
func (l *clientConn) receive(what string) message {
	l.t.Helper()
	for {
		if m := l.next(); m.ID == what || m.Method == what {
			return m
		}
	}
}

// question returns the question that a call has caused.
func (l *clientConn) question() (form, any) {
	l.t.Helper()
	m := l.receive("elicitation/create")
	var asked form
	if err := json.Unmarshal(m.Params, &asked); err != nil {
		l.t.Fatal(err)
	}
	return asked, m.ID
}

var sendLine = strings.TrimSpace(toolCall("telegram", "office_send", object{"to": "bob@example.com"}))

func TestQuestionToSilentClientTimesOut(t *testing.T) {
	t.Parallel()
	o, a := newTelegramServer(t), newApp(t)
	l := connect(t, o.router(a, "ann", 50*time.Millisecond))
	l.send(sendLine)
	_, id := l.question()
	l.receive("notifications/cancelled") // the question is withdrawn
	if got := l.receive("telegram").call(t); !strings.Contains(got.text(), "APPROVAL_REQUIRED") {
		t.Errorf("answered %s", got.text())
	}
	l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, id, yesAnswer)) // too late
	l.send(`{"jsonrpc":"2.0","id":"ping","method":"ping"}`)
	l.receive("ping")
	l.stdin.Close()
	if err := <-l.ended; err != nil {
		t.Error(err)
	}
	if posts := o.postCount.Load(); posts != 0 {
		t.Errorf("%d telegrams were sent", posts)
	}
}

// Open questions, however many, do not delay other calls, and the number of
// questions is bounded.
func TestOpenQuestionsAreBoundedAndDelayNoCalls(t *testing.T) {
	t.Parallel()
	const most = 32
	o, a := newTelegramServer(t), newApp(t)
	l := connect(t, o.router(a, "ann", 0))
	open := []any{}
	for i := range most {
		l.send(strings.TrimSpace(toolCall(fmt.Sprint("telegram ", i), "office_send", object{"to": fmt.Sprintf("bob%d@example.com", i)})))
		_, id := l.question()
		open = append(open, id)
	}
	l.send(strings.TrimSpace(toolCall("one more", "office_send", object{"to": "bob@example.com"})))
	if got := l.receive("one more").call(t); !strings.Contains(got.text(), "APPROVAL_REQUIRED") {
		t.Errorf("one more than that answers %s", got.text())
	}
	l.send(strings.TrimSpace(toolCall("read", "office_text", object{})))
	if got := l.receive("read").call(t); got.IsError {
		t.Errorf("a read answers %s", got.text())
	}
	for _, id := range open {
		l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"no window"}}`, id))
	}
	l.receive(fmt.Sprint("telegram ", most-1))
	l.send(sendLine)
	l.question()
	if posts := o.postCount.Load(); posts != 0 {
		t.Errorf("%d telegrams were sent", posts)
	}
}

// KOTA sends what was on the screen when the user agreed.
func TestContentChangedWhileAskingIsAskedAgain(t *testing.T) {
	t.Parallel()
	o, a := newTelegramServer(t), newApp(t)
	l := connect(t, o.router(a, "ann", 0))
	l.send(sendLine)
	for i, text := range []string{"come home", "sell all"} {
		asked, id := l.question()
		asked.checkShown(t, text)
		if i == 0 {
			o.text.Store("sell all")
		}
		l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, id, yesAnswer))
	}
	if got := l.receive("telegram").call(t); got.IsError || o.postCount.Load() != 1 {
		t.Errorf("answered %s; %d telegrams were sent", got.text(), o.postCount.Load())
	}
	l.send(sendLine)
	for i := range 3 {
		_, id := l.question()
		o.text.Store(fmt.Sprint("draft ", i))
		l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, id, yesAnswer))
	}
	if got := l.receive("telegram").call(t); !strings.Contains(got.text(), "CONFLICT") || o.postCount.Load() != 1 {
		t.Errorf("answered %s; %d telegrams were sent", got.text(), o.postCount.Load())
	}
}

func TestUserCannotApproveForAnother(t *testing.T) {
	t.Parallel()
	o, a := newTelegramServer(t), newApp(t)
	ask := func(owner string, beside object) string {
		t.Helper()
		server := mcpserver.New(o.router(a, owner, 0), mcpserver.Options{})
		answer, err := json.Marshal(server.HandleMessage(t.Context(), []byte(modernCall("1", "office_send", object{"to": "bob@example.com"}, canShowForms, beside))))
		if err != nil {
			t.Fatal(err)
		}
		return string(answer)
	}
	var m message
	var asked inputRequired
	if err := json.Unmarshal([]byte(ask("ann", nil)), &m); err != nil || json.Unmarshal(m.Result, &asked) != nil || asked.State == "" {
		t.Fatalf("answered %s, %v", m.Result, err)
	}
	if got := ask("bob", answerParams(asked.State, yesAnswer)); !strings.Contains(got, "REFUSED") || o.postCount.Load() != 0 {
		t.Errorf("bob is answered %s; %d telegrams were sent", got, o.postCount.Load())
	}
	if got := ask("ann", answerParams(asked.State, yesAnswer)); !strings.Contains(got, `\"sent\"`) || o.postCount.Load() != 1 {
		t.Errorf("ann is answered %s; %d telegrams were sent", got, o.postCount.Load())
	}
}
