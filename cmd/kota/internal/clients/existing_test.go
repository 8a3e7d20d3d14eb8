package clients

import (
	"errors"
	"strings"
	"testing"
)

func TestNotesAreAddedAndRemovedAtAnyEnding(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# Project\n\nUse tabs.\n", "# Project\n\nUse tabs.", "Use tabs.\r\n", "One.\r\nUse tabs.", "Use tabs.\n\n", "\n"} {
		added, err := AddNotes([]byte(text))
		again, twice := AddNotes(added)
		removed, gone := RemoveNotes(added)
		if err := errors.Join(err, twice, gone); err != nil || string(again) != string(added) || string(removed) != text {
			t.Errorf("%q becomes %q, %q once more, and %q without: %v", text, added, again, removed, err)
		}
	}
}

// An update must say that the folder or the limits of an entry change: the new
// values bring other memories and another policy.
func TestChangedSettingsListsReplacedValues(t *testing.T) {
	t.Parallel()
	entry := func(env string, args ...string) Entry {
		e := Entry{Command: "/kota", Args: args, Env: map[string]string{}}
		if env != "" {
			name, value, _ := strings.Cut(env, "=")
			e.Env[name] = value
		}
		return e
	}
	for name, test := range map[string]struct {
		was, now Entry
		want     string
	}{
		"nothing, for there was no entry":    {Entry{}, entry("KOTA_HOME=/h2", "serve"), ""},
		"nothing, for it is the same":        {entry("KOTA_HOME=/h", "--profile", "full", "serve"), entry("KOTA_HOME=/h", "--profile", "full", "serve"), ""},
		"nothing, for it is left open":       {entry("KOTA_HOME=/h", "--profile", "full", "serve"), entry("", "serve"), ""},
		"nothing, for its limit is made":     {entry("", "serve"), entry("", "--profile", "read-only", "serve"), ""},
		"its folder":                         {entry("KOTA_HOME=/h", "serve"), entry("KOTA_HOME=/h2", "serve"), "KOTA_HOME=/h is KOTA_HOME=/h2 now (the data stays in the previous folder)"},
		"the usual folder":                   {entry("", "serve"), entry("KOTA_HOME=/h2", "serve"), "it had no KOTA_HOME and has KOTA_HOME=/h2 now (the data stays in the previous folder)"},
		"its profile":                        {entry("", "serve", "--profile=read-only"), entry("", "--profile", "full", "serve"), "--profile read-only is --profile full now"},
		"its file":                           {entry("", "--config", "/a", "serve"), entry("", "--config", "/b", "serve"), "--config /a is --config /b now"},
		"its file, which is a variable":      {entry("KOTA_CONFIG=/a", "serve"), entry("", "--config", "/b", "serve"), "KOTA_CONFIG=/a is --config /b now"},
		"its file, which a variable becomes": {entry("", "--config", "/a", "serve"), entry("KOTA_CONFIG=/b", "serve"), "--config /a is KOTA_CONFIG=/b now"},
	} {
		is, _ := Update(test.was, test.now)
		if got := strings.Join(ChangedSettings(test.was, is), "|"); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
