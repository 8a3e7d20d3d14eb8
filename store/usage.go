package store

// What is kept of usage at most, of each owner. What is older, or rarer, goes.
const (
	UsageDays  = 400
	UsagePairs = 1000
)

// A Used says how often a tool was used by one door with one outcome, in one
// day or in several.
type Used struct {
	Day       string // "2026-11-20"; "" in what Between returns
	Tool      string // "" for all names that no tool has
	Door      string // discover, describe, direct, entry_point, read or cli
	Code      string // of the error; "" when it succeeded
	Count     int64
	TokensIn  int64
	TokensOut int64
}

// A UsedPair says how often two tools were called soon after one another. Tool
// comes before Other in the alphabet.
type UsedPair struct {
	Tool, Other string
	Count       int64
}
