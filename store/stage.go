package store

import (
	"encoding/json"
	"time"
)

// StageTTL is how long a flow waits for its next step, by the clock of the DB. Each save
// restarts it.
const StageTTL = 24 * time.Hour

// A Stage is the current state of a flow with several steps.
type Stage struct {
	Handle   string          // "s_" and 10 letters and digits
	Flow     string          // "daily_review"
	Step     string          // the current step
	State    json.RawMessage // JSON that only the flow reads
	Version  int64           // from 1
	Created  time.Time       // times are in UTC, to the millisecond
	Updated  time.Time
	Expires  time.Time
	Finished time.Time // zero: not finished
}
