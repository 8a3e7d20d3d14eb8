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
	"strconv"
	"time"

	"kota/bundles/bundletest"
	"kota/cmd/bench/internal/report"
)

const hostileSize = 150_000_000

// measureHostile measures memory and time for a message of Gmail's maximum size
// that is only text.
func (b *bench) measureHostile(ctx context.Context) ([]report.Row, error) {
	google, err := bundletest.StartGoogle("127.0.0.1:0", func(violation string) { panic("violation: " + violation) })
	if err != nil {
		return nil, err
	}
	defer google.Close()
	word := []byte("<b>urgent</b> ")
	raw := append([]byte("From: mallory@example.org\r\nTo: "+mailAddress+"\r\nSubject: Hello\r\nContent-Type: text/html\r\n\r\n"),
		bytes.Repeat(word, hostileSize/len(word))...)
	message := google.User(mailAddress).Deliver(bundletest.GoogleMail{Raw: raw})
	home, err := b.newSignedInHome(ctx, google)
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, b.kota, "call", "gmail_get_message", fmt.Sprintf(`{"ids": [%q]}`, message.ID))
	command.Env = home
	var answer, stderr bytes.Buffer
	command.Stdout, command.Stderr = &answer, &stderr
	start := time.Now()
	if err := command.Start(); err != nil {
		return nil, err
	}
	peak := watchMemory(command.Process.Pid)
	err = command.Wait()
	took := time.Since(start)
	if err != nil {
		return nil, fmt.Errorf("read the hostile message: %w: %s", err, stderr.String())
	}
	if !bytes.Contains(answer.Bytes(), []byte("Hello")) {
		return nil, fmt.Errorf("the answer does not contain the hostile message: %.300s", answer.String())
	}
	const target = "≤ 10 s within 256 MB"
	resident := <-peak
	if resident == 0 {
		return []report.Row{{Figure: "a hostile message of 150 MB", Target: target, Measured: "not measured: no /proc here", Verdict: report.NoVerdict}}, nil
	}
	return []report.Row{report.Verdict("a hostile message of 150 MB", target, took <= 10*time.Second && resident <= 256, "%.1f s, %.0f MB", took.Seconds(), resident)}, nil
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// watchMemory watches a process until it ends. The channel then delivers the
// maximum resident memory of the process in MB, or 0 without /proc. wait4 gives
// a wrong value: a child starts with the peak of its parent (getrusage(2)), and this
// process has the whole message in memory.
func watchMemory(pid int) <-chan float64 {
	peaks := make(chan float64, 1)
	go func() {
		peak := 0.0
		for {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			match := peakLine.FindSubmatch(status)
			if err != nil || match == nil {
				peaks <- peak
				return
			}
			kB, _ := strconv.Atoi(string(match[1]))
			peak = float64(kB) * 1024 / 1e6
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return peaks
}

var signInAddress = regexp.MustCompile(`(?m)^\s+(http\S+)$`)

// newSignedInHome makes a home with the gmail bundle and signs in, with a
// browser that grants everything. It returns the environment for commands on
// that home.
func (b *bench) newSignedInHome(ctx context.Context, google *bundletest.Google) ([]string, error) {
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
	google.SetConsent(bundletest.GoogleConsent{User: mailAddress})
	env := append(os.Environ(), "KOTA_HOME="+home, "KOTA_CONFIG=")
	store := exec.CommandContext(ctx, b.kota, "auth", "client", client)
	store.Env = env
	if out, err := store.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("store the OAuth client: %w: %s", err, out)
	}
	login := exec.CommandContext(ctx, b.kota, "auth", "login", "--no-browser")
	login.Env = env
	login.Stderr = &browser{ctx: ctx}
	if out, err := login.Output(); err != nil {
		return nil, fmt.Errorf("sign in: %w: %s", err, out)
	}
	return env, nil
}

// browser opens the first address that is written to it, as a browser does.
type browser struct {
	ctx     context.Context
	visited bool
}

func (v *browser) Write(text []byte) (int, error) {
	match := signInAddress.FindSubmatch(text)
	if match == nil || v.visited {
		return len(text), nil
	}
	v.visited = true
	request, err := http.NewRequestWithContext(v.ctx, http.MethodGet, string(match[1]), nil)
	if err != nil {
		return 0, err
	}
	go func() {
		if answer, err := http.DefaultClient.Do(request); err == nil {
			answer.Body.Close()
		} // otherwise the sign-in does not end, which is reported
	}()
	return len(text), nil
}
