package persist

import (
	"context"
	"slices"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
)

// Names records names that a bundle gave to things outside of KOTA that have no
// place for a provenance: labels, filters, calendars. A name that was given in
// a tainted conversation may be untrusted content, for as long as something has
// that name.
type Names struct {
	Store  func(context.Context) (NameStore, error)
	Source string // such as untrusted.Mail
	Kind   string // of what: "label"
}

// Record records names before the call in ctx gives them in the account with that
// key. It does so if the session is tainted, or if fromUntrusted says that the
// names come from untrusted content. If Record returns an error, the names must
// not be given.
func (n Names) Record(ctx context.Context, account string, fromUntrusted bool, names ...string) error {
	if !fromUntrusted && !bundles.HasUntrusted(ctx) {
		return nil
	}
	noted, err := n.Store(ctx)
	if err != nil {
		return Explain(err)
	}
	spellings := make([]string, len(names))
	for i, name := range names {
		spellings[i] = normalize(name)
	}
	return Explain(noted.Record(ctx, account, n.Kind, spellings))
}

// Untrusted returns which names of the account may be untrusted content. It
// returns all of them if the database does not answer within a second, because
// data from Google must not wait longer for it.
func (n Names) Untrusted(ctx context.Context, account string) UntrustedNames {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	theirs := UntrustedNames{source: n.Source}
	noted, err := n.Store(ctx)
	if err == nil {
		theirs.noted, err = noted.Recorded(ctx, account, n.Kind)
	}
	theirs.any = err != nil
	return theirs
}

// UntrustedNames are names that may be untrusted content.
type UntrustedNames struct {
	noted  map[string]bool
	any    bool
	source string
}

// Contains reports whether one of the names may be untrusted content.
func (t UntrustedNames) Contains(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return name != "" && (t.any || t.noted[normalize(name)]) })
}

// Provenance returns the provenance of an item with these names in the answer
// of the call in ctx. It returns nil if all names are the user's own.
func (t UntrustedNames) Provenance(ctx context.Context, names ...string) *untrusted.Provenance {
	if !t.Contains(names...) {
		return nil
	}
	return untrusted.MarkPartly(ctx, t.source)
}

// normalize returns the same text for all spellings of a name that Google may
// treat as equal.
func normalize(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }
