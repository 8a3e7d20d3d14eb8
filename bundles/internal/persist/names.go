package persist

import (
	"context"
	"slices"
	"strings"
	"time"

	"kota/bundles"
	"kota/bundles/internal/untrusted"
)

// Names are what a bundle calls things outside of KOTA that have no place for a
// note on whose words they are: labels, filters, calendars. One that was given
// after strangers were read may be theirs, for as long as something is called so.
type Names struct {
	Store  func(context.Context) (NameStore, error)
	Source string // untrusted.Mail
	Kind   string // of what: "label"
}

// Give notes names that the call in ctx is about to give in the account of that
// key, if text of strangers came into its session, or made says that they are
// made of what may be theirs. Where that cannot be noted, none may be given.
func (n Names) Give(ctx context.Context, account string, made bool, names ...string) error {
	if !made && !bundles.HasUntrusted(ctx) {
		return nil
	}
	noted, err := n.Store(ctx)
	if err != nil {
		return Explain(err)
	}
	alike := make([]string, len(names))
	for i, name := range names {
		alike[i] = folded(name)
	}
	return Explain(noted.Note(ctx, account, n.Kind, alike))
}

// Theirs returns which names of the account may be the words of strangers: any,
// where the database does not tell within a second. What Google keeps is not kept
// waiting for it.
func (n Names) Theirs(ctx context.Context, account string) Theirs {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	theirs := Theirs{source: n.Source}
	noted, err := n.Store(ctx)
	if err == nil {
		theirs.noted, err = noted.Noted(ctx, account, n.Kind)
	}
	theirs.any = err != nil
	return theirs
}

// Theirs are names that may be the words of strangers.
type Theirs struct {
	noted  map[string]bool
	any    bool
	source string
}

// Have reports whether one of the names may be theirs.
func (t Theirs) Have(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return name != "" && (t.any || t.noted[folded(name)]) })
}

// Provenance is that of an item that the answer of the call in ctx is about to
// show with these names, nil where all are the user's own.
func (t Theirs) Provenance(ctx context.Context, names ...string) *untrusted.Provenance {
	if !t.Have(names...) {
		return nil
	}
	return untrusted.PartlyUntrusted(ctx, t.source)
}

// folded is equal for spellings of a name that Google may take for the same.
func folded(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }
