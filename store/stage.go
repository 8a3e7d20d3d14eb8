package store

import (
	"encoding/json"
	"time"
)

// StageKept is how long a flow waits for its next step, by the clock of the
// DB. Each save begins it anew.
const StageKept = 24 * time.Hour

// A Stage is one flow of several steps as it stands.
type Stage struct {
	Handle   string          // "s_" and 10 letters and digits
	Flow     string          // "daily_review"
	Stage    string          // where in the flow
	State    json.RawMessage // for the flow alone
	Version  int64           // from 1
	Created  time.Time       // times are in UTC, to the millisecond
	Updated  time.Time
	Expires  time.Time
	Finished time.Time // zero: it is under way
}
