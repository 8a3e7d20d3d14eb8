// Package timeparse reads and writes times as people and models write them. It
// distinguishes local times and moments. Every local time is combined with a
// named zone, in which it happens once, twice or never. A local time is never
// assumed to be in UTC.
//
// The zones are those of the machine or, if it has none, those of the Go
// toolchain, which are linked in.
package timeparse

import (
	_ "embed" // the list of names
	"path"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // zones for a machine without any

	"kota/metadata/words"
)

// ZoneError says that a name is not a time zone.
type ZoneError struct {
	Name    string
	Similar []string // names that may have been meant, best first; often empty
}

func (e *ZoneError) Error() string {
	name := brief(e.Name)
	if isOffset(e.Name) {
		name += " is an offset, and"
	}
	if len(e.Similar) > 0 {
		return name + " is not a time zone: did you mean " + strings.Join(e.Similar, ", ") + "?"
	}
	return name + ` is not a time zone: give an IANA name such as "Europe/Amsterdam", "America/New_York" or "UTC"`
}

// Zone returns the time zone with that IANA name, ignoring case. The location's
// String is the name as IANA spells it. An empty name, "Local", offsets and
// paths are not zones. Every error is a *[ZoneError].
func Zone(name string) (*time.Location, error) {
	if name == "UTC" {
		return time.UTC, nil
	}
	canonical, ok := canonicalName(name)
	if !ok {
		return nil, &ZoneError{Name: name, Similar: similarNames(name)}
	}
	if known, ok := zoneCache.Load(canonical); ok {
		return known.(*time.Location), nil
	}
	zone, err := time.LoadLocation(canonical)
	if err != nil {
		return nil, &ZoneError{Name: name, Similar: similarNames(name)}
	}
	zoneCache.Store(canonical, zone)
	return zone, nil
}

// IsZone reports whether IANA lists a zone with that name, ignoring case.
func IsZone(name string) bool {
	_, listed := names().folded[strings.ToLower(name)]
	return listed
}

// zoneCache caches zones by name, because reading them is slow.
var zoneCache sync.Map

// canonicalName returns the name of a zone as IANA spells it. It accepts an
// unlisted name only in the form Area/City with a known area. Any other name
// could be the path of another file on this machine.
func canonicalName(name string) (string, bool) {
	if listed, ok := names().folded[strings.ToLower(name)]; ok {
		return listed, true
	}
	area, city, _ := strings.Cut(name, "/")
	return name, names().areas[area] && city != "" && len(name) <= maxName && path.Clean(name) == name && !strings.ContainsFunc(name, notInName)
}

const maxName = 40 // the longest of IANA's has 32 characters

func notInName(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	return !letter && (r < '0' || r > '9') && !strings.ContainsRune("/_+-", r)
}

//go:generate go test -run TestZoneNamesMatchToolchain -update
//go:embed names.txt
var list string

// names returns the names of the zones. They are read on the first look-up.
var names = sync.OnceValue(func() (n struct {
	all    []string
	folded map[string]string // the names, by their form in small letters
	areas  map[string]bool   // the parts before the first slash
}) {
	n.all = strings.Fields(list)
	n.folded = make(map[string]string, len(n.all))
	n.areas = map[string]bool{}
	for _, name := range n.all {
		n.folded[strings.ToLower(name)] = name
		if area, _, found := strings.Cut(name, "/"); found {
			n.areas[area] = true
		}
	}
	return n
})

// similarNames returns at most three names that resemble the written one. Those
// of the same city come first, then those with at most two wrong letters, then
// those of a city with a similar name.
func similarNames(written string) []string {
	const maxNames = 3
	if written == "" || len(written) > maxName || isOffset(written) { // Etc/GMT+2 is two hours behind: its sign is inverted
		return nil
	}
	folded := fold(written)
	city := folded[strings.LastIndexByte(folded, '/')+1:]
	var found [3][]string
	for _, name := range names().all {
		whole := fold(name)
		last := whole[strings.LastIndexByte(whole, '/')+1:]
		switch {
		case whole == folded: // the same except for spaces and hyphens
			return []string{name}
		case len(last) > 3 && last == city:
			found[0] = append(found[0], name)
		case len(whole) > 5 && editDistance(whole, folded, 2) <= 2:
			found[1] = append(found[1], name)
		case len(city) > 4 && (strings.HasPrefix(last, city) || editDistance(last, city, 1) <= 1):
			found[2] = append(found[2], name)
		}
	}
	best := slices.Concat(found[:]...)
	return best[:min(maxNames, len(best))]
}

// isOffset reports whether a text is an offset: "+05:30", "UTC+2", "GMT-0800".
func isOffset(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, before := range []string{"utc", "gmt"} {
		text = strings.TrimSpace(strings.TrimPrefix(text, before))
	}
	digits := strings.TrimLeft(text, "+-")
	return len(text) == len(digits)+1 && digits != "" && strings.Trim(digits, "0123456789:") == ""
}

// fold returns the form in which names are compared.
func fold(name string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name)))
}

func editDistance(a, b string, limit int) int { return words.Typos([]rune(a), []rune(b), limit) }
