package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"kota/cmd/kota/internal/clients"
)

func TestNotesComeAndGoWhateverTheTextEndsWith(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# Project\n\nUse tabs.\n", "# Project\n\nUse tabs.", "Use tabs.\r\n", "One.\r\nUse tabs.", "Use tabs.\n\n", "\n"} {
		added, err := addNotes([]byte(text))
		again, twice := addNotes(added)
		removed, gone := removeNotes(added)
		if err := errors.Join(err, twice, gone); err != nil || string(again) != string(added) || string(removed) != text {
			t.Errorf("%q becomes %q, %q once more, and %q without: %v", text, added, again, removed, err)
		}
	}
}

// What an entry said of its folder and its limits is not changed in silence: other
// memories and another policy come with it.
func TestWhatAnEntryLosesIsSaid(t *testing.T) {
	t.Parallel()
	entry := func(env string, args ...string) clients.Entry {
		e := clients.Entry{Command: "/kota", Args: args, Env: map[string]string{}}
		if env != "" {
			name, value, _ := strings.Cut(env, "=")
			e.Env[name] = value
		}
		return e
	}
	for name, test := range map[string]struct {
		was, now clients.Entry
		want     string
	}{
		"nothing, for there was no entry":    {clients.Entry{}, entry("KOTA_HOME=/h2", "serve"), ""},
		"nothing, for it is the same":        {entry("KOTA_HOME=/h", "--profile", "full", "serve"), entry("KOTA_HOME=/h", "--profile", "full", "serve"), ""},
		"nothing, for it is left open":       {entry("KOTA_HOME=/h", "--profile", "full", "serve"), entry("", "serve"), ""},
		"nothing, for its limit is made":     {entry("", "serve"), entry("", "--profile", "read-only", "serve"), ""},
		"its folder":                         {entry("KOTA_HOME=/h", "serve"), entry("KOTA_HOME=/h2", "serve"), "KOTA_HOME=/h is KOTA_HOME=/h2 now (what is kept stays in the folder that it had)"},
		"the usual folder":                   {entry("", "serve"), entry("KOTA_HOME=/h2", "serve"), "it had no KOTA_HOME and has KOTA_HOME=/h2 now (what is kept stays in the folder that it had)"},
		"its profile":                        {entry("", "serve", "--profile=read-only"), entry("", "--profile", "full", "serve"), "--profile read-only is --profile full now"},
		"its file":                           {entry("", "--config", "/a", "serve"), entry("", "--config", "/b", "serve"), "--config /a is --config /b now"},
		"its file, which is a variable":      {entry("KOTA_CONFIG=/a", "serve"), entry("", "--config", "/b", "serve"), "KOTA_CONFIG=/a is --config /b now"},
		"its file, which a variable becomes": {entry("", "--config", "/a", "serve"), entry("KOTA_CONFIG=/b", "serve"), "--config /a is KOTA_CONFIG=/b now"},
	} {
		is, _ := updated(test.was, test.now)
		if got := strings.Join(replaced(test.was, is), "|"); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
	home := filepath.Join(t.TempDir(), "old")
	after, said := installIn(t, "cursor", `{"mcpServers": {"kota": {"command": "/old/kota", "args": ["serve"], "env": {"KOTA_HOME": "`+home+`"}}}}`, 0, "install")
	if strings.Contains(after, home) || !strings.Contains(said, "changed in the entry that was there: KOTA_HOME="+home+" is KOTA_HOME=") || !strings.Contains(said, "stays in the folder that it had") {
		t.Errorf("it says %s\nand becomes %s", said, after)
	}
}
