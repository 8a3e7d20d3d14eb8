package timeparse

import "errors"

// Wanted says what an argument has to be that could not be read as a time or a
// zone, by the error of Parse, Zone or a [GapError], and what may be meant
// instead: "" where nothing is near.
func Wanted(err error) (what, instead string) {
	gap, zone := (*GapError)(nil), (*ZoneError)(nil)
	switch {
	case errors.As(err, &gap):
		return "a time that clocks show", RFC3339(gap.After)
	case errors.As(err, &zone) && len(zone.Near) > 0:
		return "a time zone", zone.Near[0]
	case errors.As(err, &zone):
		return "a time zone", ""
	}
	return "a time", ""
}
