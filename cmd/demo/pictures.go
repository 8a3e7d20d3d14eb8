package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// pictures runs KOTA against a fake Google and writes the pictures of the README
// into folder: one animated session and three screens.
func pictures(ctx context.Context, binary, folder string) error {
	s, err := newDemoHome(ctx, binary)
	if err != nil {
		return err
	}
	defer s.close()
	for _, p := range []struct {
		name     string
		draw     func(context.Context) screen
		animated bool
	}{
		{"session.svg", s.drawSession, true},
		{"briefing.svg", s.drawBriefing, false},
		{"approval.svg", s.drawApproval, false},
		{"event.svg", s.drawEvent, false},
	} {
		drawn := p.draw(ctx)
		if s.err != nil {
			return fmt.Errorf("%s: %w", p.name, s.err)
		}
		if err := os.WriteFile(filepath.Join(folder, p.name), []byte(drawn.svg(p.animated)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// demoHome runs the commands that the pictures show. Its home is temporary and
// signed in to a fake Google. After the first error it runs nothing.
type demoHome struct {
	binary, home string
	env          []string
	google       *exec.Cmd
	err          error
}

func newDemoHome(ctx context.Context, binary string) (*demoHome, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp("", "kota-pictures-")
	if err != nil {
		return nil, err
	}
	s := &demoHome{binary: binary, home: home}
	if err := s.connect(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *demoHome) close() {
	if s.google != nil {
		s.google.Process.Signal(os.Interrupt)
		s.google.Wait()
	}
	os.RemoveAll(s.home)
}

// connect starts the fake Google and signs in to it.
func (s *demoHome) connect(ctx context.Context) error {
	program, client := filepath.Join(s.home, "fakegoogle"), filepath.Join(s.home, "client.json")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "kota/cmd/fakegoogle").CombinedOutput(); err != nil {
		return fmt.Errorf("build the fake Google: %w\n%s", err, out)
	}
	s.google = exec.CommandContext(ctx, program, "-client", client)
	out, err := s.google.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.google.Start(); err != nil {
		return err
	}
	endpoint, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("start the fake Google: %w", err)
	}
	if err := os.Mkdir(filepath.Join(s.home, ".cursor"), 0o700); err != nil { // so that Cursor seems to be installed
		return err
	}
	s.env = append(os.Environ(), "HOME="+s.home, "KOTA_HOME="+s.home, "XDG_CONFIG_HOME=", strings.TrimSpace(endpoint))
	s.run(ctx, "bundles", "enable", "gmail")
	s.run(ctx, "bundles", "enable", "calendar")
	s.run(ctx, "auth", "client", client)
	if s.err != nil {
		return s.err
	}
	return s.signIn(ctx)
}

var urlPattern = regexp.MustCompile(`https?://\S+`)

// signIn signs in, and allows everything on the page that a browser would show.
func (s *demoHome) signIn(ctx context.Context) error {
	login := s.command(ctx, "auth", "login", "--no-browser")
	out, err := login.StdoutPipe()
	if err != nil {
		return err
	}
	login.Stderr = login.Stdout
	if err := login.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		page := urlPattern.FindString(lines.Text())
		if page == "" {
			continue
		}
		answer, err := http.PostForm(page, url.Values{"user": {"robin@example.com"}, "all": {"true"}, "do": {"allow"}})
		if err != nil {
			return err
		}
		answer.Body.Close()
		break
	}
	for lines.Scan() {
	}
	return login.Wait()
}

func (s *demoHome) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, s.binary, args...)
	c.Env = s.env
	return c
}

// run returns the output of a kota command, with ~ for the home. A pending call
// is not an error.
func (s *demoHome) run(ctx context.Context, args ...string) string {
	if s.err != nil {
		return ""
	}
	out, err := s.command(ctx, args...).CombinedOutput()
	if err != nil && !bytes.Contains(out, []byte("APPROVAL_REQUIRED")) {
		s.err = fmt.Errorf("kota %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return strings.ReplaceAll(strings.TrimRight(string(out), "\n"), s.home, "~")
}

// field returns a field of a JSON answer, indented as jq prints it.
func (s *demoHome) field(answer, name string) string {
	var fields map[string]json.RawMessage
	var out bytes.Buffer
	if s.err == nil {
		s.err = errors.Join(json.Unmarshal([]byte(answer), &fields), json.Indent(&out, fields[name], "", "  "))
	}
	return out.String()
}
