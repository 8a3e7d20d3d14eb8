package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// ctrlC is Ctrl-C, a signal. It needs no Enter.
const ctrlC = "\x03"

// ctrlD is Ctrl-D, the end of the input.
const ctrlD = "\x04"

// question matches the end of each question of the program.
var question = regexp.MustCompile(`leaves it pending: |\[y/N\] |, q: stop\] `)

// runOnTerminal runs the program on its own terminal, types an answer to each
// question, and returns what a user sees.
func (d *testHome) runOnTerminal(answers []string, args ...string) (seen string, status int) {
	d.t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		d.t.Skipf("there is no terminal to be had: %v", err)
	}
	defer master.Close()
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		d.t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		d.t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	// Without NOFLSH, the terminal drops its pending output at Ctrl-C. That can
	// include the program's last message.
	mode, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		d.t.Fatal(err)
	}
	mode.Lflag |= unix.NOFLSH
	if err := unix.IoctlSetTermios(int(tty.Fd()), unix.TCSETS, mode); err != nil {
		d.t.Fatal(err)
	}
	cmd := exec.Command("kota", args...)
	cmd.Env = append(append(os.Environ(), "KOTA_HOME="+d.home, "KOTA_CONFIG=", "KOTA_NOW="+testTime), d.terminalEnv...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true} // so that Ctrl-C is a signal
	err = cmd.Start()
	tty.Close()
	if err != nil {
		d.t.Fatal(err)
	}
	stuck := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }) // a test that waits for a question fails
	defer stuck.Stop()
	var screen strings.Builder
	asked := 0
	for buffer := make([]byte, 4096); ; {
		n, err := master.Read(buffer)
		screen.Write(buffer[:n])
		if d.screen != nil {
			d.screen(screen.String())
		}
		questions := len(question.FindAllString(screen.String(), -1))
		for ; asked < questions && asked < len(answers); asked++ {
			typed := answers[asked]
			if typed != ctrlC && typed != ctrlD {
				typed += "\n"
			}
			if _, err := io.WriteString(master, typed); err != nil {
				d.t.Fatal(err)
			}
		}
		if err != nil {
			break // EIO: the program has ended
		}
	}
	_ = cmd.Wait() // the status has the outcome
	return screen.String(), cmd.ProcessState.ExitCode()
}

func TestTerminalAsksAboutEachPendingCall(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	mail := func(subject string) object {
		return object{"to": []string{"bob@example.com"}, "subject": subject, "body": "Dear Bob"}
	}
	for _, subject := range []string{"First", "Second", "Third"} {
		d.mustPend("gmail_send_message", mail(subject))
	}
	seen, status := d.runOnTerminal([]string{"r", "", "y"}, "approve")
	if status != 0 || !strings.Contains(seen, "is rejected") || !strings.Contains(seen, "it stays pending") || !strings.Contains(seen, `"sent"`) {
		t.Errorf("ends with %d, and shows\n%s", status, seen)
	}
	d.checkSent(1, "after one yes")
	pending := d.pending()
	if len(pending) != 1 {
		t.Fatalf("waiting are %+v", pending)
	}
	if seen, _ := d.runOnTerminal([]string{"no"}, "approve", pending[0].ID); !strings.Contains(seen, "it stays pending") {
		t.Errorf("after a no it shows\n%s", seen)
	}
	d.checkSent(1, "after a no")
	if seen, status := d.runOnTerminal([]string{"y"}, "approve", pending[0].ID); status != 0 || !strings.Contains(seen, "Dear Bob") {
		t.Errorf("ends with %d, and shows\n%s", status, seen)
	}
	d.checkSent(2, "after a yes")
	if seen, _ := d.runOnTerminal(nil, "approve"); !strings.Contains(seen, "No call is pending") {
		t.Errorf("at the end it shows\n%s", seen)
	}
}

func TestApproveListsSeveralCallsFirst(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	ids := []string{}
	for _, subject := range []string{"First", "Second", "Third"} {
		ids = append(ids, d.mustPend("gmail_send_message", object{"to": []string{"bob@example.com"}, "subject": subject, "body": "Dear Bob"}))
	}
	row := regexp.MustCompile(`(?m)^a_\w+  .* gmail_send_message: mail to bob@example.com  \w+`)
	both := append([]string{"approve"}, ids[0], ids[2])
	seen, status := d.runOnTerminal([]string{""}, both...)
	if rows := row.FindAllString(seen, -1); status != 1 || len(rows) != 2 || !strings.Contains(rows[0], "First") || !strings.Contains(rows[1], "Third") {
		t.Errorf("ends with %d, and shows\n%s", status, seen)
	}
	if strings.Count(seen, "Text: Dear Bob") != 2 {
		t.Errorf("not all of both is shown:\n%s", seen)
	}
	d.checkSent(0, "without a yes")
	if seen, status := d.runOnTerminal(nil, append(both, "a_0000000000")...); status != 1 || row.MatchString(seen) {
		t.Errorf("with an id that does not wait it ends with %d, and shows\n%s", status, seen)
	}
	if seen, status := d.runOnTerminal([]string{"y"}, both...); status != 0 {
		t.Errorf("ends with %d, and shows\n%s", status, seen)
	}
	d.checkSent(2, "after one yes to both")
	d.mustPend("gmail_send_message", object{"to": []string{"bob@example.com"}, "subject": "Fourth", "body": "Dear Bob"})
	if seen, _ := d.runOnTerminal([]string{"", ""}, "approve"); len(row.FindAllString(seen, -1)) != 2 || strings.Index(seen, "Fourth") > strings.Index(seen, "Dear Bob") {
		t.Errorf("they are not listed first:\n%s", seen)
	}
}

// Ctrl-C is not an answer; it ends the program.
func TestCtrlCAtQuestionExitsAtOnce(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	for _, subject := range []string{"First", "Second"} {
		d.mustPend("gmail_send_message", object{"to": []string{"bob@example.com"}, "subject": subject, "body": "Dear Bob"})
	}
	first := d.pending()[0].ID
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"approve"}, "nothing was done; it stays pending as " + first},
		{[]string{"approve", first}, "nothing was done; it stays pending as " + first},
		{[]string{"call", "gmail_send_message", mustMarshal(t, lunch)}, "was not confirmed: nothing was done"},
	} {
		seen, status := d.runOnTerminal([]string{ctrlC, "y", "y"}, c.args...)
		if status != 1 || !strings.Contains(seen, c.says) || strings.Count(seen, "Subject: ") != 1 {
			t.Errorf("%v: ends with %d, and shows\n%s", c.args, status, seen)
		}
	}
	d.checkSent(0, "after Ctrl-C")
	if pending := d.pending(); len(pending) != 2 {
		t.Errorf("waiting are %+v", pending)
	}
}

func TestUnsealNeedsConsentOnTerminal(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	d.must("call", "memory_set", "key=front door", "value=4711", "secret:=true")
	for _, c := range []struct {
		answer string
		plain  bool
	}{{"", false}, {"n", false}, {ctrlC, false}, {"y", true}} {
		seen, status := d.runOnTerminal([]string{c.answer}, "memory", "unseal", "front door")
		answer := d.must("call", "memory_get", "query=front door")
		if (status == 0) != c.plain || !strings.Contains(seen, "stored in plain text") || strings.Contains(answer, `"secret":true`) == c.plain {
			t.Errorf("%q: ends with %d, shows\n%s\nand what is kept is %s", c.answer, status, seen, answer)
		}
	}
}

func TestCallAsksOnItsTerminal(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	for _, c := range []struct {
		answer string
		sent   int
		says   string
	}{{"n", 0, "was not confirmed: nothing was done"}, {"", 0, "was not confirmed: nothing was done"}, {"y", 1, `"sent"`}} {
		seen, _ := d.runOnTerminal([]string{c.answer}, "call", "gmail_send_message", mustMarshal(t, lunch))
		if !strings.Contains(seen, "At noon?") || !strings.Contains(seen, c.says) {
			t.Errorf("%q: it shows\n%s", c.answer, seen)
		}
		d.checkSent(c.sent, "after "+c.answer)
	}
	if pending := d.pending(); len(pending) != 0 {
		t.Errorf("waiting are %+v", pending)
	}
}

func TestTerminalShowsHiddenHTML(t *testing.T) {
	t.Parallel()
	d := newAskingHome(t)
	id := d.mustPend("gmail_send_message", hiddenHTMLMail)
	for _, command := range [][]string{{"call", "gmail_send_message", mustMarshal(t, hiddenHTMLMail)}, {"approve", id}} {
		seen, _ := d.runOnTerminal([]string{"n"}, command...)
		for _, text := range hiddenHTMLTexts {
			if !strings.Contains(seen, text) {
				t.Errorf("%s does not show %q:\n%s", command[0], text, seen)
			}
		}
	}
	d.checkSent(0, "after it was shown")
}

// On a terminal an error is its message and its hint; for programs it is JSON.
func TestTerminalShowsHintsAsText(t *testing.T) {
	t.Parallel()
	d := newTestHome(t)
	d.must("call", "memory_set", "key=theme", "value=dark")
	for _, c := range []struct{ args, says string }{
		{"undo u12", "kota: there is no change \"u12\" to undo\n`kota undo` lists the last changes"},
		{"undo nosuch", "kota: there is no change \"nosuch\" to undo\n`kota undo` lists the last changes"},
		{"approve a_0000000000", "kota: no call is pending as \"a_0000000000\"\n`kota pending` lists the pending calls"},
		{"audit show 99", "kota: the audit log has no call \"99\"\n"},
		{"call memory_delete key=nothing", "kota: there is no memory \"nothing\"\nFind it with"},
		{"call memory_set key=a", "kota: 1 problem with the arguments: value is missing; give any JSON value\nFix these problems"},
	} {
		seen, status := d.runOnTerminal(nil, strings.Fields(c.args)...)
		if seen = strings.ReplaceAll(seen, "\r\n", "\n"); status != 1 || !strings.Contains(seen, c.says) {
			t.Errorf("%s: ends with %d, and shows\n%s", c.args, status, seen)
		}
	}
}
