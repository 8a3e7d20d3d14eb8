package persist

import (
	"context"
	"slices"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
)

// Names records the names that a bundle gives to things outside of KOTA: labels,
// filters and calendars. These things have no place for a provenance. A name
// that was given in a tainted session counts as untrusted content for good,
// because stored names are never removed.
type Names struct {
	Store  func(context.Context) (NameStore, error)
	Source string // the source in a provenance, such as untrusted.Mail
	Kind   string // the kind of thing that has the names: "label"
}

// Record records the names that the call in ctx is about to give to things in
// an account. account is the key of the account. Record does so if the session
// is tainted, or if fromUntrusted says that the names come from untrusted
// content. If Record returns an error, the names must not be given.
func (n Names) Record(ctx context.Context, account string, fromUntrusted bool, names ...string) error {
	if !fromUntrusted && !bundles.HasUntrusted(ctx) {
		return nil
	}
	stored, err := n.Store(ctx)
	if err != nil {
		return Explain(err)
	}
	spellings := make([]string, len(names))
	for i, name := range names {
		spellings[i] = normalize(name)
	}
	return Explain(stored.Record(ctx, account, n.Kind, spellings))
}

// Untrusted returns the names of the account that may be untrusted content.
// If the database fails or does not answer within a second, every name counts
// as untrusted. Data from Google must not wait longer for the database.
func (n Names) Untrusted(ctx context.Context, account string) UntrustedNames {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	untrustedNames := UntrustedNames{source: n.Source}
	stored, err := n.Store(ctx)
	if err == nil {
		untrustedNames.recorded, err = stored.Recorded(ctx, account, n.Kind)
	}
	untrustedNames.any = err != nil
	return untrustedNames
}

// UntrustedNames are names that may be untrusted content.
type UntrustedNames struct {
	recorded map[string]bool // the normalized names
	any      bool            // every name counts as untrusted
	source   string
}

// Contains reports whether one of the names may be untrusted content. It ignores
// empty names.
func (t UntrustedNames) Contains(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return name != "" && (t.any || t.recorded[normalize(name)]) })
}

// Provenance returns the provenance of an item with these names in the answer
// of the call in ctx. It returns nil if none of the names may be untrusted
// content.
func (t UntrustedNames) Provenance(ctx context.Context, names ...string) *untrusted.Provenance {
	if !t.Contains(names...) {
		return nil
	}
	return untrusted.MarkPartly(ctx, t.source)
}

// normalize returns the same text for all spellings of a name that Google may
// treat as equal.
func normalize(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }
