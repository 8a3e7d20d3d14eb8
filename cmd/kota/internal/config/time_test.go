package config

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSystemZoneHasIANAName(t *testing.T) {
	dir := t.TempDir()
	link := func(target string) string {
		path := filepath.Join(dir, filepath.Base(target))
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct{ name, link, want string }{
		"TZ names it":                        {"Asia/Kolkata", link("/usr/share/zoneinfo/Europe/Amsterdam"), "Asia/Kolkata"},
		"the link tells":                     {"Local", link("/usr/share/zoneinfo/Pacific/Apia"), "Pacific/Apia"},
		"the link of another system":         {"Local", link("/var/db/timezone/zoneinfo/America/New_York"), "America/New_York"},
		"a link to UTC":                      {"Local", link("/usr/share/zoneinfo/Etc/UTC"), "Etc/UTC"},
		"UTC itself, where nothing is set":   {"UTC", filepath.Join(dir, "none"), "UTC"},
		"a TZ with a colon, as POSIX has it": {":Europe/Berlin", "", "Europe/Berlin"},
	} {
		if got := systemZone(c.name, c.link).String(); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestUnnamedZoneGetsEquivalentName(t *testing.T) {
	zone := systemZone("Local", filepath.Join(t.TempDir(), "none"))
	now := time.Now()
	_, want := now.Zone()
	if _, got := now.In(zone).Zone(); got != want && want%3600 == 0 {
		t.Errorf("got %s, which is %d seconds east, want %d", zone, got, want)
	}
	if name := zone.String(); name == "Local" || name == "" {
		t.Errorf("the zone is called %q", name)
	}
}
