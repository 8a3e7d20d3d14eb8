package timeparse_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kota/bundles/internal/timeparse"
)

// zone returns a zone that exists.
func zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	found, err := timeparse.Zone(name)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

func TestUnknownZoneIsRefusedWithExample(t *testing.T) {
	for name, near := range map[string]string{
		"":                                 "",
		" ":                                "",
		"Local":                            "",
		"local":                            "",
		"UTC+25":                           "",
		"UTC+2":                            "",
		"+02:00":                           "",
		"../../etc/passwd":                 "",
		"/etc/localtime":                   "",
		"America/../../../../etc/passwd":   "",
		"America/":                         "",
		"America//New_York":                "",
		"America/New_York/":                "",
		"America":                          "",
		"localtime":                        "",
		"posixrules":                       "",
		"Factory":                          "",
		"Mars/Phobos":                      "",
		"America/New\x00York":              "",
		"Europe/Amsterdam\n":               "Europe/Amsterdam",
		strings.Repeat("A/", 4000):         "",
		"Amsterdam":                        "Europe/Amsterdam",
		"New York":                         "America/New_York",
		"Europe/Amsterdan":                 "Europe/Amsterdam",
		"Asia/Calcuta":                     "Asia/Calcutta",
		"US/New_York":                      "America/New_York",
		"America/Buenos Aires":             "America/Buenos_Aires",
		"America/New York":                 "America/New_York",
		"Europe/Kyvi":                      "Europe/Kyiv",
		"Pacific Standard Time and beyond": "",
	} {
		found, err := timeparse.Zone(name)
		var refused *timeparse.ZoneError
		if !errors.As(err, &refused) || found != nil {
			t.Errorf("%.40q: got zone %v, error %v", name, found, err)
			continue
		}
		if near != "" && (len(refused.Similar) == 0 || refused.Similar[0] != near) {
			t.Errorf("%q: near is %q, want %q first", name, refused.Similar, near)
		}
		if len(refused.Similar) > 3 {
			t.Errorf("%q: near is %q", name, refused.Similar)
		}
		text := err.Error()
		if !strings.Contains(text, "/") || len(text) > 250 || strings.ContainsAny(text, "\n\x00") {
			t.Errorf("%q: the error reads %q", name, text)
		}
	}
}

func TestZoneIgnoresCase(t *testing.T) {
	for name, want := range map[string]string{
		"Europe/Amsterdam":               "Europe/Amsterdam",
		"america/new_york":               "America/New_York",
		"AMERICA/ARGENTINA/BUENOS_AIRES": "America/Argentina/Buenos_Aires",
		"UTC":                            "UTC",
		"utc":                            "UTC",
		"Etc/UTC":                        "Etc/UTC",
		"Etc/GMT-14":                     "Etc/GMT-14",
		"CET":                            "CET",
		"est":                            "EST",
		"EST5EDT":                        "EST5EDT",
		"Antarctica/Troll":               "Antarctica/Troll",
	} {
		for range 2 { // the second comes from the cache
			found, err := timeparse.Zone(name)
			if err != nil || found.String() != want {
				t.Errorf("%s: got %v, %v, want %s", name, found, err, want)
			}
		}
	}
}

func TestEveryListedZoneLoadsWithoutSystemFiles(t *testing.T) {
	for _, name := range timeparse.Names() {
		if _, err := timeparse.Zone(name); err != nil {
			t.Error(err)
		}
	}
}

// Names below Etc invert the sign of an offset, so none is suggested.
func TestOffsetHasNoSimilarZone(t *testing.T) {
	for _, offset := range []string{"GMT+2", "UTC-08:00", "+05:30", "-3"} {
		_, err := timeparse.Zone(offset)
		if refused := (*timeparse.ZoneError)(nil); !errors.As(err, &refused) || len(refused.Similar) > 0 || !strings.Contains(err.Error(), "is an offset") {
			t.Errorf("%s: got %v", offset, err)
		}
	}
}
