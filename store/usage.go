package store

// Limits of what is stored for each owner: the current day and UsageDays days before it, and
// MaxUsagePairs pairs of tools. Pairs without a call in these days are dropped, and then the
// rarest pairs.
const (
	UsageDays     = 400
	MaxUsagePairs = 1000
)

// A UsageCount counts the calls of a tool through one channel with one outcome, in one day or in
// several.
type UsageCount struct {
	Day       string // "2026-11-20"; "" in the result of Between
	Tool      string // "": all calls of names that are not tools
	Channel   string // discover, describe, direct, entry_point, read or cli
	Code      string // error code; "" for success
	Count     int64
	TokensIn  int64
	TokensOut int64
}

// A ToolPair counts how often two tools were called shortly after one another. Tool sorts before
// Other.
type ToolPair struct {
	Tool, Other string
	Count       int64
}
