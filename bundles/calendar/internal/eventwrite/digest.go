package eventwrite

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	calendarapi "google.golang.org/api/calendar/v3"
)

// NewID returns the id of an event that an account makes in a calendar: the
// same for the same key, and a new one without. It has the form that Google
// wants, 5 to 1024 of the characters of base32hex in lower case.
func NewID(account, calendar, key string) string {
	seed := rand.Text()
	if key != "" {
		seed = strings.Join([]string{account, calendar, key}, "\x00")
	}
	sum := sha256.Sum256([]byte(seed))
	return "kota" + strings.ToLower(base32.HexEncoding.EncodeToString(sum[:20]))
}

// digestOf tells whether two calls ask for the same event: whatever its id, and
// the id of the request for its conference.
func digestOf(calendar string, e *calendarapi.Event, notify string) (string, error) {
	bare := *e
	bare.Id = ""
	if wanted := e.ConferenceData; wanted != nil && wanted.CreateRequest != nil {
		bare.ConferenceData = &calendarapi.ConferenceData{}
	}
	text, err := json.Marshal(&bare)
	if err != nil {
		return "", fmt.Errorf("write event: %w", err)
	}
	sum := sha256.Sum256([]byte(calendar + "\x00" + sendUpdates(notify) + "\x00" + string(text)))
	return base64.RawURLEncoding.EncodeToString(sum[:]), nil
}
