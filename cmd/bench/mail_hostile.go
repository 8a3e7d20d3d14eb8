package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"kota/bundles/bundletest"
)

const hostileSize = 150_000_000

// measureHostile asks the program for a message as large as Gmail lets one be,
// all of it text.
func (b *bench) measureHostile(ctx context.Context) ([]row, error) {
	google, err := bundletest.StartGoogle("127.0.0.1:0", func(violation string) { panic("violation: " + violation) })
	if err != nil {
		return nil, err
	}
	defer google.Close()
	word := []byte("<b>urgent</b> ")
	raw := append([]byte("From: mallory@example.org\r\nTo: "+mailAddress+"\r\nSubject: Hello\r\nContent-Type: text/html\r\n\r\n"),
		bytes.Repeat(word, hostileSize/len(word))...)
	message := google.User(mailAddress).Deliver(bundletest.GoogleMail{Raw: raw})
	home, err := b.signedIn(ctx, google)
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, b.kota, "call", "gmail_get_message", fmt.Sprintf(`{"ids": [%q]}`, message.ID))
	command.Env = home
	var complaints bytes.Buffer
	command.Stderr = &complaints
	start := time.Now()
	answer, err := command.Output()
	took := time.Since(start)
	if err != nil {
		return nil, fmt.Errorf("read the hostile message: %w: %s", err, complaints.String())
	}
	if !bytes.Contains(answer, []byte("Hello")) {
		return nil, fmt.Errorf("the hostile message was not answered: %.300s", answer)
	}
	resident, known := mostResident(command.ProcessState)
	measured := fmt.Sprintf("%.1f s, %.0f MB", took.Seconds(), resident)
	if !known {
		measured = fmt.Sprintf("%.1f s; its memory cannot be measured on this system", took.Seconds())
	}
	return []row{judged("a hostile message of 150 MB", "≤ 10 s within 256 MB", took <= 10*time.Second && resident <= 256, "%s", measured)}, nil
}

var signInAddress = regexp.MustCompile(`(?m)^\s+(http\S+)$`)

// signedIn makes a home with the gmail bundle on and signs in as its user would,
// with a browser that grants everything. It returns the environment of the home.
func (b *bench) signedIn(ctx context.Context, google *bundletest.Google) ([]string, error) {
	home, err := os.MkdirTemp(b.scratch, "mail-home-")
	if err != nil {
		return nil, err
	}
	config := fmt.Sprintf("google: {tokens: file, endpoint: %q}\nbundles: {gmail: on}\nsend: allow\n", google.URL())
	client := filepath.Join(home, "downloaded.json")
	for file, content := range map[string][]byte{filepath.Join(home, "bundles.yaml"): []byte(config), client: google.ClientFile()} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return nil, err
		}
	}
	google.Consent(bundletest.GoogleConsent{User: mailAddress})
	env := append(os.Environ(), "KOTA_HOME="+home, "KOTA_CONFIG=")
	store := exec.CommandContext(ctx, b.kota, "auth", "client", client)
	store.Env = env
	if out, err := store.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("store the OAuth client: %w: %s", err, out)
	}
	login := exec.CommandContext(ctx, b.kota, "auth", "login", "--no-browser")
	login.Env = env
	login.Stderr = &visitor{ctx: ctx}
	if out, err := login.Output(); err != nil {
		return nil, fmt.Errorf("sign in: %w: %s", err, out)
	}
	return env, nil
}

// A visitor opens the first address that is written to it, as a browser does.
type visitor struct {
	ctx  context.Context
	seen bool
}

func (v *visitor) Write(text []byte) (int, error) {
	match := signInAddress.FindSubmatch(text)
	if match == nil || v.seen {
		return len(text), nil
	}
	v.seen = true
	request, err := http.NewRequestWithContext(v.ctx, http.MethodGet, string(match[1]), nil)
	if err != nil {
		return 0, err
	}
	go func() {
		if answer, err := http.DefaultClient.Do(request); err == nil {
			answer.Body.Close()
		} // else the sign-in does not end, which is said
	}()
	return len(text), nil
}
