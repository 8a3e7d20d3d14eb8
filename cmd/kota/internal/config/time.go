package config

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// latestStart is the latest time at which a day may start, counted from midnight.
const latestStart = 12 * time.Hour

// dayStarts reads when the user's day starts, as a time of day: "04:00".
func (c *checker) dayStarts(v value) {
	const allowed = `a time from "00:00" to "12:00", in quotes`
	text, ok := textOf(v.node)
	at, err := time.Parse("15:04", text)
	since := time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	if !ok || err != nil || len(text) != len("15:04") || since > latestStart {
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), allowed)
		return
	}
	c.cfg.DayStarts = since
}

// timezone reads the user's time zone.
func (c *checker) timezone(v value) {
	const allowed = `system, or an IANA time zone such as "Europe/Amsterdam"`
	text, ok := textOf(v.node)
	if ok && text == "system" {
		c.cfg.Zone = nil
		return
	}
	zone, err := time.LoadLocation(text)
	if !ok || err != nil || text == "" || text == "Local" {
		c.problem(v.line, "%s is %s; allowed: %s", v.path, kindOf(v.node), allowed)
		return
	}
	c.cfg.Zone = zone
}

// MachineZone returns the zone of this machine.
func MachineZone() *time.Location { return systemZone(time.Local.String(), "/etc/localtime") }

// systemZone returns the machine's time zone with its IANA name. If TZ is not
// set, Go calls the zone "Local", and the target of link contains the name. If the
// name is unknown, systemZone returns a zone with the current offset if that is in
// whole hours, else UTC.
func systemZone(name, link string) *time.Location {
	if name == "Local" {
		target, _ := os.Readlink(link)
		_, name, _ = strings.Cut(target, "zoneinfo/")
	}
	if zone, err := time.LoadLocation(strings.TrimPrefix(name, ":")); err == nil && name != "" && name != "Local" {
		return zone
	}
	_, offset := time.Now().Zone()
	// The names Etc/GMT+N count hours west of Greenwich (tz database, file
	// etcetera).
	if zone, err := time.LoadLocation(fmt.Sprintf("Etc/GMT%+d", -offset/3600)); err == nil && offset != 0 && offset%3600 == 0 {
		return zone
	}
	return time.UTC
}
