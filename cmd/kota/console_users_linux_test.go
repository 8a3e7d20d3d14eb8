package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// The link is an argument of the browser that is started, so other users of the machine can see it.
// They cannot use it, and do not use it up.
func TestOtherUsersCannotUseTheLink(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("not checked here: only root can run programs as several users")
	}
	home, command := newReadOnlyHome(t)
	console := command("console", "--no-browser") // as the user nobody
	p := launch(t, console, home)
	if !p.stdout.Scan() {
		t.Fatalf("no link; stderr: %s", p.stderr.String())
	}
	address, key, _ := strings.Cut(p.stdout.Text(), "?k=")
	at := mustURL(t, address)
	press := func(uid uint32) string {
		body := url.Values{"k": {key}}.Encode()
		request := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", at.Path, at.Host, len(body), body)
		visitor := exec.Command("bash", "-c", fmt.Sprintf("exec 3<>/dev/tcp/%s/%s; cat >&3; cat <&3", at.Hostname(), at.Port()))
		visitor.Stdin = strings.NewReader(request)
		visitor.Dir = "/"
		visitor.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		answer, err := visitor.Output()
		if err != nil {
			t.Fatalf("as user %d: %v", uid, err)
		}
		return string(answer)
	}
	if answer := press(65533); !strings.HasPrefix(answer, fmt.Sprint("HTTP/1.1 ", http.StatusForbidden)) || !strings.Contains(answer, "Another user of this machine") || strings.Contains(answer, "Set-Cookie") {
		t.Errorf("another user: %s", answer)
	}
	if answer := press(65534); !strings.HasPrefix(answer, fmt.Sprint("HTTP/1.1 ", http.StatusSeeOther)) || !strings.Contains(answer, "Set-Cookie") {
		t.Errorf("the user: %s", answer)
	}
}
