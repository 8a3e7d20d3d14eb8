package doctor

import (
	"fmt"
	"time"

	"kota/cmd/kota/internal/app"
	"kota/cmd/kota/internal/config"
)

// examineZone names the user's time zone and its source. It warns if the
// calendar's zone has other clock times than the zone of bundles.yaml. If
// bundles.yaml has no zone, it compares with the zone of this machine. It sends no
// request to Google.
func examineZone(a *app.App) Finding {
	machine := config.MachineZone()
	account, signedIn := a.ZoneAccount()
	var calendarZone *time.Location
	if signedIn {
		calendarZone = a.StoredZone(account)
	}
	f := Finding{Check: "time zone", OK: true}
	switch {
	case a.Config.Zone != nil:
		f.Saw = a.Config.Zone.String() + ", as bundles.yaml says"
		if calendarZone != nil && !haveSameTimes(a.Config.Zone, calendarZone, a.Now()) {
			f.Saw += fmt.Sprintf("; the primary calendar of %s has %s", account.Name, calendarZone)
			f.Remedy = "All times are in the zone of bundles.yaml. To follow the calendar, write `timezone: system` there."
		}
	case calendarZone != nil:
		f.Saw = fmt.Sprintf("%s, from the primary calendar of %s", calendarZone, account.Name)
		if !haveSameTimes(calendarZone, machine, a.Now()) {
			f.Saw += fmt.Sprintf("; this machine has %s", machine)
			f.Remedy = fmt.Sprintf("All times are in the calendar's zone. If that is wrong, write `timezone: %s` into bundles.yaml.", machine)
		}
	default:
		f.Saw = machine.String() + ", from this machine"
		if signedIn {
			f.Saw += "; the zone of the primary calendar is not known yet"
		}
	}
	return f
}

// haveSameTimes reports whether both zones have the same clock times at start
// and at monthly intervals in the year after it.
func haveSameTimes(a, b *time.Location, start time.Time) bool {
	for month := range 12 {
		_, ahead := start.AddDate(0, month, 0).In(a).Zone()
		if _, other := start.AddDate(0, month, 0).In(b).Zone(); ahead != other {
			return false
		}
	}
	return true
}
