package pgtest

import (
	"os"
	"testing"
)

// TestAServerCanBeUsed says for all other packages whether their tests of PostgreSQL ran. make test
// prints why they did not.
func TestAServerCanBeUsed(t *testing.T) {
	t.Parallel()
	given := os.Getenv(variable)
	if isURL(given) {
		return
	}
	programs, err := findPrograms(given)
	if err != nil {
		t.Fatal(err)
	}
	if programs == "" {
		t.Skip("not checked here: PostgreSQL. Install it, or set " + variable + " to its URL or its folder of programs.")
	}
}
