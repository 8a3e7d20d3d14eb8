package app

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"kota/auth"
	"kota/bundles/calendar"
	"kota/cmd/kota/internal/config"
	"kota/cmd/kota/internal/safefile"
)

const (
	// zoneFile stores the zone of the primary calendar in KOTA_HOME, so that it
	// is known without a network.
	zoneFile = "timezone.json"
	// zoneTTL is how long a zone is used before it is looked up again, because
	// another process may sign in or out.
	zoneTTL = 5 * time.Second
	// zoneTimeout is the maximum time that a call waits for Google to return the
	// zone. Calls wait only if no zone is stored, and at most once in
	// zoneRetryAfter.
	zoneTimeout    = 3 * time.Second
	zoneRetryAfter = time.Minute
)

// userZone is the user's time zone as last found.
type userZone struct {
	mu      sync.Mutex
	zone    *time.Location // nil until the first look-up
	foundAt time.Time
	askedAt time.Time // when Google was last asked

	calendarZone *time.Location // Google's last answer
	account      string         // the account whose primary calendar has calendarZone
}

// storedZone is the stored zone of an account's primary calendar.
type storedZone struct {
	Account  string `json:"account"` // the name of the account
	Timezone string `json:"timezone"`
}

// Zone returns the user's time zone for all bundles and commands. It comes from
// bundles.yaml, else from the default account's primary calendar, else from
// this machine. Its name is an IANA name.
func (a *App) Zone() *time.Location {
	if a.Config.Zone != nil {
		return a.Config.Zone
	}
	a.userZone.mu.Lock()
	defer a.userZone.mu.Unlock()
	if a.userZone.zone == nil || time.Since(a.userZone.foundAt) > zoneTTL {
		a.userZone.zone, a.userZone.foundAt = a.findZone(), time.Now()
	}
	return a.userZone.zone
}

// findZone looks for the zone on disk, then asks Google. The caller must hold
// the lock.
func (a *App) findZone() *time.Location {
	account, signedIn := a.ZoneAccount()
	if !signedIn {
		return config.MachineZone()
	}
	if stored := a.StoredZone(account); stored != nil {
		return stored
	}
	if a.userZone.account == account.Name { // the zone is known, but could not be stored
		return a.userZone.calendarZone
	}
	if a.userZone.askedAt.IsZero() || time.Since(a.userZone.askedAt) > zoneRetryAfter {
		a.userZone.askedAt = time.Now()
		if zone := a.askZone(account); zone != nil {
			a.storeZone(account.Name, zone)
			return zone
		}
	}
	return config.MachineZone()
}

// ZoneAccount returns the account whose primary calendar gives the zone.
// signedIn is false if there is no such account.
func (a *App) ZoneAccount() (account auth.Account, signedIn bool) {
	all, err := a.Accounts().List()
	if err != nil || len(all) == 0 || !all[0].Default {
		return auth.Account{}, false
	}
	return all[0], true
}

// StoredZone returns the stored zone of the account, or nil.
func (a *App) StoredZone(account auth.Account) *time.Location {
	text, err := os.ReadFile(filepath.Join(a.Config.Home, zoneFile))
	if err != nil {
		return nil
	}
	var stored storedZone
	if err := json.Unmarshal(text, &stored); err != nil || stored.Account != account.Name {
		return nil
	}
	zone, err := time.LoadLocation(stored.Timezone)
	if err != nil || stored.Timezone == "" || stored.Timezone == "Local" {
		return nil
	}
	return zone
}

// askZone asks Google for the zone, if calendars are enabled and may be read.
// It returns nil if the zone cannot be found out.
func (a *App) askZone(account auth.Account) *time.Location {
	if account.Problem != nil || !calendar.CanReadAddress(account.Scopes) || !a.Config.Bundles["calendar"].Enabled || !a.profileShows("calendar_list_calendars") {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), zoneTimeout)
	defer cancel()
	client, _, err := a.Accounts().HTTPClient(ctx, account.Name)
	if err != nil {
		return nil
	}
	zone, err := calendar.Zone(ctx, client, a.Config.GoogleEndpoint)
	if err != nil {
		a.Log.Debug("the zone of the primary calendar is not known", "cause", err)
	}
	return zone
}

// calendarZone stores the zone of an account's primary calendar, if the account
// is the default.
func (a *App) calendarZone(account string, zone *time.Location) {
	if zoneAccount, ok := a.ZoneAccount(); !ok || zoneAccount.Name != account {
		return
	}
	a.userZone.mu.Lock()
	defer a.userZone.mu.Unlock()
	a.storeZone(account, zone)
	a.userZone.zone, a.userZone.foundAt = zone, time.Now()
}

// LearnZone asks Google for the account's zone after a sign-in, and stores it.
func (a *App) LearnZone(account auth.Account) {
	if zone := a.askZone(account); zone != nil {
		a.calendarZone(account.Name, zone)
	}
}

// storeZone keeps the zone in memory and writes it to zoneFile. It does not write
// if the file has this zone already, or if the profile only reads. The caller
// must hold the lock.
func (a *App) storeZone(account string, zone *time.Location) {
	a.userZone.account, a.userZone.calendarZone = account, zone
	if stored := a.StoredZone(auth.Account{Name: account}); a.Policy().ReadsOnly() || stored != nil && stored.String() == zone.String() {
		return
	}
	text, err := json.Marshal(storedZone{account, zone.String()})
	if err == nil {
		err = safefile.Replace(filepath.Join(a.Config.Home, zoneFile), append(text, '\n'))
	}
	if err != nil {
		a.Log.Warn("the time zone of the calendar could not be stored", "err", err)
	}
}

// ForgetZone removes the stored zone of an account that was signed out.
func (a *App) ForgetZone(account auth.Account) error {
	if a.StoredZone(account) == nil {
		return nil
	}
	if err := os.Remove(filepath.Join(a.Config.Home, zoneFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// LocalNow returns the time in the user's time zone.
func (a *App) LocalNow() time.Time { return a.Now().In(a.Zone()) }
