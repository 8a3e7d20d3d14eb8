package main

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kota/bundles/bundletest"
	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/auditlog"
	"kota/store"
	"kota/store/sqlite"
	"kota/store/tables/audit"
)

// auditedCalls returns the calls in the audit log, as the user lists them.
func (d *testHome) auditedCalls() []auditlog.Call {
	d.t.Helper()
	var listed struct{ Calls []auditlog.Call }
	if err := json.Unmarshal([]byte(d.must("audit", "list", "--json")), &listed); err != nil {
		d.t.Fatal(err)
	}
	return listed.Calls
}

func TestAuditLogRecordsSendWithoutText(t *testing.T) {
	d := newCalendarHome(t, "send: allow\n")
	d.bundles = "memory: on, daily: on, gmail: on, calendar: on"
	d.configure("send: allow\n")
	d.must("call", "gmail_send_message", `{"to":["`+bob+`"],"subject":"Zinnia quince","body":"Walnut marzipan, twice as long as anybody could guess it"}`)
	d.must("call", "memory_set", "key=Xylographer", "value=Umbrella stand in the hall, behind the door")
	calls := d.auditedCalls()
	if len(calls) != 2 {
		t.Fatalf("the log has %+v", calls)
	}
	sent, stored := calls[0], calls[1]
	if sent.Tool != "gmail_send_message" || sent.Effect != "sends" || sent.Channel != "cli" || sent.Code != "OK" || !strings.Contains(string(sent.Args), bob) {
		t.Errorf("the mail: %+v %s", sent, sent.Args)
	}
	if stored.Tool != "memory_set" || stored.Code != "OK" {
		t.Errorf("the memory: %+v", stored)
	}
	exported := d.must("audit", "export", "-")
	for _, text := range []string{"Zinnia", "quince", "Walnut", "Xylographer", "Umbrella"} {
		if strings.Contains(exported, text) {
			t.Errorf("the log has %q: %s", text, exported)
		}
	}
	for name, secret := range d.homeSecrets() {
		if strings.Contains(exported, secret) {
			t.Errorf("the log has the %s", name)
		}
	}
}

// The request to Google fails before it has an answer, and again after the
// intent. The log has both in order.
func TestAuditLogRecordsIntentOfUnknownSend(t *testing.T) {
	t.Parallel()
	d := newCalendarHome(t, "send: allow\n")
	d.bundles = "gmail: on, calendar: on"
	d.configure("send: allow\n")
	d.google.Fault(bundletest.GoogleFault{Method: "gmail.users.messages.send", Status: http.StatusInternalServerError})
	d.google.Fault(bundletest.GoogleFault{Method: "gmail.users.drafts.send", Status: http.StatusInternalServerError})
	d.run("call", "gmail_send_message", `{"to":["`+bob+`"],"subject":"Rolls","body":"At ten."}`)
	calls := d.auditedCalls()
	if len(calls) != 1 || calls[0].Code == "" || calls[0].Code == "OK" {
		t.Fatalf("the log has %+v", calls)
	}
	if out := d.must("audit", "verify"); !strings.Contains(out, "2 rows") {
		t.Error(out)
	}
}

func TestRefusedCallHasOneAuditRow(t *testing.T) {
	d := newCalendarHome(t, "send: refuse\n")
	d.bundles = "gmail: on, memory: on, calendar: on"
	d.configure("send: refuse\n")
	if _, stderr, status := d.run("call", "gmail_send_message", `{"to":["`+bob+`"],"subject":"Rolls","body":"At ten."}`); status != 1 {
		t.Fatal(stderr)
	}
	calls := d.auditedCalls()
	if len(calls) != 1 || calls[0].Code != "REFUSED" || calls[0].Tool != "gmail_send_message" || !strings.Contains(string(calls[0].Args), bob) {
		t.Fatalf("the log has %+v", calls)
	}
	if out := d.must("audit", "verify"); !strings.Contains(out, "intact: 1 row.") {
		t.Error(out)
	}
	d.must("call", "memory_get", "query=rolls")
	if n := len(d.auditedCalls()); n != 1 {
		t.Errorf("a read left a row: %d", n)
	}
}

func TestAuditListReturnsAsManyOverlappingCallsAsAsked(t *testing.T) {
	d := newTestHome(t)
	d.must("call", "memory_set", "key=a", "value=b")
	db, err := sqlite.Open(t.Context(), filepath.Join(d.home, "kota.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	type trailKey struct{}
	log := audit.New(db, func(ctx context.Context) *audit.Trail {
		trail, _ := ctx.Value(trailKey{}).(*audit.Trail)
		return trail
	})
	var trails []*audit.Trail
	for range 4 {
		trail := audit.NewTrail(store.AuditEntry{Owner: app.Owner, Tool: "memory_set", Effect: "writes"})
		if err := log.WriteIntent(context.WithValue(t.Context(), trailKey{}, trail)); err != nil {
			t.Fatal(err)
		}
		trails = append(trails, trail)
	}
	for _, trail := range trails {
		trail.End(store.OK)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for limit := 1; limit <= 6; limit++ {
		var listed struct{ Calls []auditlog.Call }
		if err := json.Unmarshal([]byte(d.must("audit", "list", "--json", "--limit", strconv.Itoa(limit))), &listed); err != nil {
			t.Fatal(err)
		}
		if got, want := len(listed.Calls), min(limit, 5); got != want {
			t.Errorf("--limit %d: %d calls, want %d", limit, got, want)
		}
	}
}

// A noted row may be shortened to the first digits of its hash.
func TestVerifyAcceptsTheStartOfANotedHash(t *testing.T) {
	t.Parallel()
	d := newTestHome(t)
	d.must("call", "memory_set", "key=theme", "value=dark")
	lines := strings.Split(strings.TrimSpace(d.must("audit", "verify")), "\n")
	noted := lines[len(lines)-1] // 2:HASH
	short := noted[:len("2:")+12]
	d.must("call", "memory_set", "key=theme", "value=light")
	for _, expect := range []string{noted, short, strings.ToUpper(short)} {
		if stdout := d.must("audit", "verify", "--expect", expect); !strings.Contains(stdout, "intact: 4 rows") {
			t.Errorf("%s: %s", expect, stdout)
		}
	}
	for expect, says := range map[string]string{
		"1" + short[1:]: "row 1 has another hash than you noted",
		"7" + short[1:]: "the log ends with row 4, before the row 7 that you noted",
	} {
		if stdout, stderr, status := d.run("audit", "verify", "--expect", expect); status != 1 || !strings.Contains(stdout, says) {
			t.Errorf("%s: ends with %d: %s%s", expect, status, stdout, stderr)
		}
	}
	for expect, says := range map[string]string{
		short[:len(short)-1]: "the hash has 11 digits; give at least the first 12",
		noted + "0":          "the hash has 65 digits; a hash has 64",
		noted[:20] + "…":     "only the digits 0-9 and a-f",
		noted[2:]:            "takes NUMBER:HASH",
	} {
		if _, stderr, status := d.run("audit", "verify", "--expect", expect); status != 2 || !strings.Contains(stderr, says) {
			t.Errorf("%s: ends with %d: %s", expect, status, stderr)
		}
	}
}
