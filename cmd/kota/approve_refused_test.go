package main

import (
	"fmt"
	"strings"
	"testing"
)

// The client's answer if the user declines or closes the question.
const (
	declineAnswer = `{"action":"decline"}`
	cancelAnswer  = `{"action":"cancel"}`
)

// refuse makes a call that causes a question, answers it, and returns the
// question and the result of the call.
func (l *clientConn) refuse(to, answer string) (asked form, result callResult) {
	l.t.Helper()
	l.callSend(to)
	asked, id := l.question()
	l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, id, answer))
	return asked, l.receive(to).call(l.t)
}

// callSend makes a call of office_send whose id is the recipient.
func (l *clientConn) callSend(to string) {
	l.t.Helper()
	l.send(strings.TrimSpace(toolCall(to, "office_send", object{"to": to})))
}

func TestUserIsNotAskedAfterThreeRefusals(t *testing.T) {
	t.Parallel()
	o, a := newTelegramServer(t), newApp(t)
	l := connect(t, o.router(a, "ann", 0))
	for i, answer := range []string{declineAnswer, cancelAnswer, `{"action":"accept","content":{"yes":false}}`} {
		asked, result := l.refuse(fmt.Sprintf("eve%d@example.com", i), answer)
		if !strings.Contains(result.text(), "REFUSED") {
			t.Errorf("a refusal is answered %s", result.text())
		}
		if output := strings.Contains(asked.Message, []string{"You said no", "said no once", "said no 2 times"}[i]); output != (i > 0) {
			t.Errorf("question %d says of earlier ones: %s", i+1, asked.Message)
		}
	}
	l.callSend("eve@example.com")
	answer := l.next()
	if answer.Method != "" {
		t.Fatalf("the user is asked: %s", answer.Params)
	}
	unasked := answer.call(t)
	rows, err := a.Approvals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pending, err := rows.Pending(t.Context())
	if err != nil || len(pending) != 1 || !strings.Contains(string(pending[0].Shown), "said no 3 times") {
		t.Fatalf("%+v wait, %v", pending, err)
	}
	if !strings.Contains(unasked.text(), `"REFUSED"`) || !strings.Contains(unasked.text(), "said no 3 times") || !strings.Contains(unasked.text(), pending[0].ID) {
		t.Errorf("the fourth is answered %s", unasked.text())
	}
	other := connect(t, o.router(a, "ann", 0))
	other.callSend("eve@example.com")
	other.question() // another conversation
	if posts := o.postCount.Load(); posts != 0 {
		t.Errorf("%d telegrams were sent", posts)
	}
}

// A call that the user approves elsewhere shows that they want to be asked
// again.
func TestApprovalElsewhereResumesQuestions(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	p := d.serveClient(cannotAsk)
	for i := range 3 {
		p.checkError("gmail_send_message", mailArgs(fmt.Sprint("bad ", i)), "APPROVAL_REQUIRED")
		d.must("reject", d.pending()[0].ID)
		p.checkError("gmail_send_message", mailArgs(fmt.Sprint("bad ", i)), "REFUSED")
	}
	p.checkError("gmail_send_message", mailArgs("good"), "REFUSED")
	d.must("approve", "--yes", d.pending()[0].ID)
	p.checkAnswer("gmail_send_message", mailArgs("good"), `"status":"sent"`)
	p.checkError("gmail_send_message", mailArgs("next"), "APPROVAL_REQUIRED")
	p.end()
}

// The user's approval counts, whatever Google answers.
func TestFailedApprovalResumesQuestions(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	p := d.serveClient(cannotAsk)
	for i := range 3 {
		p.checkError("gmail_send_message", mailArgs(fmt.Sprint("bad ", i)), "APPROVAL_REQUIRED")
		d.must("reject", d.pending()[0].ID)
		p.checkError("gmail_send_message", mailArgs(fmt.Sprint("bad ", i)), "REFUSED")
	}
	first := d.mustPend("gmail_send_message", object{"to": []string{bob}, "subject": "One", "body": "x", "idempotency_key": "one"})
	second := object{"to": []string{bob}, "subject": "Two", "body": "x", "idempotency_key": "one"}
	p.checkError("gmail_send_message", second, "REFUSED")
	pending := d.pending()
	d.must("approve", "--yes", first)
	for _, one := range pending {
		if one.ID != first {
			d.run("approve", "--yes", one.ID) // another mail has its key
		}
	}
	p.checkError("gmail_send_message", second, "CONFLICT")
	p.checkError("gmail_send_message", mailArgs("next"), "APPROVAL_REQUIRED")
	p.end()
}

// Open questions are withdrawn when the user refuses for the third time, so
// that the user need not close them all.
func TestThirdRefusalWithdrawsOpenQuestions(t *testing.T) {
	t.Parallel()
	o, a := newTelegramServer(t), newApp(t)
	l := connect(t, o.router(a, "ann", 0))
	open := []any{}
	for i := range 8 {
		l.callSend(fmt.Sprintf("eve%d@example.com", i))
		_, id := l.question()
		open = append(open, id)
	}
	for _, id := range open[:3] {
		l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%s}`, id, declineAnswer))
	}
	refused, withdrawn := 0, 0
	for refused < 8 {
		m := l.next()
		if m.Method == "notifications/cancelled" {
			withdrawn++
		} else if text := m.call(t).text(); strings.Contains(text, `"REFUSED"`) {
			refused++
		} else {
			t.Fatalf("answered %s", text)
		}
	}
	if withdrawn != 5 {
		t.Errorf("%d questions are withdrawn, want 5", withdrawn)
	}
}
